// Where the page is: /console/ENVIRONMENT/SCREEN?FILTERS.
import { signal } from '../vendor/ui.js';
import { environment } from './shop.js';

/** @typedef {{ url: string, path: string, query: Record<string, string>, route: (url: string, replace?: boolean) => void }} Here */

/** @type {Here | undefined} */
let here;

/** How many forms have what is kept nowhere: who leaves them is asked first. */
export const unsent = signal(0);

/** now is told the router's state by the page. @param {Here} location */
export function now(location) {
  here = location;
}

/** place is the address of what is shown, whatever the browser says. */
export const place = () => here?.url ?? location.href;

/**
 * href is the address of a screen in the environment that is shown: `/orders`.
 * @param {string} screen
 */
export function href(screen) {
  return `/console/${environment.value}${screen}`;
}

/** Screens of collections that have one of their own. @type {Record<string, string>} */
const own = {
  'api-keys': '/keys', 'carrier-batches': '/carriers', 'fulfillment-orders': '/packing', 'provider-connections': '/settings/payments',
  roles: '/team/roles', 'shipping-policies': '/settings/shipping', 'tax-rates': '/taxes', users: '/team',
  customers: '/customers', discounts: '/discounts', disputes: '/disputes', 'draft-orders': '/drafts', exports: '/transfers/exports',
  imports: '/transfers/imports', 'mail-deliveries': '/mails', media: '/media', orders: '/orders', pages: '/pages', 'payment-sessions': '/payments', posts: '/posts',
  products: '/products', 'return-requests': '/returns', 'webhook-deliveries': '/webhooks/deliveries', 'webhook-endpoints': '/webhooks',
};

/**
 * screenOf is the screen of a record, or without an id that of its collection: `/orders/0198…`, `/records/brands`.
 * @param {string} slug
 * @param {string} [id]
 */
export function screenOf(slug, id) {
  const at = own[slug] ?? `/records/${slug}`;
  if (!id) return at;
  return slug === 'media' ? `${at}?file=${id}` : `${at}/${id}`;
}

/** follow shows what is at an address, as its link does. @param {string} address */
export const follow = (address) => here?.route(address);

/**
 * go shows a screen.
 * @param {string} screen
 * @param {{ replace?: boolean }} [options] replace: the way back leads past the present one
 */
export function go(screen, { replace = false } = {}) {
  here?.route(href(screen), replace);
}

/**
 * search is the present query of the address, and how to change some of it: null and '' take a name away.
 * @returns {URLSearchParams}
 */
export function search() {
  return new URLSearchParams(location.search);
}

/**
 * searched goes to the same screen with another query.
 * @param {URLSearchParams} query
 * @param {{ replace?: boolean }} [options]
 */
export function searched(query, { replace = true } = {}) {
  const text = query.toString();
  here?.route(location.pathname + (text && `?${text}`), replace);
}
