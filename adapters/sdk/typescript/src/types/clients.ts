import type { Pending } from '../pending.js';
import type { Carts, OneCart, PreviousCarts } from './carts.js';
import type { OneCheckout, Checkouts, ServerCheckouts } from './checkouts.js';
import type { BrowserSlug, Collection, CollectionReader, Slug } from './collections.js';
import type { Customers } from './customers.js';
import type { Discounts, Shipping } from './estimates.js';
import type { Invitations } from './invitations.js';
import type { DraftOrders, Orders, ReturnRequests, ServerOrders } from './orders.js';
import type { Exports, Imports, Prints } from './jobs.js';
import type { OneSession, PaymentSessions, ServerPaymentSessions } from './payments.js';
import type { CatalogProduct, Product, Products, ServerProducts } from './products.js';
import type { Reports } from './reports.js';
import type { Search } from './search.js';
import type { Addresses, Shop } from './shop.js';

/** What a shopper does. */
export interface Commerce {
  shop: Shop;
  addresses: Addresses;
  product: Products<Product, CatalogProduct, 'productListing', 'productSearch', 'productStockCheck'>;
  carts: Carts<OneCart, 'cartCreate', 'cartMerge'>;
  /** The previous generation of carts. */
  cart: PreviousCarts<OneCart, 'previousCartCreate'>;
  discounts: Discounts<'discountValidate'>;
  shipping: Shipping;
  checkouts: Checkouts<OneCheckout, { cartToken?: string }, 'checkoutCreate'>;
  paymentSessions: PaymentSessions<OneSession, { checkoutToken?: string }>;
  orders: Orders<{ cartToken?: string }, 'orderCheckout'>;
}

/** What the shop's own servers do. */
export interface ServerCommerce {
  shop: Shop;
  addresses: Addresses;
  search: Search;
  reports: Reports;
  exports: Exports;
  imports: Imports;
  prints: Prints;
  product: ServerProducts;
  carts: Carts<{ cartId: string }, 'serverCartCreate', 'serverCartMerge'>;
  /** The previous generation of carts. */
  cart: PreviousCarts<{ cartId: string }, 'serverPreviousCartCreate'>;
  discounts: Discounts<'serverDiscountValidate'>;
  shipping: Shipping;
  checkouts: ServerCheckouts;
  paymentSessions: ServerPaymentSessions;
  orders: ServerOrders;
  draftOrders: DraftOrders;
  returnRequests: ReturnRequests;
}

/** A client for browsers and apps. */
export interface Client {
  collections: { from<S extends BrowserSlug>(slug: S): CollectionReader<S> };
  customers: Customers;
  invitations: Invitations;
  commerce: Commerce;
  pending: Pending;
}

/** A client for the shop's own servers. */
export interface ServerClient {
  collections: { from<S extends Slug>(slug: S): Collection<S> };
  commerce: ServerCommerce;
  pending: Pending;
}
