// An address that leads nowhere.

import { el } from './dom.js';

export function nothing(shop, why = 'This address leads nowhere.') {
  return {
    title: 'Not found',
    content: [
      el('div', { class: 'page narrow' },
        el('h1', {}, 'There is nothing here'),
        el('p', { class: 'lead' }, why),
        el('p', {}, el('a', { class: 'button', href: '#/' }, `See everything in ${shop.name}`))),
    ],
  };
}
