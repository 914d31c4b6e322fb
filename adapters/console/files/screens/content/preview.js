// A content as shoppers will read it, more or less: each shop front has its own looks.
import { html } from '../../vendor/ui.js';
import { useQuery } from '../../base/query.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { here } from '../../parts/value.js';
import { safe } from './blocks.js';

/** @typedef {import('./blocks.js').Node} Node */

/** @param {{ title?: string, content: any }} props title: left out where it stands elsewhere */
export function Preview({ title, content }) {
  const nodes = /** @type {Node[]} */ (content?.root?.children ?? []);
  const ids = nodes.flatMap((n) => (n.type === 'upload' && typeof n.value === 'string' ? [n.value] : [])).sort();
  const read = async (/** @type {AbortSignal} */ signal) => {
    const { docs } = await api.collections.from('media').find({ where: { id: { in: ids } }, limit: 100, depth: 0 }, { signal });
    return new Map(docs.map((m) => [m.id, m]));
  };
  const { data: media } = useQuery(ids.length > 0 ? `media ${ids.join()}` : '', read);
  return html`<article class="reading">
    ${title !== undefined && html`<h2>${title || t('content.untitled')}</h2>`}
    ${nodes.map((node, i) => html`<${Shown} key=${i} node=${node} media=${media} />`)}
  </article>`;
}

/** @param {{ node: Node, media: Map<string, any> | undefined }} props */
function Shown({ node, media }) {
  const { type, children = [] } = node;
  if (type === 'heading') return node.tag === 'h2' ? html`<h3 class="big">${inline(children)}</h3>` : html`<h4>${inline(children)}</h4>`;
  if (type === 'quote') return html`<blockquote>${inline(children)}</blockquote>`;
  if (type === 'list') {
    const items = children.map((/** @type {Node} */ item, /** @type {number} */ i) => html`<li key=${i}>${inline(item.children ?? [])}</li>`);
    return node.listType === 'number' ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`;
  }
  if (type === 'upload') {
    const file = media?.get(node.value);
    // The page shows no pictures of other servers: what stands for them is what they say.
    return here(file?.url) ? html`<img src=${file.url} alt=${file.alt ?? ''} />` : html`<p class="help">${file?.alt || file?.filename}</p>`;
  }
  return html`<p>${inline(children)}</p>`;
}

/** inline is text with its formats: elements of the page, never markup. @param {Node[]} nodes @returns {any} */
function inline(nodes) {
  return nodes.map((node, i) => {
    if (node.type === 'linebreak') return html`<br key=${i} />`;
    const url = node.fields?.url;
    if (node.type === 'link' && typeof url === 'string' && safe(url)) return html`<a key=${i} href=${url} target="_blank"
      rel="noopener noreferrer">${inline(node.children ?? [])}</a>`;
    if (node.children) return html`<span key=${i}>${inline(node.children)}</span>`;
    const text = node.format & 2 ? html`<em>${node.text}</em>` : (node.text ?? '');
    return node.format & 1 ? html`<strong key=${i}>${text}</strong>` : html`<span key=${i}>${text}</span>`;
  });
}
