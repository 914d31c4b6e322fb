// Who buys, and where it goes: the address is asked for when there is something to send, and only then.

import { busy, complain, complaints, el, isBusy } from './dom.js';
import { go } from './router.js';
import { check, field, showFields, values } from './fields.js';
import { fixedLines } from './lines.js';
import { picturesOf } from './picture.js';
import { cartTotals } from './price.js';
import { recall, remember } from './memory.js';
import { country, sentence } from './words.js';
import { DETAILS, steps } from './steps.js';

export async function checkout(shop) {
  await shop.basket.load();
  const it = shop.basket.cart;
  if (!it?.lines.length) {
    return { title: 'Checkout', content: [el('div', { class: 'page narrow' },
      el('h1', {}, 'Checkout'), el('p', { class: 'lead' }, 'There is nothing in your cart yet.'),
      el('p', {}, el('a', { class: 'button', href: '#/' }, 'Look around')))] };
  }
  const pictures = await picturesOf(shop, it.lines);
  return {
    title: 'Checkout',
    content: [el('div', { class: 'page' },
      steps(DETAILS),
      el('h1', {}, it.requiresShipping ? 'Where does it go?' : 'Where may we write?'),
      el('div', { class: 'split' }, details(shop, it), el('section', { class: 'summary', 'aria-label': 'Your order' },
        fixedLines(shop, pictures, it.lines, it.currency), cartTotals(it))))],
  };
}

function details(shop, it) {
  const before = recall('contact') ?? {};
  const box = complaints();
  const button = el('button', { class: 'button wide' }, 'Continue');
  const form = el('form', { class: 'form', novalidate: true },
    field({ name: 'email', label: 'Email', type: 'email', autocomplete: 'email', value: before.email, wide: true, hint: 'For the confirmation of your order.' }),
    it.requiresShipping && address(shop, before.shippingAddress ?? {}),
    box, el('p', { class: 'is-wide' }, button));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    complain(box);
    if (check(form) && !isBusy(button)) busy(button, () => send(shop, it, form, box));
  });
  return form;
}

async function send(shop, it, form, box) {
  const given = values(form);
  try {
    // The revision that the shopper saw: a cart that changed in another window is not checked out behind their back.
    const { checkout: made } = await shop.client.commerce.checkouts.create({ cartId: it.id, expectedRevision: it.revision, ...given });
    remember('contact', { ...recall('contact'), ...given });
    remember('checkout', made.id);
    go('/review');
  } catch (error) {
    if (error.reason === 'cart_revision_conflict') await shop.basket.load();
    if (showFields(form, error)) complain(box, sentence(error), ...wayOut(error));
  }
}

function wayOut(error) {
  if (error.reason === 'payment_slot_held' && recall('checkout')) return [el('a', { href: '#/review' }, 'Look at that payment')];
  return ['cart_revision_conflict', 'out_of_stock', 'variant_unavailable'].includes(error.reason) ? [el('a', { href: '#/cart' }, 'Go to the cart')] : [];
}

const NAME = 'shippingAddress';

function address(shop, before) {
  const countries = shop.market?.countries ?? [];
  const korean = countries.length === 1 && countries[0] === 'KR';
  return el('fieldset', { class: 'form is-wide' }, el('legend', {}, 'Delivery'),
    field({ name: `${NAME}.recipientName`, label: 'Name', autocomplete: 'shipping name', value: before.recipientName }),
    field({ name: `${NAME}.phone`, label: 'Phone', type: 'tel', autocomplete: 'shipping tel', value: before.phone, hint: 'For the carrier.' }),
    field({ name: `${NAME}.address1`, label: 'Street and number', autocomplete: 'shipping address-line1', value: before.address1, wide: true }),
    field({ name: `${NAME}.address2`, label: 'Flat, floor', autocomplete: 'shipping address-line2', value: before.address2, optional: true }),
    field({
      name: `${NAME}.postalCode`, label: 'Postal code', autocomplete: 'shipping postal-code', value: before.postalCode, maxlength: 20,
      ...(korean && { inputmode: 'numeric', pattern: '\\d{5}', hint: 'Five digits.' }),
    }),
    countries.length > 0 && field({
      name: `${NAME}.country`, label: 'Country', autocomplete: 'shipping country', options: countries.map((code) => [code, country(code), code === before.country]),
    }),
    field({ name: `${NAME}.deliveryNote`, label: 'Note for the carrier', value: before.deliveryNote, optional: true, wide: true }));
}
