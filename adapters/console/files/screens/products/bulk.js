// What can be done with many products at once; each has a result of its own.
import { html, useState } from '../../vendor/ui.js';
import { optionLabel, t } from '../../base/words.js';
import { api, can } from '../../base/shop.js';
import { backOf } from '../../base/undo.js';
import { useShortcuts } from '../../base/keys.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { RelationField } from '../../parts/relation.js';
import { Results } from '../../parts/results.js';
import { complain, tell, warn } from '../../parts/toast.js';
import { AdjustPrices } from './adjust_prices.js';

/** @typedef {import('../../parts/results.js').Result} Result */

/** @typedef {{ results: Result[], back: ReturnType<typeof backOf> }} Done back: the patches that undo it */

/** Products that are asked for, and changed, at a time. */
const atOnce = 500;

/** @param {{ ids: Set<string>, onDone: () => void }} props */
export function BulkActions({ ids, onDone }) {
  const [open, setOpen] = useState('');
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(/** @type {Done | null} */ (null));
  /** change writes to every product what data says of it. @param {(product: any) => { data: any, expectedRevision?: number }} data */
  const change = async (data) => {
    setOpen('');
    setBusy(true);
    try {
      setDone(await changed([...ids], data));
    } catch (e) {
      complain(e);
    }
    setBusy(false);
  };
  const status = (/** @type {'published' | 'draft'} */ to) => void change(() => ({ data: { status: to } }));
  // What was read is what the tags are added to: somebody else's are not taken away.
  const both = (/** @type {any} */ p, /** @type {string[]} */ tags) => [...new Set([...(p.tags ?? []), ...tags])];
  const tag = (/** @type {string[]} */ tags) => void change((p) => ({ data: { tags: both(p, tags) }, expectedRevision: p.revision }));
  useShortcuts([
    { keys: 'p', label: t('products.publish'), run: () => status('published') },
    { keys: 'u', label: t('products.unpublish'), run: () => status('draft') },
    { keys: 'm', label: t('products.adjust'), run: () => setOpen('prices') },
    ...(can('tags:read') ? [{ keys: 't', label: t('products.tag'), run: () => setOpen('tags') }] : []),
  ]);
  return html`<${Button} icon="eye" busy=${busy} onClick=${() => status('published')}>${t('products.publish')}<//>
    <${Button} icon="eye-off" busy=${busy} onClick=${() => status('draft')}>${t('products.unpublish')}<//>
    <${Button} icon="percent" onClick=${() => setOpen('prices')}>${t('products.adjust')}<//>
    ${can('tags:read') && html`<${Button} icon="tags" busy=${busy} onClick=${() => setOpen('tags')}>${t('products.tag')}<//>`}
    ${open === 'prices' && html`<${AdjustPrices} ids=${[...ids]} onClose=${() => setOpen('')} />`}
    ${open === 'tags' && html`<${Tagging} onClose=${() => setOpen('')} onTag=${tag} />`}
    ${done && html`<${Results} title=${t('products.worked', { n: done.results.filter((r) => r.ok).length })} results=${done.results} onClose=${() => {
      setDone(null);
      if (done.back.length > 0) tell(t('products.worked', { n: done.back.length }), (again) => putBack(done.back, again));
      if (done.results.every((r) => r.ok)) onDone();
    }} />`}`;
}

/**
 * changed changes products, and answers what became of each.
 * @param {string[]} ids
 * @param {(product: any) => { data: any, expectedRevision?: number }} data
 * @returns {Promise<Done>}
 */
async function changed(ids, data) {
  const products = api.collections.from('products');
  /** @type {Done} */
  const out = { results: [], back: [] };
  for (let at = 0; at < ids.length; at += atOnce) {
    const part = ids.slice(at, at + atOnce);
    const select = { name: true, status: true, tags: true, revision: true };
    const { docs } = await products.find({ where: { id: { in: part } }, limit: atOnce, depth: 0, select });
    const patches = docs.map((/** @type {any} */ p) => ({ id: p.id, ...data(p) }));
    const { results } = await products.updateEach({ patches });
    out.back.push(...backOf(patches, docs, results));
    for (const r of results) out.results.push({ id: r.id, name: docs.find((d) => d.id === r.id)?.name ?? '', ok: r.status !== 'refused', text: told(r) });
  }
  return out;
}

/**
 * putBack undoes it for every product that nobody has changed since, and tells how many stay as they are.
 * @param {Done['back']} back
 * @param {{ idempotencyKey: string }} options
 */
async function putBack(back, { idempotencyKey }) {
  const kept = [];
  for (let at = 0; at < back.length; at += atOnce) {
    const patches = /** @type {any} */ (back.slice(at, at + atOnce));
    const { results } = await api.collections.from('products').updateEach({ patches }, { idempotencyKey: `${idempotencyKey}-${at}` });
    kept.push(...results.filter((r) => r.status === 'refused'));
  }
  if (kept[0]) warn(t('products.kept', { n: kept.length, why: told(kept[0]) }));
  return kept.length === 0;
}

/** told says what became of one. @param {{ status: string, errors: { message: string }[] }} result */
export function told({ status, errors }) {
  if (errors[0]) return errors[0].message;
  return t(status === 'unchanged' ? 'products.unchanged' : 'products.done');
}

/** @param {{ onClose: () => void, onTag: (tags: string[]) => void }} props */
function Tagging({ onClose, onTag }) {
  const [tags, setTags] = useState(/** @type {string[]} */ ([]));
  const actions = html`<${Button} look="primary" disabled=${tags.length === 0} onClick=${() => onTag(tags)}>${t('products.tag')}<//>`;
  return html`<${Dialog} title=${t('products.tag')} onClose=${onClose} actions=${actions}>
    <div class="room"><${RelationField} label=${t('products.tags')} to="tags" many value=${tags} onInput=${setTags} /></div>
  <//>`;
}

/** statuses is what a product can be. */
export const statuses = () => ['draft', 'published', 'unlisted', 'out-of-stock'].map((value) => ({ value, label: optionLabel('products', 'status', value) }));
