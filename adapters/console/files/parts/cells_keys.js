// The keys of a sheet.

/**
 * @typedef {object} CellActions
 * @property {import('./cells_block.js').At} at
 * @property {import('./cells_block.js').Range} range
 * @property {object | null} draft what is being typed
 * @property {import('./cells_block.js').CellColumn} column
 * @property {{ current: boolean }} leaving the next Tab leaves the table
 * @property {number} rows
 * @property {number} columns
 * @property {number} page rows that are seen at once
 * @property {(to: import('./cells_block.js').At, extend?: boolean) => void} go
 * @property {() => void} begin
 * @property {() => void} cancel
 * @property {() => void} clear
 * @property {() => void} fill
 * @property {() => void} all
 * @property {() => void} undo
 * @property {() => void} open
 */

/**
 * keyOf does what a key is for. Escape gives up what was typed; once nothing is, Tab leaves the table.
 * @param {KeyboardEvent} e
 * @param {CellActions} a
 * @param {boolean} disabled
 */
export function keyOf(e, a, disabled) {
  if (e.isComposing || e.altKey || a.rows === 0) return;
  const done = e.metaKey || e.ctrlKey ? withMod(e, a, disabled) : moved(e, a) || worked(e, a, disabled);
  if (done) {
    e.preventDefault();
    e.stopPropagation();
  }
}

/** @param {KeyboardEvent} e @param {CellActions} a */
function moved(e, { at: { r, c }, draft, leaving, rows, columns, page, go }) {
  /** @type {Record<string, [number, number]>} */
  const to = { ArrowUp: [r - 1, c], ArrowDown: [r + 1, c], PageUp: [r - page, c], PageDown: [r + page, c] };
  // While something is typed, these move within the text.
  const across = { ArrowLeft: [r, c - 1], ArrowRight: [r, c + 1], Home: [r, 0], End: [r, columns - 1] };
  const target = to[e.key] ?? (draft ? undefined : across[/** @type {keyof typeof across} */ (e.key)]);
  if (target) {
    go({ r: target[0] ?? r, c: target[1] ?? c }, e.shiftKey);
    return true;
  }
  if (e.key !== 'Tab' || leaving.current) return false;
  const next = r * columns + c + (e.shiftKey ? -1 : 1);
  if (next < 0 || next >= rows * columns) return false;
  go({ r: Math.floor(next / columns), c: next % columns });
  return true;
}

/** @param {KeyboardEvent} e @param {CellActions} a @param {boolean} disabled */
function worked(e, { at: { r, c }, draft, column, go, begin, cancel, clear, open }, disabled) {
  const text = column.kind === 'text' || column.kind === 'number';
  if (e.key === 'Escape') cancel();
  else if (e.key === 'Enter' && draft) go({ r: r + (e.shiftKey ? -1 : 1), c });
  else if ((e.key === 'Enter' || e.key === 'F2') && column.open && (column.kind === 'read' || e.target instanceof HTMLButtonElement)) open();
  else if ((e.key === 'Enter' || e.key === 'F2') && text && !disabled && e.target instanceof HTMLInputElement) {
    begin();
    const input = e.target;
    input.setSelectionRange(input.value.length, input.value.length);
  } else if ((e.key === 'Delete' || e.key === 'Backspace') && !draft && !disabled) clear();
  else return false;
  return true;
}

/** @param {KeyboardEvent} e @param {CellActions} a @param {boolean} disabled */
function withMod(e, { draft, rows, columns, go, fill, all, undo }, disabled) {
  const key = e.key.toLowerCase();
  if (key === 'd' && !disabled) fill();
  else if (key === 'z' && !draft && !e.shiftKey && !disabled) undo();
  else if (key === 'a' && !draft) all();
  else if (key === 'home') go({ r: 0, c: 0 }, e.shiftKey);
  else if (key === 'end') go({ r: rows - 1, c: columns - 1 }, e.shiftKey);
  else return false;
  return true;
}
