// Prices, with what they were before.

import { el } from './dom.js';
import { money, t } from './words.js';

/** The price of a product: of its cheapest variant, said so when others cost more. */
export function priceLine(range, before) {
  if (!range) return el('span', { class: 'price' }, t('product.unsold'));
  if (range.max !== range.min) return el('span', { class: 'price' }, t('price.from', { price: money(range.min, range.currency) }));
  return price(range.min, before?.min, range.currency);
}

/** One price. What it was before is told to those who hear it, too: a line through a number has no sound. */
export function price(amount, before, currency) {
  if (before == null || before <= amount) return el('span', { class: 'price' }, amount === 0 ? t('price.free') : money(amount, currency));
  return el('span', { class: 'price is-less' },
    el('span', { class: 'unseen' }, t('price.now')), money(amount, currency), ' ',
    el('s', {}, el('span', { class: 'unseen' }, t('price.before')), money(before, currency)));
}

/**
 * The sums below a cart, a checkout or an order. `delivery` is an amount or a text; where nothing ships it is left out, and
 * so is its line. `taxes` that are added stand above the total, those that are in it below.
 */
export function totals({ subtotal, discount, delivery, total, taxes }, currency) {
  const rates = (taxes?.rates ?? []).filter(({ amount }) => amount > 0).map(({ name, percent, amount }) =>
    [taxName(taxes, name, percent), money(amount, currency)]);
  const rows = [
    [t('price.subtotal'), money(subtotal, currency)],
    discount > 0 && [t('price.discount'), `−${money(discount, currency)}`],
    delivery !== undefined && [t('price.delivery'), delivery === 0 ? t('price.free') : typeof delivery === 'number' ? money(delivery, currency) : delivery],
    ...taxes?.included ? [] : rates,
    [t('price.total'), money(total, currency), 'is-total'],
    ...taxes?.included ? rates : [],
  ];
  return el('dl', { class: 'sums' }, rows.filter(Boolean).map(([name, amount, kind]) =>
    el('div', { class: kind }, el('dt', {}, name), el('dd', {}, amount))));
}

function taxName({ included, estimated }, name, percent) {
  const tax = t(included ? 'price.tax-included' : 'price.tax', { name, percent });
  return estimated ? t('price.tax-estimate', { tax }) : tax;
}

/** Those of a cart, whose delivery is not known before there is an address. */
export function cartTotals({ totals: sums, currency, requiresShipping }) {
  return totals({ ...sums, delivery: requiresShipping ? t('price.later') : undefined }, currency);
}
