import type { Call, Route } from './core.js';

/** Helpers by name; a route that ends in `?` is a POST that changes nothing. */
export type Table = { [name: string]: Route | Table };

/**
 * shared is the helpers of both clients below the prefix of either: `/api/commerce` or `/api/server/commerce`. Rule sdk-9.
 */
export const shared = {
  shop: { retrieve: 'GET /shop' },
  addresses: { format: 'GET /addresses/format' },
  product: {
    detail: 'GET /products/detail',
    detailCatalog: 'GET /products/detail-catalog',
    listingPage: 'GET /products/listing',
    search: 'GET /products/search',
    listingGroupsCatalog: 'POST /products/listing-groups?',
    stockCheck: 'POST /products/stock-check?',
  },
  carts: {
    create: 'POST /carts',
    retrieve: 'GET /carts/{cartId}',
    mine: 'GET /carts/mine',
    merge: 'POST /carts/merge',
    addItem: 'POST /carts/{cartId}/items',
    updateItem: 'PATCH /carts/{cartId}/items/{lineId}',
    removeItem: 'DELETE /carts/{cartId}/items/{lineId}',
    updateDiscountCodes: 'PUT /carts/{cartId}/discount-codes',
    updateAttributes: 'PUT /carts/{cartId}/attributes',
    clear: 'POST /carts/{cartId}/clear',
  },
  cart: {
    create: 'POST /cart',
    get: 'GET /cart/{cartId}',
    addItem: 'POST /cart/{cartId}/items',
    updateItem: 'PATCH /cart/{cartId}/items/{lineId}',
    removeItem: 'DELETE /cart/{cartId}/items/{lineId}',
    updateDiscountCodes: 'PUT /cart/{cartId}/discount-codes',
    clear: 'POST /cart/{cartId}/clear',
    applyDiscount: 'POST /cart/{cartId}/apply-discount',
    removeDiscount: 'POST /cart/{cartId}/remove-discount',
  },
  discounts: { validate: 'POST /discounts/validate?' },
  shipping: { calculate: 'POST /shipping/calculate?' },
  checkouts: {
    create: 'POST /checkouts',
    retrieve: 'GET /checkouts/{checkoutId}',
    update: 'PATCH /checkouts/{checkoutId}',
    complete: 'POST /checkouts/{checkoutId}/complete',
  },
  paymentSessions: {
    create: 'POST /payment-sessions',
    retrieve: 'GET /payment-sessions/{paymentSessionId}',
    cancel: 'POST /payment-sessions/{paymentSessionId}/cancel',
    createAggregator: 'POST /payment-sessions/aggregator',
    retrieveAggregator: 'GET /payment-sessions/aggregator/{paymentSessionId}',
    cancelAggregator: 'POST /payment-sessions/aggregator/{paymentSessionId}/cancel',
  },
  orders: { checkout: 'POST /orders/checkout' },
} satisfies Table;

/** helpers makes functions of a table: `(input, options)` each, named after where they stand. */
export function helpers(table: Table, call: Call, prefix: string, above = ''): any {
  return Object.fromEntries(
    Object.entries(table).map(([name, at]) => {
      if (typeof at !== 'string') return [name, helpers(at, call, prefix, `${above}${name}.`)];
      const [method, path = ''] = at.split(' ');
      const route = `${method} ${prefix}${path.replace('?', '')}` as Route;
      return [name, (input?: object, options?: object) => call(above + name, route, input, options, path.endsWith('?'))];
    }),
  );
}
