// A draft while it is composed: what is typed is shown at once and kept on the server soon after.
import { useCallback, useEffect, useReducer, useRef } from '../../vendor/ui.js';
import { createCommerceIdempotencyKey } from '../../vendor/sdk.js';
import { recall, remember } from '../../base/memory.js';
import { useQuery } from '../../base/query.js';
import { refusalOf } from '../../base/refusal.js';
import { api, can, environment, shop, user } from '../../base/shop.js';
import { same } from '../../base/tree.js';
import { complain } from '../../parts/toast.js';

/** @typedef {import('../../vendor/sdk.js').Schemas} Schemas */
/** @typedef {import('../../base/refusal.js').Refusal} Refusal */
/**
 * @typedef {import('../../parts/terms.js').Terms} Terms
 * @typedef {{ id?: string, variant: string, quantity: number, terms?: Terms | null }} Line
 */
/** @typedef {Record<string, any> & { lines: Line[] }} Values members of a draft as they stand on the screen, relations as ids */

/**
 * @typedef {object} Draft
 * @property {Values | null} values null until they are read
 * @property {Values | null} record as the server has it; null for one that does not exist yet
 * @property {(values: Record<string, any>) => void} change
 * @property {(group: string, values: Record<string, any>) => void} within changes members of a group
 * @property {() => Promise<Values | null>} flush the draft once everything is kept; null if it is not
 * @property {() => Promise<void>} keep is flush for a form: it throws what refused it
 * @property {() => Promise<Values | null>} settle forgets what is not kept, for a draft that ends: it is answered as the server has it
 * @property {'kept' | 'keeping' | 'refused'} state
 * @property {Refusal | undefined} refusal of reading or keeping it
 * @property {boolean} restored what stands here was refused before the page was left
 * @property {boolean} overtaken somebody else changed it meanwhile
 * @property {() => void} restart reads it anew and forgets what was not kept
 * @property {(path: string) => string | undefined} error
 * @property {boolean} open whether it can be changed
 */

const pause = 500;
const drafts = () => /** @type {any} */ (api.collections.from('draft-orders'));

/**
 * useDraft is the draft with an id, or a new one that exists once something is typed.
 * @param {string} id `new` for a new one
 * @param {(id: string) => void} onCreated
 * @returns {Draft}
 */
export function useDraft(id, onCreated) {
  const [, show] = useReducer((/** @type {number} */ n) => n + 1, 0);
  const keeper = useRef(/** @type {Keeper | null} */ (null));
  const created = useRef(onCreated);
  created.current = onCreated;
  keeper.current ??= new Keeper(() => show(undefined), (made) => created.current(made), id === 'new');
  const k = keeper.current;
  const read = (/** @type {AbortSignal} */ signal) => drafts().findById(id, { depth: 0 }, { signal });
  const { data, refusal, reload } = useQuery(id === 'new' ? '' : `draft ${id}`, read, { live: ['draft-orders'], record: id });
  useEffect(() => k.meet(data), [data]);
  useEffect(() => {
    const hide = () => document.visibilityState === 'hidden' && void k.flush();
    document.addEventListener('visibilitychange', hide);
    return () => {
      document.removeEventListener('visibilitychange', hide);
      k.leave();
    };
  }, []);
  const restart = useCallback(() => {
    k.forget();
    reload();
  }, [reload]);
  const { record } = k;
  const values = record || id === 'new' ? /** @type {Values} */ ({ ...blank, ...record, ...k.unkept() }) : null;
  return {
    values, record, restart, state: k.state(), change: (members) => k.change(members), restored: k.restored,
    flush: async () => ((await k.flush()) ? k.record : null), settle: () => k.settle(),
    keep: async () => {
      if (!(await k.flush())) throw k.failure;
    },
    within: (group, members) => values && k.change({ [group]: { ...values[group], ...members } }),
    refusal: k.refusal ?? refusal, overtaken: k.refusal?.reason === 'changed_meanwhile',
    error: (path) => k.refusal?.fields[path] ?? Object.entries(k.refusal?.fields ?? {}).find(([name]) => name.startsWith(`${path}.`))?.[1],
    open: (record?.status ?? 'draft') === 'draft' && can(record ? 'draft-orders:update' : 'draft-orders:create'),
  };
}

/** What a new draft has. @type {Values} */
const blank = { lines: [], customerSnapshot: {}, shippingAddress: {}, tags: [], status: 'draft' };

/** A Keeper keeps what is typed: one change after the other, each based on the one before. */
export class Keeper {
  /** @type {Values | null} */
  record = null;
  /** @type {Record<string, any>} */
  typed = {};
  /** @type {Refusal | undefined} */
  refusal;
  /** @type {unknown} what the refusal is of */
  failure;
  /** @type {Promise<boolean> | undefined} */
  running;
  /** @type {{ values: Record<string, any>, key: string } | undefined} a change on its way to the server, or one that may have arrived */
  sent;
  here = true;
  timer = 0;
  /** Whether what is typed is written down. */
  noted = false;
  restored = false;
  where = `draft ${user.value?.id} ${shop.value?.id} ${environment.value}`;

  /**
   * @param {() => void} changed
   * @param {(id: string) => void} created
   * @param {boolean} [fresh] there is nothing to read
   */
  constructor(changed, created, fresh = false) {
    this.changed = changed;
    this.created = created;
    if (fresh) this.restore();
  }

  place() {
    return `${this.where} ${this.record?.id ?? 'new'}`;
  }

  /** note writes down what was refused, until it is kept: the server does not have it, and the page may be left. */
  note() {
    const { typed, sent, record } = this;
    const left = this.waits() && (this.noted || this.refusal !== undefined);
    if (left) remember(this.place(), JSON.stringify({ typed, sent, revision: record?.revision }));
    else if (this.noted) remember(this.place(), null);
    this.noted = left;
  }

  /** restore takes up what was written down, based on what it was typed into, so that the server tells what others did since. */
  restore() {
    const held = parsed(recall(this.place()));
    if (!held) return;
    if (this.record && this.record.status !== 'draft') {
      remember(this.place(), null);
      return;
    }
    this.typed = held.typed;
    this.sent = held.sent;
    if (this.record) this.record = { ...this.record, revision: held.revision };
    this.noted = true;
    this.restored = true;
    this.later(pause);
  }

  show() {
    this.note();
    if (this.here) this.changed();
  }

  /** @returns {Draft['state']} */
  state() {
    if (this.refusal) return 'refused';
    return this.running || this.waits() ? 'keeping' : 'kept';
  }

  waits() {
    return this.sent !== undefined || Object.keys(this.typed).length > 0;
  }

  /** What is typed, with what is on its way. */
  unkept() {
    return { ...this.sent?.values, ...this.typed };
  }

  /** @param {Record<string, any>} values */
  change(values) {
    this.typed = { ...this.typed, ...values };
    for (const [name, value] of Object.entries(this.typed)) {
      if (!(name in (this.sent?.values ?? {})) && this.record && same(value, this.record[name])) delete this.typed[name];
    }
    if (!this.waits() && this.refusal?.reason !== 'changed_meanwhile') this.refusal = undefined;
    this.show();
    this.later(pause);
  }

  /** @param {number} wait milliseconds */
  later(wait) {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.flush(), wait);
  }

  flush() {
    this.running ??= this.keepAll().finally(() => {
      this.running = undefined;
      this.show();
    });
    return this.running;
  }

  /** meet hears what was read. While something is on its way here, the server's next answer tells whether others were faster. @param {any} read */
  meet(read) {
    if (!read || this.running || this.waits() || (this.record && this.record.revision >= read.revision)) return;
    const first = !this.record;
    this.record = flat(read);
    if (first) this.restore();
    this.show();
  }

  forget() {
    this.drop();
    this.record = null;
    this.show();
  }

  drop() {
    clearTimeout(this.timer);
    this.typed = {};
    this.sent = undefined;
    this.refusal = undefined;
    this.restored = false;
    this.note();
  }

  /** settle lets what is on its way arrive, and nothing after it. */
  async settle() {
    this.typed = {};
    await this.running;
    this.drop();
    return this.record;
  }

  leave() {
    this.here = false;
    void this.flush().then((kept) => kept || complain(this.failure));
  }

  /** What is typed while something is sent, and until it is known whether that arrived, waits for the next turn. */
  async keepAll() {
    clearTimeout(this.timer);
    if (this.refusal?.reason === 'changed_meanwhile') return false;
    while (this.waits()) {
      // The same key again: the shop answers as it did when it took the change already, instead of a change by somebody else.
      const sent = (this.sent ??= { values: this.typed, key: createCommerceIdempotencyKey() });
      if (sent.values === this.typed) this.typed = {};
      this.show();
      try {
        await (this.record ? this.update(this.record, sent) : this.create(sent));
        this.refusal = undefined;
      } catch (e) {
        this.refuse(e);
        return false;
      }
    }
    return true;
  }

  /** @param {unknown} e */
  refuse(e) {
    this.failure = e;
    this.refusal = refusalOf(e);
    if (this.refusal.again) {
      if (this.here) this.later(4000);
      return;
    }
    this.typed = this.unkept();
    this.sent = undefined;
  }

  /**
   * @param {Values} record
   * @param {{ values: Record<string, any>, key: string }} sent
   */
  async update(record, { values, key }) {
    const { doc } = await drafts().update(record.id, { ...values, expectedRevision: record.revision }, { idempotencyKey: key });
    this.sent = undefined;
    this.record = flat(doc);
  }

  /** @param {{ values: Record<string, any>, key: string }} sent */
  async create({ values, key }) {
    const { doc } = await drafts().create(values, { idempotencyKey: key });
    if (this.noted) remember(this.place(), null);
    this.sent = undefined;
    this.record = flat(doc);
    if (this.here) this.created(doc.id);
  }
}

/** @param {string | null} text @returns {{ typed: Record<string, any>, sent?: Keeper['sent'], revision?: number } | null} */
function parsed(text) {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

/** termsOf are terms as they are sent, null where nothing is agreed. @param {any} terms @returns {Terms | null} */
function termsOf(terms) {
  const { unitPrice = null, discountAmount = null, discountPercent = null, reason = null } = terms ?? {};
  return (unitPrice ?? discountAmount ?? discountPercent) === null ? null : { unitPrice, discountAmount, discountPercent, reason };
}

/** withoutAmounts are lines without the amounts that were agreed for them; what is off in percent stays. @param {Line[]} lines @returns {Line[]} */
export const withoutAmounts = (lines) => lines.map((l) => ({ ...l, terms: termsOf({ ...l.terms, unitPrice: null, discountAmount: null }) }));

/** flat is a draft with its relations as ids, and its lines as they are sent. @param {any} doc @returns {Values} */
function flat(doc) {
  const id = (/** @type {any} */ relation) => (relation && typeof relation === 'object' ? relation.id : (relation ?? null));
  return {
    ...doc, customer: id(doc.customer), market: id(doc.market), shippingPolicy: id(doc.shippingPolicy), order: id(doc.order),
    customerSnapshot: doc.customerSnapshot ?? {},
    shippingAddress: doc.shippingAddress ?? {},
    lines: (doc.lines ?? []).map((/** @type {any} */ l) => ({ id: l.id, variant: id(l.variant), quantity: l.quantity, terms: termsOf(l.terms) })),
    tags: doc.tags ?? [],
  };
}
