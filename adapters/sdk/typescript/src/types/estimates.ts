import type { Answer, Body, CallOptions, Operation } from './api.js';

/** Whether a code holds; if not, why. Rules that depend on an amount need a currency or a market. */
export type DiscountAnswer = Omit<Answer<'discountValidate'>, 'valid' | 'reason'> & ({ valid: true } | { valid: false; reason: string });

export interface Discounts<O extends Operation> {
  validate(input: Body<O>, options?: CallOptions): Promise<DiscountAnswer>;
}

export interface Shipping {
  calculate(input: Body<'shippingCalculate'>, options?: CallOptions): Promise<Answer<'shippingCalculate'>>;
}
