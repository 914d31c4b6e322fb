// What an import of tracking numbers will do, row by row: the shop has no trial of it, so the page looks up what each row is about.
import { refusalOf } from '../../base/refusal.js';
import { api, idOf } from '../../base/shop.js';

/** @typedef {import('./columns.js').Entry} Entry */
/** @typedef {import('../packing/work.js').Work} Work */
/** @typedef {import('../packing/work.js').Parcel} Parcel */

/**
 * @typedef {object} Planned
 * @property {'ships' | 'same' | 'skip' | 'bad'} verdict it ships, the shop has it already, it has no number, it is refused
 * @property {string} why name of the words that say so
 * @property {number} units that leave
 * @property {any} order undefined where there is none
 * @property {string | undefined} work id of the fulfillment order
 */

/** @typedef {Entry & Planned} PlannedRow */

/** Rows that are looked up at a time: their ids are in the address of the request. */
const atOnce = 100;

/**
 * planOf tells for each row what will happen. Errors: CommerceSDKError.
 * @param {Entry[]} entries
 * @param {AbortSignal} signal
 * @returns {Promise<PlannedRow[]>}
 */
export async function planOf(entries, signal) {
  const due = entries.filter((e) => e.trackingNumber && !e.problem);
  const carriers = [...new Set(due.map((e) => e.carrier))];
  const [works, unknown] = await Promise.all([worksOf(due, signal), unknownOf(carriers, signal)]);
  const byId = new Map(works.map((w) => [w.id, w]));
  const byNumber = new Map(works.filter((w) => w.type === 'shipping').map((w) => [/** @type {any} */ (w.order)?.orderNumber, w]));
  const parcels = await parcelsOf(works.map((w) => w.id), signal);
  /** @type {Map<string, string>} numbers of the rows above, by fulfillment order */
  const sent = new Map();
  return entries.map((entry) => {
    const none = { units: 0, order: undefined, work: undefined };
    if (entry.problem) return { ...entry, ...none, verdict: 'bad', why: entry.problem };
    if (!entry.trackingNumber) return { ...entry, ...none, verdict: 'skip', why: 'noNumber' };
    const work = entry.fulfillmentOrder ? byId.get(entry.fulfillmentOrder) : byNumber.get(entry.orderNumber);
    if (unknown.has(entry.carrier)) return { ...entry, ...none, verdict: 'bad', why: 'carrier' };
    if (!work) return { ...entry, ...none, verdict: 'bad', why: 'notFound' };
    const planned = decide(entry, work, parcels.filter((p) => idOf(p.fulfillmentOrder) === work.id), sent.get(work.id));
    if (planned.verdict === 'ships') sent.set(work.id, entry.trackingNumber);
    return { ...entry, ...planned, order: work.order, work: work.id };
  });
}

/**
 * decide is what becomes of one row.
 * @param {Entry} entry
 * @param {Work} work with its order
 * @param {Parcel[]} parcels of the fulfillment order
 * @param {string | undefined} above the number that a row above ships it with
 * @returns {Pick<Planned, 'verdict' | 'why' | 'units'>}
 */
function decide(entry, work, parcels, above) {
  const order = /** @type {any} */ (work.order);
  const bad = (/** @type {string} */ why) => ({ verdict: /** @type {const} */ ('bad'), why, units: 0 });
  const units = (/** @type {Parcel} */ p) => p.items.reduce((n, item) => n + (item.quantity ?? 0), 0);
  const held = parcels.filter((p) => p.status !== 'canceled');
  const own = held.find((p) => p.trackingNumber === entry.trackingNumber);
  if (entry.orderNumber && order.orderNumber !== entry.orderNumber && !/E\+?\d+$/i.test(entry.orderNumber)) return bad('otherOrder');
  if ((own && own.status !== 'pending') || above === entry.trackingNumber) return { verdict: 'same', why: 'same', units: 0 };
  if (work.type !== 'shipping') return bad('manual');
  if (order.hold) return bad('hold');
  if (!['authorized', 'paid', 'preparing', 'shipped'].includes(order.status)) return bad('unpaid');
  if (own) return { verdict: 'ships', why: 'packed', units: units(own) };
  const all = work.lines.reduce((n, l) => n + (l.quantity ?? 0) - (l.fulfilledQuantity ?? 0), 0);
  const left = all - held.filter((p) => p.status === 'pending').reduce((n, p) => n + units(p), 0);
  if (above || left <= 0) return bad('sent');
  return { verdict: 'ships', why: 'ships', units: left };
}

/**
 * worksOf reads the fulfillment orders that rows name, with their orders.
 * @param {Entry[]} entries
 * @param {AbortSignal} signal
 * @returns {Promise<Work[]>}
 */
async function worksOf(entries, signal) {
  const ids = [...new Set(entries.map((e) => e.fulfillmentOrder).filter((id) => /^[\da-f-]{36}$/.test(id)))];
  const numbers = [...new Set(entries.filter((e) => !e.fulfillmentOrder).map((e) => e.orderNumber))];
  const by = (/** @type {string} */ path) => (/** @type {string[]} */ some) =>
    all('fulfillment-orders', { [path]: { in: some } }, 1, signal);
  const found = [...(await each(ids, by('id'))), ...(await each(numbers, by('order.orderNumber')))];
  return [...new Map(found.map((w) => [w.id, w])).values()];
}

/**
 * @param {string[]} ids of fulfillment orders
 * @param {AbortSignal} signal
 * @returns {Promise<Parcel[]>}
 */
const parcelsOf = (ids, signal) => each(ids, (some) => all('fulfillments', { fulfillmentOrder: { in: some } }, 0, signal));

/**
 * each asks for a part of a list after the other.
 * @param {string[]} list
 * @param {(some: string[]) => Promise<any[]>} ask
 */
async function each(list, ask) {
  const out = [];
  for (let i = 0; i < list.length; i += atOnce) out.push(...(await ask(list.slice(i, i + atOnce))));
  return out;
}

/**
 * all reads all records that a filter matches.
 * @param {'fulfillment-orders' | 'fulfillments'} slug
 * @param {object} where
 * @param {number} depth
 * @param {AbortSignal} signal
 */
async function all(slug, where, depth, signal) {
  const out = [];
  for (let page = 1; ; page++) {
    const { docs, hasNextPage } = await /** @type {any} */ (api.collections.from(slug)).find({ where, depth, limit: 500, page, sort: 'id' }, { signal });
    out.push(...docs);
    if (!hasNextPage) return out;
  }
}

/**
 * unknownOf is the names that the shop knows no carrier by. It is asked for the file of a day without orders, since nothing else
 * tells names apart.
 * @param {string[]} names
 * @param {AbortSignal} signal
 */
async function unknownOf(names, signal) {
  const unknown = new Set(/** @type {string[]} */ ([]));
  await Promise.all(names.slice(0, 20).map(async (carrier) => {
    try {
      await api.file('GET /api/fulfillments/carrier-file', { carrier, from: '2000-01-01', to: '2000-01-01' }, { signal });
    } catch (e) {
      if (refusalOf(e).fields['carrier'] === undefined) throw e;
      unknown.add(carrier);
    }
  }));
  return unknown;
}
