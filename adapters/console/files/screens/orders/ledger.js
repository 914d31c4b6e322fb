import { html } from '../../vendor/ui.js';
import { sumOf } from '../../base/format.js';
import { balanceOf, moved, signed } from '../../base/movements.js';
import { href, screenOf } from '../../base/route.js';
import { can, idOf } from '../../base/shop.js';
import { optionLabel, t } from '../../base/words.js';
import { Card, Notice } from '../../parts/state.js';
import { Money, Status, Time } from '../../parts/value.js';

/** @typedef {import('./order.js').Schemas['Transaction']} Movement */

/**
 * Ledger is the money of an order: what it comes to, every movement, and what is left. It is told as the shop has it, and says so
 * itself if that does not add up.
 * @param {{ order: import('./order.js').Order, transactions: Movement[] }} props
 */
export function Ledger({ order, transactions }) {
  const { currency } = order;
  const balance = balanceOf(transactions, currency);
  const paid = transactions.filter((m) => moved(m) && m.type === 'payment');
  const told = sumOf([...paid.map((m) => m.amount), -order.refundedAmount, -(order.reversedAmount ?? 0)], currency);
  return html`<${Card} title=${t('orders.money')}>
    ${transactions.length === 0 && html`<p class="none">${t('orders.noMoney')}</p>`}
    ${transactions.length > 0 &&
    html`<div class="scroll"><table class="ledger">
      <thead><tr><th>${t('orders.when')}</th><th>${t('orders.what')}</th><th>${t('orders.how')}</th><th class="end">${t('orders.amount')}</th></tr></thead>
      <tbody>${transactions.map((m) => html`<tr key=${m.id} class=${moved(m) ? '' : 'void'}>
        <td><${Time} at=${m.createdAt} /></td>
        <td><${Status} slug="transactions" path="type" value=${m.type} /> ${!moved(m) && html`<${Status} slug="transactions" path="status" value=${m.status} />`}</td>
        <td>${how(m)}${m.note && html`<small>${m.note}</small>`}</td>
        <td class="end"><${Money} amount=${m.amount === null ? null : signed(m)} currency=${m.currency} /></td>
      </tr>`)}</tbody>
    </table></div>`}
    <dl class="sums">
      <div><dt>${t('orders.total')}</dt><dd><${Money} amount=${order.totalAmount} currency=${currency} /></dd></div>
      ${order.canceledAmount ? html`<div><dt>${t('orders.canceled')}</dt><dd><${Money} amount=${-order.canceledAmount} currency=${currency} /></dd></div>` : ''}
      <div class="whole"><dt>${t('orders.balance')}</dt><dd><${Money} amount=${balance} currency=${currency} /></dd></div>
    </dl>
    ${balance !== told && html`<${Notice} kind="warn">${t('orders.unbalanced')}<//>`}
  <//>`;
}

/** how is the way by which money moved; it leads to its payment. @param {Movement} m */
function how(m) {
  const text = [m.provider && optionLabel('transactions', 'provider', m.provider), m.method].filter(Boolean).join(' · ');
  const payment = can('payment-sessions:read') ? idOf(m.paymentSession) : undefined;
  return payment ? html`<a href=${href(screenOf('payment-sessions', payment))}>${text}</a>` : text;
}
