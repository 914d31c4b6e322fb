// Values that are followed: what has read one is done again when it changes, a component by being rendered. The console needs no more of
// what @preact/signals can do, and this is a sixth of its size.
import { options } from 'preact';

/** @typedef {{ read: Map<Signal<any>, unknown>, hear: () => void, run: () => void }} Reader with the values that it has read */

/** Who reads now. @type {Reader | undefined} */
let reader;

/** Who has heard of a change, and is to look at what became of it. @type {Set<Reader>} */
const heard = new Set();

/** How many batches are under way. */
let batches = 0;

/** A value that is followed. @template T */
export class Signal {
  /** @param {T} now */
  constructor(now) {
    this.now = now;
    /** @type {Set<Reader>} */
    this.readers = new Set();
  }

  /** peek is the value, and does not follow it. @returns {T} */
  peek() {
    return this.now;
  }

  get value() {
    const now = this.peek();
    if (reader) {
      this.readers.add(reader);
      reader.read.set(this, now);
    }
    return now;
  }

  set value(next) {
    if (next === this.now) return;
    this.now = next;
    this.tell();
  }

  tell() {
    batch(() => this.readers.forEach(({ hear }) => hear()));
  }

  /** subscribe calls fn with the value, now and after each change, until what it returns is called. @param {(value: T) => void} fn */
  subscribe(fn) {
    return effect(() => {
      const now = this.value;
      reader = undefined;
      fn(now);
    });
  }
}

/** A value that is made of others, when somebody asks. @template T @extends {Signal<T>} */
class Computed extends Signal {
  stale = true;

  /** @param {() => T} make */
  constructor(make) {
    super(/** @type {any} */ (undefined));
    const hear = () => {
      if (this.stale) return;
      this.stale = true;
      this.tell();
    };
    this.make = make;
    /** @type {Reader} */
    this.reader = { read: new Map(), hear, run: () => {} };
  }

  peek() {
    if (this.stale) {
      this.stale = false;
      follow(this.reader, () => {
        this.now = this.make();
      });
    }
    return this.now;
  }
}

/** forget ends that a reader hears of what it has read. @param {Reader} of */
function forget(of) {
  for (const [signal] of of.read) signal.readers.delete(of);
  of.read.clear();
}

/** follow does something for a reader, which hears of what is read there. @param {Reader} next @param {() => void} run */
function follow(next, run) {
  const outer = reader;
  forget(next);
  reader = next;
  try {
    run();
  } finally {
    reader = outer;
  }
}

/** following is a reader that is to run when it has heard of a change. @param {() => void} run @returns {Reader} */
function following(run) {
  /** @type {Reader} */
  const own = { read: new Map(), hear: () => heard.add(own), run };
  return own;
}

/** batch changes several values before anybody hears of it. @param {() => void} change */
export function batch(change) {
  batches++;
  try {
    change();
  } finally {
    if (--batches === 0) {
      for (const one of heard) {
        heard.delete(one);
        // What was made anew and is the same has not changed.
        if ([...one.read].some(([signal, before]) => signal.peek() !== before)) one.run();
      }
    }
  }
}

/** signal is a value that is followed. @template T @param {T} value @returns {Signal<T>} */
export const signal = (value) => new Signal(value);

/** computed is a value that is made of others, and follows them. @template T @param {() => T} make @returns {{ readonly value: T, peek(): T }} */
export const computed = (make) => new Computed(make);

/** effect does something now and whenever what it has read there changes, until what it returns is called. @param {() => void} run */
export function effect(run) {
  const own = following(() => follow(own, run));
  own.run();
  return () => forget(own);
}

/** @typedef {{ forceUpdate: () => void, reader?: Reader }} Component */

/** before has something done before what else hears of a step of Preact. @param {string} step @param {(vnode: { __c?: Component }) => void} fn */
function before(step, fn) {
  const steps = /** @type {Record<string, ((...all: any[]) => void) | undefined>} */ (/** @type {unknown} */ (options));
  const next = steps[step];
  steps[step] = (...all) => {
    fn(all[0]);
    next?.(...all);
  };
}

// A component reads while it is rendered: from __r until its parts are compared (__b), it is done (diffed), or it fails (__e).
before('__r', ({ __c: component }) => {
  if (!component) return;
  component.reader ??= following(() => component.forceUpdate());
  forget(component.reader);
  reader = component.reader;
});
for (const step of ['__b', 'diffed', '__e']) {
  before(step, () => {
    reader = undefined;
  });
}
before('unmount', ({ __c: component }) => component?.reader && forget(component.reader));
