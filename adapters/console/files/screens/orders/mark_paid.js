import { html } from '../../vendor/ui.js';
import { sumOf } from '../../base/format.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { TextField } from '../../parts/field.js';
import { FormDialog, useAct } from '../../parts/form.js';
import { Money } from '../../parts/value.js';

/**
 * MarkPaid writes down that an order was paid outside of this shop, such as by a deposit that somebody saw on the account.
 * @param {{ order: import('./order.js').Order, onClose: () => void, onChanged: () => void }} props
 */
export function MarkPaid({ order, onClose, onChanged }) {
  const { id, revision = null, canceledAmount, totalAmount, currency } = order;
  const form = useAct({
    name: `mark paid ${id}`,
    initial: { note: '' },
    send: ({ note }, options) =>
      api.call('POST /api/orders/{id}/transitions', { id, to: 'paid', note, expectedRevision: revision }, options),
    said: t('orders.markedPaid', { number: order.orderNumber }), onClose, onChanged,
  });
  return html`<${FormDialog} form=${form} id="mark-paid" title=${t('orders.markPaid')} action=${t('orders.markPaid')} onClose=${onClose}>
    <p>${t('orders.markPaidText')}</p>
    <dl class="sums preview"><div class="whole"><dt>${t('orders.recorded')}</dt><dd><${Money} amount=${sumOf([totalAmount, -(canceledAmount ?? 0)], currency)} currency=${currency} /></dd></div></dl>
    <${TextField} label=${t('orders.paidHow')} help=${t('orders.paidHowHelp')} ...${form.input('note')} required autofocus />
  <//>`;
}
