// The lines of a cart, a checkout or an order, which are alike.

import { el } from './dom.js';
import { picture } from './picture.js';
import { price } from './price.js';

/** One line: a picture, its name, what was chosen, what it costs; and what else is given. */
export function line(shop, pictures, item, currency, ...more) {
  const guests = item.admissions?.map((guest) => guest.name).join(', ');
  const name = el(item.product ? 'a' : 'span', { class: 'line-name', href: item.product && `#/products/${item.product}` }, item.title);
  return el('li', { class: 'line' },
    el('div', { class: 'line-picture' }, picture(shop, item.title, pictures.get(item.image))),
    el('div', { class: 'line-words' },
      name,
      item.variantTitle && el('p', { class: 'line-variant' }, item.variantTitle),
      guests && el('p', { class: 'line-variant' }, `For ${guests}`),
      more),
    el('div', { class: 'line-price' }, price(item.total, item.subtotal, currency)));
}

/** The lines of what cannot be changed any more. */
export function fixedLines(shop, pictures, items, currency) {
  return el('ul', { class: 'lines' }, items.map((item) =>
    line(shop, pictures, item, currency, el('p', { class: 'line-variant' }, `Quantity ${item.quantity}`))));
}
