// What the collections are like, as the shop describes them: lists, forms and filters are derived from it.
import { useEffect, useState } from '../vendor/ui.js';
import { api, shop, user } from './shop.js';

/**
 * @typedef {object} SchemaField
 * @property {string} name
 * @property {'text'|'textarea'|'richText'|'number'|'money'|'integer'|'boolean'|'date'|'email'|'select'|'relation'|'relations'|'upload'|'uploads'|'texts'|'selects'|'array'|'group'|'json'} kind
 * @property {string} doc
 * @property {boolean} [required]
 * @property {boolean} [readOnly]
 * @property {boolean} [immutable]
 * @property {boolean} [unique]
 * @property {boolean} [indexed]
 * @property {boolean} [labels]
 * @property {boolean} [uppercase]
 * @property {boolean} [shownOnce]
 * @property {boolean} [personal]
 * @property {string} [relationTo]
 * @property {string[]} [options]
 * @property {unknown} [default]
 * @property {string} [currency] name of the field that has the currency
 * @property {number} [min]
 * @property {number} [max]
 * @property {number} [maxLength]
 * @property {number} [maxItems]
 * @property {'page' | 'origin'} [urlKind]
 * @property {string} [valueKind]
 * @property {SchemaField[]} [fields]
 */

/**
 * @typedef {object} Schema
 * @property {string} slug
 * @property {string} singular
 * @property {string} plural
 * @property {string} doc
 * @property {boolean} perEnvironment
 * @property {boolean} searchable
 * @property {boolean} timeline
 * @property {string[]} may
 * @property {SchemaField[]} fields
 */

/** @type {Map<string, Promise<Schema | undefined>>} by user, shop and slug */
const asked = new Map();

/**
 * schemaOf is the description of a collection; undefined where the user may not read it. Errors: CommerceSDKError.
 * @param {string} slug
 * @returns {Promise<Schema | undefined>}
 */
export function schemaOf(slug) {
  const key = `${user.value?.id} ${shop.value?.id} ${slug}`;
  let answer = asked.get(key);
  if (!answer) {
    answer = api.call('GET /api/schemas', { collection: slug }).then(({ collections }) => /** @type {Schema | undefined} */ (collections[0]));
    answer.catch(() => asked.delete(key));
    asked.set(key, answer);
  }
  return answer;
}

/**
 * useSchema is schemaOf for a component: undefined while it is on its way, null where it is not to be had.
 * @param {string} slug
 * @returns {Schema | null | undefined}
 */
export function useSchema(slug) {
  const [schema, setSchema] = useState(/** @type {Schema | null | undefined} */ (undefined));
  useEffect(() => {
    let here = true;
    setSchema(undefined);
    schemaOf(slug).then((s) => here && setSchema(s ?? null), () => here && setSchema(null));
    return () => {
      here = false;
    };
  }, [slug]);
  return schema;
}

/**
 * fieldAt is a field of a schema by its path with dots.
 * @param {Schema} schema
 * @param {string} path
 * @returns {SchemaField | undefined}
 */
export function fieldAt(schema, path) {
  /** @type {SchemaField | undefined} */
  let found;
  let fields = schema.fields;
  for (const name of path.split('.')) {
    found = fields.find((f) => f.name === name);
    fields = found?.fields ?? [];
  }
  return found;
}
