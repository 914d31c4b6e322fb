// Forms of a record's fields, as its schema says, in the order that is given.
import { html } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { go, screenOf } from '../../base/route.js';
import { fieldAt } from '../../base/schema.js';
import { api } from '../../base/shop.js';
import { replaced } from '../../base/undo.js';
import { fieldLabel, t } from '../../base/words.js';
import { Empty, Loading, Page, Refused } from '../../parts/state.js';
import { tell } from '../../parts/toast.js';
import { Value } from '../../parts/value.js';
import { Input } from '../records/input.js';

/** @typedef {import('../../base/schema.js').Schema} Schema */
/** @typedef {import('../../base/form.js').Form} Form */

/** Inputs are the inputs of fields by their paths. @param {{ schema: Schema, paths: string[], form: Form }} props */
export function Inputs({ schema, paths, form }) {
  return paths.map((path) => {
    const field = fieldAt(schema, path);
    return field && html`<${Input} key=${path} slug=${schema.slug} path=${path} at=${path} field=${field} form=${form} fresh=${false} />`;
  });
}

/** Facts are the same to read. @param {{ schema: Schema, paths: string[], record: any }} props */
export function Facts({ schema, paths, record }) {
  return html`<dl class="facts">${paths.map((path) => {
    const field = fieldAt(schema, path);
    const value = path.split('.').reduce((/** @type {any} */ tree, name) => tree?.[name], record);
    return field && html`<div key=${path}><dt>${fieldLabel(schema.slug, path)}</dt><dd><${Value} slug=${schema.slug} path=${path} field=${field} value=${value}
      record=${record} /></dd></div>`;
  })}</dl>`;
}

/**
 * useRecordForm is the form of a record that can be there or new. What was saved is told, and can be undone where it was there before.
 * @param {{ slug: 'tax-rates' | 'shipping-policies', record: { id: string } | undefined, initial: any, fresh: object,
 *   stays?: string[], sent: (values: any) => object, reload: () => void }} options
 * fresh: what a new one has besides what was typed; stays: fields that are not undone; sent: values as they are sent
 */
export function useRecordForm({ slug, record, initial, fresh, stays = [], sent, reload }) {
  const records = /** @type {any} */ (api.collections.from(slug));
  const update = (/** @type {any} */ values, /** @type {any} */ expectedRevision, /** @type {object} */ options) =>
    records.update(record?.id, { ...sent(values), expectedRevision }, options);
  const form = useForm({
    name: `${slug} ${record?.id ?? 'new'}`,
    initial,
    refresh: reload,
    send: async (changes, { revision, ...options }) => {
      const { doc } = record ? await update(changes, revision, options) : await records.create({ ...fresh, ...sent(changes) }, options);
      const old = record && replaced(changes, form.base, stays);
      tell(t('common.saved'), old && ((again) => update(old, doc.revision, again).then(reload)));
      if (record) reload();
      else go(screenOf(slug, doc.id), { replace: true });
      return doc;
    },
  });
  return form;
}

/**
 * Awaited is the page of a record as long as its schema or its values are not there: both are read, refused, or not for this reader.
 * @param {{ title: string, back: { href: string, label: string }, schema: import('../../base/schema.js').Schema | null | undefined,
 *   refusal: import('../../base/refusal.js').Refusal | undefined, reload: () => void }} props
 */
export function Awaited({ title, back, schema, refusal, reload }) {
  return html`<${Page} title=${title} back=${back} class="single">
    ${schema === null ? html`<${Empty} icon="lock" title=${t('common.notYours')} />`
      : refusal ? html`<${Refused} refusal=${refusal} again=${reload} />` : html`<${Loading} lines=${8} />`}
  <//>`;
}
