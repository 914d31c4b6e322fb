// How amounts came about, in sentences: the price of a line, the rules of a code, the fee of delivery.
import { html } from '../../vendor/ui.js';
import { money, number, rate, time } from '../../base/format.js';
import { t } from '../../base/words.js';
import { Icon } from '../../parts/icon.js';

/** @typedef {NonNullable<import('../../vendor/sdk.js').OperatorAnswer<'POST /api/draft-orders/{id}/calculate'>['explanation']>} Explanation */
/** @typedef {Explanation['discountCodes'][number]} CodeExplained */
/** @typedef {Explanation['lines'][number]} LineExplained */

/**
 * priceTold is how the price of a unit came about.
 * @param {LineExplained['price']} price
 * @param {string} currency
 */
export function priceTold(price, currency) {
  if (price.base === null) return t(`discounts.price-${price.source}`);
  const steps = [
    t('discounts.base', { amount: money(price.base, price.baseCurrency ?? currency) }),
    price.productDiscount ? t('discounts.off', { percent: number(price.productDiscount) }) : '',
    price.exchangeRate && price.exchangeRate !== 1 ? t('discounts.rate', { rate: rate(price.exchangeRate) }) : '',
    price.adjustmentPercent ? t('discounts.adjusted', { percent: number(price.adjustmentPercent) }) : '',
    price.roundingIncrement && Number(price.unrounded) !== price.amount ? t('discounts.rounded', { amount: money(price.roundingIncrement, currency) }) : '',
  ];
  return steps.filter(Boolean).join(' → ');
}

/** CodeTold is the rules of a code as they were looked at, and what it takes. @param {{ code: CodeExplained, currency: string }} props */
export function CodeTold({ code, currency }) {
  return html`<ul class="rules">
    ${code.rules.map((r) => html`<li key=${r.rule} class=${r.passed ? 'met' : 'missed'}><${Icon} name=${r.passed ? 'check' : 'x'} size=${14} />
      <span><span class="aside">${t(r.passed ? 'discounts.met' : 'discounts.missed')} </span>${t(`discounts.rule-${r.rule}`, { wanted: told(r.rule, r.wanted,
        currency), got: told(r.rule, r.got, currency) })}</span></li>`)}
    ${code.applied && code.amount > 0 && html`<li class="sum"><${Icon} name="percent" size=${14} /><span>${amountTold(code, currency)}</span></li>`}
    ${code.applied && code.freeShipping && html`<li class="sum"><${Icon} name="truck" size=${14} /><span>${t('discounts.waives')}</span></li>`}
  </ul>`;
}

/**
 * amountTold is how the amount of a code came about.
 * @param {CodeExplained} code
 * @param {string} currency
 */
function amountTold({ type, value, eligible, rounded, cap, amount }, currency) {
  const what = type === 'percentage' ? `${number(value)}%` : money(value, currency);
  const steps = [
    t('discounts.takes', { what, from: money(eligible, currency) }),
    rounded !== null && rounded !== amount && cap === amount ? t('discounts.capped', { amount: money(rounded, currency), cap: money(cap, currency) }) : '',
  ];
  return `${steps.filter(Boolean).join(' ')} = ${money(amount, currency)}`;
}

const amounts = ['min_order_amount', 'tiers', 'applicable'];
const moments = ['starts_at', 'ends_at'];

/**
 * told is what a rule asks for or has, as people read it.
 * @param {string} rule
 * @param {string | null} value
 * @param {string} currency
 */
function told(rule, value, currency) {
  if (value === null || value === '') return '—';
  if (moments.includes(rule)) return Number.isNaN(Date.parse(value)) ? value : time(value);
  return amounts.includes(rule) && /^\d+(\.\d+)?$/.test(value) ? money(Number(value), currency) : value;
}

/** ShippingTold is how the fee of delivery came about. @param {{ shipping: NonNullable<Explanation['shipping']>, currency: string }} props */
export function ShippingTold({ shipping, currency }) {
  const { baseFee, surcharge, zone, freeShippingCode, policies } = shipping;
  const free = policies.find((p) => p.reached && p.freeFrom !== null);
  const near = policies.find((p) => p.freeFrom !== null && !p.reached);
  const lines = [
    freeShippingCode ? t('discounts.waives') : '',
    free ? t('discounts.freeReached', { from: money(free.freeFrom, currency) }) : '',
    near ? t('discounts.freeFrom', { from: money(near.freeFrom, currency), amount: money(shipping.amount, currency) }) : '',
    t('discounts.fee', { amount: money(baseFee, currency) }),
    surcharge ? t('discounts.surcharge', { zone, amount: money(surcharge, currency) }) : '',
  ];
  return html`<ul class="rules">${lines.filter(Boolean).map((line) => html`<li key=${line}><${Icon} name="truck"
    size=${14} /><span>${line}</span></li>`)}</ul>`;
}
