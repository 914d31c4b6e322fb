// What is selected and typed in a sheet, and what can be done there.
import { useRef, useState } from '../vendor/ui.js';
import { blockOf, clampTo, pasted, rangeOf, textOf, written } from './cells_block.js';

/** @typedef {import('./cells_block.js').CellColumn} CellColumn */
/** @typedef {import('./cells_block.js').At} At */
/** @typedef {ReturnType<typeof useSheet>} Sheet */

/** The height of a row in pixels. */
export const height = 36;

/** How many changes can be taken back. */
const steps = 50;

/**
 * useSheet is the state of a sheet.
 * @param {{ rows: any[], columns: CellColumn[], onChange: (rows: any[]) => void, onRange: (first: number, last: number) => void,
 *   onMoved: (r: number) => void }} of onMoved: hears of the row in which the focus is
 */
export function useSheet({ rows, columns, onChange, onRange, onMoved }) {
  const [at, setAt] = useState({ r: 0, c: 0 });
  const [anchor, setAnchor] = useState({ r: 0, c: 0 });
  const [draft, setDraft] = useState(/** @type {{ text: string, before: any } | null} */ (null));
  const leaving = useRef(false);
  const past = useRef(/** @type {any[][]} */ ([]));
  const here = clampTo(at, rows.length, columns.length);
  const range = rangeOf(here, clampTo(anchor, rows.length, columns.length));
  const column = /** @type {CellColumn} */ (columns[here.c]);
  const row = rows[here.r];
  const select = (/** @type {At} */ from, /** @type {At} */ to) => {
    setAnchor(from);
    setAt(to);
    const { top, bottom } = rangeOf(from, to);
    onRange(top, bottom);
  };
  const remembered = () => {
    past.current = [...past.current.slice(1 - steps), rows];
  };
  const write = (/** @type {any} */ value) => onChange(rows.map((one, i) => (i === here.r ? written(column, one, value) : one)));
  return {
    at: here, range, draft, column, row, leaving, setDraft, write,
    /** go moves the focus, and with extend what is selected up to there. */
    go: (/** @type {At} */ to, extend = false) => {
      const next = clampTo(to, rows.length, columns.length);
      leaving.current = false;
      setDraft(null);
      select(extend ? anchor : next, next);
      onMoved(next.r);
    },
    /** type is what stands in the cell from now on. What was there before is for Escape. */
    type: (/** @type {string} */ text) => {
      if (!draft) remembered();
      setDraft({ text, before: draft ? draft.before : column.get(row) });
      write(text);
    },
    /** set is a value that is not typed. */
    set: (/** @type {any} */ value) => {
      remembered();
      write(value);
    },
    begin: () => setDraft({ text: textOf(column, row), before: column.get(row) }),
    cancel: () => {
      if (draft) write(draft.before);
      else leaving.current = true;
      setDraft(null);
    },
    clear: () => {
      remembered();
      onChange(blockOf(rows, columns, range, () => ''));
    },
    fill: () => {
      const from = range.top === range.bottom ? range.top - 1 : range.top;
      if (from < 0) return;
      remembered();
      onChange(blockOf(rows, columns, range, (_, c) => /** @type {CellColumn} */ (columns[c]).get(rows[from])));
    },
    all: () => select({ r: 0, c: 0 }, { r: rows.length - 1, c: columns.length - 1 }),
    undo: () => {
      const before = past.current.pop();
      if (before) onChange(before);
      setDraft(null);
    },
    open: () => column.open?.(row, here.r),
    /** copied is what is selected as spreadsheets take it. */
    copied: () => {
      const chosen = columns.slice(range.left, range.right + 1);
      return rows.slice(range.top, range.bottom + 1).map((one) => chosen.map((c) => textOf(c, one)).join('\t')).join('\n');
    },
    /** paste answers how many values had no place. */
    paste: (/** @type {string} */ text) => {
      const done = pasted(rows, columns, range, text);
      setDraft(null);
      remembered();
      onChange(done.rows);
      return done.cut;
    },
  };
}
