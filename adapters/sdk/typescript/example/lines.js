// The lines of a cart, a checkout or an order, which are alike.

import { el } from './dom.js';
import { picture } from './picture.js';
import { price } from './price.js';
import { t } from './words.js';

/** One line: a picture, its name, what was chosen, what it costs; and what else is given. */
export function line(shop, pictures, item, currency, ...more) {
  const guests = item.admissions?.map((guest) => guest.name).join(', ');
  const name = el(item.product ? 'a' : 'span', { class: 'line-name', href: item.product && `#/products/${item.product}` }, item.title);
  return el('li', { class: 'line' },
    el('div', { class: 'line-picture' }, picture(shop, pictures.handles.get(item.product) ?? item.title, pictures.media.get(item.image))),
    el('div', { class: 'line-words' },
      name,
      item.variantTitle && el('p', { class: 'line-variant' }, item.variantTitle),
      guests && el('p', { class: 'line-variant' }, t('line.for', { guests })),
      more),
    el('div', { class: 'line-price' }, price(item.total, item.subtotal, currency)));
}

/** The lines of what cannot be changed any more. */
export function fixedLines(shop, pictures, items, currency) {
  return el('ul', { class: 'lines' }, items.map((item) =>
    line(shop, pictures, item, currency, el('p', { class: 'line-variant' }, t('line.quantity', { number: item.quantity })))));
}
