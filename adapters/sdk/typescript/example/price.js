// Prices, with what they were before.

import { el } from './dom.js';
import { money } from './words.js';

/** The price of a product: of its cheapest variant, said so when others cost more. */
export function priceLine(range, before) {
  if (!range) return el('span', { class: 'price' }, 'Not sold here');
  if (range.max !== range.min) return el('span', { class: 'price' }, el('span', { class: 'from' }, 'from '), money(range.min, range.currency));
  return price(range.min, before?.min, range.currency);
}

/** One price. What it was before is told to those who hear it, too: a line through a number has no sound. */
export function price(amount, before, currency) {
  if (before == null || before <= amount) return el('span', { class: 'price' }, amount === 0 ? 'Free' : money(amount, currency));
  return el('span', { class: 'price is-less' },
    el('span', { class: 'unseen' }, 'Now '), money(amount, currency), ' ',
    el('s', {}, el('span', { class: 'unseen' }, 'before '), money(before, currency)));
}

/**
 * The sums below a cart, a checkout or an order. `delivery` is an amount or a text; where nothing ships it is left out, and
 * so is its line. `taxes` that are added stand above the total, those that are in it below.
 */
export function totals({ subtotal, discount, delivery, total, taxes }, currency) {
  const rates = (taxes?.rates ?? []).filter(({ amount }) => amount > 0).map(({ name, percent, amount }) =>
    [`${taxes.included ? 'incl. ' : ''}${name} ${percent}%${taxes.estimated ? ' (estimate)' : ''}`, money(amount, currency)]);
  const rows = [
    ['Subtotal', money(subtotal, currency)],
    discount > 0 && ['Discount', `−${money(discount, currency)}`],
    delivery !== undefined && ['Delivery', delivery === 0 ? 'Free' : typeof delivery === 'number' ? money(delivery, currency) : delivery],
    ...taxes?.included ? [] : rates,
    ['Total', money(total, currency), 'is-total'],
    ...taxes?.included ? rates : [],
  ];
  return el('dl', { class: 'sums' }, rows.filter(Boolean).map(([name, amount, kind]) =>
    el('div', { class: kind }, el('dt', {}, name), el('dd', {}, amount))));
}

/** Those of a cart, whose delivery is not known before there is an address. */
export function cartTotals({ totals: sums, currency, requiresShipping }) {
  return totals({ ...sums, delivery: requiresShipping ? 'Told in the next step' : undefined }, currency);
}
