import { html } from '../vendor/ui.js';
import { keysOf } from '../base/keys.js';
import { Icon } from './icon.js';

/** @typedef {'plain' | 'primary' | 'danger' | 'quiet'} Look */

/**
 * Button does something, and says so while it is at it; with href it leads to a screen.
 * @param {{
 *   children?: any, icon?: string, look?: Look, busy?: boolean, disabled?: boolean, type?: 'button' | 'submit', label?: string, keys?: string,
 *   href?: string, onClick?: (e: MouseEvent) => void, class?: string, form?: string, [rest: string]: any
 * }} props label: what it does, where only its icon is shown
 */
export function Button({ children, icon, look = 'plain', busy = false, disabled = false, type = 'button', label, keys, href, ...rest }) {
  const shown = busy ? 'loader-circle' : icon;
  const same = { ...rest, class: `button ${look} ${children ? '' : 'bare'} ${rest.class ?? ''}`, title: label, 'aria-label': label };
  const inside = html`${shown && html`<${Icon} name=${shown} />`}${children && html`<span>${children}</span>`}${keys && html`<${Keys} keys=${keys} />`}`;
  if (href) return html`<a ...${same} href=${href}>${inside}</a>`;
  return html`<button ...${same} ...${{ type, disabled }} aria-disabled=${busy || undefined} aria-busy=${busy || undefined}
    onClick=${busy ? stop : rest.onClick}>${inside}</button>`;
}

/** @param {MouseEvent} e */
function stop(e) {
  e.preventDefault();
}

/** Keys is a shortcut as it is written on the keyboard. @param {{ keys: string }} props */
export function Keys({ keys }) {
  return html`<span class="keys" aria-hidden="true">${keysOf(keys).map((key) => html`<kbd>${key}</kbd>`)}</span>`;
}
