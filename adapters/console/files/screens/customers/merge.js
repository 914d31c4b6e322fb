// Two customers who are one person become one: what moves and what goes is shown before.
import { html } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { number } from '../../base/format.js';
import { usePreview } from '../../base/preview.js';
import { api } from '../../base/shop.js';
import { collectionLabel, fieldLabel, t } from '../../base/words.js';
import { FormDialog } from '../../parts/form.js';
import { Icon } from '../../parts/icon.js';
import { RelationField } from '../../parts/relation.js';
import { Notice } from '../../parts/state.js';
import { tell } from '../../parts/toast.js';
import { calledOf } from './customers.js';

/** @typedef {import('./customers.js').Customer} Customer */

/** @param {{ customer: Customer, onClose: () => void, onMerged: () => void }} props */
export function Merge({ customer, onClose, onMerged }) {
  const form = useForm({
    name: `merge ${customer.id}`, keep: false, initial: { from: '', revision: customer.revision },
    send: async ({ from }, { revision, idempotencyKey }) => {
      const { moved } = await api.call('POST /api/customers/{id}/merge', { id: customer.id, from, expectedRevision: revision }, { idempotencyKey });
      tell(t('customers.merged', { n: moved.reduce((n, m) => n + m.records, 0) }));
    },
    onSent: onMerged,
  });
  const { from } = form.values;
  const ask = (/** @type {AbortSignal} */ signal) =>
    api.preview('POST /api/customers/{id}/merge', { id: customer.id, from, expectedRevision: customer.revision ?? null, preview: true }, { signal });
  const { preview, refusal } = usePreview(from ? JSON.stringify([from, customer.revision]) : '', ask);
  return html`<${FormDialog} form=${form} id="merge" title=${t('customers.merge')} size="large" danger ready=${preview !== undefined} onClose=${onClose}
    action=${t('customers.mergeNow')}>
    <p>${t('customers.mergeText', { name: calledOf(customer) })}</p>
    <${RelationField} label=${t('customers.mergeFrom')} to="customers" value=${from || null} error=${form.error('from') ?? refusal?.fields.from}
      onInput=${(/** @type {string | null} */ id) => form.set('from', id ?? '')} />
    ${refusal && !refusal.fields.from && html`<${Notice} kind="warn">${refusal.alone}<//>`}
    <div aria-live="polite">${preview && html`<${Told} of=${preview} />`}</div>
  <//>`;
}

/** Told is what the merge would do. @param {{ of: import('../../vendor/sdk.js').Answer<'customerMerge'> }} props */
function Told({ of: { customer, moved, changes } }) {
  const becomes = /** @type {Customer} */ (customer);
  return html`<div class="preview stack">
    <h3>${t('customers.mergeMoves')}</h3>
    ${moved.length === 0 ? html`<p class="none">${t('customers.mergeNothing')}</p>` : html`<dl class="sums">
      ${moved.map((c) => html`<div key=${c.collection}><dt>${collectionLabel(c.collection)}</dt><dd>${number(c.records)}</dd></div>`)}</dl>`}
    <ul class="rules">${[...changes.map((name) => taken(becomes, name)), t('customers.mergeKeeps', { email: becomes.email ?? '' })].map((line) => html`
      <li key=${line}><${Icon} name="arrow-right" size=${14} /><span>${line}</span></li>`)}</ul>
    <${Notice} kind="warn">${t('customers.mergeGone')}<//>
  </div>`;
}

/** taken is what a field of the one who stays would say. @param {Customer} customer @param {string} name */
function taken(customer, name) {
  const value = /** @type {any} */ (customer)[name];
  const told = name === 'addresses' ? t('customers.mergeAddresses', { n: value.length }) : Array.isArray(value) ? value.join(', ') : value;
  return t('customers.mergeTakes', { what: fieldLabel('customers', name), value: typeof told === 'object' ? JSON.stringify(told) : told });
}
