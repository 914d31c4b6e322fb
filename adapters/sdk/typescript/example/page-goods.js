// All that there is, in the shop's order.

import { el, busy, isBusy, say } from './dom.js';
import { currencyName, sentence, t } from './words.js';
import { dawn } from './art-dawn.js';
import { PAGE, tilesOf } from './shelf.js';

export async function goods(shop) {
  const shelf = await openShelf(shop);
  return {
    title: shop.name,
    content: [
      el('div', { class: 'hero' }, dawn(), el('div', { class: 'hero-words' },
        el('h1', {}, shop.name),
        el('p', { class: 'lead' }, prices(shop, shelf.total)))),
      shelf.element,
    ],
  };
}

function prices({ market }, count) {
  return market ? t('goods.things-in', { count, currency: currencyName(market.currency) }) : t('goods.things', { count });
}

/** A grid of products that grows at its end. */
async function openShelf(shop) {
  const grid = el('ul', { class: 'grid' });
  const more = el('button', { type: 'button', class: 'button quiet' }, t('goods.more'));
  const foot = el('div', { class: 'more' }, el('p', { class: 'so-far' }), more);
  let page = 0;

  async function grow() {
    const list = await shop.client.commerce.product.listingPage({
      ...(shop.market && { market: shop.market.code }), page: page + 1, limit: PAGE, sort: 'createdAt',
    });
    page = list.page;
    const tiles = await tilesOf(shop, list.docs);
    grid.append(...tiles);
    foot.firstChild.textContent = t('goods.so-far', { shown: grid.children.length, count: list.totalDocs });
    more.hidden = !list.hasNextPage;
    return { tiles, total: list.totalDocs };
  }

  more.addEventListener('click', () => !isBusy(more) && busy(more, async () => {
    try {
      const { tiles } = await grow();
      tiles[0]?.querySelector('a').focus(); // what is new begins there
    } catch (error) {
      say(sentence(error));
    }
  }));

  const { total } = await grow();
  return { total, element: el('section', { class: 'page shelf', 'aria-label': t('goods.label') }, grid, foot) };
}
