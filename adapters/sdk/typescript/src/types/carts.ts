import type { MutationOptions } from '../pending.js';
import type { Answer, Body, CallOptions, Cart, Operation } from './api.js';

/** receipt is the cart as this call answered it; cart is the newest state this client has seen, which a repeated call may precede. */
export interface CartResult {
  cart: Cart;
  receipt: Cart;
}

/** A cart. Its token is found in the storage unless it is given. */
export interface OneCart {
  cartId: string;
  cartToken?: string;
}

/** One line of a cart. */
export interface OneLine {
  lineId: string;
}

type Change<C, O extends Operation> = C & Body<O>;

/** C: how a cart is named; New and Merge: the operations that make and merge carts. */
export interface Carts<C, New extends Operation, Merge extends Operation> {
  create(input?: Body<New>, options?: MutationOptions): Promise<CartResult & { cartToken: string }>;
  retrieve(input: C, options?: CallOptions): Promise<CartResult>;
  /** The active cart of the customer who is logged in. */
  mine(input?: Record<string, never>, options?: CallOptions): Promise<CartResult | { cart: null; receipt: null }>;
  merge(
    input: Body<Merge> & Omit<C, 'cartId'>,
    options?: MutationOptions,
  ): Promise<CartResult & { warnings: Answer<'cartMerge'>['warnings'] }>;
  addItem(input: Change<C, 'cartAddItem'>, options?: MutationOptions): Promise<CartResult>;
  updateItem(input: Change<C & OneLine, 'cartUpdateItem'>, options?: MutationOptions): Promise<CartResult>;
  removeItem(input: C & OneLine & { expectedRevision?: number }, options?: MutationOptions): Promise<CartResult>;
  /** Replaces the whole list; an empty one clears it. */
  updateDiscountCodes(input: Change<C, 'cartUpdateDiscountCodes'>, options?: MutationOptions): Promise<CartResult>;
  /** Replaces all public attributes; an empty object clears them. */
  updateAttributes(input: Change<C, 'cartUpdateAttributes'>, options?: MutationOptions): Promise<CartResult>;
  /** Takes out lines and codes; a cart that belongs to a market stays in it. */
  clear(input: C & { expectedRevision?: number }, options?: MutationOptions): Promise<CartResult>;
  /** The newest state that this client has seen, without asking. */
  cached(cartId: string): Cart | undefined;
}

/** A cart as the previous generation shows it, with flat totals. */
export type PreviousCart = Answer<'previousCartGet'>;

/** C: how a cart is named; New: the operation that makes one. */
export interface PreviousCarts<C, New extends Operation> {
  create(input?: Body<New>, options?: MutationOptions): Promise<Answer<'previousCartCreate'>>;
  get(input: C, options?: CallOptions): Promise<PreviousCart>;
  addItem(input: Change<C, 'previousCartAddItem'>, options?: MutationOptions): Promise<PreviousCart>;
  updateItem(input: Change<C & OneLine, 'previousCartUpdateItem'>, options?: MutationOptions): Promise<PreviousCart>;
  removeItem(input: C & OneLine, options?: MutationOptions): Promise<PreviousCart>;
  updateDiscountCodes(input: Change<C, 'previousCartUpdateDiscountCodes'>, options?: MutationOptions): Promise<PreviousCart>;
  clear(input: C, options?: MutationOptions): Promise<PreviousCart>;
  applyDiscount(input: Change<C, 'previousCartApplyDiscount'>, options?: MutationOptions): Promise<PreviousCart>;
  removeDiscount(input: Change<C, 'previousCartRemoveDiscount'>, options?: MutationOptions): Promise<PreviousCart>;
}
