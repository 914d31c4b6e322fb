import type { Answer, Body, CallOptions } from './api.js';

type Validation = 'discountValidate' | 'serverDiscountValidate';

/** Whether a code holds; if not, why. Rules that depend on an amount need a currency or a market. */
export type DiscountAnswer<O extends Validation = 'discountValidate'> = Omit<Answer<O>, 'valid' | 'reason'> &
  ({ valid: true } | { valid: false; reason: NonNullable<Answer<Validation>['reason']> });

export interface Discounts<O extends Validation> {
  validate(input: Body<O>, options?: CallOptions): Promise<DiscountAnswer<O>>;
}

export interface Shipping {
  calculate(input: Body<'shippingCalculate'>, options?: CallOptions): Promise<Answer<'shippingCalculate'>>;
}
