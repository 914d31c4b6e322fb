// Back from the payment page. Coming back proves nothing: the server asks the payment service, and its word counts.

import { busy, complain, complaints, el, isBusy } from './dom.js';
import { recall } from './memory.js';
import { go } from './router.js';
import { PAYMENT, steps } from './steps.js';
import { awaitsTransfer, transfer } from './transfer.js';
import { nothing } from './page-nothing.js';
import { sentence, t } from './words.js';

/** How long we ask, and how often. A payment that comes later is not lost: the order is found at its address. */
const TIMES = 30;
const EVERY = 2000;

/** A transfer takes minutes or days: we ask ever more rarely. */
const RARELY = 30_000;
const whileTransfer = (asked) => Math.min(RARELY, EVERY + asked * 500);

export async function payment(shop) {
  const paying = recall('payment');
  if (!paying) return nothing(shop, t('payment.none'));
  const what = el('div', { role: 'status' }, el('p', { class: 'lead' }, t('payment.asking')));
  let there = true;
  watch(shop, paying, what, () => there);
  return {
    title: t('pay.title'),
    content: [el('div', { class: 'page narrow' }, steps(PAYMENT), el('h1', {}, t('payment.title')), what)],
    leave: () => { there = false; },
  };
}

async function watch(shop, { checkoutId, paymentSessionId }, what, stillHere) {
  let waits = false; // for a transfer
  for (let asked = 0; stillHere() && (waits || asked < TIMES); asked++) {
    try {
      const { order, paymentSession } = await shop.client.commerce.paymentSessions.retrieveAggregator({ checkoutId, paymentSessionId });
      if (!stillHere()) return;
      if (order) return location.replace(`#/orders/${checkoutId}`);
      waits = awaitsTransfer(paymentSession);
      told(shop, what, checkoutId, paymentSession);
    } catch (error) {
      if (!waits || !error.retryable) what.replaceChildren(el('p', { class: 'lead' }, sentence(error)));
      if (!error.retryable) return;
    }
    await pause(waits ? whileTransfer(asked) : EVERY);
  }
}

/** Waits. While nobody looks at the page nothing is asked, and whoever comes back is told at once. */
function pause(time) {
  return new Promise((goOn) => {
    const wake = () => {
      if (document.hidden) return;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', wake);
      goOn();
    };
    const timer = setTimeout(wake, time);
    document.addEventListener('visibilitychange', wake);
  });
}

/** Says how it stands, once: the same words are not read out again. */
function told(shop, what, checkoutId, session) {
  const words = awaitsTransfer(session) ? session.instructions.account : outcome(session);
  if (what.dataset.told === words) return;
  what.dataset.told = words;
  if (awaitsTransfer(session)) what.replaceChildren(transfer(shop, session), otherWay(shop, checkoutId, session.id));
  else what.replaceChildren(el('p', { class: 'lead' }, words), el('p', {}, el('a', { class: 'button', href: '#/review' }, t('payment.again'))));
}

function outcome({ status, observation, instructions }) {
  if (observation === 'expired' && instructions?.account) return t('payment.transfer-over');
  if (status === 'processing') return t('payment.processing');
  if (observation === 'failed') return t('payment.failed');
  if (status === 'requires_attention') return t('payment.attention');
  return t('payment.waiting');
}

/** Closes the account, so that nothing can be transferred to it any more. */
function otherWay(shop, checkoutId, paymentSessionId) {
  const box = complaints();
  const button = el('button', { type: 'button', class: 'link' }, t('pay.other'));
  button.addEventListener('click', () => !isBusy(button) && busy(button, async () => {
    complain(box);
    try {
      await shop.client.commerce.paymentSessions.cancelAggregator({ checkoutId, paymentSessionId });
      go('/review');
    } catch (error) {
      complain(box, sentence(error));
    }
  }));
  return el('div', {}, box, el('p', {}, button));
}
