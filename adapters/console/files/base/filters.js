// The filters of a list: in the address of the page, as chips, and as the filter that the shop takes.
import { day } from './format.js';
import { timeZone } from './shop.js';
import { midnight } from './zone.js';

/** @typedef {import('./schema.js').SchemaField} SchemaField */
/** @typedef {Record<string, any>} Where */

/** Names of the address that are no filters. */
const others = ['q', 'sort', 'view', 'columns', 'tab'];

/** What stands for no value at all. */
export const none = '-';

/** The field with the languages that a record is translated into. */
export const translated = 'translatedIn';

/** What stands before languages that a record must not be translated into; what people name themselves may begin with it. */
export const not = '!';

/**
 * filtersOf is the filters of an address: by the field's path, `paid,pending` for some values, `2026-01-01..` for a range.
 * @param {URLSearchParams} query
 * @returns {Record<string, string>}
 */
export function filtersOf(query) {
  return Object.fromEntries([...query].filter(([name, value]) => !others.includes(name) && value !== ''));
}

/**
 * whereOf is the filter of a list as the shop takes it; undefined for none.
 * @param {Record<string, string>} filters
 * @param {(path: string) => SchemaField | undefined} fieldAt
 * @returns {Where | undefined}
 */
export function whereOf(filters, fieldAt) {
  /** @type {Where[]} */
  const and = [];
  for (const [path, value] of Object.entries(filters)) {
    const field = fieldAt(path);
    if (field) and.push(...conditions(path, field, value));
  }
  if (and.length === 0) return undefined;
  return and.length === 1 ? and[0] : { and };
}

/**
 * filtersFrom is the filters that a filter of the shop was made of; undefined where an address cannot say it.
 * @param {Where | null | undefined} where
 * @param {(path: string) => SchemaField | undefined} fieldAt
 * @returns {Record<string, string> | undefined}
 */
export function filtersFrom(where, fieldAt) {
  if (!where) return {};
  /** @type {Record<string, string>} */
  const filters = {};
  for (const one of Array.isArray(where.and) ? where.and : [where]) {
    const [path = ''] = Object.keys(one);
    const [operator = '', value] = Object.entries(one[path] ?? {})[0] ?? [];
    const [from = '', to = ''] = (filters[path] ?? '').split('..');
    const isDay = fieldAt(path)?.kind === 'date' && typeof value === 'string';
    const text = isDay ? day(new Date(Date.parse(value) - (operator === 'less_than' ? 1 : 0))) : String(value);
    if (operator === 'exists') filters[path] = none;
    else if (operator === 'greater_than_equal') filters[path] = `${text}..${to}`;
    else if (operator.startsWith('less_than')) filters[path] = `${from}..${text}`;
    else filters[path] = (operator === 'not_in' ? not : '') + String(value);
  }
  const [a, b] = [whereOf(filters, fieldAt), where].map((w) => JSON.stringify(w));
  return a === b ? filters : undefined;
}

/**
 * @param {string} path
 * @param {SchemaField} field
 * @param {string} value
 * @returns {Where[]}
 */
function conditions(path, field, value) {
  if (value === none) return [{ [path]: { exists: false } }];
  switch (field.kind) {
    case 'select':
      return [{ [path]: value.includes(',') ? { in: value.split(',') } : { equals: value } }];
    case 'selects':
    case 'relations':
    case 'uploads':
    case 'texts':
      if (path === translated && value.startsWith(not)) return [{ [path]: { not_in: value.slice(not.length).split(',') } }];
      return [{ [path]: { in: value.split(',') } }];
    case 'boolean':
      return [{ [path]: { equals: value === 'true' } }];
    case 'date':
    case 'number':
    case 'integer':
    case 'money':
      return range(path, field, value);
    case 'relation':
    case 'upload':
      return [{ [path]: { equals: value } }];
    default:
      return [{ [path]: path === 'id' ? { equals: value } : { contains: value } }];
  }
}

/**
 * @param {string} path
 * @param {SchemaField} field
 * @param {string} value
 */
function range(path, field, value) {
  const [from = '', to = from] = value.includes('..') ? value.split('..') : [value];
  const isDay = field.kind === 'date';
  const bound = (/** @type {string} */ text, /** @type {number} */ after) => (isDay ? midnight(text, after, timeZone.value) : Number(text));
  const out = [];
  if (from) out.push({ [path]: { greater_than_equal: bound(from, 0) } });
  if (to) out.push({ [path]: isDay ? { less_than: bound(to, 1) } : { less_than_equal: bound(to, 0) } });
  return out;
}
