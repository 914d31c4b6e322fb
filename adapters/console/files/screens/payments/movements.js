// The money of one payment: what was asked for, what moved, and what of it is still with the shop.
import { html } from '../../vendor/ui.js';
import { sumOf } from '../../base/format.js';
import { optionLabel, t } from '../../base/words.js';
import { Card } from '../../parts/state.js';
import { Money, Status, Time } from '../../parts/value.js';

/** @typedef {import('../../vendor/sdk.js').Schemas} Schemas */
/** @typedef {Schemas['Transaction']} Movement */

/** Movements that count: their types, and the statuses in which money has moved or is on its way. */
const counts = { payment: ['paid'], refund: ['refunded', 'pending'], reversal: ['reversed'] };

/**
 * heldOf is what came of a payment and was not given back or taken back; null where nothing came.
 * @param {Movement[]} movements
 * @returns {{ amount: number, currency: string } | null}
 */
export function heldOf(movements) {
  const moved = movements.filter((m) => counts[m.type ?? 'payment'].includes(m.status ?? ''));
  const currency = moved.find((m) => m.type === 'payment')?.currency;
  if (!currency) return null;
  return { amount: sumOf(moved.map((m) => (m.type === 'payment' ? 1 : -1) * (m.amount ?? 0)), currency), currency };
}

/** @param {{ session: Schemas['PaymentSession'], movements: Movement[] }} props */
export function Movements({ session, movements }) {
  const { amount, currency } = session.amount;
  const held = heldOf(movements);
  const came = movements.find((m) => m.type === 'payment');
  const differs = came && came.status === 'paid' && (came.currency !== currency || came.amount !== amount);
  return html`<${Card} title=${t('payments.money')}>
    <dl class="sums">
      <div><dt>${t('payments.askedFor')}</dt><dd><${Money} amount=${amount} currency=${currency} /></dd></div>
      ${differs && html`<div class="payment-warned"><dt>${t('payments.came')}</dt><dd><${Money} amount=${came.amount} currency=${came.currency} /></dd></div>`}
    </dl>
    ${movements.length === 0 && html`<p class="none">${t('payments.noMoney')}</p>`}
    ${movements.length > 0 && html`<ul class="payment-movements">${movements.map((m) => html`<${Moved} key=${m.id} m=${m} reason=${session.reason} />`)}</ul>`}
    ${held && html`<dl class="sums">
      <div class="whole"><dt>${t('payments.held')}</dt><dd><${Money} amount=${held.amount} currency=${held.currency} /></dd></div>
    </dl>`}
  <//>`;
}

/**
 * methodOf is the name of a payment method: of those that are known everywhere our own, else as the provider calls it.
 * @param {string | null} method
 */
export function methodOf(method) {
  if (method === 'VIRTUAL_ACCOUNT') return t('payments.virtualAccount');
  return method && /^[A-Z_]+$/.test(method) ? optionLabel('payment-sessions', 'method', method) : method;
}

/** Moved is one movement. Its note is told unless it only repeats why the payment needs attention. @param {{ m: Movement, reason: string | null }} props */
function Moved({ m, reason }) {
  const counted = counts[m.type ?? 'payment'].includes(m.status ?? '');
  const back = m.type !== 'payment' && m.amount !== null;
  return html`<li class=${counted ? '' : 'void'}>
    <span><b>${optionLabel('transactions', 'type', m.type ?? '')}</b> <${Status} slug="transactions" path="status" value=${m.status} />
      <small><${Time} at=${m.createdAt} />${[methodOf(m.method), m.note !== reason && m.note].map((text) => text && ` · ${text}`)}</small>
      ${m.receiptUrl && html`<a href=${m.receiptUrl} target="_blank" rel="noreferrer">${t('payments.receipt')}</a>`}</span>
    <${Money} amount=${back ? -Number(m.amount) : (m.amount ?? m.authorizedAmount)} currency=${m.currency} />
  </li>`;
}
