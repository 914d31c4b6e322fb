import { html } from '../../vendor/ui.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { TextField } from '../../parts/field.js';
import { FormDialog, useAct } from '../../parts/form.js';
import { Outcome, useOutcome } from './outcome.js';

/**
 * CancelOrder ends an order and gives back what was paid.
 * @param {{ order: import('./order.js').Order, onClose: () => void, onChanged: () => void }} props
 */
export function CancelOrder({ order, onClose, onChanged }) {
  const { id, revision = null } = order;
  const form = useAct({
    name: `cancel ${id} ${revision}`,
    initial: { reason: '', refundAccount: undefined },
    send: (changes, options) => api.call('POST /api/orders/{id}/cancel', /** @type {any} */ ({ id, ...changes, expectedRevision: revision }), options),
    said: t('orders.orderCanceled', { number: order.orderNumber }), onClose, onChanged,
  });
  const of = useOutcome(form, 'POST /api/orders/{id}/cancel', { id, reason: '-', expectedRevision: revision });
  return html`<${FormDialog} form=${form} id="cancel" title=${t('orders.cancel')} action=${t('orders.cancel')} danger ready=${form.dirty && of.ready} onClose=${onClose}>
    <p>${t('orders.cancelText')}</p>
    <${TextField} label=${t('orders.reason')} ...${form.input('reason')} required autofocus />
    <${Outcome} form=${form} of=${of} lines=${order.lines} />
  <//>`;
}
