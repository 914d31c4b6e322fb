// What roles are called: those that every shop has, and those of the shop's own.
import { useQuery } from '../../base/query.js';
import { api, can, user } from '../../base/shop.js';
import { look } from '../../base/words.js';

/** @typedef {import('../../vendor/sdk.js').Schemas['Role']} Role */

/** The roles that every shop has, the one with the most rights first. */
export const builtIn = ['platform-admin', 'tenant-admin', 'tenant-editor', 'tenant-viewer', 'packer', 'support', 'marketer', 'accountant'];

/**
 * useRoles is the shop's own roles, the name of each role, and those that this person may give to somebody.
 * @returns {{
 *   own: Role[], ready: boolean, nameOf: (slug: string | null | undefined) => string, options: { value: string, label: string }[], reload: () => void
 * }}
 */
export function useRoles() {
  const read = (/** @type {AbortSignal} */ signal) => api.collections.from('roles').find({ limit: 200, sort: 'name' }, { signal });
  const { data, reload, loading } = useQuery(can('roles:read') ? 'roles' : '', read, { live: ['roles'] });
  const own = data?.docs ?? [];
  const nameOf = (/** @type {string | null | undefined} */ slug) => look('roles', slug ?? '') ?? own.find((r) => r.slug === slug)?.name ?? slug ?? '—';
  const known = builtIn.filter((slug) => slug !== 'platform-admin' || user.value?.role === 'platform-admin');
  const options = [...known, ...own.map((r) => r.slug)].map((value) => ({ value, label: nameOf(value) }));
  return { own, ready: data !== undefined || !loading, nameOf, options, reload };
}
