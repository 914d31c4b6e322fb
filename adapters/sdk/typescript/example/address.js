// Where a parcel goes.

import { el } from './dom.js';
import { country } from './words.js';

/** An address, a line each. */
export function addressLines(a) {
  return [a.recipientName, a.address1, a.address2, [a.postalCode, a.country && country(a.country)].filter(Boolean).join(' '), a.phone]
    .filter(Boolean).map((text) => el('span', { class: 'row' }, text));
}
