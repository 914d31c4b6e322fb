// What this browser remembers of its shopper. The SDK keeps tokens and unfinished operations by itself, under names of its
// own; here is only which cart and which checkout they were.

/** Owner of what is remembered whatever shop is shown. */
export const FOR_EVERY_SHOP = '';

let owner = FOR_EVERY_SHOP;

/** Keeps apart what is remembered of different shops at one address: from now on it is about this one. */
export function rememberFor(shop) {
  owner = shop;
}

const name = (key, of = owner) => `storefront:${of}:${key}`;

function storage() {
  try {
    return window.localStorage;
  } catch {
    return null; // a browser that keeps nothing: the shop works until the page is closed
  }
}

const kept = storage();
const fleeting = new Map();

/** Answers what was remembered under a key, or undefined. */
export function recall(key, of) {
  const text = kept ? kept.getItem(name(key, of)) : fleeting.get(name(key, of));
  return text == null ? undefined : JSON.parse(text);
}

/** Remembers a value under a key; undefined forgets it. */
export function remember(key, value, of) {
  if (value === undefined) kept ? kept.removeItem(name(key, of)) : fleeting.delete(name(key, of));
  else if (kept) kept.setItem(name(key, of), JSON.stringify(value));
  else fleeting.set(name(key, of), JSON.stringify(value));
}

/** Calls back when another window of this browser remembers something else under the key. */
export function onElsewhere(key, then) {
  window.addEventListener('storage', (event) => {
    if (event.key === name(key) || event.key === null) then();
  });
}
