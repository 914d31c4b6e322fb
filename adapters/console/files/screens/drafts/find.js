// What can be sold: found by name, SKU or barcode.
import { useEffect, useState } from '../../vendor/ui.js';
import { onForget } from '../../base/query.js';
import { api } from '../../base/shop.js';

/**
 * @typedef {object} Goods a variant that can be sold
 * @property {string} id
 * @property {string} title
 * @property {string} product its name
 * @property {string} productId
 * @property {string | null} sku
 * @property {number | null} price in the shop's currency
 * @property {number | null} free units; null where they are not counted
 * @property {string | null} status of the product
 */

/** The tag of drafts that discount codes are tried on; the list of drafts leaves them out. */
export const trialTag = 'console-trial';

/** What was seen, by the id of the variant. @type {Map<string, Goods>} */
const known = new Map();
onForget(() => known.clear());

/** goodsOf is what was seen of a variant. @param {string} id */
export const goodsOf = (id) => known.get(id);

/**
 * findGoods finds variants: those whose SKU or barcode it is first, then those of products that are found by the text.
 * @param {string} text
 * @param {AbortSignal} signal
 * @returns {Promise<Goods[]>}
 */
export async function findGoods(text, signal) {
  const products = text ? (await api.collections.from('products').find({ q: text, limit: 8, select: { name: true } }, { signal })).docs : [];
  const exact = [{ sku: { equals: text } }, { barcode: { equals: text } }];
  const where = { or: [...exact, ...(products.length > 0 ? [{ product: { in: products.map((p) => p.id) } }] : [])] };
  const found = await variants(where, signal);
  const order = new Map(products.map((p, i) => [p.id, i]));
  const rank = (/** @type {any} */ v) => (v.sku === text || v.barcode === text ? -1 : (order.get(v.product?.id) ?? 99));
  return found.sort((a, b) => rank(a) - rank(b)).map(remembered);
}

/**
 * useGoods is what is known of variants; what is not is read.
 * @param {string[]} ids
 * @returns {(id: string) => Goods | undefined}
 */
export function useGoods(ids) {
  const [, seen] = useState(0);
  const unknown = ids.filter((id) => !known.has(id));
  useEffect(() => {
    if (unknown.length === 0) return undefined;
    const stop = new AbortController();
    variants({ id: { in: unknown } }, stop.signal).then((found) => {
      found.forEach(remembered);
      seen((n) => n + 1);
    }, () => undefined);
    return () => stop.abort();
  }, [unknown.join()]);
  return goodsOf;
}

/**
 * @param {any} where
 * @param {AbortSignal} signal
 * @returns {Promise<any[]>}
 */
async function variants(where, signal) {
  const { docs } = await api.collections.from('product-variants').find({ where, limit: 200, depth: 1, sort: 'position' }, { signal });
  return docs;
}

/** @param {any} v a variant with its product @returns {Goods} */
function remembered(v) {
  const tracked = v.trackInventory !== false && typeof v.stock === 'number';
  const goods = {
    id: v.id, title: v.title ?? '', product: v.product?.name ?? '', productId: v.product?.id ?? '', sku: v.sku ?? null,
      price: v.price ?? v.product?.price ?? null,
    free: tracked ? v.stock - (v.reserved ?? 0) : null, status: v.product?.status ?? null,
  };
  known.set(goods.id, goods);
  return goods;
}

/** nameOfGoods is how a variant is called: its product, and itself where there are several. @param {Goods | undefined} goods */
export function nameOfGoods(goods) {
  if (!goods) return '…';
  return !goods.title || goods.title === goods.product ? goods.product : `${goods.product} · ${goods.title}`;
}
