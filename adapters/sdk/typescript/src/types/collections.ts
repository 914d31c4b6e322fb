import type { Collections } from '../generated/api.js';
import type { MutationOptions } from '../pending.js';
import type { Answer, CallOptions } from './api.js';

export type { Collections };

/** Slugs of all collections that a secret key may read. */
export type Slug = keyof Collections;

/** Slugs of the collections that a client key or a customer may read. */
export type BrowserSlug = { [S in Slug]: Collections[S]['browser'] extends true ? S : never }[Slug];

/** The record of each collection, as it is in an answer at depth 0. */
export type Records = { [S in Slug]: Collections[S]['record'] };

/** A filter; paths such as `category.slug` lead through relations. */
export type Where<S extends Slug> = Collections[S]['where'] & { [path: `${string}.${string}`]: unknown };

/** How records are shown. */
export interface Shown<S extends Slug> {
  /** Levels of relations that are shown as records instead of ids: 0 to 10. */
  depth?: number;
  /** Fields to show, or with `false` to leave out. */
  select?: { [F in keyof Records[S]]?: boolean };
}

/** Which records are meant, in which order, and which page of them. */
export interface Find<S extends Slug> extends Shown<S> {
  where?: Where<S>;
  /** What to find of orders, customers, products, drafts and returns, best match first; without a sort, and not of the public. */
  q?: string;
  /** Fields with commas in between; a minus in front turns the order round. */
  sort?: string;
  /** 0 to 500; 10 when left out. 0 only counts. */
  limit?: number;
  page?: number;
}

/** Reads one collection. */
export interface CollectionReader<S extends Slug> {
  find(input?: Find<S>, options?: CallOptions): Promise<Collections[S]['list']>;
  findById(id: string, input?: Shown<S>, options?: CallOptions): Promise<Records[S]>;
  count(input?: Pick<Find<S>, 'where'>, options?: CallOptions): Promise<{ totalDocs: number }>;
}

interface Creates<S extends Slug> {
  create(data: Collections[S]['create'], options?: MutationOptions): Promise<Collections[S]['created']>;
}

interface Updates<S extends Slug> {
  update(id: string, data: Collections[S]['update'], options?: MutationOptions): Promise<Collections[S]['updated']>;
  /** Changes up to 1,000 records, each in its own way; one that is refused leaves the others alone, unless `atomic` is true. */
  updateEach(
    input: { patches: { id: string; data: Collections[S]['update']; expectedRevision?: number }[]; atomic?: boolean },
    options?: MutationOptions,
  ): Promise<Answer<'bulkUpdate'>>;
  updateMany(input: { where: Where<S>; data: Collections[S]['update'] }, options?: MutationOptions): Promise<Collections[S]['bulk']>;
}

interface Removes<S extends Slug> {
  remove(id: string, options?: MutationOptions): Promise<Collections[S]['removed']>;
  removeMany(input: { where: Where<S> }, options?: MutationOptions): Promise<Collections[S]['bulk']>;
}

/** A file for the media collection, with the fields of its record. */
export type Upload = Collections['media']['update'] & {
  file: Blob;
  /** Name of the file; that of a File, or `blob`, when left out. */
  filename?: string;
};

interface Uploads {
  /** Stores a file. One that is given up before it is answered is not kept for later. */
  upload(input: Upload, options?: MutationOptions): Promise<Collections['media']['created']>;
}

/** `Yes` unless T is never. */
type Unless<T, Yes> = [T] extends [never] ? unknown : Yes;

/** Reads and writes one collection; what only its operations may do has no method here. */
export type Collection<S extends Slug> = CollectionReader<S> &
  (S extends 'media' ? Uploads : Unless<Collections[S]['create'], Creates<S>>) &
  Unless<Collections[S]['update'], Updates<S>> &
  Unless<Collections[S]['removed'], Removes<S>>;
