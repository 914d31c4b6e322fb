// What follows in the queue.
import { html, useEffect, useRef } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { useQuery } from '../../base/query.js';
import { go, href } from '../../base/route.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Keys } from '../../parts/button.js';
import { Notice } from '../../parts/state.js';
import { buyerOf, oldest, unitsOf, waits } from './work.js';

/**
 * NextOrder offers the order that follows: quietly while this one is packed, with the focus once it is done.
 * @param {{ work: import('./work.js').Work, order: import('./work.js').Order, done: boolean }} props
 */
export function NextOrder({ work, order, done }) {
  const { data } = useQuery(`packing after ${work.id}`, (signal) => read(work.id, order.placedAt, signal), { live: ['fulfillment-orders', 'orders'] });
  const link = useRef(/** @type {HTMLAnchorElement | null} */ (null));
  const before = useRef(done);
  useEffect(() => {
    // Only what is finished here leads on: who looks at an order of last week stays at it.
    if (done && !before.current) link.current?.focus();
    before.current = done;
  }, [done, data]);
  const to = data ? `/packing/${data.id}` : '/packing';
  useShortcuts([{ keys: 'mod+ArrowDown', label: t(data ? 'packing.next' : 'packing.toQueue'), everywhere: true, run: () => go(to) }]);
  const label = data ? t('packing.nextIs', { number: data.order.orderNumber, n: unitsOf(data), name: buyerOf(data.order) }) : t('packing.toQueue');
  const next = html`<a ref=${link} class=${`button ${done ? 'primary' : 'quiet'}`} href=${href(to)}><span>${label}</span><${Keys} keys="mod+ArrowDown" /></a>`;
  if (!done) return html`<p class="next">${next}</p>`;
  return html`<${Notice} kind="good" action=${next}>${t(data || data === undefined ? 'packing.done' : 'packing.allDone')}<//>`;
}

/**
 * read finds the oldest order after this one that can be packed, or else the oldest of all; null for none.
 * @param {string} id
 * @param {string} placedAt
 * @param {AbortSignal} signal
 * @returns {Promise<any>}
 */
async function read(id, placedAt, signal) {
  const free = [...waits.and, { status: { equals: 'open' } }, { 'order.hold': { exists: false } }, { id: { not_equals: id } }];
  for (const more of [[{ 'order.placedAt': { greater_than_equal: placedAt } }], []]) {
    const where = /** @type {any} */ ({ and: [...free, ...more] });
    const { docs } = await api.collections.from('fulfillment-orders').find({ where, sort: oldest, limit: 1, depth: 1 }, { signal });
    if (docs[0]) return docs[0];
  }
  return null;
}
