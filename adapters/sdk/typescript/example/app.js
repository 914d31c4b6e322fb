// Where it starts: the shop is opened, then the address says which page is shown.

import { NoKey, openShop } from './shop.js';
import { el } from './dom.js';
import { drawFooter, drawHeader } from './header.js';
import { sentence, t } from './words.js';
import { route, start } from './router.js';
import { askForKey } from './page-key.js';
import { goods } from './page-goods.js';
import { category, search } from './page-search.js';
import { product } from './page-product.js';
import { cart } from './page-cart.js';
import { checkout } from './page-checkout.js';
import { review } from './page-review.js';
import { pay } from './page-pay.js';
import { payment } from './page-payment.js';
import { order } from './page-order.js';
import { nothing } from './page-nothing.js';

route('/', goods);
route('/search', search);
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

const skip = document.querySelector('#skip');
skip.textContent = t('shop.skip');
skip.addEventListener('click', (event) => {
  event.preventDefault(); // the address is the router's
  document.querySelector('#main').focus();
});

try {
  const shop = await openShop();
  drawHeader(shop);
  drawFooter(shop);
  await start(shop, nothing);
} catch (error) {
  if (error instanceof NoKey) askForKey();
  else failed(error);
}

function failed(error) {
  document.querySelector('#main').replaceChildren(
    el('div', { class: 'page narrow' },
      el('h1', {}, t('shop.closed')),
      el('p', { class: 'lead', role: 'alert' }, sentence(error)),
      el('p', {}, el('button', { type: 'button', class: 'button', onclick: () => location.reload() }, t('shop.again')))));
  document.querySelector('#main').removeAttribute('aria-busy');
}
