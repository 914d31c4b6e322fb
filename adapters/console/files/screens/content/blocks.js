// The text of posts and pages: a tree of nodes as the Lexical editor keeps it, and the blocks that people write.
//
// What is written here becomes text nodes, never markup. Nodes that this editor does not know are kept as they are.

/** @typedef {{ type: string, [name: string]: any }} Node */
/** @typedef {'paragraph' | 'h2' | 'h3' | 'bullet' | 'number' | 'quote' | 'image' | 'other'} Kind */

/**
 * @typedef {object} Block
 * @property {Kind} kind
 * @property {string} text with **bold**, *italic* and [links](https://…); a line for each item of a list
 * @property {string} [media] id of the picture
 * @property {Node} [node] what it was read from, with what this editor does not show, such as a caption
 */

/** Kinds that can be chosen. @type {Kind[]} */
export const kinds = ['paragraph', 'h2', 'h3', 'bullet', 'number', 'quote', 'image'];

/** What every element of the tree has. */
const frame = { direction: null, format: '', indent: 0, version: 1 };

const bold = 1;
const italic = 2;

/**
 * blocksOf is the blocks of a content; undefined for one that was written by another kind of editor.
 * @param {any} content
 * @returns {Block[] | undefined}
 */
export function blocksOf(content) {
  if (content === null || content === undefined || content === '') return [{ kind: 'paragraph', text: '' }];
  const children = content?.root?.children;
  if (!Array.isArray(children)) return undefined;
  return children.length > 0 ? children.map(blockOf) : [{ kind: 'paragraph', text: '' }];
}

/** @param {Node} node @returns {Block} */
function blockOf(node) {
  const block = { ...shownOf(node), node };
  // What this editor would lose, such as a list inside of a list, is left alone.
  return plain(node) === plain(made(block)) ? block : { kind: 'other', text: '', node };
}

/** shownOf is what this editor shows of a node. @param {Node} node @returns {Block} */
function shownOf(node) {
  const { type, tag, children = [] } = node;
  if (type === 'paragraph') return { kind: 'paragraph', text: written(children) };
  if (type === 'quote') return { kind: 'quote', text: written(children) };
  if (type === 'heading' && (tag === 'h2' || tag === 'h3')) return { kind: tag, text: written(children) };
  if (type === 'list') return { kind: node.listType === 'number' ? 'number' : 'bullet', text: children.map(lineOf).join('\n') };
  if (type === 'upload' && node.relationTo === 'media') return { kind: 'image', text: '', media: node.value?.id ?? node.value };
  return { kind: 'other', text: '' };
}

/** lineOf is the text of an item of a list. @param {Node} item */
const lineOf = (item) => written(item.children ?? []);

/** contentOf is the content that blocks make; null for an empty one. @param {Block[]} blocks */
export function contentOf(blocks) {
  const full = blocks.filter((b) => b.kind === 'other' || b.media || b.text.trim() !== '');
  return full.length === 0 ? null : { root: { type: 'root', children: full.map(nodeOf), ...frame } };
}

/** nodeOf is the node of a block: the one that it was read from, as far as nobody has written it anew. @param {Block} block @returns {Node} */
function nodeOf(block) {
  const { kind, text, media, node } = block;
  if (kind === 'other' && node) return node;
  const fresh = made(block);
  if (!node) return fresh;
  const was = shownOf(node);
  if (kind === 'image') return was.kind === kind ? { ...node, value: media ?? null } : fresh;
  if (was.kind === kind && was.text === text) return node;
  const links = linksIn(node);
  if (was.kind !== kind) return { ...fresh, children: kept(fresh.children, links) };
  if (kind !== 'bullet' && kind !== 'number') return { ...node, children: kept(fresh.children, links) };
  return { ...node, children: itemsOf(fresh.children, node, links) };
}

/**
 * itemsOf is the items of a list that was written anew: lines that stayed are the items that they were, and an edited one is still the
 * item in its place.
 * @param {Node[]} items
 * @param {Node} list what it was
 * @param {Node[]} links
 */
function itemsOf(items, list, links) {
  const { start = 1, children: before = [] } = list;
  const left = [...before];
  return items.map((item, i) => {
    const value = start + i;
    const at = left.findIndex((old) => lineOf(old) === lineOf(item));
    if (at >= 0) return { ...left.splice(at, 1)[0], value };
    return { ...(before.length === items.length ? before[i] : item), value, children: kept(item.children, links) };
  });
}

/** linksIn is the links of a node, in their order. @param {Node} node @returns {Node[]} */
const linksIn = (node) => (node.type === 'link' ? [node] : (node.children ?? []).flatMap(linksIn));

/**
 * kept is nodes in which a link to where one has led before is that one: it still opens a tab of its own, if it did.
 * @param {Node[]} nodes
 * @param {Node[]} links each is used once
 * @returns {Node[]}
 */
function kept(nodes, links) {
  return nodes.map((node) => {
    if (node.type === 'listitem') return { ...node, children: kept(node.children, links) };
    const at = node.type === 'link' ? links.findIndex((l) => l.fields?.url === node.fields.url) : -1;
    return at < 0 ? node : { ...links.splice(at, 1)[0], type: 'link', children: node.children };
  });
}

/** made is the node of a block that was written here. @param {Block} block @returns {Node} */
function made({ kind, text, media }) {
  switch (kind) {
    case 'image':
      return { type: 'upload', relationTo: 'media', value: media ?? null, fields: null, format: '', version: 1 };
    case 'h2':
    case 'h3':
      return { type: 'heading', tag: kind, children: read(text), ...frame };
    case 'quote':
      return { type: 'quote', children: read(text), ...frame };
    case 'bullet':
    case 'number': {
      const items = text.split('\n').map((line, i) => ({ type: 'listitem', value: i + 1, children: read(line), ...frame }));
      return { type: 'list', listType: kind, tag: kind === 'number' ? 'ol' : 'ul', start: 1, children: items, ...frame };
    }
    default:
      return { type: 'paragraph', children: read(text), ...frame, textFormat: 0, textStyle: '' };
  }
}

/** plain is what a node says, without what says nothing: two trees with the same are the same text. @param {any} tree @returns {string} */
function plain(tree) {
  if (Array.isArray(tree)) return `[${tree.map(plain).join()}]`;
  if (typeof tree !== 'object' || tree === null) return JSON.stringify(tree);
  const { type, tag, listType, text, format, style, mode, fields, value, relationTo, children } = tree;
  const of = typeof value === 'object' && value !== null ? value.id : type === 'listitem' ? undefined : value;
  const inner = children?.length ? plain(children) : '';
  const looks = { format: format || 0, style: style || '', mode: mode === 'normal' ? undefined : mode };
  return JSON.stringify({ type, tag: type === 'heading' ? tag : undefined, listType, text, ...looks, url: fields?.url, of, relationTo, inner });
}

/** Marks of the text that people write, one after the other. */
const marks = /\\([\\*[\]()])|\*\*|\*|\[((?:[^\]\\]|\\.)*)\]\(([^()\s]+)\)|\n/g;

/**
 * read makes nodes of a text.
 * @param {string} text
 * @param {number} [format]
 * @returns {Node[]}
 */
export function read(text, format = 0) {
  /** @type {Node[]} */
  const nodes = [];
  let plainText = '';
  let now = format;
  const flush = () => {
    if (plainText) nodes.push({ type: 'text', text: plainText, format: now, detail: 0, mode: 'normal', style: '', version: 1 });
    plainText = '';
  };
  let from = 0;
  for (const found of text.matchAll(marks)) {
    const [mark, escaped, label, url] = found;
    plainText += text.slice(from, found.index);
    from = found.index + mark.length;
    const bit = mark === '**' ? bold : mark === '*' ? italic : 0;
    if (escaped !== undefined) plainText += escaped;
    else if (bit && ((now & bit) !== 0 || opens(text.slice(from), mark))) {
      flush();
      now ^= bit;
    } else if (url !== undefined && safe(url)) {
      flush();
      nodes.push({ type: 'link', fields: { url, linkType: 'custom', newTab: false }, children: read(label ?? '', now), ...frame, version: 3 });
    } else if (mark === '\n') {
      flush();
      nodes.push({ type: 'linebreak', version: 1 });
    } else plainText += mark;
  }
  plainText += text.slice(from);
  flush();
  return nodes;
}

/** opens tells whether a mark begins something: it stands before a word, and another one ends it. @param {string} rest @param {string} mark */
const opens = (rest, mark) => /^\S/.test(rest) && rest.includes(mark);

/** safe tells whether an address leads somewhere, and runs nothing. @param {string} url */
export function safe(url) {
  return /^(https?:\/\/|mailto:|tel:|\/(?!\/)|#)/i.test(url);
}

/**
 * written is the text of nodes, as people write it.
 * @param {Node[]} nodes
 * @param {number} [before] the format around them
 */
function written(nodes, before = 0) {
  let now = before;
  let out = '';
  /** @param {number} next */
  const turn = (next) => {
    const turned = now ^ next;
    out += (turned & bold ? '**' : '') + (turned & italic ? '*' : '');
    now = next;
  };
  for (const node of nodes) {
    if (node.type === 'linebreak') out += '\n';
    else if (node.type === 'link') {
      turn(before);
      out += `[${written(node.children ?? [], before)}](${node.fields?.url ?? ''})`;
    } else {
      turn((node.format ?? 0) & (bold | italic));
      out += escape(String(node.text ?? ''), now !== 0);
    }
  }
  turn(before);
  return out;
}

/**
 * escape keeps a text from being read as marks.
 * @param {string} text
 * @param {boolean} marked it stands between marks, where any asterisk would be one
 */
function escape(text, marked) {
  const stars = marked ? /\*/g : /\*(?=\S|$)/g;
  return text.replace(/\\(?=[\\*[\]()])/g, '\\\\').replace(stars, '\\*').replace(/\[(?=[^\]]*\]\()/g, '\\[');
}
