// One record of any collection: a form of what may be written, and the rest to read.
import { html, useMemo, useRoute } from '../../vendor/ui.js';
import { amountIn } from '../../base/amount.js';
import { useForm } from '../../base/form.js';
import { useQuery } from '../../base/query.js';
import { go, href } from '../../base/route.js';
import { useSchema } from '../../base/schema.js';
import { api } from '../../base/shop.js';
import { replaced } from '../../base/undo.js';
import { collectionLabel, collectionWord, fieldLabel, t } from '../../base/words.js';
import { FormFoot } from '../../parts/form.js';
import { Remove } from '../../parts/remove.js';
import { Absent, Card, Empty, Page } from '../../parts/state.js';
import { Timeline } from '../../parts/timeline.js';
import { tell } from '../../parts/toast.js';
import { Translations } from '../../parts/translations.js';
import { Value, nameOf } from '../../parts/value.js';
import { Input } from './input.js';

/** @typedef {import('../../base/schema.js').Schema} Schema */
/** @typedef {import('../../base/schema.js').SchemaField} SchemaField */

/** Collections whose changes are undone with a click: nothing with money or secrets, and nothing that guards access. */
const simple = ['brands', 'categories', 'tags', 'videos'];

export default function RecordScreen() {
  const { slug = '', id = '' } = useRoute().params;
  const schema = useSchema(slug);
  const fresh = id === 'new';
  const read = (/** @type {AbortSignal} */ signal) => /** @type {any} */ (api.collections.from(/** @type {any} */ (slug))).findById(id, { depth: 0 }, { signal });
  const { data, refusal, reload } = useQuery(fresh ? '' : `${slug} ${id}`, read, { live: [slug], record: id });
  const back = { href: href(`/records/${slug}`), label: collectionLabel(slug) };
  const title = fresh ? t('records.add', { what: collectionWord(slug, 'one') }) : data ? called(slug, data) : collectionLabel(slug, 'one');
  if (schema === null) return html`<${Page} title=${title} back=${back}><${Empty} icon="lock" title=${t('common.notYours')} /><//>`;
  if (!fresh && (!data || refusal?.reason === 'not_found')) return html`<${Absent} title=${title} back=${back} refusal=${refusal} again=${reload} />`;
  return html`<${Editor} key=${`${slug} ${id}`} ...${{ schema, id, record: fresh ? null : data, title, back, reload }} />`;
}

/** @param {{ schema: Schema, id: string, record: any, title: string, back: { href: string, label: string }, reload: () => void }} props */
function Editor({ schema, id, record, title, back, reload }) {
  const { slug } = schema;
  const records = /** @type {any} */ (api.collections.from(/** @type {any} */ (slug)));
  const writable = schema.fields.filter((f) => !f.readOnly && !(f.immutable && record) && !['tenant', 'translations'].includes(f.name));
  const initial = useMemo(() => record ?? defaults(writable), [record]);
  const update = (/** @type {any} */ values, /** @type {number | null} */ revision, /** @type {object} */ options) =>
    records.update(id, { ...numbersIn(values, writable), expectedRevision: revision }, options);
  const form = useForm({
    name: `${slug} ${id}`,
    initial,
    refresh: reload,
    send: async (changes, { revision, ...options }) => {
      const { doc } = record ? await update(changes, revision, options) : await records.create(numbersIn(changes, writable), options);
      const old = record && simple.includes(slug) && replaced(changes, form.base);
      tell(t('common.saved'), old && ((again) => update(old, doc.revision, again).then(reload)));
      if (record) reload();
      else go(`/records/${slug}/${doc.id}`, { replace: true });
      return doc;
    },
  });
  const may = record ? schema.may.includes('update') : schema.may.includes('create');
  const shown = schema.fields.filter((f) => !['id', 'tenant', 'environment', 'revision', 'translations'].includes(f.name) && (!may || !writable.includes(f)));
  const top = record && schema.may.includes('delete') && html`<${Remove} from=${records} id=${id} title=${t('records.delete', { name: title })}
    text=${t('records.deleteText')} said=${t('records.deleted', { name: title })} then=${() => go(`/records/${slug}`)} />`;
  return html`<${Page} title=${title} back=${back} top=${top}>
    <div class="columns">
      <div>
        ${may &&
        html`<${Card}><form id="record" class="stack" onSubmit=${form.send}>
            ${writable.map((f) => html`<${Input} key=${f.name} slug=${slug} path=${f.name} at=${f.name} field=${f} form=${form} fresh=${!record} />`)}
            <${Translations} form=${form} parts=${[{ slug }]} />
          </form>
          <${FormFoot} form=${form} id="record" slug=${slug} saves /><//>`}
        ${record && schema.timeline && html`<${Timeline} slug=${slug} id=${id} live=${[slug, 'comments']} />`}
      </div>
      <aside>
        ${record && shown.length > 0 && html`<${Card} title=${t('records.facts')}><dl class="facts">
          ${shown.map((f) => html`<div key=${f.name}><dt title=${f.doc}>${fieldLabel(slug, f.name)}</dt>
            <dd><${Value} slug=${slug} path=${f.name} field=${f} value=${record[f.name]} record=${record} /></dd></div>`)}
        </dl><//>`}
      </aside>
    </div>
  <//>`;
}

/** called is the name of a record, or which one it is of those that have none. @param {string} slug @param {any} record */
function called(slug, record) {
  const name = nameOf(record);
  return name === record.id ? `${collectionLabel(slug, 'one')} …${record.id.slice(-8)}` : name;
}

/** @param {SchemaField[]} fields */
function defaults(fields) {
  return Object.fromEntries(fields.flatMap((f) => (f.default === undefined ? [] : [[f.name, f.default]])));
}

/**
 * numbersIn reads the numbers that were typed, also those in groups and rows.
 * @param {Record<string, any>} values
 * @param {SchemaField[]} fields
 * @returns {Record<string, any>}
 */
export function numbersIn(values, fields) {
  const read = (/** @type {any} */ value, /** @type {SchemaField | undefined} */ field) => {
    if (!field || value === null || value === undefined) return value;
    if (field.kind === 'group') return numbersIn(value, field.fields ?? []);
    if (field.kind === 'array') return value.map((/** @type {any} */ row) => numbersIn(row, field.fields ?? []));
    return ['number', 'integer', 'money'].includes(field.kind) ? amountIn(value) : value;
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, read(value, fields.find((f) => f.name === name))]));
}
