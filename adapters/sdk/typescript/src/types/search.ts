import type { Answer, CallOptions, Query } from './api.js';

/** What is found by a text, a group for each collection: the best matches, and whether there are more. */
export type Found = Answer<'search'>;

export interface Search {
  all(input: Query<'search'> & { q: string }, options?: CallOptions): Promise<Found>;
}
