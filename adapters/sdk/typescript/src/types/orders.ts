import type { MutationOptions } from '../pending.js';
import type { Answer, Body, CallOptions, Checkout, Operation, Order } from './api.js';
import type { Collections } from './collections.js';

/** A checkout, or at once the order in a shop that does not keep the two apart. */
export type OrderCheckout = { order: null; checkout: Checkout; checkoutToken: string } | { order: Order; checkout?: never; checkoutToken?: never };

export interface Orders<ToCart, O extends Operation> {
  checkout(input: ToCart & Body<O>, options?: MutationOptions): Promise<OrderCheckout>;
}

export interface ServerOrders extends Orders<unknown, 'serverOrderCheckout'> {
  /** Gives back what was paid and puts the goods back into stock. */
  cancel(input: { orderId: string } & Body<'orderCancel'>, options?: MutationOptions): Promise<Answer<'orderCancel'>>;
  transition(input: { orderId: string } & Body<'orderTransition'>, options?: MutationOptions): Promise<Answer<'orderTransition'>>;
}

export interface OneDraft {
  draftOrderId: string;
}

export interface DraftOrders {
  create(input: Collections['draft-orders']['create'], options?: MutationOptions): Promise<Collections['draft-orders']['created']>;
  update(input: OneDraft & Collections['draft-orders']['update'], options?: MutationOptions): Promise<Collections['draft-orders']['updated']>;
  /** What finalizing would come to; nothing changes. */
  calculate(input: OneDraft & Body<'draftOrderCalculate'>, options?: CallOptions): Promise<Answer<'draftOrderCalculate'>>;
  finalize(input: OneDraft, options?: MutationOptions): Promise<Answer<'draftOrderFinalize'>>;
  discard(input: OneDraft, options?: MutationOptions): Promise<Answer<'draftOrderDiscard'>>;
}

export interface OneReturn {
  returnRequestId: string;
}

export interface ReturnRequests {
  returnable(input: { orderId: string }, options?: CallOptions): Promise<Answer<'orderReturnable'>>;
  preview(input: Body<'returnRequestPreview'>, options?: CallOptions): Promise<Answer<'returnRequestPreview'>>;
  create(input: Body<'returnRequestCreate'>, options?: MutationOptions): Promise<Answer<'returnRequestCreate'>>;
  approve(input: OneReturn, options?: MutationOptions): Promise<Answer<'returnRequestApprove'>>;
  reject(input: OneReturn & Body<'returnRequestReject'>, options?: MutationOptions): Promise<Answer<'returnRequestReject'>>;
  receive(input: OneReturn & Body<'returnRequestReceive'>, options?: MutationOptions): Promise<Answer<'returnRequestReceive'>>;
  refund(input: OneReturn & Body<'returnRequestRefund'>, options?: MutationOptions): Promise<Answer<'returnRequestRefund'>>;
  cancel(input: OneReturn & Body<'returnRequestCancel'>, options?: MutationOptions): Promise<Answer<'returnRequestCancel'>>;
}
