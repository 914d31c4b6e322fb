// One order: what was bought, what was paid, what happened, and what can be done.
import { html, useRoute } from '../../vendor/ui.js';
import { useQuery } from '../../base/query.js';
import { href } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { collectionLabel, t } from '../../base/words.js';
import { Absent, Page, Refused } from '../../parts/state.js';
import { Status, Time } from '../../parts/value.js';
import { Timeline } from '../../parts/timeline.js';
import { OrderActions } from './actions.js';
import { Buyer } from './buyer.js';
import { Ledger } from './ledger.js';
import { Lines } from './lines.js';
import { Parcels } from './parcels.js';
import { Statuses } from './statuses.js';
import { Waiting, readWaiting } from './waiting.js';

/** @typedef {import('../../vendor/sdk.js').Order} Order */
/** @typedef {import('../../vendor/sdk.js').Schemas} Schemas */

/** What happens to an order. */
const parts = ['orders', 'transactions', 'fulfillment-orders', 'fulfillments', 'return-requests', 'disputes', 'payment-sessions', 'comments'];

export default function OrderScreen() {
  const { id = '' } = useRoute().params;
  const { data, refusal, reload } = useQuery(`order ${id}`, (signal) => read(id, signal), { live: parts, record: id });
  const back = { href: href('/orders'), label: collectionLabel('orders') };
  if (!data) return html`<${Absent} title=${collectionLabel('orders', 'one')} back=${back} refusal=${refusal} again=${reload} gone=${t('orders.gone')}
    goneText=${t('orders.goneText')} />`;
  const { order } = data;
  const badges = html`<${Statuses} order=${order} paths=${['status', 'paymentStatus', 'fulfillmentStatus']} />`;
  const top = html`<${OrderActions} order=${order} work=${data.work} parcels=${data.parcels} onChanged=${reload} />`;
  return html`<${Page} ...${{ title: order.orderNumber, back, badges, top }}>
    <p class="under"><${Time} at=${order.placedAt} /> · ${t('orders.from')} <${Status} slug="orders" path="source" value=${order.source} /></p>
    <${Waiting} ...${data} />
    ${refusal && html`<${Refused} refusal=${refusal} again=${reload} />`}
    <div class="columns">
      <div>
        <${Lines} order=${order} />
        ${can('transactions:read') && html`<${Ledger} order=${order} transactions=${data.transactions} />`}
        <${Parcels} order=${order} parcels=${data.parcels} />
      </div>
      <aside><${Buyer} order=${order} onChanged=${reload} /></aside>
      <div><${Timeline} slug="orders" id=${order.id} live=${parts} currency=${order.currency} /></div>
    </div>
  <//>`;
}

/**
 * @param {string} id
 * @param {AbortSignal} signal
 */
async function read(id, signal) {
  const of = { where: { order: { equals: id } }, limit: 100, sort: 'createdAt' };
  const none = { docs: [] };
  const open = { and: [of.where, { status: { in: ['open', 'in_progress'] } }, { type: { not_equals: 'manual' } }] };
  const [order, work, waiting, transactions, parcels] = await Promise.all([
    api.collections.from('orders').findById(id, { depth: 0 }, { signal }),
    can('fulfillment-orders:read') ? api.collections.from('fulfillment-orders').find(/** @type {any} */ ({ ...of, where: open }), { signal }) : none,
    readWaiting(id, signal),
    can('transactions:read') ? api.collections.from('transactions').find(/** @type {any} */ (of), { signal }) : none,
    can('fulfillments:read') ? api.collections.from('fulfillments').find(/** @type {any} */ (of), { signal }) : none,
  ]);
  return {
    order, waiting, work: work.docs[0]?.id, transactions: /** @type {Schemas['Transaction'][]} */ (transactions.docs),
    parcels: /** @type {Schemas['Fulfillment'][]} */ (parcels.docs),
  };
}
