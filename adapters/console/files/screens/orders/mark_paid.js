import { html } from '../../vendor/ui.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { TextField } from '../../parts/field.js';
import { FormDialog, useAct } from '../../parts/form.js';
import { Outcome, useOutcome } from './outcome.js';

/**
 * MarkPaid writes down that an order was paid outside of this shop, such as by a deposit that somebody saw on the account.
 * @param {{ order: import('./order.js').Order, onClose: () => void, onChanged: () => void }} props
 */
export function MarkPaid({ order, onClose, onChanged }) {
  const { id, revision = null } = order;
  const form = useAct({
    name: `mark paid ${id}`,
    initial: { note: '' },
    send: ({ note }, options) =>
      api.call('POST /api/orders/{id}/transitions', { id, to: 'paid', note, expectedRevision: revision }, options),
    said: t('orders.markedPaid', { number: order.orderNumber }), onClose, onChanged,
  });
  const of = useOutcome(form, 'POST /api/orders/{id}/transitions', { id, to: 'paid', expectedRevision: revision });
  return html`<${FormDialog} form=${form} id="mark-paid" title=${t('orders.markPaid')} action=${t('orders.markPaid')} ready=${form.dirty && of.ready} onClose=${onClose}>
    <p>${t('orders.markPaidText')}</p>
    <${TextField} label=${t('orders.paidHow')} help=${t('orders.paidHowHelp')} ...${form.input('note')} required autofocus />
    <${Outcome} form=${form} of=${of} lines=${order.lines} />
  <//>`;
}
