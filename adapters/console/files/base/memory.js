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

/** Id of the person whose work is kept; undefined before anybody is known. @type {string | undefined} */
let worker;

/** isWork tells whether a name is of what somebody typed: of a form that was not sent, or of a draft. @param {string} name */
const isWork = (name) => /^(form|draft) /.test(name);

/** work is the names of the work that is kept. @returns {string[]} */
export function work() {
  const names = [...held.keys()];
  try {
    for (const key of Object.keys(localStorage)) names.push(key.replace(prefix, ''));
  } catch {
    // There is no place.
  }
  return names.filter(isWork);
}

/** keepWorkOf keeps the work of one person from now on, '' of nobody: the next one at this machine finds that of no other. @param {string} id */
export function keepWorkOf(id) {
  worker = id;
  for (const name of work()) remember(name, recall(name));
}

/**
 * remember keeps a value until it is forgotten; null forgets.
 * @param {string} name
 * @param {string | null} value
 */
export function remember(name, value) {
  held.delete(name);
  if (worker !== undefined && isWork(name) && !name.includes(` ${worker} `)) value = null; // what comes late, too
  try {
    if (value === null) localStorage.removeItem(prefix + name);
    else localStorage.setItem(prefix + name, value);
  } catch {
    // There is no room, or no place: what is kept until the page is left is newer than what may be there.
    if (value !== null) held.set(name, value);
  }
}
