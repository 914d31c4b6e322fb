// What the collections are like, as the shop describes them in the reader's language: lists, forms, filters and labels are derived from it.
import { computed, signal } from '../vendor/ui.js';

/**
 * @typedef {object} SchemaField
 * @property {string} name
 * @property {'text'|'textarea'|'richText'|'number'|'money'|'integer'|'boolean'|'date'|'email'|'select'|'relation'|'relations'|'upload'|'uploads'|'texts'|'selects'|'array'|'group'|'json'} kind
 * @property {string} label
 * @property {string} doc what to know about it
 * @property {boolean} [required]
 * @property {boolean} [readOnly]
 * @property {boolean} [immutable]
 * @property {boolean} [unique]
 * @property {boolean} [indexed]
 * @property {boolean} [labels]
 * @property {boolean} [translatable]
 * @property {boolean} [uppercase]
 * @property {boolean} [shownOnce]
 * @property {boolean} [unqueried] nobody filters or sorts by it
 * @property {boolean} [personal]
 * @property {string} [relationTo]
 * @property {string[]} [options]
 * @property {Record<string, string>} [optionLabels]
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
 * @property {string} label what one record is called
 * @property {string} labels what its list is called
 * @property {string} singular
 * @property {string} plural
 * @property {string} doc
 * @property {boolean} perEnvironment
 * @property {boolean} searchable
 * @property {boolean} timeline
 * @property {string[]} may
 * @property {SchemaField[]} fields
 * @property {SchemaField[]} inputs what is sent and never read
 */

/** The collections that the user may read, by slug; those of nobody are none. @type {import('../vendor/ui.js').Signal<Map<string, Schema>>} */
export const schemas = signal(new Map());

/**
 * useSchema is the description of a collection for a component: null where the user may not read it.
 * @param {string} slug
 */
export const useSchema = (slug) => schemas.value.get(slug) ?? null;

/**
 * fieldAt is a field of a schema by its path with dots.
 * @param {Pick<Schema, 'fields'>} schema
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

/** What most fields and options of a name are called, for those of collections that the user may not read. */
const usual = computed(() => {
  const fields = new Counts();
  const options = new Counts();
  const visit = (/** @type {SchemaField[]} */ list) => {
    for (const field of list) {
      fields.add(field.name, field.label);
      for (const [value, label] of Object.entries(field.optionLabels ?? {})) options.add(value, label);
      visit(field.fields ?? []);
    }
  };
  for (const schema of schemas.value.values()) visit(schema.fields);
  return { fields, options };
});

/** Counts finds the label that a name has most often. */
class Counts {
  /** @type {Map<string, Map<string, number>>} */
  #counts = new Map();

  /** @param {string} name @param {string} label */
  add(name, label) {
    const counts = this.#counts.get(name) ?? new Map();
    this.#counts.set(name, counts.set(label, (counts.get(label) ?? 0) + 1));
  }

  /** @param {string} name */
  most(name) {
    return [...(this.#counts.get(name) ?? [])].sort(([, a], [, b]) => b - a)[0]?.[0] ?? humanize(name);
  }
}

/**
 * humanize is a label for a name that has none: `deliveryNote` and `awaiting-deposit` become `Delivery note` and `Awaiting deposit`.
 * @param {string} name
 */
export function humanize(name) {
  const spaced = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[-_.]+/g, ' ').toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** @param {string} slug @param {string} path with dots, without numbers of rows */
const described = (slug, path) => {
  const schema = schemas.value.get(slug);
  return schema && (fieldAt(schema, path) ?? fieldAt({ fields: schema.inputs }, path));
};

/**
 * fieldLabel is the label of a field of a collection; a path may lead through one relation.
 * @param {string} slug
 * @param {string} path with dots, without numbers of rows
 * @returns {string}
 */
export function fieldLabel(slug, path) {
  const found = described(slug, path);
  if (found) return found.label;
  const dot = path.indexOf('.');
  const link = dot > 0 ? described(slug, path.slice(0, dot)) : undefined;
  if (link?.relationTo) return `${link.label}: ${fieldLabel(link.relationTo, path.slice(dot + 1))}`;
  return usual.value.fields.most(path.slice(path.lastIndexOf('.') + 1));
}

/** helpOf is what to know while a field is filled in. @param {string} slug @param {string} path */
export const helpOf = (slug, path) => described(slug, path)?.doc;

/**
 * optionLabel is the label of a value of a select.
 * @param {string} slug
 * @param {string} path
 * @param {string} value
 * @returns {string}
 */
export const optionLabel = (slug, path, value) => described(slug, path)?.optionLabels?.[value] ?? usual.value.options.most(value);

/**
 * collectionWord is collectionLabel within a sentence: "changed draft order", but "new API key".
 * @type {typeof collectionLabel}
 */
export function collectionWord(slug, form) {
  const label = collectionLabel(slug, form);
  return /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}

/**
 * collectionLabel is the name of a collection, of one record or of many.
 * @param {string} slug
 * @param {'one' | 'many'} [form]
 * @returns {string}
 */
export function collectionLabel(slug, form = 'many') {
  const schema = schemas.value.get(slug);
  return schema?.[form === 'one' ? 'label' : 'labels'] ?? humanize(slug);
}
