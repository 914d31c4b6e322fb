// A list of any length: only the rows in sight are in the page.
import { html, useEffect, useLayoutEffect, useRef, useState } from '../vendor/ui.js';
import { narrow } from '../base/screen.js';
import { t } from '../base/words.js';
import { Icon } from './icon.js';
import { Loading, Refused } from './state.js';

/**
 * @typedef {object} Column
 * @property {string} key
 * @property {string} label
 * @property {(row: any) => any} cell
 * @property {string} [width] as CSS has it for columns of a grid; `minmax(8rem, 1fr)` unless said otherwise
 * @property {'end'} [align]
 * @property {string} [sort] the field that the list can be sorted by
 */

/**
 * @typedef {object} TableProps
 * @property {string} label what the rows are
 * @property {Column[]} columns the first has the name of the row, which is its link
 * @property {import('../base/rows.js').Rows} rows
 * @property {(row: any) => string | undefined} [link] where a row leads; undefined for nowhere
 * @property {(row: any) => any} [card] a row on a narrow screen
 * @property {Set<string>} [selected] ids
 * @property {(selected: Set<string>) => void} [onSelect]
 * @property {string} [sort] field, with a minus in front for the other way round
 * @property {(sort: string) => void} [onSort]
 * @property {any} empty shown where there are no rows
 * @property {(row: any) => void} [onOpen] in place of the link, such as to show the row beside the list
 */

const spare = 8;

/** @param {TableProps} props */
export function Table({ label, columns, rows, link, card, selected, onSelect, sort, onSort, empty, onOpen }) {
  const slim = narrow.value && card !== undefined;
  const height = slim ? 84 : 44;
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const [top, setTop] = useState(0);
  const [tall, setTall] = useState(600);
  const [active, setActive] = useState(0);
  const anchor = useRef(0);
  const wanted = useRef(/** @type {number | null} */ (null));
  const total = rows.total ?? 0;
  const from = Math.max(0, Math.floor(top / height) - spare);
  const to = Math.min(total - 1, Math.ceil((top + tall) / height) + spare);

  useLayoutEffect(() => {
    const el = box.current;
    if (!el) return undefined;
    const measure = new ResizeObserver(() => setTall(el.clientHeight));
    measure.observe(el);
    return () => measure.disconnect();
  }, []);
  useEffect(() => rows.need(Math.max(0, Math.floor(top / height)), Math.max(0, Math.ceil((top + tall) / height))), [top, tall, height, rows.need, rows.name, rows.total === undefined]);

  const focus = (/** @type {number} */ index) => {
    const at = Math.max(0, Math.min(total - 1, index));
    setActive(at);
    const el = box.current;
    if (!el) return;
    const head = slim ? 0 : 40;
    if (at * height < el.scrollTop) el.scrollTop = at * height;
    else if ((at + 1) * height + head > el.scrollTop + el.clientHeight) el.scrollTop = (at + 1) * height + head - el.clientHeight;
    // The row may have to be read first; until it is there, the list itself has the focus, and the keys.
    wanted.current = at;
    if (!el.querySelector(`[data-row="${at}"]`)) el.focus({ preventScroll: true });
  };
  useLayoutEffect(() => {
    const link = wanted.current === null ? null : box.current?.querySelector(`[data-row="${wanted.current}"] .row-link`);
    if (!link) return;
    wanted.current = null;
    /** @type {HTMLElement} */ (link).focus({ preventScroll: true });
  });
  const toggle = (/** @type {number} */ index, range = false) => {
    if (!selected || !onSelect) return;
    const next = new Set(selected);
    const row = rows.row(index);
    if (!row) return;
    const on = !next.has(row.id);
    const [a, b] = range ? [Math.min(anchor.current, index), Math.max(anchor.current, index)] : [index, index];
    for (let i = a; i <= b; i++) {
      const id = rows.row(i)?.id;
      if (id) on ? next.add(id) : next.delete(id);
    }
    anchor.current = index;
    onSelect(next);
  };
  const keys = (/** @type {KeyboardEvent} */ e) => {
    const page = Math.max(1, Math.floor(tall / height) - 1);
    const moves = { ArrowDown: active + 1, ArrowUp: active - 1, j: active + 1, k: active - 1, Home: 0, End: total - 1, PageDown: active + page, PageUp: active - page };
    const move = moves[/** @type {keyof typeof moves} */ (e.key)];
    if (e.metaKey || e.ctrlKey || e.altKey) return;
    if (move !== undefined) {
      if (e.shiftKey) toggle(Math.max(0, Math.min(total - 1, move)), true);
      focus(move);
    } else if (e.key === 'x' || (e.key === ' ' && !(e.target instanceof HTMLInputElement))) toggle(active, e.shiftKey);
    else if (e.key === 'Escape' && selected?.size) onSelect?.(new Set());
    else return;
    e.preventDefault();
    e.stopPropagation();
  };

  const read = rows.all();
  const every = read.length > 0 && read.every((r) => selected?.has(r.id));
  const grid = `${onSelect ? '2.25rem ' : ''}${columns.map((c) => c.width ?? 'minmax(8rem, 1fr)').join(' ')}`;
  const head = html`<div class="tr th" role="row" style=${{ gridTemplateColumns: grid }}>
    ${onSelect &&
    html`<div role="columnheader"><input type="checkbox" aria-label=${t('common.selectLoaded')} checked=${every}
      onChange=${() => onSelect(every ? new Set() : new Set(read.map((r) => r.id)))} /></div>`}
    ${columns.map((c) => {
      const way = c.sort && sort === c.sort ? 'ascending' : c.sort && sort === `-${c.sort}` ? 'descending' : undefined;
      return html`<div role="columnheader" class=${c.align ?? ''} aria-sort=${way}>
        ${c.sort && onSort
          ? html`<button type="button" onClick=${() => onSort(way === 'descending' ? /** @type {string} */ (c.sort) : `-${c.sort}`)}>${c.label}
              <${Icon} name=${way === 'ascending' ? 'arrow-up' : way === 'descending' ? 'arrow-down' : 'chevrons-up-down'} size=${14} /></button>`
          : c.label}
      </div>`;
    })}
  </div>`;

  const line = (/** @type {number} */ i) => {
    const row = rows.row(i);
    const style = { gridTemplateColumns: slim ? undefined : grid, transform: `translateY(${i * height}px)`, height: `${height}px` };
    if (!row) return html`<div key=${`wait${i}`} class="tr wait" role="row" aria-rowindex=${i + 2} style=${style}><div role="gridcell"><i></i></div></div>`;
    const on = selected?.has(row.id) ?? false;
    const name = (/** @type {any} */ content) => {
      const same = { class: 'row-link', tabindex: i === active ? 0 : -1, onFocus: () => setActive(i) };
      if (onOpen) return html`<button type="button" ...${same} onClick=${() => onOpen(row)}>${content}</button>`;
      const to = link?.(row);
      return to ? html`<a ...${same} href=${to}>${content}</a>` : html`<span ...${same}>${content}</span>`;
    };
    const check = onSelect && html`<div role="gridcell" class="pick"><input type="checkbox" tabindex="-1" checked=${on} aria-label=${t('common.selectRow')}
      onClick=${(/** @type {MouseEvent} */ e) => toggle(i, e.shiftKey)} /></div>`;
    return html`<div key=${row.id} class=${`tr ${on ? 'on' : ''} ${slim ? 'slim' : ''}`} role="row" aria-rowindex=${i + 2} aria-selected=${onSelect ? on : undefined}
      data-row=${i} style=${style}>
      ${check}
      ${slim
        ? html`<div role="gridcell" class="card-cell">${name(/** @type {any} */ (card)(row))}</div>`
        : columns.map((c, n) => html`<div role="gridcell" class=${c.align ?? ''}>${n === 0 ? name(c.cell(row)) : c.cell(row)}</div>`)}
    </div>`;
  };

  if (rows.refusal && rows.total === undefined) return html`<${Refused} refusal=${rows.refusal} again=${rows.reload} />`;
  // A grid without rows is none: what stands in its place is read as the text that it is.
  const grids = rows.total === undefined ? { 'aria-busy': 'true' } : total > 0 ? { role: 'grid', 'aria-label': label, 'aria-rowcount': total + 1 } : {};
  return html`<div class="table" ref=${box} tabindex="-1" ...${grids} onScroll=${(/** @type {any} */ e) => setTop(e.currentTarget.scrollTop)} onKeyDown=${keys}>
    ${rows.refusal && html`<${Refused} refusal=${rows.refusal} again=${rows.reload} />`}
    ${!slim && total > 0 && head}
    ${rows.total === undefined && html`<${Loading} lines=${8} />`}
    ${rows.total === 0 && empty}
    ${total > 0 && html`<div class="rows" role="rowgroup" style=${{ height: `${total * height}px` }}>${Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => line(from + n))}</div>`}
  </div>`;
}
