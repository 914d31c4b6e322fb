import type { Answer, CallOptions } from './api.js';

/** Who is behind the shop, how to reach it and by which terms it sells, for the foot of each page. */
export type ShopInfo = Answer<'shop'>;

export interface Shop {
  retrieve(input?: Record<string, never>, options?: CallOptions): Promise<ShopInfo>;
}
