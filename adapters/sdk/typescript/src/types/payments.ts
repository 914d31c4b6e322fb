import type { MutationOptions } from '../pending.js';
import type { Answer, Body, CallOptions, Checkout, Order, PaymentSession, Query } from './api.js';

/** What a widget of the provider needs to take the payment; nothing of it is secret. */
export type WidgetAction = Answer<'paymentSessionCreate'>['action'];

/** The arguments of the provider's requestPayment. Once copied it can be used until the payment has an end. */
export type RequestPaymentAction = NonNullable<Answer<'paymentSessionCreateAggregator'>['action']>;

/** The payment methods of hosted sessions. The one that is chosen must be enabled on the provider connection. */
export type PaymentMethod = NonNullable<Body<'paymentSessionCreateAggregator'>['method']>;

export interface Aggregated {
  checkoutId: string;
  connectionId?: string;
  /** Where the buyer comes back to. It says nothing of the payment: look it up. */
  redirectUrl: string;
}

export interface HostedSession extends Aggregated {
  mode: 'hosted_v2';
  method: PaymentMethod;
  country?: string;
}

export interface StandardSession extends Aggregated {
  mode: 'standard_v2';
  channel: 'card';
  /** The cash receipt (현금영수증) that the buyer asks for, should they pay by transfer or virtual account. */
  cashReceipt?: NonNullable<Body<'paymentSessionCreateAggregator'>['cashReceipt']>;
}

export interface PaymentSessions<S, Right> {
  create(
    input: Right & { checkoutId: string; connectionId?: string; successUrl: string; failUrl: string },
    options?: MutationOptions,
  ): Promise<{ paymentSession: PaymentSession; action: WidgetAction }>;
  retrieve(input: S, options?: CallOptions): Promise<{ paymentSession: PaymentSession }>;
  cancel(input: S, options?: MutationOptions): Promise<{ paymentSession: PaymentSession }>;
  createAggregator(input: Right & HostedSession, options?: MutationOptions): Promise<{ paymentSession: PaymentSession; checkoutUrl: string }>;
  createAggregator(
    input: Right & StandardSession,
    options?: MutationOptions,
  ): Promise<{ paymentSession: PaymentSession; action: RequestPaymentAction }>;
  /** Looks the payment up at the provider, which may place the order. */
  retrieveAggregator(input: S, options?: CallOptions): Promise<Answer<'paymentSessionRetrieveAggregator'>>;
  cancelAggregator(input: S, options?: MutationOptions): Promise<{ paymentSession: PaymentSession }>;
}

/** A payment session as a shopper names it; the checkout is needed only by a client that has not seen the session before. */
export interface OneSession {
  paymentSessionId: string;
  checkoutId?: string;
  checkoutToken?: string;
}

/** A payment that is known here, or not. */
export type FoundSession = { found: true; paymentSession: PaymentSession } | { found: false };

/** What looking a payment up came to. Nothing is attached to a checkout by guessing. */
export type Reconciled =
  | { found: true; requiresAttention: boolean; paymentSession: PaymentSession; checkout: Checkout; order: Order | null }
  | { found: false; requiresAttention: true };

/** For a provider without an adapter. Whoever calls it has verified the provider's result. Server only. */
export interface CustomPayments {
  create(input: Body<'serverPaymentSessionCustomCreate'>, options?: MutationOptions): Promise<{ paymentSession: PaymentSession }>;
  /** By exactly one of the provider's ids. */
  retrieve(
    input: { providerSessionId: string } | { providerPaymentId: string },
    options?: CallOptions,
  ): Promise<Answer<'serverPaymentSessionCustomRetrieve'>>;
  confirm(input: Body<'serverPaymentSessionCustomConfirm'>, options?: MutationOptions): Promise<Answer<'serverPaymentSessionCustomConfirm'>>;
}

export interface ServerPaymentSessions extends PaymentSessions<{ paymentSessionId: string }, unknown> {
  confirm(
    input: { paymentSessionId: string } & Body<'serverPaymentSessionConfirm'>,
    options?: MutationOptions,
  ): Promise<Answer<'serverPaymentSessionConfirm'>>;
  /** Frees a slot that a payment holds; note says why. */
  release(input: { paymentSessionId: string; note: string }, options?: MutationOptions): Promise<{ paymentSession: PaymentSession }>;
  /** What is known here; the provider is not asked. */
  findAggregator(input: Query<'serverPaymentSessionFindAggregator'>, options?: CallOptions): Promise<FoundSession>;
  reconcileAggregator(input: Body<'serverPaymentSessionReconcileAggregator'>, options?: MutationOptions): Promise<Reconciled>;
  custom: CustomPayments;
}
