// What of an order waits for somebody elsewhere: an open return, a dispute, a payment that was taken back.
import { html } from '../../vendor/ui.js';
import { href, screenOf } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { collectionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Notice } from '../../parts/state.js';
import { Money, Status, Time } from '../../parts/value.js';

/** @typedef {import('./order.js').Schemas} Schemas */
/** @typedef {{ returns: Schemas['ReturnRequest'][], disputes: Schemas['Dispute'][], payments: Schemas['PaymentSession'][] }} Cases */

/** @param {{ order: import('./order.js').Order, waiting: Cases }} props */
export function Waiting({ order, waiting: { returns, disputes, payments } }) {
  /** @type {(slug: string, record: { id: string, status: string | null }, see: string, more: any) => any} */
  const notice = (slug, { id, status }, see, more) =>
    html`<${Notice} key=${id} kind="warn" action=${html`<${Button} href=${href(screenOf(slug, id))}>${see}<//>`}>
      ${collectionLabel(slug, 'one')} <${Status} slug=${slug} path="status" value=${status} /> ${more}<//>`;
  const payment = payments[0];
  const seePayment = payment && html`<${Button} href=${href(screenOf('payment-sessions', payment.id))}>${t('orders.seePayment')}<//>`;
  const bad = order.hold ? t(`orders.hold-${order.hold}`) : payment && t('orders.paymentWaits');
  return html`${bad && html`<${Notice} kind="bad" action=${seePayment}>${bad}<//>`}
    ${disputes.map((d) => notice('disputes', d, t('orders.seeDispute'), d.status === 'needs_response' && d.evidenceDue && until(d.evidenceDue)))}
    ${returns.map((r) => notice('return-requests', r, t('orders.seeReturn'), html`<${Money} amount=${r.refundAmount} currency=${r.currency} />`))}`;
}

/** @param {string} at */
const until = (at) => html`${t('orders.answerUntil')} <b><${Time} at=${at} /></b>`;

/**
 * readWaiting reads the cases of an order that are open, as far as the person may see them.
 * @param {string} order
 * @param {AbortSignal} signal
 * @returns {Promise<Cases>}
 */
export async function readWaiting(order, signal) {
  const open = async (/** @type {'return-requests' | 'disputes' | 'payment-sessions'} */ slug, /** @type {string[]} */ statuses) => {
    if (!can(`${slug}:read`)) return [];
    const where = { order: { equals: order }, status: { in: statuses } };
    const records = /** @type {any} */ (api.collections.from(slug));
    return (await records.find({ where, limit: 20, depth: 0, sort: 'createdAt' }, { signal })).docs;
  };
  const [returns, disputes, payments] = await Promise.all([
    open('return-requests', ['requested', 'approved', 'received']),
    open('disputes', ['needs_response', 'under_review']),
    open('payment-sessions', ['requires_attention']),
  ]);
  return { returns, disputes, payments };
}
