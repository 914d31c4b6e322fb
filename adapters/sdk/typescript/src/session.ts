import { ended } from './errors.js';
import { across } from './locks.js';
import type { KeyValueStore } from './store.js';
import type { Send } from './transport.js';
import type { Customers } from './types.js';

/** A customer's token and the Unix second it ends at. */
export interface Token {
  token: string;
  exp: number;
}

/** Kept is a token as it lies in the storage; from and until are milliseconds of this machine's clock. */
interface Kept extends Token {
  from: number;
  until: number;
}

export interface Session {
  customers: Customers;
  /** The token to send now, renewed when its end is near; undefined when nobody is logged in. */
  bearer(): Promise<string | undefined>;
  /** Id of the customer who is logged in. */
  owner(): Promise<string | undefined>;
  /** Forgets a token that the shop no longer takes, unless another one has taken its place. */
  expired(token: string): Promise<void>;
}

/** What a session works with. */
export interface SessionTools {
  clientKey: string;
  storage: KeyValueStore;
  send: Send;
  onTokenRefresh?: ((token: Token | null) => void | Promise<void>) | undefined;
  /** Takes away what belongs to the last shopper. */
  forget(): Promise<void>;
}

type Manner = { signal?: AbortSignal; timeout?: number } | undefined;

export function session(tools: SessionTools): Session {
  const { clientKey, storage, forget } = tools;
  const { stored, keep, expired } = purse(tools);
  const ask = asking(tools, expired);
  let renewing: Promise<void> | undefined;

  /** renew gives kept a successor, once: of several tabs the first does it, the others find it done. */
  function renew(kept: Kept): Promise<void> {
    const still = async () => (await stored())?.token === kept.token;
    const work = async () => {
      if (!(await still())) return;
      const fresh = await ask('POST', 'refresh-token', undefined, kept.token);
      // Who has logged out or in meanwhile meant it.
      if (await still()) await keep(fresh);
    };
    renewing ??= across(`refresh:${clientKey}`, {}, work)
      .then(() => undefined)
      .finally(() => (renewing = undefined));
    return renewing;
  }

  async function bearer(): Promise<string | undefined> {
    const kept = await stored();
    if (!kept || kept.until - Date.now() > Math.min(day, (kept.until - kept.from) / 10)) return kept?.token;
    try {
      await renew(kept);
      return (await stored())?.token;
    } catch (e) {
      // A token that still lives need not wait for its successor.
      if (ended(e)) throw e;
      return kept.token;
    }
  }

  /** login keeps the token. What a guest has in hand stays in hand; what another customer left behind does not. */
  async function login(path: string, input: unknown, options: Manner): Promise<any> {
    const answer = await ask('POST', path, input, undefined, options);
    const last = await storage.get('owner');
    if (last !== null && last !== answer.customer.id) await forget();
    await storage.set('owner', answer.customer.id);
    await keep(answer);
    return answer;
  }

  async function logout(options: Manner): Promise<void> {
    const kept = await stored();
    try {
      if (kept) await ask('POST', 'logout', {}, kept.token, options);
    } catch (e) {
      if (!ended(e)) throw e;
    } finally {
      const left = await stored();
      await storage.remove('token'); // first of all: a renewal under way finds that nobody is logged in
      if (left && left.token !== kept?.token) await ask('POST', 'logout', {}, left.token, options).catch(() => {});
      await forget();
      await storage.remove('owner');
      if (left) await tools.onTokenRefresh?.(null);
    }
  }

  async function refresh(): Promise<Token | null> {
    const kept = await stored();
    if (kept) await renew(kept);
    const now = await stored();
    return now && { token: now.token, exp: now.exp };
  }

  const customers: Customers = {
    register: (input, options) => ask('POST', 'register', input, undefined, options),
    login: (input, options) => login('login', input, options),
    resetPassword: (input, options) => login('reset-password', input, options),
    forgotPassword: (input, options) => ask('POST', 'forgot-password', input, undefined, options),
    verifyEmail: (input, options) => ask('POST', 'verify-email', input, undefined, options),
    me: async (_input, options) => ask('GET', 'me', undefined, await bearer(), options),
    logout: (_input, options) => logout(options),
    refresh,
  };
  const owner = async () => ((await stored()) ? ((await storage.get('owner')) ?? undefined) : undefined);
  return { customers, bearer, owner, expired };
}

/** purse is where the token is. */
function purse({ storage, onTokenRefresh }: SessionTools) {
  async function stored(): Promise<Kept | null> {
    try {
      return JSON.parse((await storage.get('token')) ?? 'null');
    } catch {
      return null; // written by somebody else
    }
  }

  async function keep({ token, exp }: Token): Promise<void> {
    const now = Date.now();
    const kept: Kept = { token, exp, from: now, until: now + lifetime(token, exp) * 1000 };
    await storage.set('token', JSON.stringify(kept));
    await onTokenRefresh?.({ token, exp });
  }

  async function expired(token: string): Promise<void> {
    if ((await stored())?.token !== token) return;
    await storage.remove('token');
    await onTokenRefresh?.(null);
  }

  return { stored, keep, expired };
}

/** asking is calls to the customers' part of the shop. */
function asking({ clientKey, send }: SessionTools, expired: Session['expired']) {
  return async (method: string, path: string, input?: unknown, token?: string, manner: Manner = {}) => {
    const headers: Record<string, string> = { 'X-Client-Key': clientKey, Accept: 'application/json' };
    if (token) headers.Authorization = `Bearer ${token}`;
    if (input !== undefined) headers['Content-Type'] = 'application/json';
    const wire = { method, path: `/api/customers/${path}`, body: input === undefined ? null : JSON.stringify(input), headers };
    try {
      return await send(wire, { ...manner, repeat: method === 'GET' });
    } catch (e) {
      if (token && ended(e)) await expired(token).catch(() => {});
      throw e;
    }
  };
}

const day = 24 * 60 * 60 * 1000;

/** lifetime is how many seconds a new token lives, by the shop's clock where the token tells: this machine's may be wrong. */
function lifetime(token: string, exp: number): number {
  try {
    const { iat } = JSON.parse(atob((token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/')));
    if (iat > 0) return exp - iat;
  } catch {
    // Not a token that can be read.
  }
  return exp - Date.now() / 1000;
}
