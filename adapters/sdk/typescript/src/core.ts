import { cartCache } from './carts.js';
import { ended, local } from './errors.js';
import { type Change, journal, type MutationOptions } from './pending.js';
import type { Session } from './session.js';
import { type KeyValueStore, remember, within } from './store.js';
import type { Send } from './transport.js';

/** An operation as a table has it: `METHOD path`, with the inputs that stand in the path in braces. */
export type Route = `${'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'} ${string}`;

/** What both clients are made of. */
export interface Parts {
  clientKey: string;
  /** Servers only. */
  secretKey?: string;
  send: Send;
  pending: KeyValueStore;
  /** Browsers only: where tokens are. */
  storage?: KeyValueStore;
  session?: Session;
}

type Input = Record<string, any>;

/** A call: name of the helper, route, input. safe: a POST that changes nothing. */
export type Call = (name: string, route: Route, input?: object, options?: MutationOptions, safe?: boolean) => Promise<any>;

export function core(parts: Parts) {
  const { clientKey, secretKey, send, storage, session } = parts;
  const carts = cartCache();

  /** headers are those of a call that goes out now; the right to a cart or a checkout is taken from the storage. */
  async function headers(body: string | null, holder?: string, key?: string): Promise<Record<string, string>> {
    const out: Record<string, string> = { 'X-Client-Key': clientKey, Accept: 'application/json' };
    if (body !== null) out['Content-Type'] = 'application/json';
    if (key !== undefined) out['Idempotency-Key'] = key;
    if (secretKey) out['X-API-Key'] = secretKey;
    const bearer = await session?.bearer();
    if (bearer) out.Authorization = `Bearer ${bearer}`;
    const token = holder && (await storage?.get(holder));
    if (token) out[holder.startsWith('cart:') ? 'X-Cart-Token' : 'X-Checkout-Token'] = token;
    for (const value of Object.values(out)) {
      // The platform would name the value when it refuses it.
      if (/[^ -~]/.test(value)) throw local('invalid_request', 'A key or token has characters that no header can carry.');
    }
    return out;
  }

  /** watched is send that takes leave of a customer's token when it has ended. */
  const watched: Send = async (wire, manner) => {
    try {
      return await send(wire, manner);
    } catch (e) {
      const bearer = wire.headers.Authorization;
      if (bearer && ended(e)) await session?.expired(bearer.slice(7));
      throw e;
    }
  };

  /** finish keeps what an answer brings: the newest state of a cart, and the tokens that are told only once. */
  async function finish(body: any): Promise<any> {
    const cart = body.cart ?? (body.revision && body.lines ? body : undefined);
    const { cartToken, checkoutToken, paymentSession } = body;
    if (storage && cart && cartToken) await remember(storage, 'cart', cart.id, cartToken);
    if (storage && checkoutToken) await remember(storage, 'checkout', body.checkout.id, checkoutToken);
    if (storage && typeof paymentSession?.checkout === 'string') await remember(storage, 'session', paymentSession.id, paymentSession.checkout);
    const newest = cart && carts.observe(cart);
    return 'cart' in body ? { ...body, cart: newest ?? null, receipt: body.cart } : body;
  }

  const pending = journal({
    store: within(parts.pending, `pending:${clientKey}:`),
    send: watched,
    headers: (change, key) => headers(change.body, change.holder, key),
    finish: async (change, body) => (change.path.includes('/commerce/') ? finish(body) : body),
  });

  const call: Call = async (name, route, input = {}, options = {}, safe = false) => {
    const change = await plan(name, route, { ...input });
    if (safe || change.method === 'GET') {
      const { signal, timeout } = options;
      const wire = { ...change, headers: await headers(change.body, change.holder) };
      return answered(change, await watched(wire, { signal, timeout, repeat: true }));
    }
    return pending.run(change, options);
  };

  const answered = (change: Change, body: any) => (change.path.includes('/commerce/') ? finish(body) : body);

  /** plan makes an operation of a helper's name, route and input. */
  async function plan(operation: string, route: Route, input: Input): Promise<Change> {
    const [method = '', template = ''] = route.split(' ');
    const holder = storage && (await capability(storage, template, input));
    delete input.cartToken;
    delete input.checkoutToken;
    if (storage && /^carts\.(?!create|merge)/.test(operation) && method !== 'GET')
      input.expectedRevision ??= carts.cached(input.cartId)?.revision;
    let path = template.replace(/{(\w+)}/g, (_, name: string) => {
      const value = input[name];
      delete input[name];
      if (typeof value !== 'string' || !value) throw local('invalid_request', `The input needs ${name}.`);
      return encodeURIComponent(value);
    });
    const { expectedRevision: _, ...compared } = input;
    const match = JSON.stringify(sorted([operation, path, compared]));
    const inPath = method === 'GET' || method === 'DELETE';
    const search = inPath ? query(input) : '';
    if (search) path += `?${search}`;
    return { operation, method, path, body: inPath ? null : JSON.stringify(input), match, ...(holder && { holder }) };
  }

  return { call, carts, pending };
}

/**
 * capability names the cart or checkout whose token a shopper's call needs, and keeps a token that the caller gives. What only
 * serves to find it is taken out of the input.
 */
async function capability(storage: KeyValueStore, template: string, input: Input): Promise<string | undefined> {
  const { cartToken, checkoutToken, cartId, targetCartId, sourceCartId, paymentSessionId } = input;
  if (sourceCartId) input.sourceCartToken ??= (await storage.get(`cart:${sourceCartId}`)) ?? undefined;
  const cart = cartId ?? targetCartId;
  if (cart) {
    if (cartToken) await remember(storage, 'cart', cart, cartToken);
    return `cart:${cart}`;
  }
  if (paymentSessionId) {
    input.checkoutId ??= await storage.get(`session:${paymentSessionId}`);
  } else if (checkoutToken && !input.checkoutId) {
    const known = await storage.keys('checkout:');
    const tokens = await Promise.all(known.map((key) => storage.get(key)));
    input.checkoutId = known[tokens.indexOf(checkoutToken)]?.slice(9);
  }
  const checkout = input.checkoutId;
  if (paymentSessionId && !template.includes('{checkoutId}')) delete input.checkoutId;
  if (!checkout) return undefined;
  if (checkoutToken) await remember(storage, 'checkout', checkout, checkoutToken);
  return `checkout:${checkout}`;
}

/** query is input as it stands in an address: trees as JSON, `select` in brackets. */
export function query(input: Input): string {
  const out = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    if (name === 'select' && value) for (const [field, shown] of Object.entries(value)) out.append(`select[${field}]`, String(shown));
    else if (value !== undefined && value !== null) out.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return out.toString().replaceAll('+', '%20');
}

/** sorted is a tree with the members of its objects in order, so that equal inputs have equal texts. */
function sorted(tree: any): any {
  if (Array.isArray(tree)) return tree.map(sorted);
  if (!tree || typeof tree !== 'object') return tree;
  return Object.fromEntries(Object.keys(tree).sort().map((name) => [name, sorted(tree[name])]));
}
