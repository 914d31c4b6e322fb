// The money of one payment: what was asked for, what moved, and what of it is still with the shop.
import { html } from '../../vendor/ui.js';
import { balanceOf, moved, movedOrPromised, signed } from '../../base/movements.js';
import { optionLabel, t } from '../../base/words.js';
import { Card } from '../../parts/state.js';
import { Money, Status, Time } from '../../parts/value.js';

/** @typedef {import('../../vendor/sdk.js').Schemas} Schemas */
/** @typedef {Schemas['Transaction']} Movement */

/**
 * heldOf is what came of a payment and can be given back; null where nothing came.
 * @param {Movement[]} movements
 * @returns {{ amount: number, currency: string } | null}
 */
export function heldOf(movements) {
  const currency = movements.find((m) => m.type === 'payment' && moved(m))?.currency;
  return currency ? { amount: balanceOf(movements, currency, movedOrPromised), currency } : null;
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
  return html`<li class=${movedOrPromised(m) ? '' : 'void'}>
    <span><b>${optionLabel('transactions', 'type', m.type ?? '')}</b> <${Status} slug="transactions" path="status" value=${m.status} />
      <small><${Time} at=${m.createdAt} />${[methodOf(m.method), m.note !== reason && m.note].map((text) => text && ` · ${text}`)}</small>
      ${m.receiptUrl && html`<a href=${m.receiptUrl} target="_blank" rel="noreferrer">${t('payments.receipt')}</a>`}</span>
    <${Money} amount=${m.amount === null ? m.authorizedAmount : signed(m)} currency=${m.currency} />
  </li>`;
}
