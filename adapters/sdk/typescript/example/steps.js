// Where a shopper is on the way from the cart to the order.

import { el } from './dom.js';
import { t } from './words.js';

export const DETAILS = 1;
export const PAYMENT = 2;
export const ORDER = 3;

/** The way, with one step marked. */
export function steps(now) {
  return el('ol', { class: 'steps', 'aria-label': t('steps.label') }, [t('steps.cart'), t('steps.details'), t('steps.payment'), t('steps.order')].map((name, i) =>
    el('li', { class: i < now && 'is-done', 'aria-current': i === now && 'step' }, i === 0 && now < ORDER ? el('a', { href: '#/cart' }, name) : name)));
}
