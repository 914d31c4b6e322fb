import type { MutationOptions } from '../pending.js';
import type { Answer, Body, CallOptions, Checkout, Operation, Order, PaymentSession } from './api.js';
import type { Collections, Find } from './collections.js';

/** Where a checkout stands. There is an order only once it is completed. */
export type CheckoutState =
  | { status: 'open' | 'expired' | 'canceled'; checkout: Checkout }
  | { status: 'payment_pending'; checkout: Checkout; paymentSession: PaymentSession }
  | { status: 'completed'; checkout: Checkout; order: Order }
  | { status: 'requires_attention'; checkout: Checkout; reason: NonNullable<Answer<'checkoutRetrieve'>['reason']> };

/** A checkout as a shopper names it: by its token, wherever that comes from, or by its id if this client has the token. */
export type OneCheckout = { checkoutToken: string; checkoutId?: string } | { checkoutId: string; checkoutToken?: string };

export interface Checkouts<C, ToCart, New extends Operation> {
  create(input: ToCart & Body<New>, options?: MutationOptions): Promise<{ checkout: Checkout; checkoutToken: string }>;
  retrieve(input: C, options?: CallOptions): Promise<CheckoutState>;
  /** Changes email or address while no payment is under way. */
  update(input: C & Body<'checkoutUpdate'>, options?: MutationOptions): Promise<{ checkout: Checkout }>;
  /** Places the order of a checkout that costs nothing. */
  complete(input: C, options?: MutationOptions): Promise<{ checkout: Checkout; order: Order }>;
}

export interface ServerCheckouts extends Checkouts<{ checkoutId: string }, unknown, 'serverCheckoutCreate'> {
  query(input?: Omit<Find<'checkouts'>, 'select'>, options?: CallOptions): Promise<Collections['checkouts']['list']>;
}
