import { CommerceSDKError, local } from './errors.js';
import { createCommerceIdempotencyKey } from './key.js';
import { alone } from './locks.js';
import type { KeyValueStore } from './store.js';
import type { Send } from './transport.js';

/** A change that was sent, or is about to be, and whose outcome is not known yet. */
export interface PendingOperation {
  /** Its idempotency key. */
  id: string;
  /** Name of the helper, such as `carts.addItem`. */
  operation: string;
  method: string;
  /** With the query, from `/api` on. */
  path: string;
  /** The exact text that was sent, and is sent again; null for none. */
  body: string | null;
  /** What makes a later call the same operation: helper, path and input, `expectedRevision` aside. */
  match: string;
  /** Which capability it needs, such as `cart:…`. The token itself is taken from the storage when it is sent. */
  holder?: string;
  /** RFC 3339, UTC. */
  createdAt: string;
  /** How often it was sent, as far as it could be written down. */
  attempts: number;
  /** Whether it may have happened: false only if every try was turned away before anything was done. */
  unknown: boolean;
}

/** What became of a pending operation that was sent again. */
export interface Resumed {
  operation: string;
  path: string;
  /** What the helper would have answered. */
  result?: unknown;
  error?: CommerceSDKError;
}

/** The operations whose outcome is not known. */
export interface Pending {
  /** All of them, oldest first. Those older than six days are dropped: the shop may have forgotten their keys. */
  list(): Promise<PendingOperation[]>;
  /** Sends each again with its key and its bytes, oldest first; one that is under way, here or in another tab, is left alone. */
  resume(options?: { signal?: AbortSignal; timeout?: number }): Promise<Resumed[]>;
  /** Forgets one without sending it. Whether it happened stays unknown. */
  discard(id: string): Promise<void>;
}

/** Change is an operation that the caller asks for. */
export type Change = Pick<PendingOperation, 'operation' | 'method' | 'path' | 'body' | 'match' | 'holder'>;

/** Options of a helper that changes something. */
export interface MutationOptions {
  signal?: AbortSignal;
  /** Milliseconds that one try may take. */
  timeout?: number;
  /** The caller's own key in place of a generated one: 16 to 255 visible characters, random, one per logical operation. */
  idempotencyKey?: string;
}

/** What a journal works with. */
export interface Tools {
  store: KeyValueStore;
  send: Send;
  /** Headers for a change that goes out now. Errors: CommerceSDKError. */
  headers(change: Change, key: string): Promise<Record<string, string>>;
  /** Looks at an answer and makes it what the helper gives. */
  finish(change: Change, body: any): Promise<any>;
}

export interface Journal extends Pending {
  /** Carries a change out, once: under the key of the same unsettled one if there is such, else under a new key. */
  run(change: Change, options: MutationOptions): Promise<any>;
}

/** Receipts of carts live for seven days; a day less leaves room for slow clocks. */
const lifetime = 6 * 24 * 60 * 60 * 1000;

export function journal({ store, send, headers, finish }: Tools): Journal {
  /** guarded turns what a store throws into a failure that says nothing was sent. */
  async function guarded<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      throw local('pending_store_failed', 'The store of pending operations failed, so nothing was sent.', cause);
    }
  }

  async function read(id: string): Promise<PendingOperation | undefined> {
    try {
      const record = JSON.parse((await store.get(id)) ?? 'null');
      if (record && Date.now() - Date.parse(record.createdAt) < lifetime) return record;
    } catch (e) {
      if (!(e instanceof SyntaxError)) throw e;
    }
    await store.remove(id);
    return undefined;
  }

  const list = () =>
    guarded(async () => {
      const all = await Promise.all((await store.keys('')).map(read));
      return all.filter((r) => r !== undefined).sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
    });

  /** again sends a stored record if it still is one and nobody else is at it; undefined otherwise. */
  const again = async (id: string, options: MutationOptions) =>
    (
      await alone(id, async () => {
        const record = await guarded(() => read(id));
        return record && { record, value: await carry(record, record.unknown, options) };
      })
    )?.value;

  /** carry sends a record and settles it. unknown: whether an earlier try may have been carried out. */
  async function carry(record: PendingOperation, unknown: boolean, options: MutationOptions): Promise<any> {
    const { signal, timeout } = options;
    if (signal?.aborted) throw local('aborted', 'The call was aborted.');
    // Whoever finds this record after a crash cannot know what became of it.
    let attempts = record.attempts;
    await guarded(() => store.set(record.id, JSON.stringify({ ...record, attempts: attempts + 1, unknown: true })));
    let body: any;
    try {
      const wire = { method: record.method, path: record.path, body: record.body, headers: await headers(record, record.id) };
      const failed = (e: CommerceSDKError) => {
        attempts++;
        unknown ||= mayHaveHappened(e);
      };
      body = await send(wire, { signal, timeout, repeat: true, failed });
    } catch (e) {
      await settle(record.id, keeps(e, unknown) && { ...record, attempts, unknown });
      throw e;
    }
    await settle(record.id, false);
    return finish(record, body);
  }

  /** settle is the end of a record, or its state until the next try. It never hides the outcome of the call. */
  async function settle(id: string, record: PendingOperation | false): Promise<void> {
    try {
      await (record ? store.set(id, JSON.stringify(record)) : store.remove(id));
    } catch {
      // The record stays as it is: sent again, it is answered from the receipt.
    }
  }

  async function run(change: Change, options: MutationOptions): Promise<any> {
    const own = options.idempotencyKey;
    const same = own === undefined ? (await list()).filter((r) => r.match === change.match) : await named(own, change);
    for (const { id } of same) {
      const done = await again(id, options);
      if (done) return done.value;
    }
    const id = own ?? createCommerceIdempotencyKey();
    const record = { ...change, id, createdAt: new Date().toISOString(), attempts: 0, unknown: false };
    const done = await alone(id, () => carry(record, false, options));
    if (done) return done.value;
    throw local('idempotency_in_progress', 'An operation with this key is under way.');
  }

  /** named is the pending record of the caller's own key. Errors: idempotency_key_reused. */
  async function named(key: string, change: Change): Promise<PendingOperation[]> {
    const record = await guarded(() => read(key));
    if (record && record.match !== change.match)
      throw local('idempotency_key_reused', 'This key belongs to a pending operation with another input.');
    return record ? [record] : [];
  }

  async function resume(options: MutationOptions = {}): Promise<Resumed[]> {
    const out: Resumed[] = [];
    for (const { id, operation, path } of await list()) {
      try {
        const done = await again(id, options);
        if (done) out.push({ operation, path, result: done.value });
      } catch (e) {
        out.push({ operation, path, error: e as CommerceSDKError });
      }
    }
    return out;
  }

  return { list, resume, discard: async (id) => store.remove(id), run };
}

/** mayHaveHappened: the shop may have carried the operation out although the caller was not told. */
function mayHaveHappened(e: CommerceSDKError): boolean {
  const { status, reason } = e;
  return reason !== 'invalid_request' && (status < 400 || status === 408 || status >= 500 || reason === 'idempotency_in_progress');
}

/**
 * keeps tells whether the operation is unsettled after e: its outcome is unknown, or nothing happened and the same key is to
 * be used. A refusal for lack of a right, or by somebody on the way, says nothing of an earlier try that may have happened.
 */
function keeps(e: unknown, unknown: boolean): boolean {
  if (!(e instanceof CommerceSDKError)) return unknown;
  if (mayHaveHappened(e) || e.status === 429) return true;
  return unknown && (e.code === undefined || [401, 403, 419].includes(e.status));
}
