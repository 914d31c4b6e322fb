// What there is: all of it, or one category.

import { el, busy, isBusy, say } from './dom.js';
import { picture } from './picture.js';
import { priceLine } from './price.js';
import { count, currencyName, sentence } from './words.js';
import { dawn } from './art-dawn.js';
import { nothing } from './page-nothing.js';

const PAGE = 20; // rows of two, four or five end even

export async function goods(shop) {
  const shelf = await openShelf(shop, {});
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

export async function category(shop, { slug }) {
  const group = shop.categories.find((c) => c.slug === slug);
  if (!group) return nothing(shop);
  const shelf = await openShelf(shop, { category: { equals: group.id } });
  return {
    title: group.seo?.title || group.name,
    seo: { description: group.seo?.description || group.description, noIndex: group.seo?.noIndex },
    content: [
      el('div', { class: 'page heading' },
        el('h1', {}, group.name),
        group.description && el('p', { class: 'lead' }, group.description)),
      shelf.element,
    ],
  };
}

function prices(shop, total) {
  const things = count(total, 'thing');
  return shop.market ? `${things}, priced in ${currencyName(shop.market.currency)}.` : `${things}.`;
}

/** A grid of products that grows at its end. */
async function openShelf(shop, where) {
  const grid = el('ul', { class: 'grid' });
  const more = el('button', { type: 'button', class: 'button quiet' }, 'Show more');
  const foot = el('div', { class: 'more' }, el('p', { class: 'so-far' }), more);
  let page = 0;

  async function grow() {
    const list = await shop.client.commerce.product.listingPage({
      ...(shop.market && { market: shop.market.code }), where, page: page + 1, limit: PAGE, sort: 'createdAt',
    });
    page = list.page;
    const tiles = await tilesOf(shop, list.docs);
    grid.append(...tiles);
    foot.firstChild.textContent = `${grid.children.length} of ${count(list.totalDocs, 'thing')}`;
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
  return { total, element: el('section', { class: 'page shelf', 'aria-label': 'Products' }, grid, foot) };
}

async function tilesOf(shop, products) {
  const choices = await choicesOf(shop, products);
  return products.map((product) => el('li', {}, tile(shop, product, choices.get(product.id) ?? [])));
}

/** The values of each product's first option: "Sea, Ash, Milk". */
async function choicesOf(shop, products) {
  const first = new Map();
  if (products.length === 0) return first;
  const { groups } = await shop.client.commerce.product.listingGroupsCatalog({
    productIds: products.map((product) => product.id), ...(shop.market && { market: shop.market.code }),
  });
  for (const { productId, items } of groups) {
    if (!first.has(productId)) first.set(productId, items.map((item) => item.label));
  }
  return first;
}

function tile(shop, product, choices) {
  return el('a', { class: `tile${product.available ? '' : ' is-gone'}`, href: `#/products/${product.slug}` },
    el('span', { class: 'tile-picture' }, picture(shop, product.name, product.featuredImage), !product.available && el('span', { class: 'tag' }, 'Sold out')),
    el('span', { class: 'tile-name' }, product.name),
    product.brand && el('span', { class: 'tile-brand' }, product.brand.name),
    el('span', { class: 'tile-price' }, priceLine(product.priceRange, product.compareAtPriceRange)),
    choices.length > 1 && el('span', { class: 'tile-choices' }, choices.join(', ')));
}
