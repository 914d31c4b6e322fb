// The cart: quantities, discount codes, and what it comes to.

import { busy, complain, complaints, el, isBusy, say } from './dom.js';
import { focusOn } from './router.js';
import { line } from './lines.js';
import { picturesOf } from './picture.js';
import { cartTotals } from './price.js';
import { stepper } from './stepper.js';
import { money, sentence, whyNot } from './words.js';

export async function cart(shop) {
  await shop.basket.load();
  const pictures = await picturesOf(shop, shop.basket.cart?.lines ?? []);
  const box = complaints();
  const heading = el('h1', {}, 'Your cart');
  const body = el('div', {});

  /** Draws the cart anew, unless more changes are on their way: the last one draws what came of all. */
  function draw() {
    if (shop.basket.waiting) return;
    const { activeElement } = document;
    const held = body.contains(activeElement) ? activeElement.id : null;
    body.replaceChildren(...(shop.basket.size ? full(shop, pictures, attempt) : empty()));
    if (held === null) return;
    const again = document.getElementById(held);
    if (again) again.focus();
    else focusOn(heading); // what was removed takes the focus with it
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
  return { title: 'Your cart', content: [el('div', { class: 'page' }, heading, box, body)], leave: () => shop.basket.removeEventListener('change', draw) };
}

function empty() {
  return [
    el('p', { class: 'lead' }, 'There is nothing in it yet.'),
    el('p', {}, el('a', { class: 'button', href: '#/' }, 'Look around')),
  ];
}

function full(shop, pictures, attempt) {
  const { cart: it } = shop.basket;
  return [
    el('div', { class: 'split' },
      el('ul', { class: 'lines' }, it.lines.map((item) => changeable(shop, pictures, item, it.currency, attempt))),
      el('section', { class: 'summary', 'aria-label': 'What it comes to' }, codes(shop, it, attempt), cartTotals(it), forward(it))),
  ];
}

function changeable(shop, pictures, item, currency, attempt) {
  const tickets = item.kind === 'event'; // each has a name on it, so they are chosen where names are given
  const quantity = stepper({ id: `quantity-${item.id}`, label: `Quantity of ${item.title}`, value: item.quantity });
  quantity.element.addEventListener('change', () => attempt(async () => {
    await shop.basket.setQuantity(item.id, quantity.value);
    say(`${item.title}: ${quantity.value}. Total ${money(shop.basket.cart.totals.total, currency)}.`);
  }));
  const remove = el('button', { type: 'button', class: 'link', id: `remove-${item.id}`, 'aria-label': `Remove ${item.title}` }, 'Remove');
  remove.addEventListener('click', () => attempt(async () => {
    await shop.basket.remove(item.id);
    say(`${item.title} is no longer in your cart.`);
  }));
  return line(shop, pictures, item, currency,
    !item.available && el('p', { class: 'warning' }, 'There are not that many left. Please take fewer, or remove it.'),
    item.priceChanged && el('p', { class: 'warning' }, `The price changed to ${money(item.unitPrice, currency)}.`),
    el('div', { class: 'line-tools' }, tickets ? el('span', { class: 'line-variant' }, `Tickets: ${item.quantity}`) : quantity.element, remove));
}

function codes(shop, it, attempt) {
  const listed = it.discountCodes.map((c) => c.code);
  const input = el('input', { id: 'code', name: 'code', autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false' });
  const button = el('button', { class: 'button quiet', id: 'use-code' }, 'Apply');
  const form = el('form', { class: 'code-form' }, el('label', { for: 'code' }, 'Discount code'), el('div', { class: 'code-row' }, input, button));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const code = input.value.trim();
    if (!code || isBusy(button)) return;
    busy(button, () => attempt(async () => {
      await shop.basket.setCodes([...listed, code]);
      const made = shop.basket.cart.discountCodes.find((c) => c.code.toUpperCase() === code.toUpperCase());
      say(made?.applied ? `${made.code} is applied.` : whyNot(made?.reason));
    }));
  });
  return [form, listed.length > 0 && el('ul', { class: 'codes' }, it.discountCodes.map((c) => code(shop, c, listed, it.currency, attempt)))];
}

function code(shop, it, listed, currency, attempt) {
  const worth = it.amount > 0 ? `−${money(it.amount, currency)}` : 'applied';
  return el('li', { class: it.applied ? 'code is-applied' : 'code' },
    el('span', { class: 'code-name' }, it.code), el('span', { class: 'code-worth' }, it.applied ? worth : whyNot(it.reason)),
    el('button', {
      type: 'button', class: 'link', id: `drop-${it.code}`, 'aria-label': `Remove code ${it.code}`,
      onclick: () => attempt(() => shop.basket.setCodes(listed.filter((c) => c !== it.code))),
    }, 'Remove'));
}

function forward(it) {
  const stuck = it.lines.some((item) => !item.available);
  return stuck
    ? el('p', { class: 'warning' }, 'Something in your cart is not there any more. Please look at what is marked.')
    : el('a', { class: 'button wide', href: '#/checkout' }, 'Go to checkout');
}
