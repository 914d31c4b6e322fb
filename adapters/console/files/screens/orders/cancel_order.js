import { html } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { FormFoot } from '../../parts/form.js';
import { tell } from '../../parts/toast.js';
import { Money } from '../../parts/value.js';
import { Account, needsAccount } from './account.js';
import { balanceOf } from './ledger.js';

/**
 * CancelOrder ends an order and gives back what was paid.
 * @param {{ order: import('./order.js').Order, transactions: import('./ledger.js').Movement[] | undefined, onClose: () => void, onChanged: () => void }} props
 * transactions: undefined for who may not read them
 */
export function CancelOrder({ order, transactions, onClose, onChanged }) {
  const { id, currency, revision = null } = order;
  const form = useForm({
    name: `cancel ${id} ${revision}`,
    initial: { reason: '', refundAccount: undefined },
    keep: false,
    refresh: onChanged,
    send: (changes, { idempotencyKey }) => api.call('POST /api/orders/{id}/cancel', /** @type {any} */ ({ id, ...changes, expectedRevision: revision }), { idempotencyKey }),
    onSent: () => {
      onClose();
      onChanged();
      tell(t('orders.orderCanceled', { number: order.orderNumber }));
    },
  });
  const left = transactions && balanceOf(transactions, currency);
  const foot = html`<${FormFoot} form=${form} onCancel=${onClose} id="cancel" action=${t('orders.cancel')} danger />`;
  return html`<${Dialog} title=${t('orders.cancel')} onClose=${onClose} busy=${form.busy} actions=${foot}>
    <form id="cancel" class="stack" onSubmit=${(/** @type {Event} */ e) => {
      e.preventDefault();
      void form.submit();
    }}>
      <p>${left === undefined ? t('orders.cancelAny') : left > 0 ? html`${t('orders.cancelPaid')} <b><${Money} amount=${left} currency=${currency} /></b>` : t('orders.cancelUnpaid')}</p>
      <${TextField} label=${t('orders.reason')} value=${form.values.reason} error=${form.error('reason')} onInput=${(/** @type {string} */ v) => form.set('reason', v)} required autofocus />
      ${needsAccount(form) && html`<${Account} form=${form} />`}
    </form>
  <//>`;
}
