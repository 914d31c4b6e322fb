// The events of the shop as they happen, for the whole page over one connection.
import { effect, signal, useEffect } from '../vendor/ui.js';
import { api, environment, shop, user } from './shop.js';

/** @typedef {import('../vendor/sdk.js').ShopEvent} ShopEvent */

/** Whether the page hears what happens right now; null before the first connection. @type {import('../vendor/ui.js').Signal<boolean | null>} */
export const connected = signal(/** @type {boolean | null} */ (null));

/** @type {Set<(event: ShopEvent) => void>} */
const hearers = new Set();

/** Counts the times that something may have been missed. */
const missed = signal(0);

/**
 * hear calls fn for each event from now on. It answers how to stop that.
 * @param {(event: ShopEvent) => void} fn
 */
export function hear(fn) {
  hearers.add(fn);
  return () => void hearers.delete(fn);
}

/**
 * useEvents calls fn when records of collections have changed: once for all changes of a while.
 * @param {string[]} collections
 * @param {() => void} fn
 * @param {{ record?: string | undefined, pause?: number }} [options] record: only changes of that one and of those that refer to it, such as
 * the parcels of an order; pause: milliseconds between a change and the call
 */
export function useEvents(collections, fn, { record, pause = 250 } = {}) {
  useEffect(() => {
    let timer = 0;
    const stop = hear((event) => {
      if (!collections.includes(event.collection) || (record && !isAbout(event, record))) return;
      timer ||= window.setTimeout(() => {
        timer = 0;
        fn();
      }, pause);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [collections.join(), fn, record, pause]);
  const times = missed.value;
  useEffect(() => {
    if (times > 0 && collections.length > 0) fn();
  }, [times]);
}

/** isAbout tells whether an event is of a record, or of one that refers to it. @param {ShopEvent} event @param {string} id */
function isAbout({ doc, data }, id) {
  return [doc, data].some((/** @type {any} */ of) => of && Object.values(of).includes(id));
}

/** listen keeps the connection for as long as somebody is signed in. A tab that nobody sees needs none. */
export function listen() {
  /** @type {AbortController | undefined} */
  let running;
  let key = '';
  const follow = () => {
    const away = document.visibilityState !== 'visible' || !navigator.onLine;
    const now = user.value && shop.value && !away ? `${user.value.id} ${shop.value.id}` : '';
    if (now === key) return;
    key = now;
    if (now && now !== heard) last = undefined; // events are counted by shop
    heard = now || heard;
    running?.abort();
    running = now ? new AbortController() : undefined;
    if (running) void run(running.signal);
  };
  effect(follow);
  document.addEventListener('visibilitychange', follow);
  addEventListener('online', follow);
  addEventListener('offline', () => {
    connected.value = false;
    follow();
  });
}

/** Number of the last event that was heard of: a tab that was out of sight hears what it missed. */
let last = /** @type {number | undefined} */ (undefined);

/** Whose events those are. */
let heard = '';

/** @param {AbortSignal} signal */
async function run(signal) {
  const state = (/** @type {import('../vendor/sdk.js').StreamState} */ s) => {
    if (signal.aborted) return;
    connected.value = s.connected;
    last = s.position ?? last;
  };
  try {
    for await (const event of api.events(last === undefined ? {} : { after: last }, { signal, state })) {
      last = event.sequence;
      if (event.environment && event.environment !== environment.value) continue;
      for (const fn of [...hearers]) fn(event);
    }
  } catch (e) {
    if (signal.aborted || !user.value) return;
    // The shop does not have any more what the page did not hear: all that is shown is read anew, and heard from now on.
    connected.value = false;
    last = undefined;
    missed.value++;
    setTimeout(() => signal.aborted || void run(signal), 2000);
  }
}
