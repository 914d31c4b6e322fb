// What a screen reads: shown at once if it was read before, and read anew when something happens to it.
import { useCallback, useEffect, useRef, useState } from '../vendor/ui.js';
import { useEvents } from './live.js';
import { refusalOf } from './refusal.js';
import { environment, shop, user } from './shop.js';

/** @type {Map<string, unknown>} what was read last, by shop, environment and name */
const cache = new Map();

const room = 200;

/** place is the name of something that is read, here. @param {string} name */
const place = (name) => `${user.value?.id} ${shop.value?.id} ${environment.value} ${name}`;

/**
 * useQuery reads something by its name. live: collections whose events make it read anew.
 * @template T
 * @param {string} name tells what is read, with all that it depends on; '' reads nothing
 * @param {(signal: AbortSignal) => Promise<T>} read
 * @param {{ live?: string[], record?: string, pause?: number }} [options] see useEvents
 * @returns {{ data: T | undefined, refusal: import('./refusal.js').Refusal | undefined, loading: boolean, reload: () => void, set: (data: T) => void }}
 */
export function useQuery(name, read, { live = [], record, pause } = {}) {
  const key = name && place(name);
  const [state, setState] = useState({ key, loading: true, refusal: /** @type {any} */ (undefined) });
  const reading = useRef(read);
  reading.current = read;
  const running = useRef(/** @type {AbortController | undefined} */ (undefined));

  const load = useCallback(() => {
    if (!key) return;
    running.current?.abort();
    const mine = new AbortController();
    running.current = mine;
    setState((s) => ({ ...s, key, loading: true }));
    reading.current(mine.signal).then(
      (data) => {
        if (mine.signal.aborted) return;
        keep(key, data);
        setState({ key, loading: false, refusal: undefined });
      },
      (e) => {
        if (mine.signal.aborted) return;
        const refusal = refusalOf(e);
        // What is gone, or no longer theirs, is not shown to them beside the refusal.
        if (/^(not_found|forbidden)$/.test(refusal.reason)) cache.delete(key);
        setState({ key, loading: false, refusal });
      },
    );
  }, [key]);

  useEffect(() => {
    load();
    return () => running.current?.abort();
  }, [load]);
  useEvents(live, load, { record, ...(pause !== undefined && { pause }) });

  const set = (/** @type {T} */ data) => {
    keep(key, data);
    setState((s) => ({ ...s, key }));
  };
  const current = state.key === key;
  return { data: /** @type {T | undefined} */ (cache.get(key)), refusal: current ? state.refusal : undefined, loading: !current || state.loading, reload: load, set };
}

/**
 * @param {string} key
 * @param {unknown} data
 */
function keep(key, data) {
  cache.delete(key);
  cache.set(key, data);
  if (cache.size > room) cache.delete(cache.keys().next().value ?? '');
}

/** @type {(() => void)[]} */
const others = [];

/** onForget is for what else is kept of one person's work in one shop. @param {() => void} fn */
export function onForget(fn) {
  others.push(fn);
}

/** forget empties what was read, for the next person at this machine. */
export function forget() {
  cache.clear();
  for (const fn of others) fn();
}

/** Whose what was read is. Who comes back after their session has ended finds it again; somebody else does not. */
let owner = user.value?.id;
user.subscribe((me) => {
  if (!me) return;
  if (owner !== undefined && owner !== me.id) forget();
  owner = me.id;
});
