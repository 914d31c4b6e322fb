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
    return held.get(name) ?? localStorage.getItem(prefix + name);
  } catch {
    return null;
  }
}

/**
 * remember keeps a value until it is forgotten; null forgets.
 * @param {string} name
 * @param {string | null} value
 */
export function remember(name, value) {
  held.delete(name);
  try {
    if (value === null) localStorage.removeItem(prefix + name);
    else localStorage.setItem(prefix + name, value);
  } catch {
    // There is no room, or no place: what is kept until the page is left is newer than what may be there.
    if (value !== null) held.set(name, value);
  }
}
