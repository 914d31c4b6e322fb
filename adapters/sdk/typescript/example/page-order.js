// The order, once there is one.

import { el } from './dom.js';
import { addressLines } from './address.js';
import { fixedLines } from './lines.js';
import { picturesOf } from './picture.js';
import { totals } from './price.js';
import { recall, remember } from './memory.js';
import { day, t } from './words.js';
import { ORDER, steps } from './steps.js';
import { nothing } from './page-nothing.js';

export async function order(shop, { checkout: checkoutId }) {
  const found = await shop.client.commerce.checkouts.retrieve({ checkoutId }).catch((error) => {
    if (error.status !== 404 && error.status !== 401) throw error;
  });
  if (!found) return nothing(shop, t('order.unknown'));
  if (found.status !== 'completed') return unfinished();
  const { order: it, checkout } = found;
  settle(shop, checkout, it);
  const pictures = await picturesOf(shop, it.lines);
  return {
    title: t('order.title', { number: it.orderNumber }),
    content: [el('div', { class: 'page' },
      steps(ORDER), el('h1', {}, t('order.thanks')),
      el('p', { class: 'lead' }, t('order.lead', { number: it.orderNumber, email: it.email })),
      el('div', { class: 'split' },
        el('div', {}, next(it), await facts(shop, it), el('p', {}, el('a', { class: 'button quiet', href: '#/' }, t('shop.look')))),
        el('section', { class: 'summary', 'aria-label': t('order.bought') }, fixedLines(shop, pictures, it.lines, it.currency), sums(it))))],
  };
}

function unfinished() {
  return {
    title: t('order.number'),
    content: [el('div', { class: 'page narrow' }, el('h1', {}, t('order.unpaid')), el('p', { class: 'lead' }, t('order.unpaid-lead')),
      el('p', {}, el('a', { class: 'button', href: '#/review' }, t('order.to-payment'))))],
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
  return el('section', { 'aria-labelledby': 'next' }, el('h2', { id: 'next' }, t('order.next')), el('ul', { class: 'plain' },
    ships(it) && el('li', {}, t('order.parcel')),
    has('digital') && el('li', {}, t('order.digital')),
    has('event') && el('li', {}, t('order.event')),
    has('service') && el('li', {}, t('order.service'))));
}

async function facts(shop, it) {
  return el('dl', { class: 'facts' },
    el('div', {}, el('dt', {}, t('order.number')), el('dd', {}, it.orderNumber)),
    el('div', {}, el('dt', {}, t('order.placed')), el('dd', {}, day(it.placedAt))),
    el('div', {}, el('dt', {}, t('order.payment')), el('dd', {}, it.paymentStatus === 'paid' ? t('order.paid') : it.paymentStatus)),
    ships(it) && it.shippingAddress && el('div', {}, el('dt', {}, t('checkout.delivery')), el('dd', {}, await addressLines(shop, it.shippingAddress))));
}

const ships = (it) => it.lines.some((line) => line.requiresShipping);

function sums(it) {
  const { subtotal, discountAmount: discount, shippingAmount, totalAmount: total, currency, taxes } = it;
  return totals({ subtotal, discount, delivery: ships(it) ? shippingAmount : undefined, total, taxes }, currency);
}
