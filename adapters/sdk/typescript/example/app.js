// Where it starts: the shop is opened, then the address says which page is shown.

import { business } from './business.js';
import { choose, NoKey, openShop } from './shop.js';
import { el, say } from './dom.js';
import { count, sentence } from './words.js';
import { here, route, show, start } from './router.js';
import { recall } from './memory.js';
import { askForKey } from './page-key.js';
import { goods, category } from './page-goods.js';
import { product } from './page-product.js';
import { cart } from './page-cart.js';
import { checkout } from './page-checkout.js';
import { review } from './page-review.js';
import { pay } from './page-pay.js';
import { payment } from './page-payment.js';
import { order } from './page-order.js';
import { nothing } from './page-nothing.js';

route('/', goods);
route('/category/:slug', category);
route('/products/:slug', product);
route('/cart', cart);
route('/checkout', checkout);
route('/review', review);
route('/pay/:token', pay);
route('/payment', payment);
route('/orders/:checkout', order);

// The payment page leads back to an address without #: what it adds there is for nobody to believe, so it is dropped.
if (new URLSearchParams(location.search).has('paid')) history.replaceState(null, '', `${location.pathname}#/payment`);

document.querySelector('#skip').addEventListener('click', (event) => {
  event.preventDefault(); // the address is the router's
  document.querySelector('#main').focus();
});

try {
  const shop = await openShop();
  drawHeader(shop);
  drawFooter(shop);
  shop.basket.addEventListener('change', () => drawCount(shop));
  document.addEventListener('shown', () => markPlace());
  await start(shop, nothing);
} catch (error) {
  if (error instanceof NoKey) askForKey();
  else failed(error);
}

function drawHeader(shop) {
  document.querySelector('#header').replaceChildren(
    el('a', { class: 'name', href: '#/' }, shop.name),
    el('nav', { class: 'groups', 'aria-label': 'Categories' },
      el('ul', {}, shop.categories.map((group) => el('li', {}, el('a', { href: `#/category/${group.slug}` }, group.name))))),
    el('div', { class: 'tools' }, shop.markets.length > 1 && marketSwitch(shop), cartLink()));
  drawCount(shop);
}

function marketSwitch(shop) {
  const select = el('select', { id: 'market', 'aria-label': 'Prices for' },
    shop.markets.map((m) => el('option', { value: m.code, selected: m.code === shop.market.code }, m.name)));
  select.addEventListener('change', async () => {
    try {
      await choose(shop, select.value);
      await show({ first: true }); // the focus stays on the switch
      say(`Prices are for ${shop.market.name} now.`);
    } catch (error) {
      say(sentence(error));
    }
  });
  return el('span', { class: 'market' }, select);
}

function cartLink() {
  return el('a', { class: 'cart-link', href: '#/cart' }, 'Cart',
    el('span', { class: 'badge', id: 'cart-size', 'aria-hidden': 'true' }), el('span', { class: 'unseen', id: 'cart-said' }));
}

function drawCount(shop) {
  const { size } = shop.basket;
  document.querySelector('#cart-size').textContent = size || '';
  document.querySelector('#cart-said').textContent = size ? `, ${count(size, 'item')}` : ', empty';
}

/** Tells in the header where we are. */
function markPlace() {
  for (const link of document.querySelectorAll('.header a')) {
    if (link.hash === `#${here()}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  const last = recall('order');
  document.querySelector('#last-order').replaceChildren(...(last ? [el('a', { href: `#/orders/${last.checkout}` }, `Your order ${last.number}`)] : []));
}

function drawFooter(shop) {
  document.querySelector('#footer').replaceChildren(
    el('p', { class: 'footer-name' }, shop.name),
    ...business(shop.info).map((line) => el('p', { class: 'business' }, line)),
    el('p', {}, 'An example storefront. Payments go to a sandbox: no money moves, and no parcel comes.'),
    el('p', { id: 'last-order' }));
}

function failed(error) {
  document.querySelector('#main').replaceChildren(
    el('div', { class: 'page narrow' },
      el('h1', {}, 'The shop is closed for a moment'),
      el('p', { class: 'lead', role: 'alert' }, sentence(error)),
      el('p', {}, el('button', { type: 'button', class: 'button', onclick: () => location.reload() }, 'Try again'))));
  document.querySelector('#main').removeAttribute('aria-busy');
}
