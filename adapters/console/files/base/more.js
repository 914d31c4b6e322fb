// What is read a part at a time, each part on request: logs, rows of a file, a library.
import { useCallback, useEffect, useRef, useState } from '../vendor/ui.js';
import { useEvents } from './live.js';
import { refusalOf } from './refusal.js';
import { environment, shop } from './shop.js';

/**
 * useMore reads the first part at once and further ones when asked. live: collections whose events make it read anew, as long as
 * nothing but the first part was read: who has read on is not thrown back.
 * @template T, C
 * @param {string} name tells what is read, with all that it depends on
 * @param {(after: C | null, signal: AbortSignal) => Promise<{ docs: T[], next: C | null }>} read
 * @param {string[]} [live]
 */
export function useMore(name, read, live = []) {
  const key = `${shop.value?.id} ${environment.value} ${name}`;
  const [state, setState] = useState({ key: '', docs: /** @type {T[]} */ ([]), next: /** @type {C | null} */ (null), further: false });
  const [refusal, setRefusal] = useState(/** @type {import('./refusal.js').Refusal | undefined} */ (undefined));
  const [busy, setBusy] = useState(false);
  const reading = useRef(read);
  reading.current = read;
  const running = useRef(/** @type {AbortController | undefined} */ (undefined));
  const load = useCallback(async (/** @type {C | null} */ after) => {
    running.current?.abort();
    const mine = new AbortController();
    running.current = mine;
    setBusy(true);
    try {
      const part = await reading.current(after, mine.signal);
      if (mine.signal.aborted) return;
      setState((old) => ({ key, docs: after === null ? part.docs : [...old.docs, ...part.docs], next: part.next, further: after !== null }));
      setRefusal(undefined);
    } catch (e) {
      if (mine.signal.aborted) return;
      setRefusal(refusalOf(e));
    }
    setBusy(false);
  }, [key]);
  const reload = useCallback(() => void load(null), [load]);
  useEffect(() => {
    reload();
    return () => running.current?.abort();
  }, [reload]);
  const current = state.key === key;
  useEvents(current && state.further ? [] : live, reload);
  return {
    docs: current ? state.docs : undefined, next: current ? state.next : null, further: current && state.further,
    refusal, busy, reload, more: () => void load(state.next),
  };
}
