// An editor of blocks: each is a text of its own, with few marks, and looks like what it is.
import { html, useEffect, useRef, useState } from '../../vendor/ui.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Menu } from '../../parts/menu.js';
import { Notice } from '../../parts/state.js';
import { RelationField } from '../../parts/relation.js';
import { blocksOf, contentOf, kinds, safe } from './blocks.js';

/** @typedef {import('./blocks.js').Block} Block */

const icons = { paragraph: 'menu', h2: 'file-text', h3: 'file-text', bullet: 'list', number: 'list', quote: 'message-square', image: 'image', other: 'lock' };

/**
 * Editor writes a content. What another editor has made and this one does not know stays as it is.
 * @param {{ label: string, value: any, onInput: (content: any) => void, error?: string }} props
 */
export function Editor({ label, value, onInput, error }) {
  const [blocks, setBlocks] = useState(() => blocksOf(value));
  const [focus, setFocus] = useState(/** @type {number | null} */ (null));
  const last = useRef(value);
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  useEffect(() => {
    // What came from elsewhere, such as a record that was read anew, takes the place of what stands here.
    if (JSON.stringify(value ?? null) === JSON.stringify(last.current ?? null)) return;
    last.current = value;
    setBlocks(blocksOf(value));
  }, [value]);
  useEffect(() => {
    if (focus !== null) /** @type {HTMLElement | null | undefined} */ (box.current?.querySelector(`[data-block="${focus}"]`))?.focus();
    setFocus(null);
  }, [focus]);
  if (!blocks) return html`<${Notice} kind="warn">${t('content.foreign')}<//>`;
  /** @param {Block[]} next @param {number} [at] where the focus goes */
  const change = (next, at) => {
    setBlocks(next);
    last.current = contentOf(next);
    onInput(last.current);
    if (at !== undefined) setFocus(at);
  };
  const put = (/** @type {number} */ i, /** @type {Block[]} */ instead, /** @type {number} */ at = i) => {
    const next = [...blocks.slice(0, i), ...instead, ...blocks.slice(i + 1)];
    change(next.length > 0 ? next : [{ kind: 'paragraph', text: '' }], Math.max(0, at));
  };
  const move = (/** @type {number} */ i, /** @type {number} */ to) => {
    const [one] = blocks.slice(i, i + 1);
    if (!one || to < 0 || to >= blocks.length) return;
    const rest = blocks.filter((_, n) => n !== i);
    change([...rest.slice(0, to), one, ...rest.slice(to)], to);
  };
  return html`<div class="editor" ref=${box} role="group" aria-label=${label}>
    <span class="label">${label}</span>
    ${blocks.map((block, i) => html`<${BlockRow} key=${i} block=${block} i=${i} put=${put} move=${move}
      onText=${(/** @type {string} */ text) => change(blocks.map((b, n) => (n === i ? { ...b, text } : b)))} />`)}
    <div><${Button} look="quiet" icon="plus" onClick=${() => change([...blocks, { kind: 'paragraph', text: '' }], blocks.length)}>${t('content.add')}<//></div>
    ${error && html`<p class="error">${error}</p>`}
    <p class="help">${t('content.marks')}</p>
  </div>`;
}

/**
 * @typedef {object} RowProps
 * @property {Block} block
 * @property {number} i
 * @property {(i: number, instead: Block[], at?: number) => void} put
 * @property {(i: number, to: number) => void} move
 * @property {(text: string) => void} onText
 */

/** @param {RowProps} props */
function BlockRow({ block, i, put, move, onText }) {
  const { kind } = block;
  const turn = (/** @type {Block['kind']} */ to) => {
    // A picture has no text: one that is there stays above it.
    if (to === 'image') put(i, [...(block.text ? [block] : []), { kind: to, text: '', media: '' }], block.text ? i + 1 : i);
    else put(i, [{ kind: to, text: block.text, node: block.node }]);
  };
  const choices = kinds.map((k) => ({ label: t(`content.block-${k}`), on: k === kind, run: () => turn(k) }));
  const items = [
    ...(kind === 'other' ? [] : [...choices, /** @type {const} */ ('line')]),
    { label: t('content.up'), icon: 'arrow-up', run: () => move(i, i - 1) },
    { label: t('content.down'), icon: 'arrow-down', run: () => move(i, i + 1) },
    { label: t('common.remove'), icon: 'trash', run: () => put(i, [], i - 1) },
  ];
  const name = t('content.blockNamed', { n: i + 1, kind: t(`content.block-${kind}`) });
  return html`<div class=${`block block-${kind}`}>
    <${Menu} label=${name} icon=${icons[kind]} look="quiet" side="left" items=${items} />
    ${kind === 'other'
      ? html`<p class="help" tabindex="-1" data-block=${i}>${t('content.kept', { kind: block.node?.type })}</p>`
      : kind === 'image'
        ? html`<${RelationField} to="media" label=${t('content.block-image')} hideLabel value=${block.media || null}
          onInput=${(/** @type {string | null} */ v) => put(i, [{ ...block, media: v ?? '' }])} />`
        : html`<${Text} ...${{ block, i, put, move, onText, name }} />`}
  </div>`;
}

/** @param {RowProps & { name: string }} props */
function Text({ block, i, put, move, onText, name }) {
  const { kind, text } = block;
  const list = kind === 'bullet' || kind === 'number';
  const keys = (/** @type {KeyboardEvent} */ e) => {
    if (e.isComposing) return;
    const area = /** @type {HTMLTextAreaElement} */ (e.currentTarget);
    const { selectionStart: from, selectionEnd: to } = area;
    const mark = (e.metaKey || e.ctrlKey) && { b: '**', i: '*' }[e.key];
    if (mark) wrap(area, mark, mark);
    else if ((e.metaKey || e.ctrlKey) && e.key === 'e') link(area);
    else if (e.key === 'Enter' && !e.shiftKey && !e.metaKey && !e.ctrlKey && (!list || text.slice(0, from).endsWith('\n') || text === '')) {
      const after = { kind: /** @type {const} */ ('paragraph'), text: text.slice(to), node: block.node };
      put(i, [{ ...block, text: list ? text.slice(0, from).replace(/\n$/, '') : text.slice(0, from) }, after], i + 1);
    } else if (e.key === 'Backspace' && text === '' && i > 0) put(i, [], i - 1);
    else if (e.altKey && (e.key === 'ArrowUp' || e.key === 'ArrowDown')) move(i, i + (e.key === 'ArrowUp' ? -1 : 1));
    else return;
    e.preventDefault();
  };
  const paste = (/** @type {ClipboardEvent} */ e) => {
    const parts = (e.clipboardData?.getData('text/plain') ?? '').replace(/\r/g, '').split(/\n{2,}/);
    if (list || parts.length < 2) return;
    e.preventDefault();
    const area = /** @type {HTMLTextAreaElement} */ (e.currentTarget);
    const [first = '', ...rest] = parts;
    const more = rest.map((p) => ({ kind: /** @type {const} */ ('paragraph'), text: p }));
    const end = more.length - 1;
    more[end] = { kind: 'paragraph', text: (more[end]?.text ?? '') + text.slice(area.selectionEnd) };
    put(i, [{ ...block, text: text.slice(0, area.selectionStart) + first }, ...more], i + more.length);
  };
  const rows = Math.max(1, text.split('\n').length);
  return html`<textarea data-block=${i} aria-label=${name} rows=${rows} value=${text} placeholder=${i === 0 ? t('content.write') : ''} onKeyDown=${keys}
    onPaste=${paste}
    onInput=${(/** @type {any} */ e) => onText(e.currentTarget.value)}></textarea>`;
}

/**
 * wrap puts marks around what is selected, as typing would: it can be undone.
 * @param {HTMLTextAreaElement} area
 * @param {string} before
 * @param {string} after
 */
function wrap(area, before, after) {
  const { selectionStart: from, selectionEnd: to, value } = area;
  area.setRangeText(before + value.slice(from, to) + after, from, to, 'end');
  if (from === to) area.setSelectionRange(from + before.length, from + before.length);
  area.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

/** link makes what is selected lead somewhere: an address becomes one, a text waits for it. @param {HTMLTextAreaElement} area */
function link(area) {
  const chosen = area.value.slice(area.selectionStart, area.selectionEnd);
  if (safe(chosen)) wrap(area, `[${chosen}](`, ')');
  else wrap(area, '[', '](https://)');
}
