/** A value now or later. */
export type MaybePromise<T> = T | Promise<T>;

/** Where the client keeps what must outlive a page: tokens and operations whose outcome is not known yet. */
export interface KeyValueStore {
  /** The value of key, or null. */
  get(key: string): MaybePromise<string | null>;
  /** Keeps value. It throws, or rejects, when it cannot; once it is done the value survives a reload. */
  set(key: string, value: string): MaybePromise<void>;
  /** Forgets key; it may be unknown. */
  remove(key: string): MaybePromise<void>;
  /** All keys that begin with prefix, in any order. */
  keys(prefix: string): MaybePromise<string[]>;
}

/** A store that forgets with the process or the page, and the oldest entries above a number of them. */
export function memoryStore(most = Infinity): KeyValueStore {
  const held = new Map<string, string>();
  return {
    get: (key) => held.get(key) ?? null,
    set: (key, value) => {
      held.set(key, value);
      if (held.size > most) held.delete(held.keys().next().value ?? '');
    },
    remove: (key) => void held.delete(key),
    keys: (prefix) => [...held.keys()].filter((key) => key.startsWith(prefix)),
  };
}

/** The browser's localStorage. prefix keeps the client's entries apart from the page's own. */
export function localStorageStore(prefix = 'cartwright:'): KeyValueStore {
  const at = localStorage;
  return {
    get: (key) => at.getItem(prefix + key),
    set: (key, value) => at.setItem(prefix + key, value),
    remove: (key) => at.removeItem(prefix + key),
    keys: (start) =>
      Array.from({ length: at.length }, (_, i) => at.key(i) ?? '')
        .filter((key) => key.startsWith(prefix + start))
        .map((key) => key.slice(prefix.length)),
  };
}

/** browserStore is localStorage where it works: private windows and embedded pages may refuse it. */
export function browserStore(): KeyValueStore {
  if (typeof document === 'object') {
    try {
      const store = localStorageStore();
      void store.set('?', '?');
      void store.remove('?');
      return store;
    } catch {
      // Without it the page works, but forgets.
    }
  }
  return memoryStore();
}

/** within is store with all keys below prefix. */
export function within(store: KeyValueStore, prefix: string): KeyValueStore {
  return {
    get: (key) => store.get(prefix + key),
    set: (key, value) => store.set(prefix + key, value),
    remove: (key) => store.remove(prefix + key),
    keys: async (start) => (await store.keys(prefix + start)).map((key) => key.slice(prefix.length)),
  };
}

/** tolerant is store for what may be lost with the page: a value that it cannot keep is held here instead. */
export function tolerant(store: KeyValueStore): KeyValueStore {
  const held = new Map<string, string>();
  const kept = async <T>(work: () => MaybePromise<T>, otherwise: T) => {
    try {
      return await work();
    } catch {
      return otherwise;
    }
  };
  return {
    get: async (key) => held.get(key) ?? kept(() => store.get(key), null),
    set: async (key, value) => {
      held.set(key, value);
      if (await kept(async () => (await store.set(key, value), true), false)) held.delete(key);
    },
    remove: async (key) => {
      held.delete(key);
      await kept(() => store.remove(key), undefined);
    },
    keys: async (prefix) => kept(() => store.keys(prefix), []),
  };
}

/** What is remembered of a cart, of a checkout, and of a payment session: which checkout it is of, or a token for it. */
export const kinds = ['cart', 'checkout', 'session', 'payment'] as const;

/** How many of a kind are remembered: carts and checkouts are given up all the time. */
const remembered = 50;

/** remember keeps what is known of the record id under `kind:id`, and lets go of the oldest: their ids tell their age. */
export async function remember(store: KeyValueStore, kind: (typeof kinds)[number], id: string, value: string): Promise<void> {
  const own = `${kind}:${id}`;
  await store.set(own, value);
  const all = (await store.keys(`${kind}:`)).filter((key) => key !== own).sort();
  while (all.length >= remembered) await store.remove(all.shift() ?? '');
}
