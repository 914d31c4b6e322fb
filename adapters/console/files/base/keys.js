// The keyboard: every action has keys, and `?` shows those of the screen.
import { signal, useLayoutEffect, useRef } from '../vendor/ui.js';

/**
 * @typedef {object} Shortcut
 * @property {string} keys such as `mod+k`, `g o` (one after the other), `/`, `Enter`; mod is ⌘ on a Mac and Ctrl elsewhere
 * @property {string} label what it does
 * @property {() => void} run
 * @property {boolean} [everywhere] also while something is typed
 */

/** Those that work right now, the innermost screen last. @type {import('../vendor/ui.js').Signal<Shortcut[][]>} */
export const shortcuts = signal(/** @type {Shortcut[][]} */ ([]));

const mac = /Mac|iP(hone|ad)/.test(navigator.platform);

/**
 * useShortcuts makes shortcuts work for as long as the component is shown.
 * @param {Shortcut[]} list
 */
export function useShortcuts(list) {
  const same = list.map((s) => s.keys + s.label).join('\n');
  /** @type {{ current: Shortcut[] }} */
  const held = useHeld(list);
  // Not after the next paint: who sees a screen may already have a finger on a key.
  useLayoutEffect(() => {
    const mine = list.map((s, i) => ({ ...s, run: () => held.current[i]?.run() }));
    shortcuts.value = [...shortcuts.value, mine];
    return () => {
      shortcuts.value = shortcuts.value.filter((one) => one !== mine);
    };
  }, [same]);
}

/** @template T @param {T} value */
function useHeld(value) {
  const ref = useRef(value);
  ref.current = value;
  return ref;
}

/** keysOf is how a shortcut is written for people. @param {string} keys @returns {string[]} */
export function keysOf(keys) {
  return keys.split(' ').map((key) =>
    key
      .split('+')
      .map((k) => ({ mod: mac ? '⌘' : 'Ctrl', shift: '⇧', Enter: '↵', Escape: 'Esc', ArrowUp: '↑', ArrowDown: '↓' })[k] ?? k.toUpperCase())
      .join(mac ? '' : '+'),
  );
}

/** typing tells whether keys belong to what the focus is in. @param {Element | null} at */
const typing = (at) => at instanceof HTMLElement && (at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName) && !/^(checkbox|radio|button)$/.test(/** @type {any} */ (at).type));

let before = '';
let timer = 0;

/** heed begins to listen to the keyboard. */
export function heed() {
  document.addEventListener('keydown', (e) => {
    if (e.defaultPrevented || e.isComposing || e.altKey || e.repeat) return; // a key that is held down is one wish
    const mod = mac ? e.metaKey : e.ctrlKey;
    if (mac ? e.ctrlKey : e.metaKey) return;
    const key = (mod ? 'mod+' : '') + (e.shiftKey && e.key.length > 1 ? 'shift+' : '') + (e.key.length === 1 ? e.key.toLowerCase() : e.key);
    const busy = typing(document.activeElement);
    const modal = document.querySelector('dialog[open]') !== null;
    const all = shortcuts.value.flat().reverse();
    const fits = (/** @type {Shortcut} */ s) => s.everywhere || (!busy && !modal);
    // What was begun with `g` ends as such, also where its last key does something by itself.
    const found = (before && all.find((s) => s.keys === `${before} ${key}` && fits(s))) || all.find((s) => s.keys === key && fits(s));
    clearTimeout(timer);
    before = '';
    if (found) {
      e.preventDefault();
      found.run();
    } else if (!busy && !modal && all.some((s) => s.keys.startsWith(`${key} `))) {
      before = key;
      timer = window.setTimeout(() => (before = ''), 1200);
    }
  });
}
