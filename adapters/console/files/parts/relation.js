// A field that refers to other records: they are found by name.
import { html, useEffect, useRef, useState } from '../vendor/ui.js';
import { onForget, useQuery } from '../base/query.js';
import { api, can } from '../base/shop.js';
import { schemas } from '../base/schema.js';
import { collectionWord, t } from '../base/words.js';
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
  // While a record is made, others may be chosen and taken away.
  const latest = useRef({ ids, onInput });
  latest.current = { ids, onInput };
  const [making, setMaking] = useState('');
  const choose = async (/** @type {any} */ found) => {
    setMaking(found.adds ?? '');
    const made = found.adds && (await records.create({ name: found.adds }).catch(complain));
    setMaking('');
    if (found.adds && !made) return;
    const record = made?.doc ?? found;
    known.set(record.id, record);
    const { ids, onInput } = latest.current;
    onInput(many ? [...ids.filter((/** @type {string} */ id) => id !== record.id), record.id] : record.id);
  };
  const remove = (/** @type {string} */ id) => onInput(many ? ids.filter((/** @type {string} */ i) => i !== id) : null);
  const find = (/** @type {string} */ text, /** @type {AbortSignal} */ signal) => look(records, to, text, signal, adds);
  return html`<${Field} ...${frame}>
    ${(/** @type {any} */ a) => html`<div class="labels relation">
      ${ids.map((/** @type {string} */ id) => html`<span class="chip" key=${id}>${known.has(id) ? nameOf(known.get(id)) : html`<code>${id.slice(-8)}</code>`}
        <button type="button" aria-label=${t('common.removeNamed', { name: nameOf(known.get(id)) })} onClick=${() => remove(id)}><${Icon} name="x" size=${14} /></button></span>`)}
      ${making && html`<span class="chip" aria-busy="true">${making} …</span>`}
      <${Finder} attributes=${a} find=${find} show=${shown} onChoose=${choose} brief />
    </div>`}
  <//>`;
}

/** shown is a record that was found, or one that can be made of what was typed. @param {any} found */
const shown = (found) => (found.adds ? html`<${Icon} name="plus" size=${14} /> ${t('list.addNamed', { name: found.adds })}` : nameOf(found));

/** @type {Map<string, Promise<any>>} records that are being read, by collection and id: several places may show one */
const reading = new Map();

/** readOnce reads a record, once for all who ask meanwhile. @param {string} to @param {string} id @returns {Promise<any>} */
function readOnce(to, id) {
  const key = `${to} ${id}`;
  const under = reading.get(key) ?? api.collections.from(/** @type {any} */ (to)).findById(id, { depth: 0 }).finally(() => reading.delete(key));
  reading.set(key, under);
  return under;
}

/**
 * Called is the name of a record; the end of its id where it is gone, after the word for its like where the reader may not see it.
 * @param {{ to: string, id: string }} props
 */
export function Called({ to, id }) {
  const may = can(`${to}:read`);
  const { data, refusal } = useQuery(may ? `called ${to} ${id}` : '', () => readOnce(to, id));
  if (data) return html`${nameOf(data)}`;
  return may && !refusal ? '…' : html`${!may && `${collectionWord(to, 'one')} `}<code>${id.slice(-8)}</code>`;
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
  const makes = adds && text && nameSuffices(schema);
  const [{ docs }, same] = await Promise.all([
    records.find({ limit: 8, depth: 0, ...filter }, { signal }),
    makes ? records.find({ where: { name: { equals: text } }, limit: 1, depth: 0 }, { signal }) : undefined,
  ]);
  const twins = [...(same?.docs ?? []), ...docs.filter((/** @type {any} */ { name }) => name?.toLowerCase() === text.toLowerCase())];
  if (makes && twins.length === 0) return [...docs, { id: 'add', adds: text }];
  // What is called so comes first: it may not be among the first that were found.
  return [...new Map([...twins, ...docs].map((one) => [one.id, one])).values()];
}
