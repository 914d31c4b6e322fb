// The categories of the shop as the tree that they are.
import { html, useEffect, useMemo, useRef, useState } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { useQuery } from '../../base/query.js';
import { href } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { backOf } from '../../base/undo.js';
import { collectionLabel, t } from '../../base/words.js';
import { useAttempt } from '../../parts/acts.js';
import { Button } from '../../parts/button.js';
import { Menu } from '../../parts/menu.js';
import { remove } from '../../parts/remove.js';
import { Card, Empty, Loading, Notice, Page, Refused } from '../../parts/state.js';
import { tell } from '../../parts/toast.js';
import { AddCategory } from './add.js';
import { moved, treeOf } from './tree.js';

/** @typedef {import('./tree.js').Node} Node */
/** @typedef {import('./tree.js').Way} Way */

/** How many categories are shown. */
const most = 500;

export default function Categories() {
  const categories = api.collections.from('categories');
  const read = (/** @type {AbortSignal} */ signal) => categories.find({ limit: most, depth: 0, sort: 'name' }, { signal });
  const { data, refusal, reload } = useQuery('categories of the tree', read, { live: ['categories'] });
  const [adding, setAdding] = useState(/** @type {{ parent: string | null } | null} */ (null));
  const [focused, setFocused] = useState('');
  const [, attempt] = useAttempt(reload);
  const tree = useMemo(() => treeOf(data?.docs ?? []), [data]);
  const may = can('categories:update');
  const move = async (/** @type {Node} */ node, /** @type {Way} */ way) => {
    const patches = moved(tree, node, way);
    if (patches.length === 0) return;
    setFocused(node.id);
    await attempt(async () => {
      const { results } = await categories.updateEach({ patches, atomic: true });
      const back = backOf(patches, data?.docs ?? [], results);
      tell(t('categories.moved', { name: node.name }), (again) =>
        categories.updateEach({ patches: /** @type {any} */ (back), atomic: true }, again).then(reload));
    });
  };
  const removed = (/** @type {Node} */ { id, name }) => void remove({
    from: categories, id, title: t('categories.delete', { name }), text: t('categories.deleteText'), said: t('categories.deleted', { name }), then: reload,
  });
  const add = can('categories:create') ? (/** @type {string | null} */ parent) => setAdding({ parent }) : undefined;
  useShortcuts(add ? [{ keys: 'n', label: t('categories.add'), run: () => add(null) }] : []);
  const top = add && html`<${Button} look="primary" icon="plus" onClick=${() => add(null)}>${t('categories.add')}<//>`;
  return html`<${Page} title=${collectionLabel('categories')} top=${top}>
    ${refusal && html`<${Refused} refusal=${refusal} again=${reload} />`}
    ${!data && !refusal && html`<${Loading} lines=${8} />`}
    ${data && data.totalDocs > most && html`<${Notice} kind="warn">${t('categories.tooMany', { n: most })}<//>`}
    ${data && tree.length === 0 && html`<${Empty} icon="list" title=${t('categories.none')} text=${t('categories.noneText')} action=${top} />`}
    ${tree.length > 0 && html`<${Card}><${Branch} ...${{ nodes: tree, may, move, remove: removed, add, focused }} /><//>${may && html`<p
      class="help">${t('categories.help')}</p>`}`}
    ${adding && html`<${AddCategory} parent=${adding.parent} docs=${data?.docs ?? []} onClose=${() => setAdding(null)} onDone=${reload} />`}
  <//>`;
}

/**
 * @typedef {object} BranchProps
 * @property {Node[]} nodes
 * @property {boolean} may
 * @property {(node: Node, way: Way) => void} move
 * @property {(node: Node) => void} remove
 * @property {((parent: string | null) => void) | undefined} add
 * @property {string} focused id of the one that keeps the focus while it moves
 */

/** @param {BranchProps} props */
function Branch(props) {
  return html`<ul class="category-tree">${props.nodes.map((node, i) => html`<li key=${node.id}>
    <${Row} ...${props} node=${node} first=${i === 0} last=${i === props.nodes.length - 1} />
    ${node.children.length > 0 && html`<${Branch} ...${props} nodes=${node.children} />`}
  </li>`)}</ul>`;
}

/** @type {Record<string, Way>} */
const ways = { ArrowUp: 'up', ArrowDown: 'down', ArrowRight: 'in', ArrowLeft: 'out' };

/** @param {BranchProps & { node: Node, first: boolean, last: boolean }} props */
function Row({ node, first, last, may, move, remove, add, focused }) {
  const link = useRef(/** @type {HTMLAnchorElement | null} */ (null));
  const top = node.parent === null;
  // In another branch the row is made anew.
  useEffect(() => {
    if (focused === node.id && document.activeElement === document.body) link.current?.focus();
  }, [focused]);
  const keys = (/** @type {KeyboardEvent} */ e) => {
    const way = e.altKey && may ? ways[e.key] : undefined;
    if (!way) return;
    e.preventDefault();
    move(node, way);
  };
  /** @param {Way} way @param {string} icon @param {boolean} disabled */
  const step = (way, icon, disabled) => ({ label: t(`categories.move-${way}`), icon, disabled, run: () => move(node, way) });
  const moves = may ? [step('up', 'arrow-up', first), step('down', 'arrow-down', last), step('in', 'arrow-right', first), step('out', 'arrow-left', top)] : [];
  const items = [
    ...(add ? [{ label: t('categories.addBelow'), icon: 'plus', run: () => add(node.id) }] : []),
    ...moves,
    ...(can('categories:delete') ? [{ label: t('common.delete'), icon: 'trash', danger: true, run: () => remove(node) }] : []),
  ];
  return html`<div class="tree-row" onKeyDown=${keys}>
    <a ref=${link} href=${href(`/records/categories/${node.id}`)}>${node.name}</a>
    <${Button} look="quiet" href=${href(`/products?category=${node.id}`)}>${t('categories.products')}<//>
    ${items.length > 0 && html`<${Menu} label=${t('categories.actionsOf', { name: node.name })} look="quiet" items=${items} />`}
  </div>`;
}
