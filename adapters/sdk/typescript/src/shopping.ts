import { cartCache } from './carts.js';
import { headersOf, type Input, type Parts, type Shopping } from './core.js';
import { ended } from './errors.js';
import type { Change } from './pending.js';
import type { Session } from './session.js';
import { type KeyValueStore, kinds, remember } from './store.js';
import type { Send } from './transport.js';

/** What shopping is made with. Only browsers have a storage, where tokens are, and a session. */
interface Tools extends Pick<Parts, 'credentials' | 'send'> {
  storage?: KeyValueStore;
  session?: Session;
}

/** The id of the checkout that a token is for. */
type LookUp = (checkoutToken: string) => Promise<string>;

/** shopping is the carts and checkouts of one shopper, or of a shop's server. */
export function shopping({ credentials, storage, session, send }: Tools) {
  const carts = cartCache();

  /** lookUp asks for the checkout of a token that this client has not seen before. */
  async function lookUp(checkoutToken: string): Promise<string> {
    const path = '/api/commerce/checkouts/by-token';
    const change: Change = { operation: 'checkouts.retrieve', method: 'GET', path, body: null, match: path };
    const wire = { ...change, headers: { ...(await headersOf({ credentials, shopping: own }, change)), 'X-Checkout-Token': checkoutToken } };
    return (await watched(send, session)(wire, { repeat: true })).checkout.id;
  }

  const own: Shopping = {
    async prepare(operation, route, input) {
      const commerce = route.includes('/commerce/');
      const holder = storage && commerce ? await capability(storage, route, input, lookUp) : undefined;
      if (commerce) {
        delete input.cartToken;
        delete input.checkoutToken;
      }
      if (storage && /^carts\.(?!create|merge)/.test(operation) && !route.startsWith('GET ')) {
        input.expectedRevision ??= carts.cached(input.cartId)?.revision;
      }
      return holder;
    },

    aim(operation, route, { cartId, checkoutId }) {
      if (cartId) return route.includes('{cartId}') ? `cart ${cartId}` : `checkout of ${cartId}`;
      return /^paymentSessions\.create/.test(operation) ? `payment of ${checkoutId}` : undefined;
    },

    async rights(holder) {
      const out: Record<string, string> = {};
      const bearer = await session?.bearer();
      if (bearer) out.Authorization = `Bearer ${bearer}`;
      const token = holder && (await storage?.get(holder));
      if (token) out[holder.startsWith('cart:') ? 'X-Cart-Token' : 'X-Checkout-Token'] = token;
      return out;
    },

    /** The newest state of a cart, and the tokens that are told only once. */
    async finish({ path }, body) {
      if (!path.includes('/commerce/')) return body;
      const cart = body.cart ?? ('attributes' in body ? body : undefined); // only carts have it
      if (storage) await tokens(storage, body, cart);
      const newest = cart && carts.observe(cart);
      return 'cart' in body ? { ...body, cart: newest ?? null, receipt: body.cart } : body;
    },
  };

  /** forget is for the next shopper at the same machine: carts and checkouts belong to the last one. */
  async function forget(): Promise<void> {
    for (const kind of kinds) for (const key of (await storage?.keys(`${kind}:`)) ?? []) await storage?.remove(key);
  }

  return { carts, forget, own, send: watched(send, session) };
}

/** watched is send that takes leave of a customer's token when it has ended. */
function watched(send: Send, session: Session | undefined): Send {
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

/** tokens keeps those that an answer tells. */
async function tokens(storage: KeyValueStore, body: any, cart: any): Promise<void> {
  const { cartToken, checkout, checkoutToken, paymentSession } = body;
  if (cart && cartToken) await remember(storage, 'cart', cart.id, cartToken);
  if (checkout && checkoutToken) await remember(storage, 'checkout', checkout.id, checkoutToken);
  if (typeof paymentSession?.checkout === 'string') await remember(storage, 'session', paymentSession.id, paymentSession.checkout);
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
