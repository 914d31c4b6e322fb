// What a shopper looks for, as it stands in the address of the page and as the server is asked for it.

import { PAGE } from './shelf.js';

/** The filters that take several values. */
export const LISTS = ['categories', 'brands', 'options'];

/** How many products one answer may have. */
const MOST = 100;

/** {q, sort, categories, brands, options, minPrice, maxPrice, inStock, shown} of the query of an address; anybody may write one. */
export function asked(params) {
  const shown = Math.ceil(Number(params.get('shown')) / PAGE) * PAGE;
  return {
    q: params.get('q')?.trim() ?? '',
    sort: params.get('sort') ?? '',
    ...Object.fromEntries(LISTS.map((name) => [name, params.getAll(name)])),
    minPrice: params.get('minPrice') ?? '',
    maxPrice: params.get('maxPrice') ?? '',
    inStock: params.get('inStock') === 'true',
    shown: shown >= PAGE ? Math.min(shown, MOST) : PAGE,
  };
}

/** The query of what is asked: only what differs from asking for everything. */
export function queryOf({ shown, ...filters }) {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) for (const one of [value].flat()) if (one) params.append(name, one);
  if (shown > PAGE) params.set('shown', Math.min(shown, MOST));
  return params;
}

/** A query that asks for no price. */
export function withoutPrices(params) {
  params.delete('minPrice');
  params.delete('maxPrice');
  return params;
}

/** What is asked without any filter. */
export const unfiltered = ({ q, sort, shown }) => ({ ...asked(new URLSearchParams()), q, sort, shown });

/** Reports whether anything narrows what is found. */
export const isFiltered = ({ minPrice, maxPrice, inStock, ...lists }) => Boolean(minPrice || maxPrice || inStock || LISTS.some((name) => lists[name].length));

/** One page of products of a shop, of `limit` each. `group` is the category that the page is about. */
export function find(shop, { shown, inStock, ...filters }, { group, ...page }) {
  const given = Object.entries(filters).filter(([, value]) => value.length > 0);
  return shop.client.commerce.product.search({
    ...Object.fromEntries(given), ...inStock && { inStock }, ...group && { categories: [group.id] }, ...shop.market && { market: shop.market.code }, ...page,
  });
}
