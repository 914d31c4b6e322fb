// All orders: search, filters, columns and what can be done with many at once.
import { html } from '../../vendor/ui.js';
import { href } from '../../base/route.js';
import { collectionLabel, t } from '../../base/words.js';
import { List } from '../../parts/list.js';
import { Empty, Page } from '../../parts/state.js';
import { Money, Time } from '../../parts/value.js';
import { BulkActions } from './bulk.js';
import { Statuses } from './statuses.js';

/** @param {any} order */
const buyer = (order) => order.customerSnapshot?.name || order.email || '—';

/** @type {Record<string, Partial<import('../../parts/table.js').Column>>} */
const cells = {
  orderNumber: { width: 'minmax(8.5rem, 10rem)' },
  placedAt: { width: '8.5rem', cell: (o) => html`<${Time} at=${o.placedAt} relative />` },
  customerSnapshot: { cell: buyer, width: 'minmax(9rem, 1.4fr)' },
  status: { width: '8.5rem' },
  paymentStatus: { width: '8.5rem' },
  fulfillmentStatus: { width: '8rem' },
  totalAmount: { width: '8rem', cell: (o) => html`<${Money} amount=${o.totalAmount} currency=${o.currency} />`, align: 'end' },
  lines: { width: '5rem', align: 'end', cell: (o) => o.lines.reduce((/** @type {number} */ n, /** @type {any} */ l) => n + (l.quantity ?? 0), 0) },
};

/** @param {any} o */
const card = (o) => html`<span class="order-card">
  <b>${o.orderNumber}</b><${Money} amount=${o.totalAmount} currency=${o.currency} />
  <span>${buyer(o)}</span><${Time} at=${o.placedAt} relative />
  <${Statuses} order=${o} paths=${['status', 'paymentStatus']} />
</span>`;

const columns = ['orderNumber', 'placedAt', 'customerSnapshot', 'totalAmount', 'status', 'paymentStatus', 'fulfillmentStatus', 'lines'];

export default function Orders() {
  const empty = html`<${Empty} icon="shopping-cart" title=${t('orders.none')} text=${t('orders.noneText')} />`;
  return html`<${Page} title=${collectionLabel('orders')} class="full">
    <${List} slug="orders" label=${collectionLabel('orders')} link=${(/** @type {any} */ o) => href(`/orders/${o.id}`)} columns=${columns} cells=${cells} sort="-placedAt"
      extra=${['customerSnapshot.name', 'shippingAddress.recipientName']} card=${card} empty=${empty}
      actions=${(/** @type {Set<string>} */ ids, /** @type {() => void} */ clear) => html`<${BulkActions} ids=${ids} onDone=${clear} />`} />
  <//>`;
}
