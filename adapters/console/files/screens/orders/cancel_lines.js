import { html } from '../../vendor/ui.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { NumberField, TextField } from '../../parts/field.js';
import { FormDialog, useAct } from '../../parts/form.js';
import { Money } from '../../parts/value.js';
import { packed } from '../packing/work.js';
import { Outcome, useOutcome } from './outcome.js';

/**
 * unitsLeft are the units of a line that can be canceled: neither canceled before nor fulfilled, nor packed in a parcel that waits.
 * @param {{ id?: string | null, quantity: number | null, canceledQuantity: number | null, fulfilledQuantity: number | null }} line
 * @param {{ status: string | null, items: { orderLine: string | null, quantity: number | null }[] }[]} parcels of the order
 */
export function unitsLeft({ id, quantity, canceledQuantity, fulfilledQuantity }, parcels) {
  return Math.max(0, (quantity ?? 0) - (canceledQuantity ?? 0) - (fulfilledQuantity ?? 0) - packed(parcels, id));
}

/**
 * CancelLines takes units off an order that have not shipped.
 * @param {{ order: import('./order.js').Order, parcels: import('./order.js').Schemas['Fulfillment'][], onClose: () => void, onChanged: () => void }} props
 */
export function CancelLines({ order, parcels, onClose, onChanged }) {
  const { id, currency, revision = null } = order;
  const chosen = (/** @type {Record<string, any>} */ units) =>
    Object.entries(units ?? {}).flatMap(([orderLine, n]) => (Number(n) > 0 ? [{ orderLine, quantity: Number(n) }] : []));
  const form = useAct({
    name: `cancel lines ${id} ${revision}`,
    initial: { units: {}, reason: '', refundAccount: undefined },
    send: ({ units, ...rest }, options) =>
      api.call('POST /api/orders/{id}/cancel-lines', /** @type {any} */ ({ id, ...rest, lines: chosen(units), expectedRevision: revision }), options),
    said: t('orders.linesCanceled'), onClose, onChanged,
  });
  const lines = chosen(form.values.units);
  const of = useOutcome(form, 'POST /api/orders/{id}/cancel-lines', lines.length > 0 ? { id, lines, reason: '-', expectedRevision: revision } : null);
  const told = of.preview?.cancellation;
  return html`<${FormDialog} form=${form} id="cancel-lines" title=${t('orders.cancelLines')} action=${t('orders.cancelLines')} danger ready=${of.ready} onClose=${onClose}>
    ${order.lines.map((line) => {
      const left = unitsLeft(line, parcels);
      return html`<div class="pick-line" key=${line.id}><span>${line.title}<small>${[line.variantTitle, line.sku].filter(Boolean).join(' · ')}</small></span>
        <${NumberField} label=${t('orders.unitsOf', { name: line.title })} hideLabel unit=${`/ ${left}`} value=${form.get(`units.${line.id}`) ?? ''} disabled=${left === 0}
          onInput=${(/** @type {string} */ v) => form.set(`units.${line.id}`, v)} /></div>`;
    })}
    <${TextField} label=${t('orders.reason')} ...${form.input('reason')} required />
    <${Outcome} form=${form} of=${of} lines=${order.lines}>
      ${told?.shippingAmount ? html`<div><dt>${t('orders.shipping')}</dt><dd><${Money} amount=${told.shippingAmount} currency=${currency} /></dd></div>` : ''}
      <div><dt>${t('orders.less')}</dt><dd><${Money} amount=${told?.amount} currency=${currency} /></dd></div>
    <//>
  <//>`;
}
