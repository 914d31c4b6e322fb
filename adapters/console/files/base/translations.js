// Texts of a record in the other languages of the shop.
import { same } from './tree.js';

/** @typedef {import('./schema.js').SchemaField} SchemaField */
/** @typedef {Record<string, Record<string, any>> | null | undefined} Languages texts by language and path */
/** @typedef {{ path: string, field: SchemaField, label: string, text: any }} Text label: the path of its field, without ids of rows */

/**
 * textsOf is what of a record has a text in each language, with that of the default one. A row of a list is named by its id.
 * @param {SchemaField[]} fields
 * @param {any} record
 * @param {string} [at]
 * @param {string} [label]
 * @returns {Text[]}
 */
export function textsOf(fields, record, at = '', label = '') {
  return fields.flatMap((field) => {
    const [path, named, value] = [at + field.name, label + field.name, record?.[field.name]];
    if (field.translatable) return [{ path, field, label: named, text: value ?? '' }];
    if (field.kind === 'group') return textsOf(field.fields ?? [], value, `${path}.`, `${named}.`);
    if (field.kind !== 'array') return [];
    return (value ?? []).flatMap((/** @type {any} */ row) => (row.id ? textsOf(field.fields ?? [], row, `${path}.${row.id}.`, `${named}.`) : []));
  });
}

/** isEmpty tells whether there is no text. @param {any} text */
const isEmpty = (text) => text === '' || text === null || text === undefined;

/**
 * missingIn counts the texts that a language lacks; a handle is none that has to be there.
 * @param {Text[]} texts
 * @param {Languages} languages
 * @param {string} locale
 */
export const missingIn = (texts, languages, locale) =>
  texts.filter(({ path, text }) => path !== 'slug' && !isEmpty(text) && isEmpty(languages?.[locale]?.[path])).length;

/**
 * withText is the languages with another text; null takes one away, and what was not there before is left out again.
 * @param {Languages} languages
 * @param {Languages} before as they were read
 * @param {string} locale
 * @param {string} path
 * @param {any} text
 * @returns {Languages}
 */
export function withText(languages, before, locale, path, text) {
  const texts = { ...languages?.[locale], [path]: isEmpty(text) ? null : text };
  if (isEmpty(text) && isEmpty(before?.[locale]?.[path])) delete texts[path];
  const next = { ...languages, [locale]: texts };
  if (Object.keys(texts).length === 0 && !before?.[locale]) delete next[locale];
  return same(next, before ?? {}) ? before : next;
}

/**
 * asRead is a record of a form as it was read: its place in the list may be another one since, and a new one was nowhere.
 * @param {any} base what the form began with
 * @param {any} record
 * @param {string} [at] where the form has it, such as `options.1`; the form's own record unless said
 * @returns {any}
 */
export function asRead(base, record, at) {
  if (!at) return base;
  const list = at.split('.').slice(0, -1).reduce((of, step) => of?.[step], base);
  return record?.id && list?.find((/** @type {any} */ one) => one.id === record.id);
}

/**
 * othersOf is the languages of a shop besides its default one, which is the first, and the first alone where a shop chose none itself.
 * @param {{ settings?: { locales?: string[] | null } | null } | null} shop
 */
export const othersOf = (shop) => (shop?.settings?.locales ?? []).slice(1);
