import { html, useId, useLayoutEffect, useRef, useState } from '../vendor/ui.js';
import { Button } from './button.js';
import { Icon } from './icon.js';

/** @typedef {{ label: string, icon?: string, run?: () => void, href?: string, danger?: boolean, on?: boolean, disabled?: boolean } | 'line'} Item */

/** The room between a list and the edge of the page, in pixels. */
const margin = 8;

/** within moves a list that leaves the page to its edge: the page would scroll sideways. @param {HTMLElement} list */
function within(list) {
  const { left, right } = list.getBoundingClientRect();
  const by = Math.min(0, document.documentElement.clientWidth - margin - right) || Math.max(0, margin - left);
  if (by !== 0) list.style.translate = `${by}px`;
}

/**
 * Menu is actions behind a button: arrows move among them, Escape closes.
 * @param {{ label: string, icon?: string, items: Item[], children?: any, look?: 'plain' | 'quiet', side?: 'left' | 'right', up?: boolean }} props
 */
export function Menu({ label, icon = 'ellipsis', items, children, look = 'plain', side = 'right', up = false }) {
  const [open, setOpen] = useState(false);
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const id = useId();
  // Before anything can be chosen: choosing gives the focus back to the button.
  useLayoutEffect(() => {
    if (!open) return undefined;
    within(/** @type {HTMLElement} */ (box.current?.querySelector('[role=menu]')));
    /** @type {HTMLElement | null | undefined} */ (box.current?.querySelector('[role^=menuitem]'))?.focus();
    const away = (/** @type {Event} */ e) => {
      if (!box.current?.contains(/** @type {Node} */ (e.target))) setOpen(false);
    };
    document.addEventListener('mousedown', away);
    return () => document.removeEventListener('mousedown', away);
  }, [open]);
  const close = () => {
    setOpen(false);
    box.current?.querySelector('button')?.focus();
  };
  const keys = (/** @type {KeyboardEvent} */ e) => {
    const all = [...(box.current?.querySelectorAll('[role^=menuitem]') ?? [])];
    const at = all.indexOf(/** @type {Element} */ (document.activeElement));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[e.key];
    if (e.key === 'Escape' || e.key === 'Tab') close();
    else if (to !== undefined) /** @type {HTMLElement} */ (all[(to + all.length) % all.length])?.focus();
    else return;
    if (e.key !== 'Tab') e.preventDefault();
    e.stopPropagation();
  };
  const choose = (/** @type {Exclude<Item, 'line'>} */ item) => {
    close();
    item.run?.();
  };
  return html`<div class="menu" ref=${box} onKeyDown=${open ? keys : undefined}>
    <${Button} look=${look} icon=${icon} label=${children ? undefined : label} aria-haspopup="menu" aria-expanded=${open} aria-controls=${id}
      onClick=${() => setOpen(!open)}>${children}<//>
    ${open &&
    html`<div class=${`menu-list ${side} ${up ? 'up' : ''}`} role="menu" id=${id} aria-label=${label}>
      ${items.map((item) =>
        item === 'line'
          ? html`<hr />`
          : item.href
            ? html`<a role="menuitem" href=${item.href} onClick=${() => setOpen(false)}>${item.icon && html`<${Icon} name=${item.icon} />`}${item.label}</a>`
            : html`<button type="button" role=${item.on === undefined ? 'menuitem' : 'menuitemcheckbox'} aria-checked=${item.on} disabled=${item.disabled}
                class=${item.danger ? 'danger' : ''} onClick=${() => choose(item)}>
                ${item.on !== undefined ? html`<${Icon} name=${item.on ? 'check' : 'circle'} />` : item.icon && html`<${Icon} name=${item.icon} />`}${item.label}
              </button>`,
      )}
    </div>`}
  </div>`;
}
