// Two customers who are one person become one: what moves and what goes is shown before.
import { html } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { number } from '../../base/format.js';
import { useQuery } from '../../base/query.js';
import { api } from '../../base/shop.js';
import { collectionLabel, fieldLabel, t } from '../../base/words.js';
import { FormDialog } from '../../parts/form.js';
import { Icon } from '../../parts/icon.js';
import { RelationField } from '../../parts/relation.js';
import { Loading, Notice, Refused } from '../../parts/state.js';
import { tell } from '../../parts/toast.js';
import { calledOf } from './customers.js';

/** @typedef {import('./customers.js').Customer} Customer */

/** What leads to a customer and is moved; parcels and payments go along with their orders. */
const moves = ['carts', 'checkouts', 'draft-orders', 'orders', 'return-requests'];

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
  const from = form.values.from;
  const self = from === customer.id;
  return html`<${FormDialog} form=${form} id="merge" title=${t('customers.merge')} size="large" danger ready=${Boolean(from) && !self} onClose=${onClose}
    action=${t('customers.mergeNow')}>
    <p>${t('customers.mergeText', { name: calledOf(customer) })}</p>
    <${RelationField} label=${t('customers.mergeFrom')} to="customers" value=${from || null} error=${self ? t('customers.mergeSelf') : form.error('from')}
      onInput=${(/** @type {string | null} */ id) => form.set('from', id ?? '')} />
    ${from && !self && html`<${Outcome} key=${from} into=${customer} from=${from} />`}
  <//>`;
}

/** Outcome is what the merge would do. @param {{ into: Customer, from: string }} props */
function Outcome({ into, from }) {
  // What is held about somebody is counted for live and test, as a merge moves it.
  const { data, refusal } = useQuery(`merge of ${from}`, (signal) => api.call('GET /api/customers/{id}/erasure', { id: from }, { signal }));
  if (refusal) return html`<${Refused} refusal=${refusal} />`;
  if (!data) return html`<${Loading} lines=${4} />`;
  const other = /** @type {Customer} */ (data.customer);
  const moving = data.collections.filter((c) => c.records > 0 && moves.includes(c.collection));
  return html`<div class="preview stack" aria-live="polite">
    <h3>${t('customers.mergeMoves', { from: calledOf(other), to: calledOf(into) })}</h3>
    ${moving.length === 0 ? html`<p class="none">${t('customers.mergeNothing')}</p>` : html`<dl class="sums">
      ${moving.map((c) => html`<div key=${c.collection}><dt>${collectionLabel(c.collection)}</dt><dd>${number(c.records)}</dd></div>`)}</dl>`}
    <ul class="rules">${taken(into, other).map((line) => html`<li key=${line}><${Icon} name="arrow-right" size=${14} /><span>${line}</span></li>`)}</ul>
    <${Notice} kind="warn">${t('customers.mergeGone', { email: other.email ?? '' })}<//>
  </div>`;
}

/**
 * taken is what the one who stays takes over.
 * @param {Customer} into
 * @param {Customer} from
 */
function taken(into, from) {
  const missing = /** @type {const} */ (['name', 'phone']).filter((name) => !into[name] && from[name]);
  const groups = (from.groups ?? []).filter((g) => !into.groups?.includes(g));
  return [
    ...missing.map((name) => t('customers.mergeTakes', { what: fieldLabel('customers', name), value: from[name] })),
    groups.length > 0 ? t('customers.mergeTakes', { what: fieldLabel('customers', 'groups'), value: groups.join(', ') }) : '',
    from.addresses.length > 0 ? t('customers.mergeAddresses', { n: from.addresses.length }) : '',
    from.note ? t('customers.mergeTakes', { what: fieldLabel('customers', 'note'), value: from.note }) : '',
    t('customers.mergeKeeps', { email: into.email ?? '' }),
  ].filter(Boolean);
}
