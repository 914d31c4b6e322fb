import type { Records } from '../types.js';

/** What can happen to a record. */
export const WEBHOOK_OPERATIONS = ['create', 'update', 'delete'] as const;
export type WebhookOperation = (typeof WEBHOOK_OPERATIONS)[number];

/** The collections whose events are delivered, by slug. */
export type WebhookCollection = keyof Records & string;

// Tokens that the shop mails to a person; they are told nowhere else.
type Letters<C extends WebhookCollection> = C extends 'customers'
  ? { verificationToken?: string; resetToken?: string }
  : C extends 'users'
    ? { resetToken?: string }
    : unknown;

interface Head<C extends WebhookCollection> {
  /** The same in every attempt to deliver this event to this endpoint: remember it, and do each id once. */
  readonly id: string;
  /** When this attempt was signed. */
  readonly timestamp: Date;
  /** The number of the event among those of its record: 1, 2, 3, without gaps. Not signed; undefined for a test. */
  readonly sequence: number | undefined;
  /** Whether somebody is trying the endpoint out and nothing happened. Not signed. */
  readonly test: boolean;
  readonly collection: C;
}

/** A record was made. */
export interface WebhookCreate<C extends WebhookCollection> extends Head<C> {
  readonly operation: 'create';
  readonly data: Records[C] & Letters<C>;
  /** The whole record. */
  readonly doc: Records[C];
}

/** A record was changed. */
export interface WebhookUpdate<C extends WebhookCollection> extends Head<C> {
  readonly operation: 'update';
  /** The fields that changed, as they are now. */
  readonly data: Partial<Records[C]> & Letters<C>;
  /** The whole record after the change. */
  readonly doc: Records[C];
  /** The whole record before it. */
  readonly previousDoc?: Records[C];
}

/** A record was removed. */
export interface WebhookDelete<C extends WebhookCollection> extends Head<C> {
  readonly operation: 'delete';
  /** The record as it was last. */
  readonly data: Records[C];
}

/**
 * WebhookEvent is what a delivery tells, once it is verified: `e.collection` and `e.operation` tell which of its shapes it
 * has. `WebhookEvent<'orders'>` are those of one collection.
 */
export type WebhookEvent<C extends WebhookCollection = WebhookCollection> = {
  [K in C]: WebhookCreate<K> | WebhookUpdate<K> | WebhookDelete<K>;
}[C];

/** What a field was, undefined where that was not told, and what it is now. */
export interface Change<T> {
  readonly from: T | undefined;
  readonly to: T;
}

/** The changes of an update by field. */
export type Changes<T> = { readonly [K in keyof T]?: Change<T[K]> };

/** changed tells whether the event is an update that changed the field. */
export function changed<C extends WebhookCollection>(e: WebhookEvent<C>, field: keyof Records[C] & string): boolean {
  return e.operation === 'update' && Object.hasOwn(e.data, field);
}

/** changes are the fields that an update changed, each with what it was and is; there are none in other events. */
export function changes<C extends WebhookCollection>(e: WebhookEvent<C>): Changes<Records[C]> {
  const out: Record<string, Change<unknown>> = {};
  if (e.operation === 'update') {
    const now = e.doc as Record<string, unknown>;
    const before = e.previousDoc as Record<string, unknown> | undefined;
    for (const field of Object.keys(e.data)) {
      if (Object.hasOwn(now, field)) out[field] = { from: before?.[field], to: now[field] }; // a mailed token is no field
    }
  }
  return out as Changes<Records[C]>;
}
