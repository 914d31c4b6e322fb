// One order on the packing table: what goes into the parcel is scanned or counted, the parcel is shipped, the next order follows.
import { html, useEffect, useRoute } from '../../vendor/ui.js';
import { useQuery } from '../../base/query.js';
import { href } from '../../base/route.js';
import { api, can, idOf } from '../../base/shop.js';
import { collectionLabel, optionLabel, t } from '../../base/words.js';
import { AddressLines } from '../../parts/address.js';
import { Absent, Card, Notice, Page, Refused } from '../../parts/state.js';
import { Timeline } from '../../parts/timeline.js';
import { Status, Time } from '../../parts/value.js';
import { Bench } from './bench.js';
import { NextOrder } from './next.js';
import { Parcels } from './parcels.js';
import { PackTools } from './tools.js';
import { linesOf } from './work.js';

/** @typedef {import('./work.js').Work} Work */
/** @typedef {import('./work.js').Order} Order */
/** @typedef {import('./work.js').Parcel} Parcel */

/** What happens to a fulfillment order. */
const parts = ['fulfillment-orders', 'fulfillments', 'orders'];

export default function PackScreen() {
  const { id = '' } = useRoute().params;
  const { data, refusal, reload } = useQuery(`packing ${id}`, (signal) => read(id, signal), { live: parts });
  const back = { href: href('/packing'), label: t('packing.title') };
  if (!data) return html`<${Absent} title=${collectionLabel('fulfillment-orders', 'one')} back=${back} refusal=${refusal} again=${reload}
    gone=${t('packing.gone')} goneText=${t('packing.goneText')} />`;
  return html`<${Packing} key=${id} ...${{ ...data, back, reload }} />${refusal && html`<${Refused} refusal=${refusal} again=${reload} />`}`;
}

/** @param {{ work: Work, order: Order, parcels: Parcel[], back: { href: string, label: string }, reload: () => void }} props */
function Packing({ work, order, parcels, back, reload }) {
  // Where nothing is scanned, the next order begins at its name.
  useEffect(() => {
    if (document.activeElement === document.body) /** @type {HTMLElement | null} */ (document.querySelector('main h1'))?.focus({ preventScroll: true });
  }, []);
  const lines = linesOf(work, order, parcels);
  const left = lines.reduce((n, line) => n + line.left, 0);
  const over = ['closed', 'canceled'].includes(work.status ?? '');
  const done = left === 0 && !parcels.some((p) => p.status === 'pending');
  const badges = html`<span class="badges"><${Status} slug="fulfillment-orders" path="status" value=${work.status} />
    <${Status} slug="orders" path="status" value=${order.status} /></span>`;
  return html`<${Page} title=${order.orderNumber} back=${back} badges=${badges} top=${html`<${PackTools} work=${work} left=${left} />`}>
    <p class="under"><${Time} at=${order.placedAt} /> · ${optionLabel('fulfillment-orders', 'type', work.type ?? '')}</p>
    <${Heed} work=${work} order=${order} />
    <${NextOrder} work=${work} order=${order} done=${done} />
    <div class="columns packing">
      <div>
        ${!over && left > 0 && html`<${Bench} ...${{ work, order, lines, left, reload }} />`}
        <${Parcels} ...${{ work, order, parcels, lines, reload }} />
        <${Timeline} slug="fulfillment-orders" id=${work.id} live=${parts} />
      </div>
      <aside><${Address} order=${order} work=${work} /></aside>
    </div>
  <//>`;
}

/** Heed says what speaks against packing, or has changed. @param {{ work: Work, order: Order }} props */
function Heed({ work, order }) {
  const unpaid = ['pending', 'failed', 'canceled'].includes(order.status);
  return html`${order.hold && html`<${Notice} kind="bad">${t(`orders.hold-${order.hold}`)}<//>`}
    ${unpaid && html`<${Notice} kind="warn">${t('packing.unpaid', { status: optionLabel('orders', 'status', order.status) })}<//>`}
    ${work.changedSinceExport.map((what) => html`<${Notice} kind="warn" key=${what}>${t(`packing.changedText-${what}`)}<//>`)}`;
}

/** @param {{ order: Order, work: Work }} props */
function Address({ order, work }) {
  const to = order.shippingAddress;
  const batch = idOf(work.carrierBatch);
  const buyer = [order.customerSnapshot.name, order.email].filter(Boolean);
  return html`<${Card} title=${t(work.type === 'manual' ? 'packing.buyer' : 'packing.to')}>
      <address>${work.type === 'manual' ? buyer.map((line) => html`<span>${line}</span>`) : html`<${AddressLines} of=${to} />`}</address>
      ${to.deliveryNote && html`<p class="quote">${to.deliveryNote}</p>`}
      ${order.notes && html`<p class="quote">${order.notes}</p>`}
      <p><a href=${href(`/orders/${order.id}`)}>${t('packing.toOrder')}</a></p>
      ${batch && can('carrier-batches:read') && html`<p><a href=${href(`/carriers/${batch}`)}>${t('packing.toBatch')}</a></p>`}
    <//>`;
}

/**
 * @param {string} id
 * @param {AbortSignal} signal
 */
async function read(id, signal) {
  const work = /** @type {Work} */ (await api.collections.from('fulfillment-orders').findById(id, { depth: 0 }, { signal }));
  const of = /** @type {any} */ ({ where: { fulfillmentOrder: { equals: id } }, limit: 100, sort: 'createdAt', depth: 0 });
  const [order, parcels] = await Promise.all([
    api.collections.from('orders').findById(idOf(work.order) ?? '', { depth: 1 }, { signal }),
    can('fulfillments:read') ? api.collections.from('fulfillments').find(of, { signal }) : { docs: [] },
  ]);
  return { work, order: /** @type {Order} */ (order), parcels: /** @type {Parcel[]} */ (parcels.docs) };
}
