// An address, to read and to write: its parts follow its country.
import { html } from '../vendor/ui.js';
import { linesOf, partsOf, tongueOf } from '../base/address.js';
import { countryName } from '../base/format.js';
import { useQuery } from '../base/query.js';
import { api } from '../base/shop.js';
import { fieldLabel, language } from '../base/words.js';
import { SelectField, TextField } from './field.js';

/** @typedef {import('../base/address.js').Address} Address */

/**
 * useAddressForm is the form of addresses in a country: '' for that of the shop, undefined to ask for none.
 * @param {string | undefined} country
 * @param {string} [locale] that of the reader if there is none
 */
export function useAddressForm(country, locale) {
  const asked = { ...(country && { country }), ...(locale && { locale }) };
  const read = (/** @type {AbortSignal} */ signal) => api.call('GET /api/addresses/format', asked, { signal });
  return useQuery(country === undefined ? '' : `addresses ${country} ${locale ?? language.value}`, read).data;
}

/**
 * useCountries are, by their names, the countries that addresses may be in, and the one of an address as it is. They come with the form
 * of the shop's own country: that of another one is read anew, and without them while that takes.
 * @param {string | null | undefined} country
 */
export const useCountries = (country) => [...new Set([country ?? '', ...(useAddressForm('')?.countries ?? [])])].filter(Boolean)
  .map((code) => ({ value: code, label: countryName(code) }));

/** AddressLines is an address to read. @param {{ of: Address | null | undefined }} props */
export function AddressLines({ of }) {
  // Only provinces have another name than the one that is stored.
  const form = useAddressForm(of?.province ? (of.country ?? '') : undefined, of ? tongueOf(of) : undefined);
  const lines = of ? [...linesOf(of, form?.fields), of.country && countryName(of.country)].filter(Boolean) : [];
  return lines.map((line) => html`<span key=${line}>${line}</span>`);
}

/**
 * AddressFields are the inputs of an address.
 * @param {{ slug: string, path: string, value: Address | null | undefined, error: (name: string) => string | undefined,
 *   onInput: (parts: Address) => void }} props path: of the address in the schema; error: of one part
 */
export function AddressFields({ slug, path, value, error, onInput }) {
  const of = value ?? {};
  const form = useAddressForm(of.country ?? '');
  const country = of.country || form?.country || '';
  const countries = useCountries(country);
  // A province is one of its country.
  const move = (/** @type {string} */ code) => onInput({ country: code, ...(of.province && { province: null }) });
  return html`<div class="two">
    <${SelectField} label=${fieldLabel(slug, `${path}.country`)} value=${country} error=${error('country')} options=${countries} onInput=${move} />
    ${partsOf(of, form?.fields).map(({ name, label = fieldLabel(slug, `${path}.${name}`), options = [], example }) => {
      const is = of[name] ?? '';
      const same = { label, value: is, error: error(name), onInput: (/** @type {string} */ v) => onInput({ [name]: v || null }) };
      if (options.length === 0) {
        return html`<${TextField} key=${name} ...${same} type=${name === 'phone' ? 'tel' : 'text'} placeholder=${example ?? ''} autocomplete="off" />`;
      }
      const known = options.some((o) => o.value === is);
      return html`<${SelectField} key=${name} ...${same} empty="—" options=${is && !known ? [{ value: is, label: is }, ...options] : options} />`;
    })}
  </div>`;
}
