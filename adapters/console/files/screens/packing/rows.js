// How fulfillment orders are listed: in the queue, and in a carrier batch.
import { html } from '../../vendor/ui.js';
import { fieldLabel, optionLabel, t } from '../../base/words.js';
import { Badge } from '../../parts/state.js';
import { Status, Time } from '../../parts/value.js';
import { addressOf, buyerOf, oldest, unitsOf } from './work.js';

/** Marks is why an order needs a look before it is packed. @param {{ work: any }} props */
function Marks({ work }) {
  const { hold } = work.order ?? {};
  return html`<span class="badges">
    ${hold && html`<${Badge} tone="bad">${optionLabel('orders', 'hold', hold)}<//>`}
    ${work.changedSinceExport.map((/** @type {string} */ what) => html`<${Badge} tone="wait" key=${what}>${t(`packing.changed-${what}`)}<//>`)}
  </span>`;
}

/** @param {any} w */
const whither = (w) => (w.type === 'manual' ? '—' : addressOf(w.order));

/** workCells is the columns of a list of fulfillment orders. @returns {Record<string, Partial<import('../../parts/table.js').Column>>} */
export const workCells = () => ({
  order: { width: 'minmax(8.5rem, 10rem)', cell: (w) => w.order?.orderNumber ?? '—', sort: 'order.orderNumber' },
  'order.placedAt': { width: '8.5rem', cell: (w) => html`<${Time} at=${w.order?.placedAt} relative />`, sort: oldest },
  recipient: { label: fieldLabel('orders', 'recipientName'), width: 'minmax(8.5rem, 1fr)', cell: (w) => buyerOf(w.order) },
  lines: { label: t('packing.units'), width: '5rem', align: 'end', cell: unitsOf },
  address: { label: fieldLabel('orders', 'shippingAddress'), width: 'minmax(10rem, 2fr)', cell: whither },
  status: { width: '7rem' },
  changedSinceExport: { label: t('packing.heed'), width: 'minmax(9rem, 1.2fr)', cell: (w) => html`<${Marks} work=${w} />` },
});

/** workCard is a fulfillment order on a narrow screen. @param {any} w */
export const workCard = (w) => html`<span class="row-card">
  <b>${w.order?.orderNumber ?? '—'}</b><span>${t('packing.unitsLeft', { n: unitsOf(w) })}</span>
  <span>${buyerOf(w.order)} · ${addressOf(w.order)}</span><${Time} at=${w.order?.placedAt} relative />
  <span class="badges"><${Status} slug="fulfillment-orders" path="status" value=${w.status} /><${Marks} work=${w} /></span>
</span>`;

/** Columns of a list of fulfillment orders, unless the reader chooses others. */
export const workColumns = ['order', 'order.placedAt', 'recipient', 'lines', 'address', 'status', 'changedSinceExport'];
