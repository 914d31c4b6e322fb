import { reader } from './collections.js';
import { helpers, shared } from './commerce.js';
import { core } from './core.js';
import { local } from './errors.js';
import { invitations } from './invitations.js';
import { session, type Token } from './session.js';
import { shopping } from './shopping.js';
import { browserStore, type KeyValueStore, tolerant, within } from './store.js';
import { type Connection, transport } from './transport.js';
import type { Client } from './types.js';

export { CommerceSDKError, type FailureFacts, type FieldError, type LocalReason } from './errors.js';
export { createCommerceIdempotencyKey } from './key.js';
export type { MutationOptions, Pending, PendingOperation, Resumed } from './pending.js';
export type { Token } from './session.js';
export { type KeyValueStore, localStorageStore, type MaybePromise, memoryStore } from './store.js';
export type { Connection, Retry } from './transport.js';
export type * from './types.js';

/** What a browser client is made with. */
export interface ClientConfig extends Connection {
  /** `pk_live_…` or `pk_test_…`. It may be public. */
  clientKey: string;
  /**
   * Where the tokens of the customer, the carts and the checkouts are kept; localStorage in a browser where it works, else
   * memory. On a server that renders pages, give each visitor one of their own.
   */
  storage?: KeyValueStore;
  /** Where operations are kept until their outcome is known; the same default. */
  pending?: KeyValueStore;
  /** Hears of each new customer token, and of null when there is none any more. */
  onTokenRefresh?: (token: Token | null) => void | Promise<void>;
}

/** A client for browsers and apps: it reads what is public and acts for one shopper. Errors: `invalid_configuration`. */
export function createClient(config: ClientConfig): Client {
  const { clientKey, onTokenRefresh } = config;
  if (!/^pk_(live|test)_[!-~]*$/.test(clientKey)) throw local('invalid_configuration', 'A client key begins with pk_live_ or pk_test_.');
  const send = transport(config);
  const storage = within(tolerant(config.storage ?? browserStore()), `${clientKey}:`);
  const shopper = session({ clientKey, storage, send, onTokenRefresh, forget: () => forget() });
  const credentials = () => ({ 'X-Client-Key': clientKey });
  const shop = shopping({ credentials, send, storage, session: shopper });
  const kept = within(config.pending ?? browserStore(), `pending:${clientKey}:`);
  const { call, pending, clear } = core({ credentials, send: shop.send, pending: kept, owner: () => shopper.owner(), shopping: shop.own });
  /** What was the last shopper's is not the next one's. */
  const forget = async () => {
    shop.carts.clear();
    await clear();
    await shop.forget();
  };
  const commerce = helpers(shared, call, '/api/commerce');
  commerce.carts.cached = shop.carts.cached;
  return {
    collections: { from: (slug: string) => reader(call, slug) as any },
    customers: shopper.customers,
    invitations: invitations(clientKey, send),
    commerce,
    pending,
  };
}
