// What stands above and below each page: the search, the markets, the languages, the cart, and who is behind the shop.

import { business } from './business.js';
import { choose } from './shop.js';
import { el, say } from './dom.js';
import { language, LANGUAGES, speak } from './language.js';
import { marketName, sentence, t } from './words.js';
import { here, query, show, withQuery } from './router.js';
import { recall } from './memory.js';
import { searchField } from './search-field.js';
import { withoutPrices } from './search-query.js';

export function drawHeader(shop) {
  document.querySelector('#header').replaceChildren(
    el('a', { class: 'name', href: '#/' }, shop.name),
    searchField(shop),
    el('nav', { class: 'groups', 'aria-label': t('shop.categories') },
      el('ul', {}, shop.categories.map((group) => el('li', {}, el('a', { href: `#/category/${group.slug}` }, group.name))))),
    el('div', { class: 'tools' }, languageSwitch(), shop.markets.length > 1 && marketSwitch(shop), cartLink()));
  drawCount(shop);
  shop.basket.addEventListener('change', () => drawCount(shop));
  document.addEventListener('shown', () => markPlace());
}

function languageSwitch() {
  const select = el('select', { id: 'language', 'aria-label': t('shop.language') },
    Object.entries(LANGUAGES).map(([code, name]) => el('option', { value: code, lang: code, selected: code === language }, name)));
  select.addEventListener('change', () => speak(select.value));
  return el('span', { class: 'pick' }, select);
}

function marketSwitch(shop) {
  const select = el('select', { id: 'market', 'aria-label': t('shop.market') },
    shop.markets.map((m) => el('option', { value: m.code, selected: m.code === shop.market.code }, marketName(shop, m))));
  select.addEventListener('change', async () => {
    try {
      await choose(shop, select.value);
      history.replaceState(null, '', `#${withQuery(here(), withoutPrices(query()))}`); // they were in the other currency
      await show({ first: true }); // the focus stays on the switch
      say(t('shop.market-now', { market: marketName(shop, shop.market) }));
    } catch (error) {
      say(sentence(error));
    }
  });
  return el('span', { class: 'pick' }, select);
}

function cartLink() {
  return el('a', { class: 'cart-link', href: '#/cart' }, t('shop.cart'),
    el('span', { class: 'badge', id: 'cart-size', 'aria-hidden': 'true' }), el('span', { class: 'unseen', id: 'cart-said' }));
}

function drawCount(shop) {
  const { size } = shop.basket;
  document.querySelector('#cart-size').textContent = size || '';
  document.querySelector('#cart-said').textContent = size ? t('shop.cart-size', { count: size }) : t('shop.cart-empty');
}

/** Tells in the header where we are. */
function markPlace() {
  for (const link of document.querySelectorAll('.header a')) {
    if (link.hash === `#${here()}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  const last = recall('order');
  document.querySelector('#last-order').replaceChildren(
    ...(last ? [el('a', { href: `#/orders/${last.checkout}` }, t('shop.last-order', { number: last.number }))] : []));
}

export function drawFooter(shop) {
  document.querySelector('#footer').replaceChildren(
    el('p', { class: 'footer-name' }, shop.name),
    ...business(shop.info).map((line) => el('p', { class: 'business' }, line)),
    el('p', {}, t('shop.example')),
    el('p', { id: 'last-order' }));
}
