// Reads the files in which carriers send tracking numbers: CSV in UTF-8 or CP949, and XLSX. The shop reads them again when they are
// imported; this is for showing before what will happen.

/** @typedef {{ number: number, cells: string[], formulas: boolean[] }} SheetRow number: of the row in the file, from 1 */

/**
 * readSheet is the rows of a file that are not empty. Errors: whatever the browser throws for what is no such file.
 * @param {File} file
 * @returns {Promise<SheetRow[]>}
 */
export async function readSheet(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const rows = bytes[0] === 0x50 && bytes[1] === 0x4b ? await readWorkbook(bytes) : readText(textOf(bytes));
  return rows.filter((row) => row.cells.some((cell) => cell.trim() !== ''));
}

/** @param {Uint8Array} bytes */
function textOf(bytes) {
  if (bytes.includes(0)) throw new Error('binary');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // The name under which browsers know CP949.
    return new TextDecoder('euc-kr', { fatal: true }).decode(bytes);
  }
}

/** @param {string} text @returns {SheetRow[]} */
function readText(text) {
  const first = text.split('\n').find((line) => line.trim() !== '') ?? '';
  const count = (/** @type {string} */ mark) => first.replace(/"[^"]*"/g, '').split(mark).length;
  const mark = [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
  /** @type {SheetRow[]} */
  const rows = [];
  let cells = /** @type {string[]} */ ([]);
  const cell = new RegExp(`(?: *"((?:[^"]|"")*)" *|([^${mark}\\r\\n]*))(${mark}|\\r?\\n|$)`, 'y');
  for (let found = cell.exec(text); found; found = cell.exec(text)) {
    cells.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === mark) continue;
    rows.push({ number: rows.length + 1, cells, formulas: cells.map((one) => one.trim().startsWith('=')) });
    cells = [];
    if (cell.lastIndex >= text.length) return rows;
  }
  throw new Error('a quote stands in the middle of a cell');
}

/** @param {Uint8Array} bytes @returns {Promise<SheetRow[]>} */
async function readWorkbook(bytes) {
  const part = unpack(bytes);
  const [book, links, strings] = await Promise.all([part('xl/workbook.xml'), part('xl/_rels/workbook.xml.rels'), part('xl/sharedStrings.xml')]);
  const id = attribute(/<sheet\b[^>]*>/.exec(book)?.[0] ?? '', 'r:id');
  const link = [...links.matchAll(/<Relationship\b[^>]*>/g)].map(([tag]) => tag).find((tag) => attribute(tag, 'Id') === id) ?? '';
  const path = attribute(link, 'Target').replace(/^\/?(xl\/)?/, 'xl/');
  const texts = [...strings.matchAll(/<si\b[^>]*>(.*?)<\/si>/gs)].map(([, inner]) => textIn(inner ?? ''));
  const sheet = await part(path);
  return [...sheet.matchAll(/<row\b([^>]*)>(.*?)<\/row>/gs)].map(([, tag = '', inner = ''], i) => {
    /** @type {SheetRow} */
    const row = { number: Number(attribute(tag, 'r')) || i + 1, cells: [], formulas: [] };
    for (const [, named = '', content = ''] of inner.matchAll(/<c\b([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)) {
      const at = columnOf(attribute(named, 'r')) ?? row.cells.length;
      while (row.cells.length < at) row.cells.push('');
      row.cells[at] = valueOf(attribute(named, 't'), content, texts);
      row.formulas[at] = /<f\b/.test(content);
    }
    return row;
  });
}

/**
 * @param {string} kind
 * @param {string} content
 * @param {string[]} texts
 */
function valueOf(kind, content, texts) {
  const raw = plain(/<v\b[^>]*>(.*?)<\/v>/s.exec(content)?.[1] ?? '');
  if (kind === 's') return texts[Number(raw)] ?? '';
  if (kind === 'inlineStr') return textIn(content);
  // Programs write whole numbers with an exponent, too.
  return kind === '' || kind === 'n' ? (/e/i.test(raw) && Number.isSafeInteger(Number(raw)) ? String(Number(raw)) : raw) : raw;
}

/** textIn is what is written, without how it is read aloud. @param {string} xml */
const textIn = (xml) => [...xml.replace(/<rPh\b.*?<\/rPh>/gs, '').matchAll(/<t\b[^>]*>(.*?)<\/t>/gs)].map(([, text]) => plain(text ?? '')).join('');

/** @type {Record<string, string>} */
const marks = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** @param {string} xml */
const plain = (xml) =>
  xml.replace(/&(?:#(x?)([\da-f]+)|(\w+));/gi, (_, hex, code, name) => (name ? (marks[name] ?? '') : String.fromCodePoint(parseInt(code, hex ? 16 : 10))));

/** @param {string} tag @param {string} name */
const attribute = (tag, name) => new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(tag)?.[1] ?? '';

/** columnOf is the index of the column of a cell such as C7. @param {string} name */
function columnOf(name) {
  const letters = /^[A-Z]+/.exec(name)?.[0];
  return letters === undefined ? undefined : [...letters].reduce((n, letter) => n * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** unpack finds the parts of a ZIP archive by its directory; a part that is missing is empty. @param {Uint8Array} bytes */
function unpack(bytes) {
  const view = new DataView(bytes.buffer);
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) throw new Error('no archive');
  /** @type {Map<string, { packed: boolean, at: number, size: number }>} */
  const parts = new Map();
  let at = view.getUint32(end + 16, true);
  for (let n = view.getUint16(end + 10, true); n > 0; n--) {
    const name = view.getUint16(at + 28, true);
    const local = view.getUint32(at + 42, true);
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const path = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + name));
    parts.set(path, { packed: view.getUint16(at + 10, true) === 8, at: start, size: view.getUint32(at + 20, true) });
    at += 46 + name + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return async (/** @type {string} */ path) => {
    const part = parts.get(path);
    if (!part) return '';
    const packed = new Blob([bytes.slice(part.at, part.at + part.size)]);
    return part.packed ? new Response(packed.stream().pipeThrough(new DecompressionStream('deflate-raw'))).text() : packed.text();
  };
}
