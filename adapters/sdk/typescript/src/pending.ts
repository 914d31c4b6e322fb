import { CommerceSDKError, local } from './errors.js';
import { createCommerceIdempotencyKey } from './key.js';
import { alone } from './locks.js';
import type { Records } from './records.js';
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
  /** The exact text that was sent, and is sent again; null for none. That of a merge holds the token of the source. */
  body: string | null;
  /** What makes a later call the same operation: helper, path and input, `expectedRevision` aside. */
  match: string;
  /** What it sets, such as one cart or one record: when a later change of that succeeds, this one is out of date. */
  target?: string;
  /** Id of the customer who was logged in. It is sent again only for the same one. */
  owner?: string;
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
  /**
   * Sends each again with its key and its bytes, oldest first. One that is under way, here or in another tab, is left alone,
   * as is one of another customer.
   */
  resume(options?: { signal?: AbortSignal; timeout?: number }): Promise<Resumed[]>;
  /** Forgets one without sending it. Whether it happened stays unknown. */
  discard(id: string): Promise<void>;
}

/** Change is an operation that the caller asks for. */
export type Change = Pick<PendingOperation, 'operation' | 'method' | 'path' | 'body' | 'match' | 'target' | 'holder'>;

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
  records: Records;
  send: Send;
  /** Headers for a change that goes out now. Errors: CommerceSDKError. */
  headers(change: Change, key: string): Promise<Record<string, string>>;
  /** Looks at an answer and makes it what the helper gives. */
  finish(change: Change, body: any): Promise<any>;
  /** The customer who is logged in. */
  owner(): Promise<string | undefined>;
}

export interface Journal extends Pending {
  /** Carries a change out, once: under the key of the same unsettled one if there is such, else under a new key. */
  run(change: Change, options: MutationOptions): Promise<any>;
}

export function journal(tools: Tools): Journal {
  const { records } = tools;

  async function run(change: Change, options: MutationOptions): Promise<any> {
    const owner = await tools.owner();
    const own = options.idempotencyKey;
    const same = own === undefined ? await records.same(change) : await named(records, own, change);
    for (const record of same) {
      const done = goesOutFor(record, owner) && (await again(tools, record, options));
      if (done) return done.value;
    }
    const id = own ?? createCommerceIdempotencyKey();
    const record = { ...change, id, ...(owner && { owner }), createdAt: new Date().toISOString(), attempts: 0, unknown: false };
    const done = await alone(id, () => carry(tools, record, Date.now(), options));
    if (done) return done.value;
    throw local('idempotency_in_progress', 'An operation with this key is under way.');
  }

  async function resume(options: MutationOptions = {}): Promise<Resumed[]> {
    const out: Resumed[] = [];
    for (const record of await records.all()) {
      const { operation, path, createdAt } = record;
      try {
        const done = goesOutFor(record, await tools.owner()) && (await again(tools, record, options, Date.parse(createdAt) - 1));
        if (done) out.push({ operation, path, result: done.value });
      } catch (e) {
        out.push({ operation, path, error: e as CommerceSDKError });
      }
    }
    return out;
  }

  async function discard(id: string): Promise<void> {
    const record = await records.named(id);
    if (record) await records.discard(record);
  }

  return { list: records.all, resume, discard, run };
}

/** goesOutFor: the shop knows an operation by who sent it. One of a guest with the right to a cart is known by that right. */
function goesOutFor(record: PendingOperation, owner: string | undefined): boolean {
  return record.owner === owner || (record.owner === undefined && record.holder !== undefined);
}

/** named is the pending record of the caller's own key. Errors: idempotency_key_reused. */
async function named(records: Records, key: string, change: Change): Promise<PendingOperation[]> {
  const record = await records.named(key);
  if (record && record.match !== change.match)
    throw local('idempotency_key_reused', 'This key belongs to a pending operation with another input.');
  return record ? [record] : [];
}

/** again sends a stored record if it still is one and nobody else is at it; undefined otherwise. */
async function again(tools: Tools, stored: PendingOperation, options: MutationOptions, wanted = Date.now()) {
  const done = await alone(stored.id, async () => {
    const record = await tools.records.fresh(stored);
    return record && { value: await carry(tools, record, wanted, options) };
  });
  return done?.value;
}

/** carry sends a record and settles it. wanted is when the caller asked for it, in milliseconds. */
async function carry(tools: Tools, record: PendingOperation, wanted: number, options: MutationOptions): Promise<any> {
  const { records } = tools;
  const { signal, timeout } = options;
  let { attempts, unknown } = record;
  const { method, path, body } = record;
  if (signal?.aborted) throw local('aborted', 'The call was aborted.');
  // Whoever finds this record after a crash cannot know what became of it.
  await records.write({ ...record, attempts: attempts + 1, unknown: true });
  const failed = (e: CommerceSDKError) => {
    attempts++;
    unknown ||= mayHaveHappened(e);
  };
  let answer: any;
  try {
    const headers = await tools.headers(record, record.id);
    answer = await tools.send({ method, path, body, headers }, { signal, timeout, repeat: true, failed });
  } catch (e) {
    const sent = attempts > record.attempts;
    if (sent ? keeps(e, unknown) : record.attempts > 0) await records.update({ ...record, attempts, unknown });
    else await records.forget(record);
    throw e;
  }
  // First what the answer brings, such as a token that is told only once; a page may end at any time.
  const value = await tools.finish(record, answer);
  await records.forget(record);
  await outdate(records, record, wanted);
  return value;
}

/**
 * outdate drops what was to set the same thing before: sent now, it would undo the later change. Adding undoes nothing. A
 * checkout is of the cart as it was.
 */
async function outdate(records: Records, { id, target, match }: PendingOperation, wanted: number): Promise<void> {
  if (!target) return;
  const aims = target.startsWith('cart ') ? [target, `checkout of ${target.slice(5)}`] : [target];
  const others = await Promise.all(aims.map((aim) => records.aimed(aim).catch(() => [])));
  for (const other of others.flat()) {
    const older = other.id !== id && other.match !== match && Date.parse(other.createdAt) <= wanted;
    if (older && !other.operation.endsWith('.addItem')) await alone(other.id, () => records.forget(other));
  }
}

/** mayHaveHappened: the shop may have carried the operation out although the caller was not told. */
function mayHaveHappened(e: CommerceSDKError): boolean {
  return e.status < 400 || e.status === 408 || e.status >= 500 || e.reason === 'idempotency_in_progress';
}

/**
 * keeps tells whether an operation that was sent is unsettled after e: its outcome is unknown, or nothing happened and the
 * same key is to be used. A refusal for lack of a right, or by somebody on the way, says nothing of an earlier try that may
 * have happened.
 */
function keeps(e: unknown, unknown: boolean): boolean {
  if (!(e instanceof CommerceSDKError)) return unknown;
  if (mayHaveHappened(e) || e.status === 429) return true;
  return unknown && (e.code === undefined || [401, 403, 419].includes(e.status));
}
