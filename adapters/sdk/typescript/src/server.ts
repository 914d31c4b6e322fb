import { reader, writer } from './collections.js';
import { helpers, shared, type Table } from './commerce.js';
import { core } from './core.js';
import { local } from './errors.js';
import { allRows, starter, waiter } from './jobs.js';
import { uploader } from './media.js';
import { hash } from './records.js';
import { shopping } from './shopping.js';
import { type KeyValueStore, memoryStore, within } from './store.js';
import { type Connection, transport } from './transport.js';
import type { ServerClient } from './types.js';

export { CommerceSDKError, type FailureFacts, type FieldError, type LocalReason } from './errors.js';
export { createCommerceIdempotencyKey } from './key.js';
export type { MutationOptions, Pending, PendingOperation, Resumed } from './pending.js';
export { type KeyValueStore, type MaybePromise, memoryStore } from './store.js';
export type { Connection, Retry } from './transport.js';
export type * from './types.js';

/** What a server client is made with. */
export interface ServerClientConfig extends Connection {
  /** `pk_live_…` or `pk_test_…`, of the same shop and environment as the secret key. */
  clientKey: string;
  /** `sk_live_…` or `sk_test_…`. It never leaves the server. */
  secretKey: string;
  /**
   * Where operations are kept until their outcome is known; memory unless said otherwise, which a crash empties. Those of another
   * secret key are left alone: the shop knows an operation by the key it came with. Each process has a store of its own. A
   * call with the input of an unsettled one is taken for its repetition: where the same input may be meant twice, give each
   * operation an `idempotencyKey`.
   */
  pending?: KeyValueStore;
}

/** only is what the server client has besides; below the server prefix. */
const only = {
  checkouts: { query: 'GET /checkouts' },
  paymentSessions: {
    confirm: 'POST /payment-sessions/{paymentSessionId}/confirm',
    release: 'POST /payment-sessions/{paymentSessionId}/release',
    findAggregator: 'GET /payment-sessions/aggregator/find',
    reconcileAggregator: 'POST /payment-sessions/aggregator/reconcile',
    custom: {
      create: 'POST /payment-sessions/custom',
      retrieve: 'GET /payment-sessions/custom',
      confirm: 'POST /payment-sessions/custom/confirm',
    },
  },
} satisfies Table;

/** plain is the helpers that stand beside the collections they act on. */
const plain = {
  search: { all: 'GET /search' },
  exports: { start: 'POST /exports', cancel: 'POST /exports/{exportId}/cancel' },
  imports: { cancel: 'POST /imports/{importId}/cancel', rows: 'GET /imports/{importId}/rows' },
  reports: { summary: 'GET /reports/summary', settlement: 'GET /reports/settlement' },
  product: {
    adjustStock: 'POST /product-variants/{variantId}/stock',
    complete: 'GET /products/{productId}/complete',
    createComplete: 'POST /products/complete',
    replaceComplete: 'PUT /products/{productId}/complete',
    duplicate: 'POST /products/{productId}/duplicate',
    adjustPrices: 'POST /products/prices/adjust',
  },
  orders: {
    cancel: 'POST /orders/{orderId}/cancel',
    capture: 'POST /orders/{orderId}/capture',
    transition: 'POST /orders/{orderId}/transitions',
  },
  draftOrders: {
    create: 'POST /draft-orders',
    update: 'PATCH /draft-orders/{draftOrderId}',
    calculate: 'POST /draft-orders/{draftOrderId}/calculate?',
    finalize: 'POST /draft-orders/{draftOrderId}/finalize',
    discard: 'POST /draft-orders/{draftOrderId}/discard',
  },
  returnRequests: {
    returnable: 'GET /orders/{orderId}/returnable',
    preview: 'POST /return-requests/preview?',
    create: 'POST /return-requests',
    approve: 'POST /return-requests/{returnRequestId}/approve',
    reject: 'POST /return-requests/{returnRequestId}/reject',
    receive: 'POST /return-requests/{returnRequestId}/receive',
    refund: 'POST /return-requests/{returnRequestId}/refund',
    cancel: 'POST /return-requests/{returnRequestId}/cancel',
  },
} satisfies Table;

/** files is the helpers that answer files. */
const files = {
  exports: { download: 'GET /exports/{exportId}/file' },
  imports: { rejected: 'GET /imports/{importId}/report' },
  prints: {
    invoice: 'GET /orders/{orderId}/invoice',
    packingSlip: 'GET /fulfillments/{fulfillmentId}/packing-slip',
    label: 'GET /fulfillments/{fulfillmentId}/label',
    toBePacked: 'GET /fulfillment-orders/{fulfillmentOrderId}/packing-slip',
    many: 'GET /fulfillments/prints',
  },
} satisfies Table;

/**
 * A client for the shop's own servers: it acts for the whole shop, with all rights of its secret key. Errors:
 * `invalid_configuration`, also when it is made in a page.
 */
export function createServerClient(config: ServerClientConfig): ServerClient {
  const { clientKey, secretKey } = config;
  const wrong = (why: string) => local('invalid_configuration', why);
  if ('document' in globalThis) throw wrong('A secret key has no place in a browser. Use createClient of @cartwright/sdk there.');
  const environment = /^pk_(live|test)_[!-~]*$/.exec(clientKey)?.[1];
  if (!environment) throw wrong('A client key begins with pk_live_ or pk_test_.');
  if (!/^sk_(live|test)_[!-~]*$/.test(secretKey)) throw wrong('A secret key begins with sk_live_ or sk_test_.');
  if (!secretKey.startsWith(`sk_${environment}_`)) throw wrong('One key is for live, the other one for test.');
  const send = transport(config);
  const credentials = () => ({ 'X-Client-Key': clientKey, 'X-API-Key': secretKey });
  const kept = within(config.pending ?? memoryStore(10_000), `pending:${clientKey}:${hash(secretKey)}:`);
  const { carts, own } = shopping({ credentials, send });
  const { call, file, pending } = core({ credentials, send, pending: kept, shopping: own });
  const uploadTo = (path: string) => uploader(send, credentials, path);
  const upload = uploadTo('/api/media');
  const tables = [
    helpers(shared, call, '/api/server/commerce'),
    helpers(only, call, '/api/server/commerce'),
    helpers(plain, call, '/api'),
    helpers(files, file, '/api'),
  ];
  const commerce: any = {};
  for (const table of tables) for (const [name, group] of Object.entries(table)) commerce[name] = { ...commerce[name], ...(group as object) };
  commerce.carts.cached = carts.cached;
  commerce.exports.wait = waiter(call, 'exports');
  commerce.imports.start = starter(uploadTo('/api/imports'));
  commerce.imports.wait = waiter(call, 'imports');
  commerce.imports.allRows = allRows(commerce.imports.rows);
  return {
    collections: { from: (slug: string) => ({ ...reader(call, slug), ...writer(call, slug), upload }) as any },
    commerce,
    pending,
  };
}
