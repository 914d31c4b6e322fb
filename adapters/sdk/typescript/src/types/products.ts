import type { MutationOptions } from '../pending.js';
import type { Answer, Body, CallOptions, Operation, Query } from './api.js';
import type { Where } from './collections.js';

/** A product by its slug or its id, never both. */
export type ProductChoice = ({ slug: string; id?: never } | { id: string; slug?: never }) & { market?: string };

type Detail = 'productDetail' | 'productDetailCatalog' | 'serverProductDetail' | 'serverProductDetailCatalog';
type Told<O extends Detail> = NonNullable<Answer<O> extends { product?: infer P } ? P : never>;
type Staff = 'stock' | 'reserved' | 'availableQuantity' | 'lowStock' | 'lowStockThreshold' | 'costPrice';
type Full<T> = Omit<T, Staff> & { [K in keyof T & Staff]-?: Exclude<T[K], undefined> };

/** A product, or why there is none to show. */
export type ProductAnswer<P> = { found: true; product: P } | { found: false; reason: NonNullable<Answer<Detail>['reason']> };

/** A product with its priced variants. No quantity is told to shoppers. */
export type Product = Told<'productDetail'>;

/** A product without availability. */
export type CatalogProduct = Told<'productDetailCatalog'>;

/** A product with its priced variants and their stock. */
export type ServerProduct = Full<Omit<Told<'serverProductDetail'>, 'variants'>> & {
  variants: Full<Told<'serverProductDetail'>['variants'][number]>[];
};

/** A product without availability, with what only the shop's staff sees. */
export type ServerCatalogProduct = Told<'serverProductDetailCatalog'>;

/** P and C: a product with and without availability; L, F and S: the operations of listings, of the search and of stock. */
export interface Products<P, C, L extends Operation, F extends Operation, S extends Operation> {
  detail(input: ProductChoice, options?: CallOptions): Promise<ProductAnswer<P>>;
  /** Without availability, which changes often: a cache may keep the answer. */
  detailCatalog(input: ProductChoice, options?: CallOptions): Promise<ProductAnswer<C>>;
  /** Published products. With a market, neither filter nor order may look at the base price. */
  listingPage(input?: Omit<Query<'productListing'>, 'where'> & { where?: Where<'products'> }, options?: CallOptions): Promise<Answer<L>>;
  /** Published products by what a shopper types, with facets to narrow them by, and the spelling mistakes that were taken for other words. */
  search(input?: Query<'productSearch'>, options?: CallOptions): Promise<Answer<F>>;
  listingGroupsCatalog(input: Body<'productListingGroups'>, options?: CallOptions): Promise<Answer<'productListingGroups'>>;
  /** What is available at this moment; it reserves nothing. */
  stockCheck(input: Body<'productStockCheck'>, options?: CallOptions): Promise<Answer<S>>;
}

export interface ServerProducts extends Products<
  ServerProduct,
  ServerCatalogProduct,
  'serverProductListing',
  'serverProductSearch',
  'serverProductStockCheck'
> {
  /** Adds or removes units (`delta`), or sets what was counted (`count`). */
  adjustStock(input: { variantId: string } & Body<'productVariantStock'>, options?: MutationOptions): Promise<Answer<'productVariantStock'>>;
  /** A product with its options, variants, prices in markets, images and stock, in the form in which it can be sent back. */
  complete(input: { productId: string }, options?: CallOptions): Promise<Answer<'productComplete'>>;
  /** All of it is made, or nothing: the error names every problem by its path. */
  createComplete(input: Body<'productCreateComplete'>, options?: MutationOptions): Promise<Answer<'productCreateComplete'>>;
  /** What is left out stays as it is; a list is the whole list. */
  replaceComplete(
    input: { productId: string } & Body<'productReplaceComplete'>,
    options?: MutationOptions,
  ): Promise<Answer<'productReplaceComplete'>>;
  /** A draft without stock, SKUs and barcodes. */
  duplicate(input: { productId: string } & Body<'productDuplicate'>, options?: MutationOptions): Promise<Answer<'productDuplicate'>>;
  /** With `preview` it changes nothing; the ids and revisions that it showed are sent back as `expected`. */
  adjustPrices(input: Body<'productAdjustPrices'>, options?: MutationOptions): Promise<Answer<'productAdjustPrices'>>;
}
