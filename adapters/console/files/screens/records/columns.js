// Which fields of a collection tell its records apart.

/** @typedef {import('../../base/schema.js').Schema} Schema */

/** Fields that name a record, best first. */
const names = ['orderNumber', 'name', 'title', 'code', 'sku', 'email', 'filename', 'label', 'url', 'slug', 'status', 'order', 'product', 'kind'];

/** Kinds that say something in the width of a column. */
const plain = ['text', 'email', 'select', 'boolean', 'date', 'number', 'integer', 'money', 'relation', 'upload'];

const many = 7;

/**
 * columnsOf is the columns of a list: the name, what it is about in money and states, what is indexed, and when.
 * @param {Schema} schema
 * @returns {string[]}
 */
export function columnsOf(schema) {
  const fields = schema.fields.filter((f) => plain.includes(f.kind) && !['id', 'tenant', 'environment', 'revision', 'createdAt', 'updatedAt'].includes(f.name));
  const name = names.find((n) => fields.some((f) => f.name === n)) ?? fields[0]?.name ?? 'id';
  const worth = (/** @type {import('../../base/schema.js').SchemaField} */ f) => {
    if (f.kind === 'select' || (f.kind === 'money' && f.indexed)) return 0;
    return f.indexed || f.kind === 'number' ? 1 : f.required ? 2 : 3;
  };
  const rest = fields.filter((f) => f.name !== name).sort((a, b) => worth(a) - worth(b)).slice(0, many - 2).map((f) => f.name);
  return [name, ...rest, 'createdAt'];
}
