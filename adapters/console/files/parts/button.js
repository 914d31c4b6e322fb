import { html } from '../vendor/ui.js';
import { keysOf } from '../base/keys.js';
import { Icon } from './icon.js';

/** @typedef {'plain' | 'primary' | 'danger' | 'quiet'} Look */

/**
 * Button does something; it says so while it is at it.
 * @param {{
 *   children?: any, icon?: string, look?: Look, busy?: boolean, disabled?: boolean, type?: 'button' | 'submit', label?: string, keys?: string,
 *   onClick?: (e: MouseEvent) => void, class?: string, form?: string, [rest: string]: any
 * }} props label: what it does, where only its icon is shown
 */
export function Button({ children, icon, look = 'plain', busy = false, disabled = false, type = 'button', label, keys, ...rest }) {
  const kind = `button ${look} ${children ? '' : 'bare'} ${rest.class ?? ''}`;
  return html`<button
    ...${rest}
    type=${type}
    class=${kind}
    disabled=${disabled}
    aria-disabled=${busy || undefined}
    aria-busy=${busy || undefined}
    aria-label=${label}
    title=${label}
    onClick=${busy ? stop : rest.onClick}
  >
    ${icon && html`<${Icon} name=${busy ? 'loader-circle' : icon} />`}${!icon && busy && html`<${Icon} name="loader-circle" />`}
    ${children && html`<span>${children}</span>`}${keys && html`<${Keys} keys=${keys} />`}
  </button>`;
}

/** @param {MouseEvent} e */
function stop(e) {
  e.preventDefault();
}

/** Keys is a shortcut as it is written on the keyboard. @param {{ keys: string }} props */
export function Keys({ keys }) {
  return html`<span class="keys" aria-hidden="true">${keysOf(keys).map((key) => html`<kbd>${key}</kbd>`)}</span>`;
}

/**
 * Link leads to a screen.
 * @param {{ href: string, children?: any, class?: string, [rest: string]: any }} props
 */
export function Link({ children, ...rest }) {
  return html`<a ...${rest}>${children}</a>`;
}
