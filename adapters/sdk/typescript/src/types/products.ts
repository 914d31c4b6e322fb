import type { Answer, Body, CallOptions, Operation, Query } from './api.js';
import type { Where } from './collections.js';

/** A product by its slug or its id, never both. */
export type ProductChoice = ({ slug: string; id?: never } | { id: string; slug?: never }) & { market?: string };

/** A product, or why there is none to show. */
export type ProductAnswer<P> = { found: true; product: P } | { found: false; reason: 'missing' | 'unpublished' | 'feature_disabled' };

type Told<O extends Operation> = NonNullable<Answer<O> extends { product?: infer P } ? P : never>;
type Staff = 'stock' | 'reserved' | 'availableQuantity' | 'lowStock' | 'lowStockThreshold';
type Public<P> = Omit<P, Staff | 'variants'> & (P extends { variants: (infer V)[] } ? { variants: Omit<V, Staff>[] } : unknown);
type Full<T> = Omit<T, Staff> & { [K in keyof T & Staff]-?: Exclude<T[K], undefined> };
type Stocked<P> = Full<Omit<P, 'variants'>> & (P extends { variants: (infer V)[] } ? { variants: Full<V>[] } : unknown);

/** A product with its priced variants. No quantity is told to shoppers. */
export type Product = Public<Told<'productDetail'>>;
export type CatalogProduct = Public<Told<'productDetailCatalog'>>;
/** A product with its priced variants and their stock. */
export type ServerProduct = Stocked<Told<'serverProductDetail'>>;

export interface Products<P> {
  detail(input: ProductChoice, options?: CallOptions): Promise<ProductAnswer<P>>;
  /** Without availability, which changes often: a cache may keep the answer. */
  detailCatalog(input: ProductChoice, options?: CallOptions): Promise<ProductAnswer<CatalogProduct>>;
  /** Published products. With a market, neither filter nor order may look at the base price. */
  listingPage(input?: Omit<Query<'productListing'>, 'where'> & { where?: Where<'products'> }, options?: CallOptions): Promise<Answer<'productListing'>>;
  listingGroupsCatalog(input: Body<'productListingGroups'>, options?: CallOptions): Promise<Answer<'productListingGroups'>>;
  /** What is available at this moment; it reserves nothing. */
  stockCheck(input: Body<'productStockCheck'>, options?: CallOptions): Promise<Answer<'productStockCheck'>>;
}
