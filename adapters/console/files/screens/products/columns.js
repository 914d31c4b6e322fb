// The columns of the variants: what tells them apart, what they cost here and in markets, what is there of them.
import { shop } from '../../base/shop.js';
import { fieldLabel } from '../../base/words.js';
import { titleOf } from './draft.js';

/** @typedef {import('../../parts/cells_block.js').CellColumn} CellColumn */
/** @typedef {import('./draft.js').Variant} Variant */
/** @typedef {{ id: string, name: string, code: string, currency: string }} Market */

/** label is the label of a field of a variant. @param {string} name */
export const label = (name) => fieldLabel('product-variants', name);

/**
 * columnsOf is the columns of the sheet.
 * @param {{ draft: import('./draft.js').Draft, markets: Market[], stockOf: (variant: Variant) => number | null | undefined, onOpen: (index: number) => void,
 *   onStock: (index: number) => void }} of
 * @returns {CellColumn[]}
 */
export function columnsOf({ draft, markets, stockOf, onOpen, onStock }) {
  const currency = shop.value?.currency ?? '';
  /** @type {(key: string, kind: CellColumn['kind'], width: number, more?: Partial<CellColumn>) => CellColumn} */
  const column = (key, kind, width, more) => {
    return { key, kind, width, label: label(key), get: (v) => v[key], set: (v, value) => ({ ...v, [key]: value }), ...more };
  };
  const own = (/** @type {any} */ v) => (v === null || v === undefined ? '' : String(v));
  const open = (/** @type {any} */ _, /** @type {number} */ i) => onOpen(i);
  return [
    column('title', 'read', 176, { get: (v) => titleOf(v, draft.options) || draft.name, open }),
    column('sku', 'text', 136),
    column('price', 'number', 112, { label: `${label('price')} (${currency})`, placeholder: () => own(draft.price) }),
    column('compareAtPrice', 'number', 136),
    column('costPrice', 'number', 112, { placeholder: () => own(draft.costPrice) }),
    column('stock', 'number', 88, { get: (v) => (v.id ? stockOf(v) : v.stock), editable: (v) => !v.id, open: (_, i) => onStock(i) }),
    column('trackInventory', 'check', 128, { get: (v) => v.trackInventory !== false }),
    column('barcode', 'text', 136),
    ...markets.map((m) => {
      const there = { label: `${m.name} (${m.currency})`, get: (/** @type {any} */ v) => priceIn(v, m)?.amount };
      return column(`market ${m.id}`, 'number', 160, { ...there, set: (v, value) => withPrice(v, m, { amount: value }) });
    }),
    column('weight', 'number', 104),
  ];
}

/** priceIn is the fixed price of a variant in a market. @param {Variant} variant @param {Market} market */
export const priceIn = (variant, market) => variant.prices.find((p) => p.market === market.id);

/**
 * withPrice is a variant with another fixed price in a market; without an amount it has none there.
 * @param {Variant} variant
 * @param {Market} market
 * @param {{ amount?: any, compareAtAmount?: any }} change
 * @returns {Variant}
 */
export function withPrice(variant, market, change) {
  const was = priceIn(variant, market);
  const price = { market: market.id, ...was, ...change };
  if (price.amount === null || price.amount === undefined || price.amount === '') return { ...variant, prices: variant.prices.filter((p) => p !== was) };
  return { ...variant, prices: was ? variant.prices.map((p) => (p === was ? price : p)) : [...variant.prices, price] };
}

/**
 * errorAt is what is wrong with a cell.
 * @param {import('../../base/form.js').Form} form
 * @param {number} index
 * @param {string} key
 */
export function errorAt(form, index, key) {
  const variant = form.values.variants[index];
  if (!key.startsWith('market ')) return form.error(`variants.${index}.${key === 'title' ? 'optionValues' : key}`);
  const n = variant?.prices.findIndex((/** @type {any} */ p) => p.market === key.slice(7)) ?? -1;
  return n < 0 ? undefined : form.error(`variants.${index}.prices.${n}`) ?? form.error(`variants.${index}.prices.${n}.amount`);
}
