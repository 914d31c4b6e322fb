// Where a parcel goes.

import { el } from './dom.js';
import { country } from './words.js';

/** An address, a line each. */
export function addressLines(a) {
  return [a.recipientName, a.company, a.address1, a.address2, a.district, [a.city, a.province, a.postalCode].filter(Boolean).join(' '), a.country && country(a.country), a.phone]
    .filter(Boolean).map((text) => el('span', { class: 'row' }, text));
}
