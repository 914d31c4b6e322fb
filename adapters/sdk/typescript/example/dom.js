// The few lines that stand in for a framework.

import { t } from './words.js';

/**
 * Makes an element. Attributes whose names begin with "on" are listeners; true is an attribute without a value, and false,
 * null and undefined are none. Children may be nested lists; what is nothing is left out.
 */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value == null) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== false && child != null));
  return element;
}

/** Puts the focus on something that is no control. */
export function focusOn(heading) {
  heading.setAttribute('tabindex', '-1');
  heading.focus({ preventScroll: true });
}

/** Replaces what is in a box. A control that has the focus keeps it by its id; one that is gone leaves it to `heading`. */
export function redraw(box, children, heading) {
  const { activeElement } = document;
  const held = box.contains(activeElement) ? activeElement.id : null;
  box.replaceChildren(...children);
  if (held === null) return;
  const again = document.getElementById(held);
  if (again) again.focus();
  else focusOn(heading);
}

/** Says something to people who look and to those who listen. What comes next replaces it. */
export function say(...what) {
  const place = document.querySelector('#said');
  place.replaceChildren(el('p', {}, ...what), el('button', { type: 'button', class: 'said-close', onclick: hush }, t('shop.close')));
  place.classList.add('is-there');
}

/** Takes back what was said. */
export function hush() {
  const place = document.querySelector('#said');
  place.classList.remove('is-there');
  place.replaceChildren();
}

/** A box for what went wrong; it is read out as soon as it is filled by complain. */
export function complaints() {
  return el('div', { class: 'complaint', role: 'alert' });
}

/** Fills a box of complaints, or empties it when nothing is given. */
export function complain(box, ...what) {
  box.replaceChildren(...what.map((text) => el('p', {}, text)));
}

/** Keeps a button from being pressed again while something is under way, and shows it. */
export async function busy(button, work) {
  button.setAttribute('aria-busy', 'true');
  button.setAttribute('aria-disabled', 'true');
  try {
    return await work();
  } finally {
    button.removeAttribute('aria-busy');
    button.removeAttribute('aria-disabled');
  }
}

/** Reports whether work started by this button is under way. */
export const isBusy = (button) => button.getAttribute('aria-busy') === 'true';
