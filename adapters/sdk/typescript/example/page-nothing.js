// An address that leads nowhere.

import { el } from './dom.js';
import { t } from './words.js';

export function nothing(shop, why = t('nothing.why')) {
  return {
    title: t('nothing.title'),
    content: [
      el('div', { class: 'page narrow' },
        el('h1', {}, t('nothing.heading')),
        el('p', { class: 'lead' }, why),
        el('p', {}, el('a', { class: 'button', href: '#/' }, t('nothing.all', { shop: shop.name })))),
    ],
  };
}
