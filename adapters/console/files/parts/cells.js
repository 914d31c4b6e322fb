// A table that is edited like a sheet: arrows move, typing replaces, a block is copied, pasted and filled down. Only the rows in sight are
// in the page. The cell that has the focus is an input all the time, so that words of all scripts can be typed right away.
import { html, useLayoutEffect, useRef, useState } from '../vendor/ui.js';
import { t } from '../base/words.js';
import { textOf } from './cells_block.js';
import { keyOf } from './cells_keys.js';
import { height, useSheet } from './cells_state.js';

/** @typedef {import('./cells_block.js').CellColumn} CellColumn */

/**
 * @typedef {object} CellsProps
 * @property {string} label
 * @property {any[]} rows
 * @property {CellColumn[]} columns the first names the row
 * @property {(rows: any[]) => void} onChange
 * @property {(index: number, key: string) => string | undefined} error
 * @property {(first: number, last: number) => void} onRange hears which rows are selected
 * @property {boolean} [disabled]
 * @property {{ r: number, why: unknown }} [jump] where the focus goes whenever why is another one: to the first cell of the row that is wrong
 */

/** Rows above and below those in sight. */
const spare = 6;

/** @param {CellsProps} props */
export function Cells({ label, rows, columns, onChange, error, onRange, disabled = false, jump }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const wants = useRef(false);
  const [cut, setCut] = useState(0);
  const view = useView(box);
  const [, moved] = useState(0);
  const onMoved = (/** @type {number} */ r) => {
    wants.current = true;
    moved((n) => n + 1);
    inSight(box.current, r);
  };
  const sheet = useSheet({ rows, columns, onChange, onRange, onMoved });
  const { at, draft } = sheet;
  useLayoutEffect(() => {
    if (!wants.current) return;
    wants.current = false;
    const el = /** @type {HTMLInputElement | null | undefined} */ (box.current?.querySelector('.here > *'));
    el?.focus({ preventScroll: true });
    if (el?.type === 'text') el.select();
    if (at.c > 0) beside(box.current, el?.parentElement, /** @type {CellColumn} */ (columns[0]).width);
  });
  useLayoutEffect(() => {
    if (!jump?.why || jump.r < 0) return;
    sheet.go({ r: jump.r, c: Math.max(0, columns.findIndex((c) => error(jump.r, c.key))) });
  }, [jump?.why]);
  const copy = (/** @type {ClipboardEvent} */ e) => {
    if (draft) return;
    e.preventDefault();
    e.clipboardData?.setData('text/plain', sheet.copied());
  };
  const paste = (/** @type {ClipboardEvent} */ e) => {
    const text = e.clipboardData?.getData('text/plain') ?? '';
    if (disabled || (draft && !/[\t\n]/.test(text))) return;
    e.preventDefault();
    setCut(sheet.paste(text));
  };
  const shown = rowsIn(view, rows.length, at.r);
  const grid = columns.map((c) => `${c.width}px`).join(' ');
  const place = { height: `${rows.length * height}px`, width: `${columns.reduce((n, c) => n + c.width, 0)}px` };
  const size = { rows: rows.length, columns: columns.length, page: Math.max(1, Math.floor(view.tall / height) - 2) };
  const keys = (/** @type {KeyboardEvent} */ e) => keyOf(e, { ...sheet, ...size }, disabled);
  const wrong = rows[at.r] && error(at.r, sheet.column.key);
  return html`<div class="cells" ref=${box} role="grid" aria-label=${label} aria-rowcount=${rows.length + 1} aria-colcount=${columns.length}
      onCopy=${copy} onPaste=${paste} onScroll=${view.onScroll} onKeyDown=${keys}>
      <div class="cell-row head" role="row" aria-rowindex="1" style=${{ gridTemplateColumns: grid }}>
        ${columns.map((c) => html`<div role="columnheader" class=${c.kind === 'number' ? 'end' : ''}>${c.label}</div>`)}</div>
      <div class="cell-rows" role="rowgroup" style=${place}>
        ${shown.map((i) => html`<div key=${i} class="cell-row" role="row" aria-rowindex=${i + 2}
          style=${{ gridTemplateColumns: grid, transform: `translateY(${i * height}px)` }}>
          ${columns.map((_, c) => html`<${Cell} key=${c} ...${{ sheet, rows, columns, error, disabled, i, c }} />`)}</div>`)}
      </div>
    </div>
    <div class="cells-told" aria-live="polite">${wrong ? html`<p class="error">${wrong}</p>` : ''}
      ${cut > 0 ? html`<p class="help">${t('common.cellsCut', { n: cut })}</p>` : ''}</div>`;
}

/** useView is which part of a box is in sight. @param {{ current: HTMLElement | null }} box */
function useView(box) {
  const [view, setView] = useState({ top: 0, tall: 480 });
  useLayoutEffect(() => {
    const el = box.current;
    if (!el) return undefined;
    const measure = new ResizeObserver(() => setView({ top: el.scrollTop, tall: el.clientHeight }));
    measure.observe(el);
    return () => measure.disconnect();
  }, []);
  const onScroll = (/** @type {any} */ e) => {
    const top = e.currentTarget.scrollTop;
    setView((v) => (v.top === top ? v : { ...v, top }));
  };
  return { ...view, onScroll };
}

/**
 * rowsIn is the rows in sight; the one with the focus stays in the page wherever it is scrolled to.
 * @param {{ top: number, tall: number }} view
 * @param {number} count
 * @param {number} focus
 */
function rowsIn({ top, tall }, count, focus) {
  const from = Math.max(0, Math.floor(top / height) - spare);
  const to = Math.min(count - 1, Math.ceil((top + tall) / height) + spare);
  const shown = Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => from + n);
  if (count > 0 && (focus < from || focus > to)) shown.push(focus);
  return shown;
}

/** inSight scrolls so that a row can be seen. @param {HTMLElement | null} el @param {number} r */
function inSight(el, r) {
  if (!el) return;
  const top = r * height;
  if (top < el.scrollTop) el.scrollTop = top;
  else if (top + 2 * height > el.scrollTop + el.clientHeight) el.scrollTop = top + 2 * height - el.clientHeight;
}

/**
 * beside scrolls so that a cell is not behind the first column, which stays.
 * @param {HTMLElement | null} el
 * @param {HTMLElement | null | undefined} cell
 * @param {number} first
 */
function beside(el, cell, first) {
  if (!el || !cell) return;
  const { offsetLeft, offsetWidth } = cell;
  if (offsetLeft - first < el.scrollLeft) el.scrollLeft = offsetLeft - first;
  else if (offsetLeft + offsetWidth > el.scrollLeft + el.clientWidth) el.scrollLeft = offsetLeft + offsetWidth - el.clientWidth;
}

/**
 * @typedef {object} CellProps
 * @property {import('./cells_state.js').Sheet} sheet
 * @property {any[]} rows
 * @property {CellColumn[]} columns
 * @property {CellsProps['error']} error
 * @property {boolean} disabled
 * @property {number} i
 * @property {number} c
 */

/** @param {CellProps} props */
function Cell(props) {
  const { sheet, rows, columns, error, i, c } = props;
  const { at, range, go } = sheet;
  const col = /** @type {CellColumn} */ (columns[c]);
  const active = at.r === i && at.c === c;
  const selected = i >= range.top && i <= range.bottom && c >= range.left && c <= range.right;
  const wrong = error(i, col.key);
  const pick = (/** @type {MouseEvent} */ e) => {
    if (active && !e.shiftKey) return;
    e.preventDefault();
    go({ r: i, c }, e.shiftKey);
  };
  const drag = (/** @type {MouseEvent} */ e) => e.buttons === 1 && !active && go({ r: i, c }, true);
  const text = textOf(col, rows[i]);
  const look = `cell ${active ? 'here' : ''} ${selected ? 'on' : ''} ${wrong ? 'wrong' : ''} ${col.kind === 'number' ? 'end' : ''} ${c === 0 ? 'first' : ''}`;
  const shown = col.kind === 'check' ? (text ? '✓' : '') : text || html`<span class="none">${col.placeholder?.(rows[i]) ?? ''}</span>`;
  return html`<div role=${c === 0 ? 'rowheader' : 'gridcell'} aria-colindex=${c + 1} aria-selected=${selected} class=${look} title=${wrong}
    onMouseDown=${pick} onMouseEnter=${drag}>${active ? html`<${Input} ...${props} col=${col} text=${text} wrong=${wrong} />` : shown}</div>`;
}

/** Input is the cell that has the focus. @param {CellProps & { col: CellColumn, text: string, wrong: string | undefined }} props */
function Input({ sheet, rows, columns, disabled, i, col, text, wrong }) {
  const { draft, type, set, begin } = sheet;
  const row = rows[i];
  const kind = !disabled && (col.editable?.(row) ?? true) ? col.kind : 'read';
  const name = `${textOf(/** @type {CellColumn} */ (columns[0]), row)}, ${col.label}`;
  if (kind === 'check') return html`<input type="checkbox" checked=${col.get(row) === true} aria-label=${name}
    onChange=${(/** @type {any} */ e) => set(e.currentTarget.checked)} />`;
  if (kind === 'read') {
    const said = col.kind === 'check' ? t(text ? 'common.yes' : 'common.no') : text;
    const shown = col.kind === 'check' ? (text ? '✓' : '') : text;
    return html`<button type="button" aria-label=${`${name}: ${said}`} onClick=${() => col.open?.(row, i)}>${shown}</button>`;
  }
  return html`<input type="text" inputmode=${kind === 'number' ? 'decimal' : undefined} spellcheck=${false} autocomplete="off" aria-label=${name}
    aria-invalid=${wrong ? 'true' : undefined} placeholder=${col.placeholder?.(row)} value=${draft ? draft.text : text}
    onInput=${(/** @type {any} */ e) => type(e.currentTarget.value)} onDblClick=${() => draft ?? begin()} />`;
}
