// What is bought, for how much, and how it is paid. All sums are those of the checkout: frozen, delivery included.

import { busy, complain, complaints, el, isBusy } from './dom.js';
import { go, show } from './router.js';
import { addressLines } from './address.js';
import { fixedLines } from './lines.js';
import { picturesOf } from './picture.js';
import { totals } from './price.js';
import { recall, remember } from './memory.js';
import { money, sentence } from './words.js';
import { PAYMENT, steps } from './steps.js';
import { order } from './page-order.js';
import { payment } from './page-payment.js';
import { awaitsTransfer } from './transfer.js';

/** Ways to pay that shoppers of a currency know; what the shop's provider account does not offer, the server refuses. */
const METHODS = {
  KRW: [['CARD_KR', 'Card'], ['KAKAO_PAY', 'Kakao Pay'], ['N_PAY', 'Naver Pay'], ['TOSS_PAY', 'Toss Pay']],
  JPY: [['CARD_INTERNATIONAL', 'Card'], ['PAY_PAY', 'PayPay'], ['CONVENIENCE_STORE_JP', 'Convenience store']],
};
const ELSEWHERE = [['CARD_INTERNATIONAL', 'Card'], ['PAY_PAL', 'PayPal'], ['AMAZON_PAY', 'Amazon Pay']];

export async function review(shop) {
  const checkoutId = recall('checkout');
  if (!checkoutId) return over('There is no checkout here.');
  const found = await shop.client.commerce.checkouts.retrieve({ checkoutId });
  switch (found.status) {
    case 'open':
      return page(shop, found.checkout, [recall('offered') !== checkoutId && el('p', {}, el('a', { href: '#/checkout' }, 'Change email or address')), open(shop, found.checkout)]);
    case 'payment_pending':
      if (awaitsTransfer(found.paymentSession)) {
        remember('payment', { checkoutId, paymentSessionId: found.paymentSession.id });
        return payment(shop);
      }
      return page(shop, found.checkout, pending(shop, found.checkout, found.paymentSession));
    case 'completed':
      return order(shop, { checkout: checkoutId });
    case 'requires_attention':
      return over('Your payment arrived, and a person has to look at this order. We will write to you.');
    default:
      return over('This checkout is closed.');
  }
}

function over(why) {
  return {
    title: 'Payment',
    content: [el('div', { class: 'page narrow' }, el('h1', {}, 'Payment'), el('p', { class: 'lead' }, why),
      el('p', {}, el('a', { class: 'button', href: '#/cart' }, 'Go to the cart')))],
  };
}

async function page(shop, it, how) {
  const pictures = await picturesOf(shop, it.lines);
  return {
    title: 'Payment',
    content: [el('div', { class: 'page' },
      steps(PAYMENT), el('h1', {}, it.totals.total > 0 ? 'How would you like to pay?' : 'Is everything right?'),
      el('div', { class: 'split' },
        el('div', {}, await whom(shop, it), how),
        el('section', { class: 'summary', 'aria-label': 'Your order' }, fixedLines(shop, pictures, it.lines, it.currency), totals({ ...it.totals, delivery: it.requiresShipping ? it.totals.shipping ?? 0 : undefined }, it.currency))))],
  };
}

async function whom(shop, it) {
  return el('dl', { class: 'facts' },
    el('div', {}, el('dt', {}, 'Email'), el('dd', {}, it.email)),
    it.requiresShipping && it.shippingAddress && el('div', {}, el('dt', {}, 'Delivery'), el('dd', {}, await addressLines(shop, it.shippingAddress))));
}

/** The choice of a way to pay, or just a button when there is nothing to pay. */
function open(shop, it) {
  const free = it.totals.total === 0;
  const button = el('button', { class: 'button wide' }, free ? 'Place the order' : `Pay ${money(it.totals.total, it.currency)}`);
  const box = complaints();
  const form = el('form', { class: 'form' }, !free && methods(it.currency), box, el('p', { class: 'is-wide' }, button),
    !free && el('p', { class: 'hint is-wide' }, 'You pay on a page of the payment service, by bank transfer if you like, and come back here after.'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (isBusy(button)) return;
    busy(button, () => attempt(box, () => (free ? place(shop, it) : pay(shop, it, new FormData(form).get('method')))));
  });
  return form;
}

function methods(currency) {
  return el('fieldset', { class: 'option is-wide' }, el('legend', {}, 'Ways to pay'),
    el('div', { class: 'option-values' }, (METHODS[currency] ?? ELSEWHERE).map(([value, name], i) => el('span', { class: 'option-value' },
      el('input', { type: 'radio', name: 'method', id: `method-${value}`, value, checked: i === 0 }),
      el('label', { for: `method-${value}` }, name)))));
}

/** A payment was begun: the shopper goes on with it, or takes it back to pay another way. */
function pending(shop, it, session) {
  const box = complaints();
  const on = el('button', { type: 'button', class: 'button wide' }, 'Go on to the payment page');
  const back = el('button', { type: 'button', class: 'link' }, 'Pay another way');
  on.addEventListener('click', () => !isBusy(on) && busy(on, () => attempt(box, () => pay(shop, it, session.method))));
  back.addEventListener('click', () => !isBusy(back) && busy(back, () => attempt(box, async () => {
    await shop.client.commerce.paymentSessions.cancelAggregator({ checkoutId: it.id, paymentSessionId: session.id });
    await show();
  })));
  const over = session.observation === 'expired';
  return el('div', { class: 'form' },
    el('p', { class: 'is-wide' }, over ? 'The time for this payment is over. No money was taken.'
      : session.observation === 'failed' ? 'The last try did not work. You can try again.' : 'A payment of this order is under way.'),
    box, !over && el('p', { class: 'is-wide' }, on), el('p', { class: 'is-wide' }, back));
}

async function attempt(box, work) {
  complain(box);
  try {
    await work();
  } catch (error) {
    complain(box, sentence(error));
  }
}

/** Opens a payment session and goes to its page. Asked again for the same, the server answers the same session. */
async function pay(shop, it, method) {
  const { paymentSession, checkoutUrl } = await shop.client.commerce.paymentSessions.createAggregator({
    checkoutId: it.id, mode: 'hosted_v2', method, redirectUrl: `${location.origin}${location.pathname}?paid`,
  });
  remember('payment', { checkoutId: it.id, paymentSessionId: paymentSession.id });
  location.assign(checkoutUrl);
}

async function place(shop, it) {
  await shop.client.commerce.checkouts.complete({ checkoutId: it.id });
  go(`/orders/${it.id}`);
}
