import { local } from './errors.js';
import type { Change, PendingOperation } from './pending.js';
import type { KeyValueStore } from './store.js';

/** Receipts of carts live for seven days; a day less leaves room for slow clocks. */
const lifetime = 6 * 24 * 60 * 60 * 1000;

/** hash shortens a text for the name of an entry. Equal hashes are only a reason to look closer. */
export function hash(text: string): string {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return (h >>> 0).toString(36);
}

/** guarded turns what a store throws into a failure that says nothing was sent. */
async function guarded<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw local('pending_store_failed', 'The store of pending operations failed.', cause);
  }
}

/** The records of pending operations in a store. Errors: `pending_store_failed`, but for settle, forget and clear. */
export type Records = ReturnType<typeof records>;

/** records names each entry by target, match and key, so that the few that matter are found among very many. */
export function records(store: KeyValueStore) {
  /** Settled ones that the store did not let go of. */
  const over = new Set<string>();

  const at = ({ target = '', match, id }: PendingOperation) => `${hash(target)}.${hash(match)}:${id}`;

  async function read(key: string): Promise<PendingOperation | undefined> {
    try {
      const record = JSON.parse((await store.get(key)) ?? 'null');
      // A date to come is that of a clock that was wrong: nobody knows how old the record is.
      const known = record && Math.abs(Date.now() - Date.parse(record.createdAt)) < lifetime;
      if (known) return over.has(record.id) ? undefined : record;
    } catch (e) {
      if (!(e instanceof SyntaxError)) throw e;
    }
    await store.remove(key);
    return undefined;
  }

  const some = (prefix: string, end = '') =>
    guarded(async () => {
      const keys = (await store.keys(prefix)).filter((key) => key.endsWith(end));
      const all = await Promise.all(keys.map(read));
      return all.filter((r) => r !== undefined).sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
    });

  /** quietly is for what happens after a call has its outcome, which it must not hide. */
  const quietly = async (work: () => unknown) => {
    try {
      await work();
    } catch {
      // The record stays as it is: sent again, it is answered from the receipt.
    }
  };

  const forget = (record: PendingOperation) =>
    quietly(async () => {
      over.add(record.id);
      await store.remove(at(record));
      over.delete(record.id);
    });

  return {
    all: () => some(''),
    /** Those of the same operation as change. */
    same: async (change: Change) => (await some(`${hash(change.target ?? '')}.${hash(change.match)}:`)).filter((r) => r.match === change.match),
    /** Those that set the same thing. */
    aimed: async (target: string) => (await some(`${hash(target)}.`)).filter((r) => r.target === target),
    named: async (id: string) => (await some('', `:${id}`))[0],
    /** A record as it is now; undefined when somebody has settled it. */
    fresh: (record: PendingOperation) => guarded(() => read(at(record))),
    write: (record: PendingOperation) => guarded(() => store.set(at(record), JSON.stringify(record))),
    /** One that somebody else has settled stays settled. */
    update: (record: PendingOperation) =>
      quietly(async () => (await store.get(at(record))) !== null && store.set(at(record), JSON.stringify(record))),
    forget,
    discard: (record: PendingOperation) => guarded(() => store.remove(at(record))),
    clear: () => quietly(async () => Promise.all((await store.keys('')).map((key) => store.remove(key)))),
  };
}
