// A form: what was typed is kept over a reload, goes out once, and meets what others did meanwhile.
import { useEffect, useMemo, useRef, useState } from '../vendor/ui.js';
import { createCommerceIdempotencyKey } from '../vendor/sdk.js';
import { recall, remember } from './memory.js';
import { refusalOf } from './refusal.js';
import { unsent } from './route.js';
import { environment, shop, user } from './shop.js';
import { onto, put, same } from './tree.js';

/** @typedef {Record<string, any>} Values */
/** @typedef {import('./refusal.js').Refusal} Refusal */

/**
 * @typedef {object} Form
 * @property {Values} values as they stand in the form
 * @property {(path: string, value: any) => void} set path has dots: `shippingAddress.phone`, `lines.0.quantity`
 * @property {(path: string) => any} get
 * @property {(path: string) => string | undefined} error what is wrong with an input; what is inside of it counts for groups
 * @property {Refusal | undefined} refusal of the last try
 * @property {Values} changes the members at the top that differ from what was there, null for those that were taken away
 * @property {boolean} dirty
 * @property {boolean} restored what stands here was typed before a reload
 * @property {boolean} busy
 * @property {boolean} unsure what stands here was sent and may have been done: to send it again is the same operation
 * @property {(path: string) => { value: any, error: string | undefined, onInput: (value: any) => void }} input what an input shows and does; '' for no value
 * @property {() => Promise<boolean>} submit true when it was accepted
 * @property {(e: Event) => void} send is submit for a form element
 * @property {() => void} save is submit for the keyboard, where nothing but the form stands in the way: not without changes
 * @property {() => void} reset
 * @property {Values} base what the edit is based on: it stays as it was while others change the record
 * @property {Overtaken[]} overtaken what others have changed since
 * @property {(name: string) => void} drop takes back what was typed for a member
 * @property {() => void} rebase goes on from what the record is now
 */

/** @typedef {{ name: string, was: any, theirs: any, mine: any, both: boolean }} Overtaken mine: undefined where it was not edited here */

/**
 * @typedef {object} FormOptions
 * @property {string} name of what is edited, such as `orders 0198…`
 * @property {Values} initial what is there now: it may change while the form is open
 * @property {(changes: Values, options: { idempotencyKey: string, revision: number | null }) => Promise<unknown>} send revision: of what the edit is based on
 * @property {boolean} [keep] false for what must not be written down
 * @property {() => void} [onSent]
 * @property {() => void} [refresh] reads what is there, which others have changed meanwhile
 */

/** @typedef {{ of: string, key: string, revision: number | null, send?: FormOptions['send'] }} Attempt send: until the page is left */

/**
 * useForm is the state of a form.
 * @param {FormOptions} options
 * @returns {Form}
 */
export function useForm({ name, initial, send, keep = true, onSent, refresh }) {
  const place = `form ${user.value?.id} ${shop.value?.id} ${environment.value} ${name}`;
  const [held, setHeld] = useState(() => restore(place, keep));
  const [typed, setTyped] = useState(/** @type {Values} */ (held?.typed ?? {}));
  const [pinned, setPinned] = useState(/** @type {Values | null} */ (held ? { ...initial, ...held.base } : null));
  // The record as the shop answered it, until it is read anew.
  const [landed, setLanded] = useState(/** @type {Values | null} */ (null));
  const [refusal, setRefusal] = useState(/** @type {Refusal | undefined} */ (undefined));
  const [busy, setBusy] = useState(false);
  const key = useRef(/** @type {Attempt | undefined} */ (held?.key));
  const base = pinned ?? (landed && (landed.revision ?? 0) > (initial.revision ?? 0) ? landed : initial);
  const values = useMemo(() => ({ ...base, ...typed }), [base, typed]);
  const changes = useMemo(() => changed(typed, base), [base, typed]);
  const overtaken = useMemo(() => (isNewer(initial, base) ? overtakenIn(base, initial, changes) : []), [base, initial, changes]);
  const dirty = Object.keys(changes).length > 0;
  const of = JSON.stringify(changes);
  const save = () => remember(place, JSON.stringify({ typed, base: based(base, typed), key: key.current }));
  useEffect(() => {
    if (!keep) return;
    if (dirty) save();
    else remember(place, null);
  }, [typed, dirty, base]);
  useLeaving(dirty && !keep);

  const submit = async () => {
    if (busy) return false;
    setBusy(true);
    setRefusal(undefined);
    // The same input is the same operation, however often it is sent, and after a reload too.
    // What others changed elsewhere in the record is no conflict.
    const revision = overtaken.length === 0 && isNewer(initial, base) ? initial.revision : base.revision;
    const sent = typed;
    // What was sent and may have been done is sent again as it was: the record that is there since may be the one that came of it.
    const attempt = key.current?.of === of ? key.current : { of, key: createCommerceIdempotencyKey(), revision: revision ?? null, send };
    key.current = attempt;
    if (keep) save();
    try {
      const answer = await (attempt.send ?? send)(changes, { idempotencyKey: attempt.key, revision: attempt.revision });
      if (isRecord(answer, initial)) setLanded(answer);
      settle(sent);
      onSent?.();
      return true;
    } catch (e) {
      const told = refusalOf(e);
      if (!told.unknown) key.current = undefined;
      if (told.reason === 'changed_meanwhile') refresh?.();
      setRefusal(told);
      return false;
    } finally {
      setBusy(false);
    }
  };
  /** settle takes out of the form what was accepted; what was typed meanwhile stays. @param {Values} sent */
  const settle = (sent) => {
    key.current = undefined;
    setTyped((now) => Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== sent[name])));
    setPinned(null);
    setHeld(undefined);
  };
  const reset = () => {
    settle(typed);
    setRefusal(undefined);
    if (keep) remember(place, null);
  };
  const get = (/** @type {string} */ path) => path.split('.').reduce((/** @type {any} */ tree, name) => tree?.[name], values);
  const set = (/** @type {string} */ path, /** @type {any} */ value) => {
    setPinned((p) => p ?? initial);
    setTyped((t) => put({ ...base, ...t }, t, path.split('.'), value));
  };
  const error = (/** @type {string} */ path) =>
    refusal?.fields[path] ?? Object.entries(refusal?.fields ?? {}).find(([name]) => name.startsWith(`${path}.`))?.[1];
  return {
    values, changes, dirty, restored: held !== undefined && dirty, busy, unsure: key.current?.of === of, refusal, submit, reset, base, overtaken,
    get, set, error,
    save: () => dirty && void submit(),
    input: (path) => ({ value: get(path) ?? '', error: error(path), onInput: (value) => set(path, value) }),
    send: (e) => {
      e.preventDefault();
      void submit();
    },
    drop: (name) => setTyped(({ [name]: _, ...rest }) => rest),
    rebase: () => {
      setRefusal(undefined);
      setTyped((now) => Object.fromEntries(Object.entries(now).map(([name, value]) => [name, onto(base[name], value, initial[name])])));
      setPinned(initial);
    },
  };
}

/**
 * changed is what was typed where it differs from what was there, null for what was taken away.
 * @param {Values} typed
 * @param {Values} base
 * @returns {Values}
 */
function changed(typed, base) {
  return Object.fromEntries(Object.entries(typed).filter(([name, value]) => !same(value, base[name])).map(([name, value]) => [name, value ?? null]));
}

/**
 * isNewer tells whether what is there now is not what the edit is based on, and came after it; where nothing counts revisions, it may be.
 * @param {Values} now
 * @param {Values} base
 */
function isNewer(now, base) {
  return now !== base && (now.revision === undefined || base.revision === undefined || now.revision > base.revision);
}

/**
 * isRecord tells whether an answer is the record itself.
 * @param {any} answer
 * @param {Values} initial
 * @returns {answer is Values}
 */
function isRecord(answer, initial) {
  return initial.id !== undefined && answer?.id === initial.id;
}

/** Members that change with every change. */
const envelope = ['revision', 'updatedAt'];

/**
 * overtakenIn compares what an edit is based on with what is there now.
 * @param {Values} base
 * @param {Values} now
 * @param {Values} changes
 * @returns {Overtaken[]}
 */
function overtakenIn(base, now, changes) {
  return Object.keys(now)
    .filter((name) => !envelope.includes(name) && !same(now[name], base[name]))
    .map((name) => ({ name, was: base[name], theirs: now[name], mine: changes[name], both: name in changes && !same(changes[name], now[name]) }));
}

/**
 * based is the part of the base that an edit needs after a reload.
 * @param {Values} base
 * @param {Values} typed
 */
function based(base, typed) {
  return Object.fromEntries(['revision', ...Object.keys(typed)].map((name) => [name, base[name]]));
}

/** useLeaving has people asked before they leave what is kept nowhere. @param {boolean} asks */
function useLeaving(asks) {
  useEffect(() => {
    if (!asks) return undefined;
    const ask = (/** @type {BeforeUnloadEvent} */ e) => e.preventDefault();
    addEventListener('beforeunload', ask);
    unsent.value++;
    return () => {
      removeEventListener('beforeunload', ask);
      unsent.value--;
    };
  }, [asks]);
}

/**
 * @param {string} place
 * @param {boolean} keep
 * @returns {{ typed: Values, base: Values, key?: Attempt } | undefined}
 */
function restore(place, keep) {
  try {
    return keep ? (JSON.parse(recall(place) ?? 'null') ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}
