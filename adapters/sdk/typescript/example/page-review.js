// What is bought, for how much, and how it is paid. All sums are those of the checkout: frozen, delivery included.

import { busy, complain, complaints, el, isBusy } from './dom.js';
import { go, show } from './router.js';
import { addressLines } from './address.js';
import { fixedLines } from './lines.js';
import { picturesOf } from './picture.js';
import { totals } from './price.js';
import { recall, remember } from './memory.js';
import { money, sentence, t } from './words.js';
import { PAYMENT, steps } from './steps.js';
import { order } from './page-order.js';
import { payment } from './page-payment.js';
import { awaitsTransfer } from './transfer.js';

/** Ways to pay that shoppers of a currency know; what the shop's provider account does not offer, the server refuses. */
const METHODS = {
  KRW: [['CARD_KR', t('pay.card')], ['KAKAO_PAY', t('pay.kakao')], ['N_PAY', t('pay.naver')], ['TOSS_PAY', t('pay.toss')]],
  JPY: [['CARD_INTERNATIONAL', t('pay.card')], ['PAY_PAY', 'PayPay'], ['CONVENIENCE_STORE_JP', t('pay.store')]],
};
const ELSEWHERE = [['CARD_INTERNATIONAL', t('pay.card')], ['PAY_PAL', 'PayPal'], ['AMAZON_PAY', 'Amazon Pay']];

export async function review(shop) {
  const checkoutId = recall('checkout');
  if (!checkoutId) return over(t('pay.none'));
  const found = await shop.client.commerce.checkouts.retrieve({ checkoutId });
  switch (found.status) {
    case 'open':
      return page(shop, found.checkout, [recall('offered') !== checkoutId && el('p', {}, el('a', { href: '#/checkout' }, t('pay.change'))), open(shop, found.checkout)]);
    case 'payment_pending':
      if (awaitsTransfer(found.paymentSession)) {
        remember('payment', { checkoutId, paymentSessionId: found.paymentSession.id });
        return payment(shop);
      }
      return page(shop, found.checkout, pending(shop, found.checkout, found.paymentSession));
    case 'completed':
      return order(shop, { checkout: checkoutId });
    case 'requires_attention':
      return over(t('pay.attention'));
    default:
      return over(t('pay.closed'));
  }
}

function over(why) {
  return {
    title: t('pay.title'),
    content: [el('div', { class: 'page narrow' }, el('h1', {}, t('pay.title')), el('p', { class: 'lead' }, why),
      el('p', {}, el('a', { class: 'button', href: '#/cart' }, t('checkout.to-cart'))))],
  };
}

async function page(shop, it, how) {
  const pictures = await picturesOf(shop, it.lines);
  return {
    title: t('pay.title'),
    content: [el('div', { class: 'page' },
      steps(PAYMENT), el('h1', {}, t(it.totals.total > 0 ? 'pay.how' : 'pay.free')),
      el('div', { class: 'split' },
        el('div', {}, await whom(shop, it), how),
        el('section', { class: 'summary', 'aria-label': t('checkout.order') }, fixedLines(shop, pictures, it.lines, it.currency), totals({ ...it.totals, delivery: it.requiresShipping ? it.totals.shipping ?? 0 : undefined }, it.currency))))],
  };
}

async function whom(shop, it) {
  return el('dl', { class: 'facts' },
    el('div', {}, el('dt', {}, t('checkout.email')), el('dd', {}, it.email)),
    it.requiresShipping && it.shippingAddress && el('div', {}, el('dt', {}, t('checkout.delivery')), el('dd', {}, await addressLines(shop, it.shippingAddress))));
}

/** The choice of a way to pay, or just a button when there is nothing to pay. */
function open(shop, it) {
  const free = it.totals.total === 0;
  const button = el('button', { class: 'button wide' }, free ? t('pay.place') : t('pay.pay', { amount: money(it.totals.total, it.currency) }));
  const box = complaints();
  const form = el('form', { class: 'form' }, !free && methods(it.currency), box, el('p', { class: 'is-wide' }, button),
    !free && el('p', { class: 'hint is-wide' }, t('pay.note')));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (isBusy(button)) return;
    busy(button, () => attempt(box, () => (free ? place(shop, it) : pay(shop, it, new FormData(form).get('method')))));
  });
  return form;
}

function methods(currency) {
  return el('fieldset', { class: 'option is-wide' }, el('legend', {}, t('pay.methods')),
    el('div', { class: 'option-values' }, (METHODS[currency] ?? ELSEWHERE).map(([value, name], i) => el('span', { class: 'option-value' },
      el('input', { type: 'radio', name: 'method', id: `method-${value}`, value, checked: i === 0 }),
      el('label', { for: `method-${value}` }, name)))));
}

/** A payment was begun: the shopper goes on with it, or takes it back to pay another way. */
function pending(shop, it, session) {
  const box = complaints();
  const on = el('button', { type: 'button', class: 'button wide' }, t('pay.go-on'));
  const back = el('button', { type: 'button', class: 'link' }, t('pay.other'));
  on.addEventListener('click', () => !isBusy(on) && busy(on, () => attempt(box, () => pay(shop, it, session.method))));
  back.addEventListener('click', () => !isBusy(back) && busy(back, () => attempt(box, async () => {
    await shop.client.commerce.paymentSessions.cancelAggregator({ checkoutId: it.id, paymentSessionId: session.id });
    await show();
  })));
  const over = session.observation === 'expired';
  return el('div', { class: 'form' },
    el('p', { class: 'is-wide' }, over ? t('pay.expired')
      : session.observation === 'failed' ? t('pay.failed') : t('pay.under-way')),
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
