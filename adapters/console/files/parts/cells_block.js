// Blocks of cells: what is selected, copied, pasted and filled.

/**
 * @typedef {object} CellColumn
 * @property {string} key
 * @property {string} label
 * @property {number} width in pixels
 * @property {'text' | 'number' | 'check' | 'read'} kind read is only looked at
 * @property {(row: any) => any} get
 * @property {(row: any, value: any) => any} [set] the row with another value
 * @property {(row: any) => string} [placeholder] what holds where the cell is empty
 * @property {(row: any) => boolean} [editable]
 * @property {(row: any, index: number) => void} [open] what Enter does where nothing is typed
 */

/** @typedef {{ top: number, bottom: number, left: number, right: number }} Range */
/** @typedef {{ r: number, c: number }} At */

/** clampTo keeps a place inside of the table. @param {At} at @param {number} rows @param {number} columns @returns {At} */
export const clampTo = (at, rows, columns) => ({ r: Math.max(0, Math.min(rows - 1, at.r)), c: Math.max(0, Math.min(columns - 1, at.c)) });

/** rangeOf is what lies between two cells. @param {At} a @param {At} b @returns {Range} */
export const rangeOf = (a, b) => ({ top: Math.min(a.r, b.r), bottom: Math.max(a.r, b.r), left: Math.min(a.c, b.c), right: Math.max(a.c, b.c) });

/** textOf is a cell as it is typed and copied. @param {CellColumn} column @param {any} row @returns {string} */
export function textOf(column, row) {
  const value = column.get(row);
  if (value === null || value === undefined || value === false) return '';
  return value === true ? 'TRUE' : String(value);
}

/** What stands for yes in sheets. */
const yes = /^(true|yes|y|1|o|예|✓)$/i;

/**
 * written is a row with what was typed into a cell, or taken from another one.
 * @param {CellColumn} column
 * @param {any} row
 * @param {any} value
 */
export function written(column, row, value) {
  if (!column.set || column.kind === 'read' || !(column.editable?.(row) ?? true)) return row;
  if (column.kind === 'check') return column.set(row, typeof value === 'string' ? yes.test(value.trim()) : Boolean(value));
  if (column.kind === 'number') return column.set(row, numberIn(value));
  return column.set(row, value === '' ? null : value);
}

/** numberIn is a number where one was typed as it is shown; the text otherwise, which the shop refuses if it is none. @param {any} value */
function numberIn(value) {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (text === '') return null;
  return String(Number(text)) === text ? Number(text) : text;
}

/**
 * blockOf is the rows with other values in a range.
 * @param {any[]} rows
 * @param {CellColumn[]} columns
 * @param {Range} range
 * @param {(r: number, c: number) => any} value
 */
export function blockOf(rows, columns, { top, bottom, left, right }, value) {
  return rows.map((row, r) => {
    if (r < top || r > bottom) return row;
    let next = row;
    for (let c = left; c <= right; c++) next = written(/** @type {CellColumn} */ (columns[c]), next, value(r, c));
    return next;
  });
}

/**
 * pasted is the rows with a block of text put where the range begins; one value fills the whole range, and so does one line all lines
 * of it. cut is how many values had no place.
 * @param {any[]} rows
 * @param {CellColumn[]} columns
 * @param {Range} range
 * @param {string} text
 */
export function pasted(rows, columns, range, text) {
  const block = linesOf(text);
  const wide = Math.max(1, ...block.map((line) => line.length));
  const single = block.length === 1;
  const bottom = single ? range.bottom : Math.min(rows.length - 1, range.top + block.length - 1);
  const right = single && wide === 1 ? range.right : Math.min(columns.length - 1, range.left + wide - 1);
  const value = (/** @type {number} */ r, /** @type {number} */ c) => {
    const line = block[single ? 0 : r - range.top] ?? [];
    return (single && wide === 1 ? line[0] : line[c - range.left]) ?? '';
  };
  const all = block.reduce((n, line) => n + line.length, 0);
  const fit = block.slice(0, bottom - range.top + 1).reduce((n, line) => n + Math.min(line.length, columns.length - range.left), 0);
  return { rows: blockOf(rows, columns, { ...range, bottom, right }, value), cut: all - fit };
}

/**
 * linesOf reads what spreadsheets copy: tabs between cells, quotes around those that contain tabs, quotes or several lines.
 * @param {string} text
 * @returns {string[][]}
 */
function linesOf(text) {
  /** @type {string[][]} */
  const lines = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r?\n|$)/g)) {
    lines.at(-1)?.push(quoted !== undefined ? quoted.replaceAll('""', '"') : (plain ?? '').trim());
    if (end === '') break;
    if (end !== '\t') lines.push([]);
  }
  const last = lines.at(-1);
  if (lines.length > 1 && last?.length === 1 && last[0] === '') lines.pop();
  return lines;
}
