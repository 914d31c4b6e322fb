import { cartCache } from './carts.js';
import { ended, local } from './errors.js';
import { type Change, journal, type MutationOptions } from './pending.js';
import { records } from './records.js';
import type { Session } from './session.js';
import { type KeyValueStore, kinds, remember } from './store.js';
import type { Send } from './transport.js';

/** An operation as a table has it: `METHOD path`, with the inputs that stand in the path in braces. */
export type Route = `${'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'} ${string}`;

/** What both clients are made of. */
export interface Parts {
  /** Headers that say who calls, at the time of a call. */
  credentials(): Record<string, string>;
  send: Send;
  /** Where pending operations are, those of other callers elsewhere. */
  pending: KeyValueStore;
  /** Whose operation a change is, beside the session's customer: it is sent again for the same one only. */
  owner?(): string | undefined;
  /** Browsers only: where tokens are. */
  storage?: KeyValueStore;
  session?: Session;
}

type Input = Record<string, any>;

/** The id of the checkout that a token is for. */
type LookUp = (checkoutToken: string) => Promise<string>;

/** A call: name of the helper, route, input. safe: a POST that changes nothing. */
export type Call = (name: string, route: Route, input?: object, options?: MutationOptions, safe?: boolean) => Promise<any>;

export function core(parts: Parts) {
  const { storage, session } = parts;
  const carts = cartCache();
  const kept = records(parts.pending);
  const send = watched(parts);
  const headers = (change: Change, key?: string) => headersOf(parts, change, key);
  const owner = async () => parts.owner?.() ?? session?.owner();

  /** finish keeps what an answer brings: the newest state of a cart, and the tokens that are told only once. */
  async function finish({ path }: Change, body: any): Promise<any> {
    if (!path.includes('/commerce/')) return body;
    const cart = body.cart ?? ('attributes' in body ? body : undefined); // only carts have it
    if (storage) await tokens(storage, body, cart);
    const newest = cart && carts.observe(cart);
    return 'cart' in body ? { ...body, cart: newest ?? null, receipt: body.cart } : body;
  }

  const { run, ...pending } = journal({ records: kept, send, headers, finish, owner });

  const call: Call = async (name, route, input, options = {}, safe = false) => {
    const change = await plan(name, route, plain(input), storage, carts, lookUp);
    if (!safe && change.method !== 'GET') return run(change, options);
    const { signal, timeout } = options;
    const wire = { ...change, headers: await headers(change) };
    return finish(change, await send(wire, { signal, timeout, repeat: true }));
  };

  /** file asks for what is answered by a file. */
  const file: Call = async (name, route, input, options = {}) => {
    const change = await plan(name, route, plain(input), storage, carts, lookUp);
    const { signal, timeout } = options;
    return send({ ...change, headers: { ...(await headers(change)), Accept: '*/*' }, file: true }, { signal, timeout, repeat: true });
  };

  /** lookUp asks for the checkout of a token that this client has not seen before. */
  async function lookUp(checkoutToken: string): Promise<string> {
    const path = '/api/commerce/checkouts/by-token';
    const change: Change = { operation: 'checkouts.retrieve', method: 'GET', path, body: null, match: path };
    const wire = { ...change, headers: { ...(await headers(change)), 'X-Checkout-Token': checkoutToken } };
    return (await send(wire, { repeat: true })).checkout.id;
  }

  /** forget is for the next shopper at the same machine: carts, checkouts and what is pending belong to the last one. */
  async function forget(): Promise<void> {
    carts.clear();
    await kept.clear();
    for (const kind of kinds) for (const key of (await storage?.keys(`${kind}:`)) ?? []) await storage?.remove(key);
  }

  return { call, file, carts, pending, forget };
}

/** watched is send that takes leave of a customer's token when it has ended. */
function watched({ send, session }: Parts): Send {
  return async (wire, manner) => {
    try {
      return await send(wire, manner);
    } catch (e) {
      const bearer = wire.headers.Authorization;
      // The caller is to hear why the call failed, whatever hearing of the token's end does.
      if (bearer && ended(e)) await session?.expired(bearer.slice(7)).catch(() => {});
      throw e;
    }
  };
}

/** headersOf is those of a call that goes out now; the right to a cart or a checkout is taken from the storage. */
async function headersOf({ credentials, session, storage }: Parts, { body, holder }: Change, key?: string) {
  const out: Record<string, string> = { ...credentials(), Accept: 'application/json' };
  if (body !== null) out['Content-Type'] = 'application/json';
  if (key !== undefined) out['Idempotency-Key'] = key;
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

/** tokens keeps those that an answer tells. */
async function tokens(storage: KeyValueStore, body: any, cart: any): Promise<void> {
  const { cartToken, checkout, checkoutToken, paymentSession } = body;
  if (cart && cartToken) await remember(storage, 'cart', cart.id, cartToken);
  if (checkout && checkoutToken) await remember(storage, 'checkout', checkout.id, checkoutToken);
  if (typeof paymentSession?.checkout === 'string') await remember(storage, 'session', paymentSession.id, paymentSession.checkout);
}

/** plain is input as it goes out: what JSON has no word for is told by its own text, or left out. Errors: `invalid_request`. */
function plain(input: object = {}): Input {
  try {
    return JSON.parse(JSON.stringify(input));
  } catch (cause) {
    throw local('invalid_request', 'The input cannot be written as JSON.', cause);
  }
}

/** plan makes an operation of a helper's name, route and input. storage: that of a shopper. */
async function plan(
  operation: string,
  route: Route,
  input: Input,
  storage: KeyValueStore | undefined,
  carts: ReturnType<typeof cartCache>,
  lookUp: LookUp,
) {
  const [method = '', template = ''] = route.split(' ');
  const commerce = template.includes('/commerce/');
  const holder = storage && commerce ? await capability(storage, template, input, lookUp) : undefined;
  const { cartId, checkoutId } = input;
  if (commerce) {
    delete input.cartToken;
    delete input.checkoutToken;
  }
  if (storage && /^carts\.(?!create|merge)/.test(operation) && method !== 'GET') input.expectedRevision ??= carts.cached(cartId)?.revision;
  let path = template.replace(/{(\w+)}/g, (_, name: string) => {
    const value = input[name];
    delete input[name];
    // Dots would lead to another address.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw local('invalid_request', `The input needs ${name}.`);
    return encodeURIComponent(value);
  });
  const { expectedRevision, sourceCartToken: _, ...compared } = input;
  // A checkout of another state of the cart is another checkout.
  if (cartId && !template.includes('{cartId}')) compared.expectedRevision = expectedRevision;
  const change: Change = { operation, method, path, body: null, match: JSON.stringify(sorted([operation, path, compared])) };
  const target = aim(change, template, cartId, checkoutId);
  if (target) change.target = target;
  if (holder) change.holder = holder;
  if (method === 'GET' || method === 'DELETE') {
    const search = query(input);
    if (search) path += (path.includes('?') ? '&' : '?') + search;
    return { ...change, path };
  }
  return { ...change, body: JSON.stringify(input) };
}

/** aim is what a change sets: the cart that it changes, the checkout of a cart, the payment of a checkout, or one record. */
function aim({ operation, method, path }: Change, template: string, cartId?: string, checkoutId?: string): string | undefined {
  if (cartId) return template.includes('{cartId}') ? `cart ${cartId}` : `checkout of ${cartId}`;
  if (/^paymentSessions\.create/.test(operation)) return `payment of ${checkoutId}`;
  return method === 'PATCH' || operation === 'orders.transition' ? path : undefined;
}

/**
 * capability names the cart or checkout whose token a shopper's call needs, and keeps a token that the caller gives. What only
 * serves to find it is taken out of the input.
 */
async function capability(storage: KeyValueStore, template: string, input: Input, lookUp: LookUp): Promise<string | undefined> {
  const { cartToken, checkoutToken, cartId, targetCartId, sourceCartId, paymentSessionId } = input;
  if (sourceCartId) input.sourceCartToken ??= (await storage.get(`cart:${sourceCartId}`)) ?? undefined;
  const cart = cartId ?? targetCartId;
  if (cart) {
    if (cartToken) await remember(storage, 'cart', cart, cartToken);
    return `cart:${cart}`;
  }
  if (paymentSessionId) input.checkoutId ??= await storage.get(`session:${paymentSessionId}`);
  else if (checkoutToken && !input.checkoutId) input.checkoutId = (await checkoutOf(storage, checkoutToken)) ?? (await lookUp(checkoutToken));
  const checkout = input.checkoutId;
  if (!template.includes('{checkoutId}') && paymentSessionId) delete input.checkoutId;
  const [kind, id] = checkout ? (['checkout', checkout] as const) : (['payment', paymentSessionId] as const);
  if (!id) return undefined;
  if (checkoutToken) await remember(storage, kind, id, checkoutToken);
  return `${kind}:${id}`;
}

/** checkoutOf is the checkout that a token is for, if this client has seen it before. */
async function checkoutOf(storage: KeyValueStore, token: string): Promise<string | undefined> {
  for (const key of await storage.keys('checkout:')) if ((await storage.get(key)) === token) return key.slice('checkout:'.length);
  return undefined;
}

/** query is input as it stands in an address: trees as JSON, `select` in brackets. */
function query(input: Input): string {
  const out = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    if (name === 'select' && value) for (const [field, shown] of Object.entries(value)) out.append(`select[${field}]`, String(shown));
    else if (value !== null) out.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return out.toString().replaceAll('+', '%20');
}

/** sorted is a tree with the members of its objects in order, so that equal inputs have equal texts. */
function sorted(tree: any): any {
  if (Array.isArray(tree)) return tree.map(sorted);
  if (!tree || typeof tree !== 'object') return tree;
  return Object.fromEntries(Object.keys(tree).sort().map((name) => [name, sorted(tree[name])]));
}
