// A field that refers to other records: they are found by name.
import { html, useEffect, useState } from '../vendor/ui.js';
import { onForget, useQuery } from '../base/query.js';
import { api } from '../base/shop.js';
import { schemas } from '../base/schema.js';
import { t } from '../base/words.js';
import { Field } from './field.js';
import { Finder } from './finder.js';
import { Icon } from './icon.js';
import { complain } from './toast.js';
import { nameOf } from './value.js';

/** @type {Map<string, any>} records that were seen, by id */
const known = new Map();
onForget(() => known.clear());

/**
 * RelationField refers to one record, or to many.
 * @param {import('./field.js').FieldProps & { to: string, value: any, many?: boolean, adds?: boolean, onInput: (value: any) => void }} props
 * adds: one that is not there can be made of what was typed, where its name is all that it needs
 */
export function RelationField({ to, value, many = false, adds = false, onInput, ...frame }) {
  const ids = many ? (value ?? []) : value ? [value] : [];
  const [, seen] = useState(0);
  const records = /** @type {any} */ (api.collections.from(/** @type {any} */ (to)));
  const unknown = ids.filter((/** @type {string} */ id) => !known.has(id));
  useEffect(() => {
    if (unknown.length === 0) return;
    records.find({ where: { id: { in: unknown } }, limit: unknown.length, depth: 0 }).then((/** @type {any} */ { docs }) => {
      for (const doc of docs) known.set(doc.id, doc);
      seen((n) => n + 1);
    }, () => undefined);
  }, [unknown.join()]);
  const choose = async (/** @type {any} */ found) => {
    const made = found.adds && (await records.create({ name: found.adds }).catch(complain));
    if (found.adds && !made) return;
    const record = made?.doc ?? found;
    known.set(record.id, record);
    onInput(many ? [...ids.filter((/** @type {string} */ id) => id !== record.id), record.id] : record.id);
  };
  const remove = (/** @type {string} */ id) => onInput(many ? ids.filter((/** @type {string} */ i) => i !== id) : null);
  const find = (/** @type {string} */ text, /** @type {AbortSignal} */ signal) => look(records, to, text, signal, adds);
  return html`<${Field} ...${frame}>
    ${(/** @type {any} */ a) => html`<div class="labels relation">
      ${ids.map((/** @type {string} */ id) => html`<span class="chip" key=${id}>${known.has(id) ? nameOf(known.get(id)) : html`<code>${id.slice(-8)}</code>`}
        <button type="button" aria-label=${t('common.removeNamed', { name: nameOf(known.get(id)) })} onClick=${() => remove(id)}><${Icon} name="x" size=${14} /></button></span>`)}
      <${Finder} attributes=${a} find=${find} show=${shown} onChoose=${choose} brief />
    </div>`}
  <//>`;
}

/** shown is a record that was found, or one that can be made of what was typed. @param {any} found */
const shown = (found) => (found.adds ? html`<${Icon} name="plus" size=${14} /> ${t('list.addNamed', { name: found.adds })}` : nameOf(found));

/** Called is the name of a record, or the end of its id where it is gone or hidden. @param {{ to: string, id: string }} props */
export function Called({ to, id }) {
  const read = () => /** @type {any} */ (api.collections.from(/** @type {any} */ (to))).findById(id, { depth: 0 });
  const { data, refusal } = useQuery(`called ${to} ${id}`, read);
  return html`${data ? nameOf(data) : refusal ? html`<code>${id.slice(-8)}</code>` : '…'}`;
}

/** Fields by which records are found where there is no search. */
const names = ['name', 'title', 'code', 'filename', 'email', 'sku', 'orderNumber'];

/** nameSuffices tells whether a record of a collection can be made of its name alone. @param {import('../base/schema.js').Schema | undefined} schema */
const nameSuffices = (schema) => schema?.may.includes('create') && schema.fields.filter((f) => f.required).map((f) => f.name).join() === 'name';

/**
 * look finds records, and offers to make one where it may.
 * @param {any} records
 * @param {string} slug
 * @param {string} text
 * @param {AbortSignal} signal
 * @param {boolean} adds
 */
async function look(records, slug, text, signal, adds) {
  const schema = schemas.value.get(slug);
  const by = schema?.fields.find((f) => names.includes(f.name))?.name;
  const filter = !text ? {} : schema?.searchable ? { q: text } : by ? { where: { [by]: { contains: text } } } : {};
  const { docs } = await records.find({ limit: 8, depth: 0, ...filter }, { signal });
  const absent = adds && text && nameSuffices(schema) && !docs.some((/** @type {any} */ { name }) => name === text);
  return absent ? [...docs, { id: 'add', adds: text }] : docs;
}
