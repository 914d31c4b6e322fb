import { html } from '../../vendor/ui.js';
import { balanceOf } from '../../base/movements.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { TextField } from '../../parts/field.js';
import { FormDialog, useAct } from '../../parts/form.js';
import { Money } from '../../parts/value.js';
import { Account, needsAccount } from './account.js';

/**
 * CancelOrder ends an order and gives back what was paid.
 * @param {{ order: import('./order.js').Order, transactions: import('./ledger.js').Movement[] | undefined, onClose: () => void, onChanged: () => void }} props
 * transactions: undefined for who may not read them
 */
export function CancelOrder({ order, transactions, onClose, onChanged }) {
  const { id, currency, revision = null } = order;
  const form = useAct({
    name: `cancel ${id} ${revision}`,
    initial: { reason: '', refundAccount: undefined },
    send: (changes, options) => api.call('POST /api/orders/{id}/cancel', /** @type {any} */ ({ id, ...changes, expectedRevision: revision }), options),
    said: t('orders.orderCanceled', { number: order.orderNumber }), onClose, onChanged,
  });
  const left = transactions && balanceOf(transactions, currency);
  return html`<${FormDialog} form=${form} id="cancel" title=${t('orders.cancel')} action=${t('orders.cancel')} danger onClose=${onClose}>
    <p>${left === undefined ? t('orders.cancelAny') : left > 0 ? html`${t('orders.cancelPaid')} <b><${Money} amount=${left} currency=${currency} /></b>` : t('orders.cancelUnpaid')}</p>
    <${TextField} label=${t('orders.reason')} ...${form.input('reason')} required autofocus />
    ${needsAccount(form) && html`<${Account} form=${form} />`}
  <//>`;
}
