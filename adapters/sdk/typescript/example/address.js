// Where a parcel goes.

import { el } from './dom.js';
import { country, LOCALE } from './words.js';

/** The form of addresses in a country, in the language of the page. */
export const addressForm = (shop, code) => shop.client.commerce.addresses.format({ ...code && { country: code }, locale: LOCALE });

/** An address, a line each. */
export async function addressLines(shop, a) {
  const place = [[a.city, await provinceName(shop, a)].filter(Boolean).join(', '), a.postalCode].filter(Boolean).join(' ');
  return [a.recipientName, a.company, a.address1, a.address2, a.district, place, a.country && country(a.country), a.phone]
    .filter(Boolean).map((text) => el('span', { class: 'row' }, text));
}

/** Provinces are stored as codes; that of Tokyo is 13. A page that has an address shows the code rather than nothing. */
async function provinceName(shop, { country: code, province }) {
  if (!province) return '';
  const form = await addressForm(shop, code).catch(() => null);
  return form?.fields.find((f) => f.name === 'province')?.options.find((o) => o.value === province)?.label ?? province;
}
