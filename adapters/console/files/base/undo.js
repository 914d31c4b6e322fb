// What a change replaced, so that it can be put back.
import { same } from './tree.js';

/** @typedef {Record<string, any>} Values */

/**
 * replaced is the values that stood where a change put others, null for none. It is undefined for a change that touches what is not put
 * back with a click.
 * @param {Values} changes
 * @param {Values} base what they were made on
 * @param {string[]} [guarded] paths of that, such as `settings.allowedOrigins`
 * @returns {Values | undefined}
 */
export function replaced(changes, base, guarded = []) {
  const touched = guarded.some((path) => path.split('.')[0] in changes && !same(at(changes, path), at(base, path)));
  return touched ? undefined : Object.fromEntries(Object.keys(changes).map((name) => [name, before(changes[name], base[name])]));
}

/** @param {Values} values @param {string} path */
const at = (values, path) => path.split('.').reduce((/** @type {any} */ tree, name) => tree?.[name], values);

/** before is the old value, of a group with null for the members that were added. @param {any} mine @param {any} was @returns {any} */
function before(mine, was) {
  const groups = [mine, was].every((tree) => tree && typeof tree === 'object' && !Array.isArray(tree));
  return groups ? Object.fromEntries(Object.keys({ ...was, ...mine }).map((name) => [name, before(mine[name], was[name])])) : (was ?? null);
}

/**
 * backOf is the patches that put back what others replaced, each under the revision that it made.
 * @param {{ id: string, data: Values }[]} patches
 * @param {any[]} docs as they were before
 * @param {{ id: string, status: string, revision: number | null }[]} results what became of each: only what was changed is put back
 */
export function backOf(patches, docs, results) {
  return results.flatMap(({ id, status, revision }) => {
    const [patch, doc] = [patches, docs].map((all) => all.find((one) => one.id === id));
    return status === 'updated' && patch && doc ? [{ id, data: replaced(patch.data, doc), expectedRevision: revision }] : [];
  });
}
