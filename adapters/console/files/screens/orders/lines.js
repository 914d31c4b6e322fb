import { html } from '../../vendor/ui.js';
import { number } from '../../base/format.js';
import { href } from '../../base/route.js';
import { idOf } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Card } from '../../parts/state.js';
import { Money } from '../../parts/value.js';
import { TaxRows } from '../../parts/taxes.js';
import { TermsTold } from '../../parts/terms.js';

/** Lines is what was bought, and how it comes to the total. @param {{ order: import('./order.js').Order }} props */
export function Lines({ order }) {
  const { currency } = order;
  const sums = [
    [t('orders.subtotal'), order.subtotal],
    ...(order.discountAmount ? [[codes(order), -order.discountAmount]] : []),
    [[t('orders.shipping'), order.shippingMethod].filter(Boolean).join(' · '), order.shippingAmount],
  ];
  return html`<${Card} title=${t('orders.lines')}>
    <div class="scroll"><table class="lines">
      <thead><tr><th>${t('orders.item')}</th><th class="end">${t('orders.price')}</th><th class="end">${t('orders.quantity')}</th><th class="end">${t('orders.total')}</th></tr></thead>
      <tbody>${order.lines.map((line) => html`<tr key=${line.id}>
        <td>
          ${line.product ? html`<a href=${href(`/products/${idOf(line.product)}`)}>${line.title}</a>` : line.title}
          <small>${[line.variantTitle, line.sku].filter(Boolean).join(' · ')}</small>
          <${TermsTold} terms=${line.terms} currency=${currency} />
          ${notes(line).map((note) => html`<small class="note">${note}</small>`)}
        </td>
        <td class="end"><${Money} amount=${line.unitPrice} currency=${currency} /></td>
        <td class="end">${number(line.quantity)}</td>
        <td class="end"><${Money} amount=${line.total} currency=${currency} />${line.discount ? html`<small>−<${Money} amount=${line.discount} currency=${currency} /></small>` : ''}</td>
      </tr>`)}</tbody>
    </table></div>
    <dl class="sums">
      ${sums.map(([label, amount]) => html`<div><dt>${label}</dt><dd><${Money} amount=${amount} currency=${currency} /></dd></div>`)}
      <${TaxRows} taxes=${order.taxes} which="added" currency=${currency} />
      <div class="whole"><dt>${t('orders.total')}</dt><dd><${Money} amount=${order.totalAmount} currency=${currency} /></dd></div>
      <${TaxRows} taxes=${order.taxes} which="included" currency=${currency} />
    </dl>
  <//>`;
}

/** @param {import('./order.js').Order} order */
function codes(order) {
  const applied = order.discountCodes.filter((d) => d.applied).map((d) => d.code);
  return applied.length > 0 ? `${t('orders.discount')} (${applied.join(', ')})` : t('orders.discount');
}

/** @param {import('./order.js').Order['lines'][number]} line */
function notes(line) {
  /** @type {[string, number | null][]} */
  const counts = [['canceled', line.canceledQuantity], ['fulfilled', line.fulfilledQuantity], ['returned', line.returnedQuantity]];
  return counts.flatMap(([name, n]) => (n ? [t(`orders.units-${name}`, { n })] : []));
}
