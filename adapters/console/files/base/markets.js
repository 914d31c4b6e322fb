// The markets that the shop sells in.
import { useQuery } from './query.js';
import { api, can } from './shop.js';

/** @typedef {import('../vendor/sdk.js').Schemas['Market']} Market */

/** useMarkets is the markets that are open, by name; none where the user may not see them. @returns {Market[]} */
export function useMarkets() {
  const open = /** @type {any} */ ({ where: { status: { not_equals: 'inactive' } }, limit: 100, sort: 'name', depth: 0 });
  const read = (/** @type {AbortSignal} */ signal) => api.collections.from('markets').find(open, { signal });
  return /** @type {any} */ (useQuery(can('markets:read') ? 'open markets' : '', read, { live: ['markets'] }).data?.docs ?? []);
}
