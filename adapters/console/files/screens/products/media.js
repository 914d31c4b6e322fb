// Pictures in their order: dropped, pasted or chosen; moved by hand or by keys.
import { html, useRef, useState } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { useQuery } from '../../base/query.js';
import { api, can, operatorHere, user } from '../../base/shop.js';
import { fieldLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import { FormDialog } from '../../parts/form.js';
import { Icon } from '../../parts/icon.js';
import { RelationField } from '../../parts/relation.js';
import { Card } from '../../parts/state.js';
import { complain } from '../../parts/toast.js';
import { here } from '../../parts/value.js';
import { useForm } from '../../base/form.js';

/** @param {{ form: import('../../base/form.js').Form, may: boolean }} props */
export function MediaCard({ form, may }) {
  const images = /** @type {string[]} */ (form.values.images ?? []);
  return html`<${Card} title=${fieldLabel('products', 'images')}>
    <${Pictures} value=${images} error=${form.error('images')} may=${may && can('media:create')}
      onInput=${(/** @type {string[]} */ v) => form.set('images', v)} keys />
  <//>`;
}

/**
 * Pictures is an ordered list of images; the first one is the featured one.
 * @param {{ value: string[], error?: string | undefined, may: boolean, onInput: (value: string[]) => void, keys?: boolean }} props keys: whether `i` adds one
 */
export function Pictures({ value, error, may, onInput, keys = false }) {
  const file = useRef(/** @type {HTMLInputElement | null} */ (null));
  const [over, setOver] = useState(false);
  const [drag, setDrag] = useState(-1);
  const { seen, sending, add, reload } = usePictures(value, onInput);
  useShortcuts(keys && may ? [{ keys: 'i', label: t('products.addImages'), run: () => file.current?.click() }] : []);
  const move = (/** @type {number} */ from, /** @type {number} */ to) => {
    const next = value.filter((_, i) => i !== from);
    next.splice(to, 0, /** @type {string} */ (value[from]));
    onInput(next);
  };
  const dragged = (/** @type {number} */ to) => {
    if (drag < 0 || drag === to) return;
    move(drag, to);
    setDrag(to);
  };
  const above = (/** @type {DragEvent} */ e) => {
    e.preventDefault();
    setOver(drag < 0);
  };
  const drop = (/** @type {DragEvent} */ e) => {
    e.preventDefault();
    setOver(false);
    if (e.dataTransfer?.files.length) void add(e.dataTransfer.files);
  };
  const paste = (/** @type {ClipboardEvent} */ e) => may && e.clipboardData?.files.length && void add(e.clipboardData.files);
  const zone = may && { onDragOver: above, onDragLeave: () => setOver(false), onDrop: drop };
  return html`<div class=${`pictures ${over ? 'over' : ''}`} ...${zone} onPaste=${paste}>
    ${value.length > 0 && html`<ol>${value.map((id, i) => html`<li key=${id} draggable=${may} class=${i === drag ? 'dragged' : ''}
      onDragStart=${() => setDrag(i)} onDragEnd=${() => setDrag(-1)} onDragEnter=${() => dragged(i)}>
      <${Picture} of=${seen.get(id)} at=${i} total=${value.length} may=${may} onChanged=${reload}
        onMove=${(/** @type {number} */ to) => move(i, to)} onRemove=${() => onInput(value.filter((v) => v !== id))} />
    </li>`)}</ol>`}
    ${may && html`<${Add} file=${file} sending=${sending} onFiles=${add} />
      <${RelationField} label=${t('products.chooseImage')} to="media" value=${null}
        onInput=${(/** @type {string | null} */ id) => id && !value.includes(id) && onInput([...value, id])} />`}
    ${error && html`<p class="error"><${Icon} name="circle-alert" size=${14} />${error}</p>`}
  </div>`;
}

/**
 * usePictures is the images by their ids, and how more are sent.
 * @param {string[]} value
 * @param {(value: string[]) => void} onInput
 */
function usePictures(value, onInput) {
  const latest = useRef(value);
  latest.current = value;
  // What was seen stays in its place while more is read.
  const seen = useRef(/** @type {Map<string, any>} */ (new Map()));
  const [sending, setSending] = useState(0);
  const read = (/** @type {AbortSignal} */ signal) => api.collections.from('media').find({ where: { id: { in: value } }, limit: 500, depth: 0 }, { signal });
  const { data, reload } = useQuery(value.length > 0 ? `media ${[...value].sort().join()}` : '', read);
  for (const doc of data?.docs ?? []) seen.current.set(doc.id, doc);
  const add = async (/** @type {Iterable<File>} */ files) => {
    // All go into this shop, though the person may be in another one before the last is sent.
    const [to, me] = [operatorHere(), user.value?.id];
    for (const one of [...files].filter((f) => f.type.startsWith('image/'))) {
      if (user.value?.id !== me) return;
      setSending((n) => n + 1);
      try {
        const { doc } = await to.upload('/api/media', { file: one, filename: one.name });
        seen.current.set(doc.id, doc);
        latest.current = [...latest.current, doc.id];
        onInput(latest.current);
      } catch (e) {
        complain(e);
      }
      setSending((n) => n - 1);
    }
  };
  return { seen: seen.current, sending, add, reload };
}

/** @param {{ file: { current: HTMLInputElement | null }, sending: number, onFiles: (files: Iterable<File>) => void }} props */
function Add({ file, sending, onFiles }) {
  const choose = (/** @type {any} */ e) => {
    onFiles([...e.currentTarget.files]);
    e.currentTarget.value = '';
  };
  return html`<div class="pictures-add">
    <${Button} icon="upload" busy=${sending > 0} onClick=${() => file.current?.click()}>
      ${sending > 0 ? t('products.sending', { n: sending }) : t('products.addImages')}<//>
    <input ref=${file} type="file" accept="image/*" multiple hidden onChange=${choose} />
    <small>${t('products.dropHelp')}</small>
  </div>`;
}

/**
 * @param {{ of: any, at: number, total: number, may: boolean, onMove: (to: number) => void, onRemove: () => void, onChanged: () => void }} props
 */
function Picture({ of, at, total, may, onMove, onRemove, onChanged }) {
  const [editing, setEditing] = useState(false);
  const name = of?.alt || of?.filename || t('products.image', { n: at + 1 });
  return html`<figure>
    ${here(of?.url)
      ? html`<img src=${of.url} alt=${of.alt ?? ''} draggable=${false} />`
      : html`<span class="blank"><${Icon} name="image" /><small>${name}</small></span>`}
    ${at === 0 && html`<figcaption>${t('products.featured')}</figcaption>`}
    ${may && html`<div class="picture-tools" role="group" aria-label=${name}>
      <${Button} look="quiet" icon="arrow-left" label=${t('products.earlier', { name })} disabled=${at === 0} onClick=${() => onMove(at - 1)} />
      <${Button} look="quiet" icon="arrow-right" label=${t('products.later', { name })} disabled=${at === total - 1} onClick=${() => onMove(at + 1)} />
      ${of && can('media:update') && html`<${Button} look="quiet" icon="pencil" label=${t('products.altOf', { name })} onClick=${() => setEditing(true)} />`}
      <${Button} look="quiet" icon="x" label=${t('common.removeNamed', { name })} onClick=${onRemove} />
    </div>`}
    ${editing && html`<${Alt} media=${of} onClose=${() => setEditing(false)} onChanged=${onChanged} />`}
  </figure>`;
}

/** @param {{ media: any, onClose: () => void, onChanged: () => void }} props */
function Alt({ media, onClose, onChanged }) {
  const form = useForm({
    name: `media ${media.id} alt`,
    initial: { alt: media.alt ?? '' },
    send: (changes, options) => api.collections.from('media').update(media.id, /** @type {any} */ ({ ...changes, expectedRevision: media.revision }), options),
    onSent: () => {
      onClose();
      onChanged();
    },
  });
  return html`<${FormDialog} form=${form} id="alt" title=${fieldLabel('media', 'alt')} onClose=${onClose}>
    ${here(media.url) && html`<img class="shown" src=${media.url} alt="" />`}
    <${TextField} label=${fieldLabel('media', 'alt')} help=${t('products.altHelp')} ...${form.input('alt')} autofocus />
  <//>`;
}
