// One payment: what happened in words, what to do about it, and the money so far.
import { html, useRoute } from '../../vendor/ui.js';
import { money } from '../../base/format.js';
import { useQuery } from '../../base/query.js';
import { href, screenOf } from '../../base/route.js';
import { api, can, idOf } from '../../base/shop.js';
import { collectionLabel, fieldLabel, optionLabel, t } from '../../base/words.js';
import { Absent, Card, Page, Refused } from '../../parts/state.js';
import { Timeline } from '../../parts/timeline.js';
import { Reach, Status, Time } from '../../parts/value.js';
import { PaymentActions } from './actions.js';
import { Movements, methodOf } from './movements.js';
import { Story } from './story.js';

/** @typedef {import('../../vendor/sdk.js').Schemas} Schemas */

/**
 * @typedef {object} Payment
 * @property {Schemas['PaymentSession']} session
 * @property {Schemas['Order'] | null} order
 * @property {Schemas['Checkout'] | null} checkout
 * @property {Schemas['ProviderConnection'] | null} connection
 * @property {Schemas['Transaction'][]} movements
 * @property {Schemas['Dispute'][]} disputes
 * @property {Schemas['PaymentSession'][]} siblings other payments of the same purchase: the buyer may have paid by one of them
 */

/** What happens to a payment. */
const parts = ['payment-sessions', 'transactions', 'disputes', 'comments'];

export default function PaymentScreen() {
  const { id = '' } = useRoute().params;
  const { data, refusal, reload } = useQuery(`payment ${id}`, (signal) => read(id, signal), { live: parts });
  const back = { href: href('/payments'), label: t('payments.title') };
  if (!data) return html`<${Absent} title=${t('payments.one')} back=${back} refusal=${refusal} again=${reload} gone=${t('payments.gone')}
    goneText=${t('payments.goneText')} />`;
  const { session, movements } = data;
  const title = `${money(session.amount.amount, session.amount.currency)} · ${session.customerName || session.email || t('payments.noName')}`;
  const badges = html`<span class="badges"><${Status} slug="payment-sessions" path="status" value=${session.status} /></span>`;
  const by = [optionLabel('payment-sessions', 'provider', session.provider), methodOf(session.method)];
  return html`<${Page} title=${title} back=${back} badges=${badges} top=${html`<${PaymentActions} payment=${data} onChanged=${reload} />`}>
    <p class="under"><${Time} at=${session.createdAt} /> · ${by.filter(Boolean).join(' · ')}</p>
    ${refusal && html`<${Refused} refusal=${refusal} again=${reload} />`}
    <div class="columns">
      <div>
        <${Story} payment=${data} />
        ${can('transactions:read') && html`<${Movements} session=${session} movements=${movements} />`}
      </div>
      <aside><${Of} payment=${data} /><${Facts} session=${session} connection=${data.connection} /></aside>
      <div><${Timeline} slug="payment-sessions" id=${session.id} live=${parts} currency=${session.amount.currency} /></div>
    </div>
  <//>`;
}

/** Of is what is paid, and by whom. @param {{ payment: Payment }} props */
function Of({ payment: { session, order, checkout, disputes, siblings } }) {
  const { customerName, email, phone } = session;
  const link = (/** @type {string} */ slug, /** @type {{ id: string, status: string }} */ { id, status }, name = '') => html`<p key=${id}>
    <a href=${href(screenOf(slug, id))}>${name || collectionLabel(slug, 'one')}</a> <${Status} slug=${slug} path="status" value=${status} /></p>`;
  return html`<${Card} title=${t('payments.of')}>
      ${order ? link('orders', order, `${collectionLabel('orders', 'one')} ${order.orderNumber}`) : html`<p>${t('payments.noOrder')}</p>`}
      ${checkout && !order && html`${link('checkouts', checkout)}
        <ul class="payment-bought">${checkout.lines.map((l) => html`<li key=${l.id}>${nameOfLine(l)}</li>`)}</ul>`}
      ${disputes.map((d) => link('disputes', d))}
      ${siblings.length > 0 && html`<h3>${t('payments.siblings')}</h3>`}
      ${siblings.map((s) => link('payment-sessions', s, money(s.amount.amount, s.amount.currency)))}
    <//>
    <${Card} title=${t('payments.buyer')}>
      <p>${customerName || '—'}</p>
      <${Reach} email=${email} phone=${phone} />
    <//>`;
}

/** @param {{ title: string, variantTitle: string | null, quantity: number }} line */
const nameOfLine = ({ title, variantTitle, quantity }) => `${[title, variantTitle].filter(Boolean).join(' · ')} × ${quantity}`;

/** By what the payment is known, here and at its provider. */
const ids = /** @type {const} */ (['paymentId', 'providerPaymentId', 'providerSessionId']);

/** @param {{ session: Schemas['PaymentSession'], connection: Payment['connection'] }} props */
function Facts({ session, connection }) {
  const label = (/** @type {string} */ path) => fieldLabel('payment-sessions', path);
  const option = (/** @type {'kind' | 'capture'} */ path) => (session[path] ? optionLabel('payment-sessions', path, session[path]) : '');
  /** @type {[string, any][]} */
  const facts = [
    ['kind', option('kind')], ['capture', option('capture')], ['connection', connection?.name || connection?.accountKey],
    ...ids.map((name) => /** @type {[string, any]} */ ([name, session[name] && html`<code>${session[name]}</code>`])),
  ];
  return html`<${Card} title=${t('payments.facts')}><dl class="facts">
    ${facts.map(([name, value]) => value && html`<div key=${name}><dt>${label(name)}</dt><dd>${value}</dd></div>`)}
  </dl><//>`;
}

/**
 * @param {string} id
 * @param {AbortSignal} signal
 * @returns {Promise<Payment>}
 */
async function read(id, signal) {
  const session = await api.collections.from('payment-sessions').findById(id, { depth: 0 }, { signal });
  /** one reads a record that the payment refers to; null where there is none or it may not be read. */
  const one = (/** @type {'orders' | 'checkouts' | 'provider-connections'} */ slug, /** @type {any} */ relation) => {
    const of = idOf(relation);
    return of && can(`${slug}:read`) ? /** @type {any} */ (api.collections.from(slug)).findById(of, { depth: 0 }, { signal }).catch(() => null) : null;
  };
  const many = async (/** @type {'transactions' | 'disputes'} */ slug) => {
    if (!can(`${slug}:read`)) return [];
    const of = { where: { paymentSession: { equals: id } }, sort: 'createdAt', limit: 100, depth: 0 };
    return (await /** @type {any} */ (api.collections.from(slug)).find(of, { signal })).docs;
  };
  const [order, checkout, connection, movements, disputes] = await Promise.all([
    one('orders', session.order), one('checkouts', session.checkout), one('provider-connections', session.connection), many('transactions'), many('disputes'),
  ]);
  return { session, order, checkout, connection, movements, disputes, siblings: await readSiblings(session, checkout, signal) };
}

/**
 * readSiblings reads the other payments of a checkout, and those of the one that replaced it.
 * @param {Schemas['PaymentSession']} session
 * @param {Schemas['Checkout'] | null} checkout
 * @param {AbortSignal} signal
 */
async function readSiblings(session, checkout, signal) {
  const checkouts = [idOf(session.checkout), idOf(checkout?.supersededBy)].filter((id) => id !== undefined);
  if (checkouts.length === 0) return [];
  const where = { checkout: { in: checkouts } };
  const { docs } = await api.collections.from('payment-sessions').find({ where, sort: '-createdAt', limit: 20, depth: 0 }, { signal });
  return docs.filter((s) => s.id !== session.id);
}
