// What can be done with what a screen shows.
import { html, useRef, useState } from '../vendor/ui.js';
import { useShortcuts } from '../base/keys.js';
import { t } from '../base/words.js';
import { Button } from './button.js';
import { Menu } from './menu.js';
import { complain } from './toast.js';

/** @typedef {{ label: string, icon: string, run: () => unknown, keys?: string | undefined, danger?: boolean | undefined }} Act */
/** @typedef {Act | false | null | undefined} Maybe one that cannot be done now is false */

/**
 * Acts are a button for the next one and a menu with the others; each works by its keys.
 * @param {{ next?: Maybe, others?: Maybe[], busy?: boolean, label?: string }} props label: of the menu
 */
export function Acts({ next, others = [], busy = false, label = t('common.more') }) {
  const items = others.filter((act) => !!act);
  useShortcuts([...(next ? [next] : []), ...items].flatMap(({ keys, label, run }) => (keys ? [{ keys, label, run: () => void run() }] : [])));
  return html`${next && html`<${Button} look="primary" icon=${next.icon} keys=${next.keys} busy=${busy} onClick=${next.run}>${next.label}<//>`}
    ${items.length > 0 && html`<${Menu} label=${label} items=${items} />`}`;
}

/**
 * useAttempt is whether something is being done, and how to do it: one thing at a time, and what is refused is told.
 * @param {() => void} [after] is done however it ended, such as reading what is there now
 * @returns {[boolean, (work: () => Promise<unknown>) => Promise<void>]}
 */
export function useAttempt(after) {
  const [busy, setBusy] = useState(false);
  // What is drawn comes later than the second press of a key.
  const running = useRef(false);
  const attempt = async (/** @type {() => Promise<unknown>} */ work) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    await work().catch(complain);
    running.current = false;
    setBusy(false);
    after?.();
  };
  return [busy, attempt];
}
