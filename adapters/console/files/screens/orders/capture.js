import { html } from '../../vendor/ui.js';
import { amountIn } from '../../base/amount.js';
import { sumOf } from '../../base/format.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { NumberField } from '../../parts/field.js';
import { FormDialog, useAct } from '../../parts/form.js';
import { Money, Time } from '../../parts/value.js';

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
  const held = authorization?.amount ?? 0;
  const wanted = form.values.amount === '' ? held : Number(amountIn(form.values.amount));
  const fits = wanted > 0 && wanted <= held;
  const sum = (/** @type {number} */ amount) => (fits ? html`<${Money} amount=${amount} currency=${currency} />` : '—');
  return html`<${FormDialog} form=${form} id="capture" title=${t('orders.capture')} action=${t('orders.capture')} ready=${fits} onClose=${onClose}>
    ${authorization?.until && html`<p>${t('orders.heldUntil')} <b><${Time} at=${authorization.until} /></b></p>`}
    <${NumberField} label=${t('orders.amount')} help=${t('orders.captureHelp')} unit=${currency} ...${form.input('amount')} />
    <dl class="sums preview" aria-live="polite">
      <div><dt>${t('orders.authorized')}</dt><dd><${Money} amount=${held} currency=${currency} /></dd></div>
      <div class="whole"><dt>${t('orders.collected')}</dt><dd>${sum(wanted)}</dd></div>
      <div><dt>${t('orders.letGo')}</dt><dd>${sum(sumOf([held, -wanted], currency))}</dd></div>
    </dl>
  <//>`;
}
