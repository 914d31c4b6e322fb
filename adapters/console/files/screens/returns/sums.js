// How the refund of a return comes about, line by line: what was paid, what is kept, what is charged.
import { html } from '../../vendor/ui.js';
import { t } from '../../base/words.js';
import { Money } from '../../parts/value.js';

/**
 * @typedef {object} Amounts of a return, or of a preview of one
 * @property {{ orderLine: string | null, quantity: number | null, lineRefund: number | null, restockingFee: number | null }[] | null} lines
 * @property {number | null} initialShippingRefundAmount
 * @property {number | null} returnShippingFee
 * @property {number | null} refundAmount
 * @property {string | null} currency
 */

/**
 * Sums tells what is given back, and why it is that much.
 * @param {{ amounts: Amounts, titleOf: (orderLine: string | null) => string, class?: string }} props
 */
export function Sums({ amounts, titleOf, class: name = '' }) {
  const { lines, initialShippingRefundAmount: shipping, returnShippingFee: fee, refundAmount, currency } = amounts;
  const row = (/** @type {string} */ label, /** @type {string} */ why, /** @type {number} */ amount) => html`<div>
    <dt>${label}<small>${why}</small></dt><dd><${Money} amount=${amount} currency=${currency} /></dd></div>`;
  return html`<dl class=${`sums ${name}`}>
    ${(lines ?? []).map((l) => html`
      ${row(`${titleOf(l.orderLine)} × ${l.quantity}`, t('returns.whyLine'), l.lineRefund ?? 0)}
      ${l.restockingFee ? row(t('returns.fee', { name: titleOf(l.orderLine) }), t('returns.whyFee'), -l.restockingFee) : ''}`)}
    ${shipping ? row(t('returns.shippingBack'), t('returns.whyShippingBack'), shipping) : ''}
    ${fee ? row(t('returns.returnShipping'), t('returns.whyReturnShipping'), -fee) : ''}
    <div class="whole"><dt>${t('returns.refundAmount')}</dt><dd><${Money} amount=${refundAmount} currency=${currency} /></dd></div>
  </dl>`;
}

/**
 * titles names the lines of an order.
 * @param {import('../../vendor/sdk.js').Order | null} order
 * @returns {(orderLine: string | null) => string}
 */
export function titles(order) {
  return (id) => {
    const line = order?.lines.find((l) => l.id === id);
    return line ? [line.title, line.variantTitle].filter(Boolean).join(' · ') : t('returns.item');
  };
}
