// Where a parcel goes.

import { el } from './dom.js';
import { language } from './language.js';
import { country } from './words.js';

/** The form of addresses in a country, in the language of the page. */
export const addressForm = (shop, code) => shop.client.commerce.addresses.format({ ...code && { country: code }, locale: language });

/** An address, a line each: from the house to the country in English, the other way in Korean and Japanese. */
export async function addressLines(shop, a) {
  const province = await provinceName(shop, a);
  const land = a.country && country(a.country);
  const named = (parts, between) => parts.filter(Boolean).join(between);
  const lines = language === 'en'
    ? [a.recipientName, a.company, a.address1, a.address2, a.district, named([named([a.city, province], ', '), a.postalCode], ' '), land]
    : [land, a.postalCode, named([province, a.city, a.district, a.address1], ' '), a.address2, a.company, a.recipientName];
  return [...lines, a.phone].filter(Boolean).map((text) => el('span', { class: 'row' }, text));
}

/** Provinces are stored as codes; that of Tokyo is 13. A page that has an address shows the code rather than nothing. */
async function provinceName(shop, { country: code, province }) {
  if (!province) return '';
  const form = await addressForm(shop, code).catch(() => null);
  return form?.fields.find((f) => f.name === 'province')?.options.find((o) => o.value === province)?.label ?? province;
}
