// Categories as a tree, and what has to be written to move one.

/** @typedef {{ id: string, name: string, parent: string | null, position: number | null, revision: number, children: Node[] }} Node */
/** @typedef {'up' | 'down' | 'in' | 'out'} Way */
/** @typedef {{ id: string, data: { position: number, parent?: string | null }, expectedRevision: number }} Patch */

/**
 * treeOf is the categories at the top, with those below them. One whose parent is not among them stands at the top.
 * @param {any[]} docs
 * @returns {Node[]}
 */
export function treeOf(docs) {
  const parentOf = (/** @type {any} */ d) => (typeof d.parent === 'string' ? d.parent : (d.parent?.id ?? null));
  const ids = new Set(docs.map((d) => d.id));
  const seen = new Set();
  /** @param {string | null} parent @returns {Node[]} */
  const below = (parent) =>
    docs
      .filter((d) => !seen.has(d.id) && (parent === null ? !ids.has(parentOf(d)) : parentOf(d) === parent) && seen.add(d.id))
      .sort((a, b) => (a.position ?? Infinity) - (b.position ?? Infinity) || a.name.localeCompare(b.name))
      .map((d) => ({ id: d.id, name: d.name, parent, position: d.position ?? null, revision: d.revision, children: below(d.id) }));
  return below(null);
}

/**
 * moved is what has to be written so that a category stands one place higher or lower, below the one before it, or beside its parent.
 * @param {Node[]} tree
 * @param {Node} node
 * @param {Way} way
 * @returns {Patch[]}
 */
export function moved(tree, node, way) {
  const place = find(tree, node.id);
  if (!place) return [];
  const { siblings, at, parents } = place;
  if (way === 'up' || way === 'down') {
    const to = at + (way === 'up' ? -1 : 1);
    if (to < 0 || to >= siblings.length) return [];
    const next = siblings.filter((n) => n !== siblings[at]);
    next.splice(to, 0, /** @type {Node} */ (siblings[at]));
    return placed(next, node.parent, node.id);
  }
  if (way === 'in') {
    const above = siblings[at - 1];
    return above ? placed([...above.children, node], above.id, node.id) : [];
  }
  const parent = parents.at(-1);
  const outer = parent && find(tree, parent.id);
  if (!outer) return [];
  const next = [...outer.siblings];
  next.splice(outer.at + 1, 0, node);
  return placed(next, parent.parent, node.id);
}

/**
 * placed writes the positions of siblings where they differ, and the parent of the one that moved.
 * @param {Node[]} siblings
 * @param {string | null} parent
 * @param {string} id
 */
function placed(siblings, parent, id) {
  return siblings.flatMap((n, i) => {
    const other = n.id === id && n.parent !== parent;
    return n.position === i + 1 && !other ? [] : [{ id: n.id, data: { position: i + 1, ...(other && { parent }) }, expectedRevision: n.revision }];
  });
}

/**
 * @param {Node[]} nodes
 * @param {string} id
 * @param {Node[]} [parents]
 * @returns {{ siblings: Node[], at: number, parents: Node[] } | undefined}
 */
function find(nodes, id, parents = []) {
  const at = nodes.findIndex((n) => n.id === id);
  if (at >= 0) return { siblings: nodes, at, parents };
  for (const n of nodes) {
    const found = find(n.children, id, [...parents, n]);
    if (found) return found;
  }
  return undefined;
}
