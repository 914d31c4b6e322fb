// Back from the payment page. Coming back proves nothing: the server asks the payment service, and its word counts.

import { el } from './dom.js';
import { recall } from './memory.js';
import { PAYMENT, steps } from './steps.js';
import { nothing } from './page-nothing.js';
import { sentence } from './words.js';

/** How long we ask, and how often. A payment that comes later is not lost: the order is found at its address. */
const TIMES = 30;
const EVERY = 2000;

export async function payment(shop) {
  const paying = recall('payment');
  if (!paying) return nothing(shop, 'No payment was begun here.');
  const what = el('div', { role: 'status' }, el('p', { class: 'lead' }, 'We are asking the payment service …'));
  let there = true;
  watch(shop, paying, what, () => there);
  return {
    title: 'Payment',
    content: [el('div', { class: 'page narrow' }, steps(PAYMENT), el('h1', {}, 'Your payment'), what)],
    leave: () => { there = false; },
  };
}

async function watch(shop, { checkoutId, paymentSessionId }, what, stillHere) {
  for (let i = 0; i < TIMES && stillHere(); i++) {
    try {
      const { order, paymentSession } = await shop.client.commerce.paymentSessions.retrieveAggregator({ checkoutId, paymentSessionId });
      if (!stillHere()) return;
      if (order) return location.replace(`#/orders/${checkoutId}`);
      told(what, paymentSession);
    } catch (error) {
      what.replaceChildren(el('p', { class: 'lead' }, sentence(error)));
      if (!error.retryable) return;
    }
    await new Promise((later) => setTimeout(later, EVERY));
  }
}

/** Says how it stands, once: the same words are not read out again. */
function told(what, { status, observation }) {
  const words = status === 'processing' ? 'Your payment is being processed. This page goes on by itself.'
    : observation === 'failed' ? 'The payment did not work. No money was taken.'
    : status === 'requires_attention' ? 'Your payment arrived, and a person has to look at it. We will write to you.'
    : 'No payment arrived yet.';
  if (what.dataset.told === words) return;
  what.dataset.told = words;
  what.replaceChildren(el('p', { class: 'lead' }, words), el('p', {}, el('a', { class: 'button', href: '#/review' }, 'Try again, or pay another way')));
}
