// One dispute: until when the shop may answer, what helps, and what it is about. The answer itself is given at the provider.
import { html, useMemo, useRoute } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { useQuery } from '../../base/query.js';
import { href } from '../../base/route.js';
import { api, can, idOf } from '../../base/shop.js';
import { collectionLabel, fieldLabel, optionLabel, t } from '../../base/words.js';
import { TextField } from '../../parts/field.js';
import { FormFoot } from '../../parts/form.js';
import { Absent, Card, Page, Refused } from '../../parts/state.js';
import { tell } from '../../parts/toast.js';
import { Money, Status, Time } from '../../parts/value.js';
import { Parcels } from '../orders/parcels.js';
import { reasonOf } from './disputes.js';
import { openDispute } from './possible.js';

/** @typedef {import('../../vendor/sdk.js').Schemas['Dispute']} Dispute */

/** What helps to win a dispute. */
const evidence = ['tracking', 'order', 'contact', 'terms'];

export default function DisputeScreen() {
  const { id = '' } = useRoute().params;
  const { data, refusal, reload } = useQuery(`dispute ${id}`, (signal) => read(id, signal), { live: ['disputes', 'fulfillments'] });
  const dispute = data?.dispute;
  const back = { href: href('/disputes'), label: t('payments.disputes') };
  const title = dispute ? reasonOf(dispute) : collectionLabel('disputes', 'one');
  if (!data || !dispute) return html`<${Absent} title=${title} back=${back} refusal=${refusal} again=${reload} gone=${t('payments.gone')}
    goneText=${t('payments.goneText')} />`;
  const badges = html`<span class="badges"><${Status} slug="disputes" path="status" value=${dispute.status} /></span>`;
  return html`<${Page} title=${title} back=${back} badges=${badges}>
    ${refusal && html`<${Refused} refusal=${refusal} again=${reload} />`}
    <div class="columns">
      <div><${Told} dispute=${dispute} />
        ${data.order && html`<${Parcels} order=${data.order} parcels=${data.parcels} />`}
        ${can('disputes:update') && html`<${Note} dispute=${dispute} onChanged=${reload} />`}</div>
      <aside><${Facts} ...${data} dispute=${dispute} /></aside>
    </div>
  <//>`;
}

/** @param {{ dispute: Dispute }} props */
function Told({ dispute }) {
  const { status, amount, currency, evidenceDue, provider } = dispute;
  const open = openDispute(dispute);
  return html`<section class=${`card ${open ? 'payment-case' : ''}`} aria-label=${t('payments.story')}>
    <p>${t(`payments.tells-${status}`)}</p>
    <dl class="sums">
      <div class="whole"><dt>${t('payments.disputed')}</dt><dd><${Money} amount=${amount} currency=${currency} /></dd></div>
      ${status === 'needs_response' && html`<div class="payment-warned"><dt>${t('payments.deadline')}</dt>
        <dd><${Time} at=${evidenceDue} /> (<${Time} at=${evidenceDue} relative />)</dd></div>`}
    </dl>
    ${status === 'needs_response' && html`<p>${t('payments.answerAt', { provider: optionLabel('disputes', 'provider', provider) })}</p>
      <ul class="payment-evidence">${evidence.map((name) => html`<li key=${name}>${t(`payments.evidence-${name}`)}</li>`)}</ul>`}
  </section>`;
}

/** @param {{ dispute: Dispute, onChanged: () => void }} props */
function Note({ dispute, onChanged }) {
  const { id, note, revision } = dispute;
  const initial = useMemo(() => ({ note: note ?? '', revision }), [dispute]);
  const form = useForm({
    name: `dispute ${id}`,
    initial,
    refresh: onChanged,
    send: (changes, { revision, ...options }) =>
      api.collections.from('disputes').update(id, /** @type {any} */ ({ ...changes, expectedRevision: revision }), options),
    onSent: () => {
      onChanged();
      tell(t('common.saved'));
    },
  });
  return html`<${Card} title=${fieldLabel('disputes', 'note')}>
    <form id="note" class="stack" onSubmit=${form.send}><${TextField} label=${fieldLabel('disputes', 'note')} hideLabel rows=${4} ...${form.input('note')} /></form>
    <${FormFoot} form=${form} id="note" slug="disputes" saves />
  <//>`;
}

/** @param {{ dispute: Dispute, order: import('../../vendor/sdk.js').Order | null }} props */
function Facts({ dispute, order }) {
  const { paymentSession, provider, openedAt, providerDisputeId, providerPaymentId } = dispute;
  const label = (/** @type {string} */ path) => fieldLabel('disputes', path);
  const link = (/** @type {string} */ screen, /** @type {string} */ text) => html`<a href=${href(screen)}>${text}</a>`;
  /** @type {[string, any][]} */
  const facts = [
    [label('order'), order && link(`/orders/${order.id}`, order.orderNumber)],
    [label('paymentSession'), paymentSession && can('payment-sessions:read') && link(`/payments/${idOf(paymentSession)}`, t('payments.one'))],
    [label('provider'), optionLabel('disputes', 'provider', provider)],
    [label('openedAt'), openedAt && html`<${Time} at=${openedAt} />`],
    [label('providerDisputeId'), html`<code>${providerDisputeId}</code>`],
    [label('providerPaymentId'), providerPaymentId && html`<code>${providerPaymentId}</code>`],
  ];
  return html`<${Card} title=${t('payments.facts')}><dl class="facts">
    ${facts.map(([name, value]) => value && html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl><//>`;
}

/**
 * read reads a dispute with what proves that its goods were delivered.
 * @param {string} id
 * @param {AbortSignal} signal
 */
async function read(id, signal) {
  const dispute = await api.collections.from('disputes').findById(id, { depth: 0 }, { signal });
  const of = idOf(dispute.order);
  const order = of && can('orders:read') ? await api.collections.from('orders').findById(of, { depth: 0 }, { signal }).catch(() => null) : null;
  if (!order || !can('fulfillments:read')) return { dispute, order, parcels: [] };
  const all = { where: { order: { equals: of } }, limit: 100 };
  const { docs: parcels } = await api.collections.from('fulfillments').find(/** @type {any} */ (all), { signal });
  return { dispute, order, parcels };
}
