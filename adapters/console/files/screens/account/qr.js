// A QR code for what a phone is to read: bytes, with the lowest correction, which is plenty on a screen.
import { html } from '../../vendor/ui.js';

/**
 * The versions whose blocks are all of one length, which leaves one case out: number, blocks, bytes of data in each, bytes of
 * correction in each, centers of the alignment patterns.
 * @type {[number, number, number, number, number[]][]}
 */
const versions = [
  [1, 1, 19, 7, []], [2, 1, 34, 10, [6, 18]], [3, 1, 55, 15, [6, 22]], [4, 1, 80, 20, [6, 26]], [5, 1, 108, 26, [6, 30]], [6, 2, 68, 18, [6, 34]],
  [7, 2, 78, 20, [6, 22, 38]], [8, 2, 97, 24, [6, 24, 42]], [9, 2, 116, 30, [6, 26, 46]], [11, 4, 81, 20, [6, 30, 54]], [13, 4, 107, 26, [6, 34, 62]],
];

/** Powers of 2 in the field of 256 elements, and their logarithms. */
const power = new Uint8Array(255);
const log = new Uint8Array(256);
for (let i = 0, x = 1; i < 255; i++, x = x & 0x80 ? (x << 1) ^ 0x11d : x << 1) {
  power[i] = x;
  log[x] = i;
}

/** @param {number} a @param {number} b */
const times = (a, b) => (a && b ? (power[((log[a] ?? 0) + (log[b] ?? 0)) % 255] ?? 0) : 0);

/** correction is the remainder of data by the generator of n bytes. @param {number[]} data @param {number} n */
function correction(data, n) {
  let generator = [1];
  for (let i = 0; i < n; i++) generator = [...generator, 0].map((c, k) => c ^ times(generator[k - 1] ?? 0, power[i] ?? 0));
  const rest = [...data, ...Array(n).fill(0)];
  for (let i = 0; i < data.length; i++) {
    const lead = rest[i];
    generator.forEach((c, k) => (rest[i + k] ^= times(c, lead)));
  }
  return rest.slice(data.length);
}

/** codewords is the text as it stands in the code. @param {Uint8Array} text @param {typeof versions[number]} version */
function codewords(text, [number, blocks, size, extra]) {
  const bits = [0, 1, 0, 0];
  const put = (/** @type {number} */ value, /** @type {number} */ length) => {
    for (let i = length - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  put(text.length, number < 10 ? 8 : 16);
  text.forEach((byte) => put(byte, 8));
  put(0, Math.min(4, blocks * size * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const bytes = Array.from({ length: bits.length / 8 }, (_, i) => parseInt(bits.slice(i * 8, i * 8 + 8).join(''), 2));
  for (let pad = 0xec; bytes.length < blocks * size; pad ^= 0xec ^ 0x11) bytes.push(pad);
  const data = Array.from({ length: blocks }, (_, i) => bytes.slice(i * size, (i + 1) * size));
  const checks = data.map((block) => correction(block, extra));
  const woven = (/** @type {number[][]} */ parts, /** @type {number} */ length) => Array.from({ length }, (_, i) => parts.map((p) => p[i] ?? 0)).flat();
  return [...woven(data, size), ...woven(checks, extra)];
}

/** withCheck is a number with the remainder of a BCH code behind it. @param {number} value @param {number} generator @param {number} n bits of the remainder */
function withCheck(value, generator, n) {
  let rest = value << n;
  for (let bit = 31 - Math.clz32(rest); bit >= n; bit = 31 - Math.clz32(rest)) rest ^= generator << (bit - n);
  return (value << n) | rest;
}

/**
 * matrix is the code of a text, true for dark; undefined for one that is too long.
 * @param {string} content
 * @returns {boolean[][] | undefined}
 */
export function matrix(content) {
  const text = new TextEncoder().encode(content);
  const version = versions.find(([number, blocks, size]) => text.length + (number < 10 ? 2 : 3) <= blocks * size);
  if (!version) return undefined;
  const [number, , , , centers] = version;
  const n = number * 4 + 17;
  /** @type {(boolean | undefined)[][]} */
  const cells = Array.from({ length: n }, () => Array(n).fill(undefined));
  const set = (/** @type {number} */ r, /** @type {number} */ c, /** @type {boolean} */ dark) => {
    if (cells[r] && r < n && c >= 0 && c < n) cells[r][c] = dark;
  };
  const ring = (/** @type {number} */ r, /** @type {number} */ c, /** @type {number} */ reach, /** @type {number[]} */ light) => {
    for (let y = -reach; y <= reach; y++) for (let x = -reach; x <= reach; x++) set(r + y, c + x, !light.includes(Math.max(Math.abs(x), Math.abs(y))));
  };
  for (let i = 8; i < n - 8; i++) for (const [r, c] of [[6, i], [i, 6]]) set(r ?? 0, c ?? 0, i % 2 === 0);
  for (const r of centers) for (const c of centers) if (!((r === 6 && (c === 6 || c === n - 7)) || (c === 6 && r === n - 7))) ring(r, c, 2, [1]);
  for (const [r, c] of [[3, 3], [3, n - 4], [n - 4, 3]]) ring(r ?? 0, c ?? 0, 4, [2, 4]);
  const facts = withCheck(0b01000, 0x537, 10) ^ 0x5412;
  for (let i = 0; i < 15; i++) {
    const dark = ((facts >> i) & 1) === 1;
    set(i < 6 ? i : i < 8 ? i + 1 : n - 15 + i, 8, dark);
    set(8, i < 8 ? n - 1 - i : i < 9 ? 7 : 14 - i, dark);
  }
  set(n - 8, 8, true);
  const told = withCheck(number, 0x1f25, 12);
  for (let i = 0; number >= 7 && i < 18; i++) {
    for (const [r, c] of [[Math.floor(i / 3), n - 11 + (i % 3)], [n - 11 + (i % 3), Math.floor(i / 3)]]) set(r ?? 0, c ?? 0, ((told >> i) & 1) === 1);
  }
  fill(cells, codewords(text, version));
  return /** @type {boolean[][]} */ (cells);
}

/**
 * fill writes the bits in pairs of columns, up and down from the right, over the cells that are free.
 * @param {(boolean | undefined)[][]} cells
 * @param {number[]} words
 */
function fill(cells, words) {
  const n = cells.length;
  let at = 0;
  for (let right = n - 1, up = true; right > 0; right -= right === 8 ? 3 : 2, up = !up) {
    for (let step = 0; step < n; step++) {
      const row = cells[up ? n - 1 - step : step] ?? [];
      for (const c of [right, right - 1]) {
        if (row[c] !== undefined) continue;
        const bit = ((words[at >> 3] ?? 0) >> (7 - (at & 7))) & 1;
        row[c] = (bit === 1) !== (((up ? n - 1 - step : step) + c) % 2 === 0);
        at++;
      }
    }
  }
}

/** Code draws the QR code of a text, dark on light in every theme; nothing where the text is too long. @param {{ text: string, label: string }} props */
export function Code({ text, label }) {
  const cells = matrix(text);
  if (!cells) return null;
  const path = cells.flatMap((row, r) => row.flatMap((dark, c) => (dark ? [`M${c + 4} ${r + 4}h1v1h-1z`] : []))).join('');
  const size = cells.length + 8;
  return html`<svg class="qr" role="img" aria-label=${label} viewBox=${`0 0 ${size} ${size}`} shape-rendering="crispEdges">
    <rect width=${size} height=${size} fill="#fff" /><path d=${path} fill="#000" /></svg>`;
}
