// The order, once there is one.

import { el } from './dom.js';
import { addressLines } from './address.js';
import { fixedLines } from './lines.js';
import { picturesOf } from './picture.js';
import { totals } from './price.js';
import { recall, remember } from './memory.js';
import { day } from './words.js';
import { ORDER, steps } from './steps.js';
import { nothing } from './page-nothing.js';

export async function order(shop, { checkout: checkoutId }) {
  const found = await shop.client.commerce.checkouts.retrieve({ checkoutId }).catch((error) => {
    if (error.status !== 404 && error.status !== 401) throw error;
  });
  if (!found) return nothing(shop, 'This order is not known here: it can be seen in the browser it was made in.');
  if (found.status !== 'completed') return unfinished();
  const { order: it, checkout } = found;
  settle(shop, checkout, it);
  const pictures = await picturesOf(shop, it.lines);
  return {
    title: `Order ${it.orderNumber}`,
    content: [el('div', { class: 'page' },
      steps(ORDER), el('h1', {}, 'Thank you'),
      el('p', { class: 'lead' }, `Your order ${it.orderNumber} is placed. A confirmation goes to ${it.email}.`),
      el('div', { class: 'split' },
        el('div', {}, next(it), await facts(shop, it), el('p', {}, el('a', { class: 'button quiet', href: '#/' }, 'Look around'))),
        el('section', { class: 'summary', 'aria-label': 'What you bought' }, fixedLines(shop, pictures, it.lines, it.currency), sums(it))))],
  };
}

function unfinished() {
  return {
    title: 'Order',
    content: [el('div', { class: 'page narrow' }, el('h1', {}, 'Not paid yet'), el('p', { class: 'lead' }, 'There is no order before its payment.'),
      el('p', {}, el('a', { class: 'button', href: '#/review' }, 'Go to the payment')))],
  };
}

/** The cart became this order: a new one begins with what is added next. */
function settle(shop, checkout, it) {
  if (shop.basket.cart?.id === checkout.cart) shop.basket.forget();
  if (recall('checkout') === checkout.id) {
    remember('checkout', undefined);
    remember('payment', undefined);
  }
  remember('order', { checkout: checkout.id, number: it.orderNumber });
}

/** What happens now, by what was bought. */
function next(it) {
  const has = (...kinds) => it.lines.some((line) => kinds.includes(line.kind));
  return el('section', { 'aria-labelledby': 'next' }, el('h2', { id: 'next' }, 'What happens now'), el('ul', { class: 'plain' },
    ships(it) && el('li', {}, 'We pack your parcel. You get its tracking number by email.'),
    has('digital') && el('li', {}, 'What is digital is on its way to your inbox.'),
    has('event') && el('li', {}, 'A ticket for each guest comes by email.'),
    has('service') && el('li', {}, 'We write to you to find a day.')));
}

async function facts(shop, it) {
  return el('dl', { class: 'facts' },
    el('div', {}, el('dt', {}, 'Order'), el('dd', {}, it.orderNumber)),
    el('div', {}, el('dt', {}, 'Placed'), el('dd', {}, day(it.placedAt))),
    el('div', {}, el('dt', {}, 'Payment'), el('dd', {}, it.paymentStatus === 'paid' ? 'Paid' : it.paymentStatus)),
    ships(it) && it.shippingAddress && el('div', {}, el('dt', {}, 'Delivery'), el('dd', {}, await addressLines(shop, it.shippingAddress))));
}

const ships = (it) => it.lines.some((line) => line.requiresShipping);

function sums(it) {
  const { subtotal, discountAmount: discount, shippingAmount, totalAmount: total, currency, taxes } = it;
  return totals({ subtotal, discount, delivery: ships(it) ? shippingAmount : undefined, total, taxes }, currency);
}
