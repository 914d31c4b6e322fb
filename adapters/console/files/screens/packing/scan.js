// What a code stands for: a barcode, an SKU or a variant of the order, or something else that is to be told.
import { refusalOf } from '../../base/refusal.js';
import { go } from '../../base/route.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';

/** plain is a code without what scanners and people write differently: case, and the zeros that make a UPC an EAN. @param {string | null | undefined} code */
const plain = (code) => {
  const text = (code ?? '').trim().toUpperCase();
  return /^\d{8,14}$/.test(text) ? text.replace(/^0+/, '') : text;
};

/**
 * fits reports whether a code names what a line has.
 * @param {import('./work.js').Line} line
 * @param {string} code
 */
export function fits(line, code) {
  const wanted = plain(code);
  return wanted !== '' && [line.barcode, line.sku, line.skuNow, line.variant].some((own) => plain(own) === wanted);
}

/**
 * foreign says what a code is that names no line of an order. The number of another order that waits, which is on its packing slip,
 * leads there.
 * @param {string} code
 * @param {import('./work.js').Order} order
 * @returns {Promise<import('./counting.js').Told>}
 */
export async function foreign(code, order) {
  if (plain(code) === plain(order.orderNumber)) return { kind: 'info', text: t('packing.thisOrder') };
  try {
    const [other, product] = await Promise.all([workOf(code), variantOf(code)]);
    if (other) {
      go(`/packing/${other.id}`);
      return { kind: 'info', text: t('packing.otherOrder', { number: code }) };
    }
    return { kind: 'bad', text: product ? t('packing.notInOrder', { code, name: product }) : t('packing.unknown', { code }) };
  } catch (e) {
    return { kind: 'bad', text: refusalOf(e).text };
  }
}

/** workOf is what ships of the order with a number. @param {string} number */
async function workOf(number) {
  const where = /** @type {any} */ ({ 'order.orderNumber': { equals: number }, status: { in: ['open', 'in_progress'] } });
  const { docs } = await api.collections.from('fulfillment-orders').find({ where, limit: 2, sort: '-type' });
  return docs[0];
}

/** variantOf is the name of what has a barcode or SKU in the catalog. @param {string} code @returns {Promise<string | undefined>} */
async function variantOf(code) {
  const codes = [...new Set([code, code.toUpperCase(), plain(code), `0${plain(code)}`])];
  const where = /** @type {any} */ ({ or: [{ barcode: { in: codes } }, { sku: { in: codes } }] });
  const { docs } = await api.collections.from('product-variants').find({ where, limit: 1, depth: 1 });
  const [found] = /** @type {any[]} */ (docs);
  return found && [found.product?.name, found.title, found.sku].filter(Boolean).join(' · ');
}
