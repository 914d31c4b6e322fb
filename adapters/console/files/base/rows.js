// The rows of a long list: pages are read where the reader is, and a list of any length scrolls.
import { useCallback, useEffect, useRef, useState } from '../vendor/ui.js';
import { useEvents } from './live.js';
import { refusalOf } from './refusal.js';

/** Rows that are read at a time. */
export const pageSize = 50;

/** Pages that are kept on each side of those in sight: who looks through a hundred thousand rows has only these in memory. */
const room = 20;

/** @typedef {{ docs: any[], totalDocs: number }} RowPage */

/**
 * @typedef {object} Rows
 * @property {string} name of what is listed
 * @property {number | undefined} total undefined until it is known
 * @property {(index: number) => any} row undefined where it is not read yet
 * @property {(from: number, to: number) => void} need reads the rows that are in sight
 * @property {boolean} stale something has happened to these records since they were read
 * @property {import('./refusal.js').Refusal | undefined} refusal
 * @property {() => void} reload
 * @property {() => any[]} all what was read and is kept
 */

/**
 * useRows reads rows by their place in a list.
 * @param {string} name tells what is listed, with all that it depends on
 * @param {(page: number, signal: AbortSignal) => Promise<RowPage>} read page counts from 1, each has pageSize rows
 * @param {string[]} live collections whose events make the list stale
 * @returns {Rows}
 */
export function useRows(name, read, live) {
  const [, shown] = useState(0);
  const show = useCallback(() => shown((n) => n + 1), []);
  const state = useRef(fresh(''));
  if (state.current.name !== name) {
    state.current.stop.abort();
    state.current = fresh(name);
  }
  const reading = useRef(read);
  reading.current = read;
  const s = state.current;

  const load = useCallback((/** @type {number} */ page) => {
    const s = state.current;
    if (s.loading.has(page)) {
      s.again.add(page); // what happened since is not in the answer that is on its way
      return;
    }
    s.loading.add(page);
    reading.current(page, s.stop.signal).then(
      ({ docs, totalDocs }) => {
        s.pages.set(page, docs);
        for (const p of s.pages.keys()) if (Math.abs(p - pageOf(s.seen[0])) > room) s.pages.delete(p);
        s.total = totalDocs;
        s.refusal = undefined;
        s.loading.delete(page);
        if (s.again.delete(page) && s === state.current) load(page);
        if (s === state.current) show();
      },
      (e) => {
        s.loading.delete(page);
        if (s !== state.current || s.stop.signal.aborted) return;
        s.refusal = refusalOf(e);
        show();
      },
    );
  }, []);

  const need = useCallback((/** @type {number} */ from, /** @type {number} */ to) => {
    const s = state.current;
    s.seen = [from, to];
    clearTimeout(s.timer);
    const missing = () => {
      for (let p = pageOf(from); p <= pageOf(Math.max(from, to)); p++) if (!s.pages.has(p)) load(p);
    };
    // Who scrolls past a thousand rows does not want to read them.
    if (s.pages.size === 0) missing();
    else s.timer = window.setTimeout(missing, 60);
  }, []);

  const reload = useCallback(() => {
    const s = state.current;
    const [from, to] = s.seen;
    for (const page of [...s.pages.keys()]) if (page < pageOf(from) || page > pageOf(to)) s.pages.delete(page);
    s.stale = false;
    for (let p = pageOf(from); p <= pageOf(Math.max(from, to)); p++) load(p);
    show();
  }, []);

  useEvents(
    live,
    useCallback(() => {
      const s = state.current;
      if (s.seen[0] === 0) reload();
      else {
        s.stale = true;
        show();
      }
    }, []),
    { pause: 1000 }, // a busy shop has many changes a second, and many people look
  );
  useEffect(() => () => state.current.stop.abort(), []);
  return {
    name: s.name, total: s.total, stale: s.stale, refusal: s.refusal, need, reload,
    row: (i) => s.pages.get(pageOf(i))?.[i % pageSize],
    all: () => [...s.pages.entries()].sort(([a], [b]) => a - b).flatMap(([, docs]) => docs),
  };
}

const pageOf = (/** @type {number} */ index) => Math.floor(index / pageSize) + 1;

/** @param {string} name */
function fresh(name) {
  return {
    name, stop: new AbortController(), timer: 0, stale: false, seen: /** @type {[number, number]} */ ([0, pageSize - 1]),
    pages: /** @type {Map<number, any[]>} */ (new Map()), loading: /** @type {Set<number>} */ (new Set()), again: /** @type {Set<number>} */ (new Set()),
    total: /** @type {number | undefined} */ (undefined), refusal: /** @type {import('./refusal.js').Refusal | undefined} */ (undefined),
  };
}
