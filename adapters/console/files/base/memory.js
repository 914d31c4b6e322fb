// What the browser keeps for this person at this machine: choices, and forms that were not sent. Nothing of it is secret.
// Where nothing can be kept, everything works and is forgotten with the page.

const prefix = 'cartwright-console:';

/** @type {Map<string, string>} */
const held = new Map();

/**
 * recall is what was remembered by a name, or null.
 * @param {string} name
 * @returns {string | null}
 */
export function recall(name) {
  try {
    return localStorage.getItem(prefix + name);
  } catch {
    return held.get(name) ?? null;
  }
}

/**
 * remember keeps a value until it is forgotten; null forgets.
 * @param {string} name
 * @param {string | null} value
 */
export function remember(name, value) {
  try {
    if (value === null) localStorage.removeItem(prefix + name);
    else localStorage.setItem(prefix + name, value);
  } catch {
    if (value === null) held.delete(name);
    else held.set(name, value);
  }
}
