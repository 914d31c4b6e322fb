// Products side by side.

import { el } from './dom.js';
import { picture } from './picture.js';
import { priceLine } from './price.js';
import { t } from './words.js';

/** How many products are asked for at once: rows of two, four or five end even. */
export const PAGE = 20;

/** The tiles of a page of products. */
export async function tilesOf(shop, products) {
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
    el('span', { class: 'tile-picture' },
      picture(shop, product.slug, product.featuredImage), !product.available && el('span', { class: 'tag' }, t('goods.gone'))),
    el('span', { class: 'tile-name' }, product.name),
    product.brand && el('span', { class: 'tile-brand' }, product.brand.name),
    el('span', { class: 'tile-price' }, priceLine(product.priceRange, product.compareAtPriceRange)),
    choices.length > 1 && el('span', { class: 'tile-choices' }, choices.join(', ')));
}
