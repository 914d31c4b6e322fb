// What is to be packed: fulfillment orders with their orders and parcels.
import { idOf } from '../../base/shop.js';

/** @typedef {import('../../vendor/sdk.js').Order} Order */
/** @typedef {import('../../vendor/sdk.js').Schemas['FulfillmentOrder']} Work */
/** @typedef {import('../../vendor/sdk.js').Schemas['Fulfillment']} Parcel */

/**
 * @typedef {object} Line what is to be done of a line of the order
 * @property {string} id of the order's line
 * @property {string} title
 * @property {string | null} variantTitle
 * @property {string | null} sku
 * @property {string | null} barcode
 * @property {string | null} skuNow that of the variant now, which is on the shelf
 * @property {string | undefined} variant id
 * @property {string | undefined} image address of its picture
 * @property {string[]} choices what the buyer asked for
 * @property {number} quantity units in all
 * @property {number} left units that are neither done nor in a parcel that waits
 */

/** fullName is what a line is called with its variant, by which lines of one product differ. @param {Line | undefined} line */
export const fullName = (line) => [line?.title, line?.variantTitle].filter(Boolean).join(' · ') || '—';

/** What may be packed or completed now: work that is not done, of orders that are paid. */
export const waits = {
  and: [{ status: { in: ['open', 'in_progress'] } }, { 'order.status': { in: ['authorized', 'paid', 'preparing', 'shipped'] } }],
};

/** The order in which work is done. */
export const oldest = 'order.placedAt,id';

/**
 * packed is how many units of a line are in parcels that wait.
 * @param {{ status: string | null, items: { orderLine: string | null, quantity: number | null }[] }[]} parcels @param {string | null | undefined} line id
 */
export const packed = (parcels, line) =>
  parcels.filter((p) => p.status === 'pending').flatMap((p) => p.items).reduce((n, item) => n + (item.orderLine === line ? (item.quantity ?? 0) : 0), 0);

/**
 * linesOf is what is to be done of the lines of a fulfillment order.
 * @param {Work} work
 * @param {Order} order
 * @param {Parcel[]} parcels of the fulfillment order
 * @returns {Line[]}
 */
export function linesOf(work, order, parcels) {
  return work.lines.map((l) => {
    const line = order.lines.find((one) => one.id === l.orderLine);
    const variant = /** @type {any} */ (line?.variant);
    const quantity = l.quantity ?? 0;
    return {
      id: l.orderLine ?? '', title: line?.title ?? '—', variantTitle: line?.variantTitle ?? null, sku: line?.sku ?? null,
      skuNow: variant?.sku ?? null, barcode: variant?.barcode ?? null, variant: idOf(variant), image: /** @type {any} */ (line?.image)?.url,
      choices: Object.entries(line?.attributes ?? {}).map(([name, value]) => `${name}: ${value}`),
      quantity, left: Math.max(0, quantity - (l.fulfilledQuantity ?? 0) - packed(parcels, l.orderLine)),
    };
  });
}

/** unitsOf is how many units of a fulfillment order are not done yet. @param {Work} work */
export const unitsOf = (work) => work.lines.reduce((n, l) => n + (l.quantity ?? 0) - (l.fulfilledQuantity ?? 0), 0);

/** buyerOf is how the buyer of an order is called. @param {any} order */
export const buyerOf = (order) => order?.shippingAddress?.recipientName || order?.customerSnapshot?.name || order?.email || '—';

/** addressOf is where an order goes, in one line. @param {any} order */
export const addressOf = (order) => ['postalCode', 'city', 'district', 'address1', 'address2'].map((name) => order?.shippingAddress?.[name]).filter(Boolean).join(' ');
