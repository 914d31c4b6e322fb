// The cart: quantities, discount codes, and what it comes to.

import { busy, complain, complaints, el, isBusy, redraw, say } from './dom.js';
import { line } from './lines.js';
import { picturesOf } from './picture.js';
import { cartTotals } from './price.js';
import { stepper } from './stepper.js';
import { money, sentence, t, whyNot } from './words.js';

export async function cart(shop) {
  await shop.basket.load();
  const pictures = await picturesOf(shop, shop.basket.cart?.lines ?? []);
  const box = complaints();
  const heading = el('h1', {}, t('cart.title'));
  const body = el('div', {});

  /** Draws the cart anew, unless more changes are on their way: the last one draws what came of all. */
  function draw() {
    if (shop.basket.waiting) return;
    redraw(body, shop.basket.size ? full(shop, pictures, attempt) : empty(), heading);
  }

  /** Tries a change, tells what went wrong, and shows the cart as it is then. */
  async function attempt(work) {
    complain(box);
    try {
      await work();
    } catch (error) {
      complain(box, sentence(error));
      draw();
    }
  }

  shop.basket.addEventListener('change', draw);
  draw();
  return { title: t('cart.title'), content: [el('div', { class: 'page' }, heading, box, body)], leave: () => shop.basket.removeEventListener('change', draw) };
}

function empty() {
  return [
    el('p', { class: 'lead' }, t('cart.empty')),
    el('p', {}, el('a', { class: 'button', href: '#/' }, t('shop.look'))),
  ];
}

function full(shop, pictures, attempt) {
  const { cart: it } = shop.basket;
  return [
    el('div', { class: 'split' },
      el('ul', { class: 'lines' }, it.lines.map((item) => changeable(shop, pictures, item, it.currency, attempt))),
      el('section', { class: 'summary', 'aria-label': t('cart.sums') }, codes(shop, it, attempt), cartTotals(it), forward(it))),
  ];
}

function changeable(shop, pictures, item, currency, attempt) {
  const tickets = item.kind === 'event'; // each has a name on it, so they are chosen where names are given
  const quantity = stepper({ id: `quantity-${item.id}`, label: t('line.quantity-of', { name: item.title }), value: item.quantity });
  quantity.element.addEventListener('change', () => attempt(async () => {
    await shop.basket.setQuantity(item.id, quantity.value);
    say(t('cart.changed', { name: item.title, number: quantity.value, total: money(shop.basket.cart.totals.total, currency) }));
  }));
  const remove = el('button', { type: 'button', class: 'link', id: `remove-${item.id}`, 'aria-label': t('line.remove-what', { name: item.title }) }, t('line.remove'));
  remove.addEventListener('click', () => attempt(async () => {
    await shop.basket.remove(item.id);
    say(t('cart.removed', { name: item.title }));
  }));
  return line(shop, pictures, item, currency,
    !item.available && el('p', { class: 'warning' }, t('cart.few')),
    item.priceChanged && el('p', { class: 'warning' }, t('cart.price-changed', { price: money(item.unitPrice, currency) })),
    el('div', { class: 'line-tools' }, tickets ? el('span', { class: 'line-variant' }, t('line.tickets', { number: item.quantity })) : quantity.element, remove));
}

function codes(shop, it, attempt) {
  const listed = it.discountCodes.map((c) => c.code);
  const input = el('input', { id: 'code', name: 'code', autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false' });
  const button = el('button', { class: 'button quiet', id: 'use-code' }, t('cart.use-code'));
  const form = el('form', { class: 'code-form' }, el('label', { for: 'code' }, t('cart.code')), el('div', { class: 'code-row' }, input, button));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const code = input.value.trim();
    if (!code || isBusy(button)) return;
    busy(button, () => attempt(async () => {
      await shop.basket.setCodes([...listed, code]);
      const made = shop.basket.cart.discountCodes.find((c) => c.code.toUpperCase() === code.toUpperCase());
      say(made?.applied ? t('cart.code-used', { code: made.code }) : whyNot(made?.reason));
    }));
  });
  return [form, listed.length > 0 && el('ul', { class: 'codes' }, it.discountCodes.map((c) => code(shop, c, listed, it.currency, attempt)))];
}

function code(shop, it, listed, currency, attempt) {
  const worth = it.amount > 0 ? `−${money(it.amount, currency)}` : t('cart.applied');
  return el('li', { class: it.applied ? 'code is-applied' : 'code' },
    el('span', { class: 'code-name' }, it.code), el('span', { class: 'code-worth' }, it.applied ? worth : whyNot(it.reason)),
    el('button', {
      type: 'button', class: 'link', id: `drop-${it.code}`, 'aria-label': t('cart.drop-code', { code: it.code }),
      onclick: () => attempt(() => shop.basket.setCodes(listed.filter((c) => c !== it.code))),
    }, t('line.remove')));
}

function forward(it) {
  const stuck = it.lines.some((item) => !item.available);
  return stuck
    ? el('p', { class: 'warning' }, t('cart.stuck'))
    : el('a', { class: 'button wide', href: '#/checkout' }, t('cart.checkout'));
}
