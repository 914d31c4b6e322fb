import type { Answer, CallOptions } from './api.js';

/** Who is behind the shop, how to reach it and by which terms it sells, for the foot of each page. */
export type ShopInfo = Answer<'shop'>;

/** The form for an address in a country, and the countries that the shop ships to. */
export type AddressForm = Answer<'addressFormat'>;

export interface Shop {
  retrieve(input?: Record<string, never>, options?: CallOptions): Promise<ShopInfo>;
}

export interface Addresses {
  format(input?: { country?: string; locale?: string }, options?: CallOptions): Promise<AddressForm>;
}
