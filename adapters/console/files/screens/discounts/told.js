// A discount in sentences, and whether it works right now.
import { amountIn } from '../../base/amount.js';
import { money, number, time } from '../../base/format.js';
import { shop } from '../../base/shop.js';
import { t } from '../../base/words.js';

/** @typedef {import('../../vendor/sdk.js').Schemas['Discount']} Discount */

/** currencyOf is the currency of the amounts of a discount. @param {{ currency?: string | null }} d */
export const currencyOf = (d) => d.currency || (shop.value?.currency ?? '');

const numbers = ['value', 'maxDiscountAmount', 'minOrderAmount', 'usageLimit', 'perCustomerLimit', 'minAmount'];

/**
 * numbersIn is a discount, or a part of one, with what was typed as numbers: a form keeps the text, in which `1.` may become `1.05`.
 * @param {Record<string, any>} d
 * @returns {Record<string, any>}
 */
export function numbersIn(d) {
  return Object.fromEntries(Object.entries(d).map(([name, value]) => {
    if (name === 'tiers') return [name, value?.map(numbersIn) ?? value];
    return [name, numbers.includes(name) ? amountIn(value) : value];
  }));
}

/**
 * stateOf is whether a code works at a moment.
 * @param {Record<string, any>} d
 * @param {number} [now] milliseconds
 * @returns {'off' | 'later' | 'over' | 'used' | 'on'}
 */
export function stateOf(d, now = Date.now()) {
  if (d.isActive === false) return 'off';
  if (d.endsAt && Date.parse(d.endsAt) <= now) return 'over';
  if (d.usageLimit && d.usageCount >= d.usageLimit) return 'used';
  return d.startsAt && Date.parse(d.startsAt) > now ? 'later' : 'on';
}

/** The colors of the states. */
export const tones = { off: 'over', later: 'info', over: 'over', used: 'over', on: 'good' };

/**
 * effectTold is what a discount takes, in a few words.
 * @param {Record<string, any>} d
 * @returns {string}
 */
export function effectTold(d) {
  const currency = currencyOf(d);
  switch (d.type) {
    case 'percentage':
      return d.value ? t('discounts.takesPercent', { percent: number(Number(d.value)) }) : '';
    case 'fixed_amount':
      return d.value ? t('discounts.takesAmount', { amount: money(Number(d.value), currency) }) : '';
    case 'free_shipping':
      return t('discounts.takesShipping');
    default:
      return (d.tiers ?? []).map((/** @type {any} */ step) => tierTold(step, currency)).join(', ');
  }
}

/**
 * @param {{ minAmount?: any, discountType?: string, value?: any }} step
 * @param {string} currency
 */
function tierTold({ minAmount, discountType, value }, currency) {
  const what = discountType === 'percentage' ? `${number(Number(value ?? 0))}%` : money(Number(value ?? 0), currency);
  return t('discounts.tierTold', { from: money(Number(minAmount ?? 0), currency), what });
}

/**
 * sentences is all that a discount does and asks for.
 * @param {Record<string, any>} d
 * @returns {string[]}
 */
export function sentences(d) {
  const currency = currencyOf(d);
  const only = (d.applicableProducts?.length ?? 0) + (d.applicableCategories?.length ?? 0);
  return [
    effectTold(d),
    d.type === 'percentage' && d.maxDiscountAmount ? t('discounts.atMost', { amount: money(Number(d.maxDiscountAmount), currency) }) : '',
    only > 0 ? t('discounts.onlySome', { products: d.applicableProducts?.length ?? 0,
      categories: d.applicableCategories?.length ?? 0 }) : d.type === 'free_shipping' ? '' : t('discounts.onAll'),
    d.minOrderAmount ? t('discounts.fromAmount', { amount: money(Number(d.minOrderAmount), currency) }) : '',
    d.markets?.length ? t('discounts.onlyMarkets', { n: d.markets.length }) : '',
    d.startsAt ? t('discounts.fromTime', { at: time(d.startsAt) }) : '',
    d.endsAt ? t('discounts.untilTime', { at: time(d.endsAt) }) : '',
    d.usageLimit ? t('discounts.limit', { n: Number(d.usageLimit) }) : '',
    d.perCustomerLimit ? t('discounts.limitEach', { n: Number(d.perCustomerLimit) }) : '',
    t(d.combinable ? 'discounts.together' : 'discounts.alone'),
  ].filter(Boolean);
}

/** Letters and digits that are not taken for one another when a code is read out. */
const letters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

/** someCode is a code that nobody guesses. */
export const someCode = () => [...crypto.getRandomValues(new Uint8Array(8))].map((n) => letters[n % letters.length]).join('');
