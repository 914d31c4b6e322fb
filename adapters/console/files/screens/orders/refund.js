import { html } from '../../vendor/ui.js';
import { amountIn } from '../../base/amount.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { NumberField, TextField } from '../../parts/field.js';
import { FormDialog, useAct } from '../../parts/form.js';
import { Money } from '../../parts/value.js';
import { Outcome, useOutcome } from './outcome.js';

/** atAmount says at the amount that it is too much. @param {any} e @returns {never} */
const atAmount = (e) => {
  if (e.reason === 'refund_exceeds_paid') e.fields = [{ field: 'amount', message: e.message }];
  throw e;
};

/** Refund gives an amount back. @param {{ order: import('./order.js').Order, onClose: () => void, onChanged: () => void }} props */
export function Refund({ order, onClose, onChanged }) {
  const { id, currency, revision = null } = order;
  const form = useAct({
    name: `refund ${id} ${revision}`,
    initial: { amount: '', reason: '', refundAccount: undefined },
    send: ({ amount, ...rest }, options) => {
      const asked = /** @type {any} */ ({ id, ...rest, amount: { amount: amountIn(amount), currency }, expectedRevision: revision });
      return api.call('POST /api/orders/{id}/refund', asked, options).catch(atAmount);
    },
    said: t('orders.refunded'), onClose, onChanged,
  });
  const amount = amountIn(form.values.amount);
  const of = useOutcome(form, 'POST /api/orders/{id}/refund',
    amount > 0 ? { id, amount: { amount, currency }, reason: '-', expectedRevision: revision } : null);
  const tooMuch = of.refusal?.reason === 'refund_exceeds_paid' ? of.refusal.alone : undefined;
  return html`<${FormDialog} form=${form} id="refund" title=${t('orders.refund')} action=${t('orders.refund')} danger ready=${of.ready} onClose=${onClose}>
    <${NumberField} label=${t('orders.amount')} unit=${currency} ...${form.input('amount')} error=${tooMuch ?? form.error('amount')} required />
    <${TextField} label=${t('orders.reason')} ...${form.input('reason')} required />
    <${Outcome} form=${form} of=${tooMuch ? { ...of, refusal: undefined } : of} lines=${order.lines}>
      <div><dt>${t('orders.left')}</dt><dd><${Money} amount=${of.preview?.refund.refundableAmount} currency=${currency} /></dd></div>
    <//>
  <//>`;
}
