import { html } from '../../vendor/ui.js';
import { amountIn } from '../../base/amount.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { NumberField } from '../../parts/field.js';
import { FormDialog, useAct } from '../../parts/form.js';
import { Time } from '../../parts/value.js';
import { Outcome, useOutcome } from './outcome.js';

/**
 * Capture collects what the provider holds for an order, all of it or a part. It happens once, so what becomes of the rest is said before.
 * @param {{ order: import('./order.js').Order, onClose: () => void, onChanged: () => void }} props
 */
export function Capture({ order, onClose, onChanged }) {
  const { id, currency, revision = null, authorization } = order;
  const form = useAct({
    name: `capture ${id}`,
    initial: { amount: '' },
    send: ({ amount }, options) => {
      const part = amount && { amount: { amount: amountIn(amount), currency } };
      return api.call('POST /api/orders/{id}/capture', { id, ...part, expectedRevision: revision }, options);
    },
    said: t('orders.captured'), onClose, onChanged,
  });
  const part = form.values.amount === '' ? {} : { amount: { amount: amountIn(form.values.amount), currency } };
  const of = useOutcome(form, 'POST /api/orders/{id}/capture', { id, ...part, expectedRevision: revision });
  return html`<${FormDialog} form=${form} id="capture" title=${t('orders.capture')} action=${t('orders.capture')} ready=${of.ready} onClose=${onClose}>
    ${authorization?.until && html`<p>${t('orders.heldUntil')} <b><${Time} at=${authorization.until} /></b></p>`}
    <${NumberField} label=${t('orders.amount')} help=${t('orders.captureHelp')} unit=${currency} ...${form.input('amount')} />
    <${Outcome} form=${form} of=${of} lines=${order.lines} />
  <//>`;
}
