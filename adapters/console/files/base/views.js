// Views that were saved of a list: its filters, its search, its order and its columns under a name.
import { filtersFrom, filtersOf } from './filters.js';
import { useQuery } from './query.js';
import { searched } from './route.js';
import { fieldAt, useSchema } from './schema.js';
import { api } from './shop.js';

/** @typedef {import('../vendor/sdk.js').Schemas['SavedView']} View */
/** @typedef {import('./schema.js').Schema} Schema */

/** As many as one user may have; those that others share come on top of them. */
const most = 500;

/** The saved views, which are a user's alone and so not among the collections of the SDK. @type {any} */
export const saved = api.collections.from(/** @type {any} */ ('saved-views'));

/**
 * useViews is the views of a list, and the one that the address names.
 * @param {string} slug
 */
export function useViews(slug) {
  // Views are no part of roles: the schema tells whether the user may have some.
  const own = useSchema('saved-views');
  const may = own !== undefined && own !== null;
  const read = (/** @type {AbortSignal} */ signal) =>
    saved.find({ where: { collection: { equals: slug } }, sort: 'name', limit: most, depth: 0 }, { signal });
  const { data, refusal, reload } = useQuery(may ? `saved-views ${slug}` : '', read);
  const views = /** @type {View[]} */ (data?.docs ?? []);
  const named = new URLSearchParams(location.search).get('view');
  return { may, views, view: views.find((v) => v.id === named), awaited: named !== null && own !== null && !data && !refusal, reload };
}

/**
 * heldBack is the filter of a view that the address cannot say, and so holds beside what it says.
 * @param {View | undefined} view
 * @param {Schema} schema
 */
export function heldBack(view, schema) {
  const where = /** @type {any} */ (view?.where);
  return where && filtersFrom(where, (path) => fieldAt(schema, path)) === undefined ? where : undefined;
}

/**
 * queryOf is the address of a list as a view has it.
 * @param {View} view
 * @param {Schema} schema
 * @param {string[]} columns that the list shows by itself
 */
export function queryOf(view, schema, columns) {
  const filters = filtersFrom(/** @type {any} */ (view.where), (path) => fieldAt(schema, path)) ?? {};
  const query = new URLSearchParams({ view: view.id, ...filters });
  if (view.sort) query.set('sort', view.sort);
  if (view.q) query.set('q', view.q);
  const own = view.columns ?? [];
  if (own.length > 0 && own.join() !== stored(columns, schema).join()) query.set('columns', own.join());
  return query;
}

/**
 * stored is those columns that a view can keep: a column that a list makes by hand has no field.
 * @param {string[]} columns
 * @param {Schema} schema
 */
export function stored(columns, schema) {
  return columns.filter((path) => fieldAt(schema, path));
}

/** Whether the address names a view and nothing else, as a link does that was written by hand. @param {URLSearchParams} query */
export function bare(query) {
  return query.has('view') && !query.has('sort') && !query.has('columns') && !query.has('q') && Object.keys(filtersOf(query)).length === 0;
}

/** leave goes from a view back to the list itself. */
export function leave() {
  searched(new URLSearchParams());
}
