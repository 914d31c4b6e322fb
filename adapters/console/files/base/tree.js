// Values of a form as trees of plain objects and lists.

/** @typedef {Record<string, any>} Values */

/**
 * onto is a value that was edited, on top of what is there now: of a group only what was changed in it.
 * @param {any} was
 * @param {any} mine
 * @param {any} now
 * @returns {any}
 */
export function onto(was, mine, now) {
  if (same(was, mine)) return now;
  const groups = [mine, now].every((tree) => tree && typeof tree === 'object' && !Array.isArray(tree));
  if (!groups) return mine;
  return Object.fromEntries([...new Set([...Object.keys(now), ...Object.keys(mine)])].map((name) => [name, onto(was?.[name], mine[name], now[name])]));
}

/**
 * put is what was typed with one more value.
 * @param {Values} values
 * @param {Values} typed
 * @param {string[]} path
 * @param {any} value
 */
export function put(values, typed, [first = '', ...rest], value) {
  return { ...typed, [first]: rest.length === 0 ? value : within(values[first], rest, value) };
}

/**
 * within is a copy of a tree with one value changed.
 * @param {any} tree
 * @param {string[]} path
 * @param {any} value
 * @returns {any}
 */
function within(tree, [first = '', ...rest], value) {
  const copy = Array.isArray(tree) ? [...tree] : { ...tree };
  copy[first] = rest.length === 0 ? value : within(copy[first], rest, value);
  return copy;
}

/**
 * same compares two trees, '' and null counting as nothing.
 * @param {any} a
 * @param {any} b
 * @returns {boolean}
 */
export function same(a, b) {
  if ((a ?? '') === (b ?? '')) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => same(a[name], b[name]));
}
