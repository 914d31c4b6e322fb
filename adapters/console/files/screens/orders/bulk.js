// What can be done with many orders at once; each has a result of its own.
import { html, useState } from '../../vendor/ui.js';
import { refusalOf } from '../../base/refusal.js';
import { api, can } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { LabelsField } from '../../parts/field.js';
import { Results } from '../../parts/results.js';

/** @typedef {import('../../parts/results.js').Result} Result */

/** Orders that are asked for at the same time. */
const atOnce = 4;

/** @param {{ ids: Set<string>, onDone: () => void }} props */
export function BulkActions({ ids, onDone }) {
  const [results, setResults] = useState(/** @type {Result[] | null} */ (null));
  const [left, setLeft] = useState(0);
  const [tagging, setTagging] = useState(false);

  /** each does something to every order, some at a time. @param {(id: string) => Promise<any>} work */
  const each = async (work) => {
    const all = [...ids];
    /** @type {Result[]} */
    const done = [];
    setLeft(all.length);
    setResults([]);
    const next = async () => {
      for (let id = all.shift(); id; id = all.shift()) {
        try {
          const order = await work(id);
          done.push({ id, name: order?.orderNumber ?? id, ok: true, text: t('orders.done') });
        } catch (e) {
          done.push({ id, name: id.slice(-8), ok: false, text: refusalOf(e).alone });
        }
        setResults([...done]);
        setLeft((n) => n - 1);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, next));
  };
  const move = (/** @type {'preparing' | 'shipped' | 'delivered'} */ to) => each(async (id) => (await api.call('POST /api/orders/{id}/transitions', { id, to })).order);
  const tag = (/** @type {string[]} */ tags) => {
    setTagging(false);
    return each(async (id) => {
      const order = await api.collections.from('orders').findById(id, { select: { tags: true, orderNumber: true, revision: true } });
      const both = [...new Set([...(order.tags ?? []), ...tags])];
      return (await api.collections.from('orders').update(id, /** @type {any} */ ({ tags: both, expectedRevision: order.revision }))).doc;
    });
  };
  const title = left > 0 ? t('orders.working', { n: left }) : t('orders.worked', { n: (results ?? []).filter((r) => r.ok).length });
  return html`${can('orders:fulfill') &&
    html`<${Button} icon="package" onClick=${() => move('preparing')}>${t('orders.prepare')}<//>
      <${Button} icon="truck" onClick=${() => move('shipped')}>${t('orders.ship')}<//>
      <${Button} icon="circle-check" onClick=${() => move('delivered')}>${t('orders.to-delivered')}<//>`}
    ${can('orders:update') && html`<${Button} icon="tags" onClick=${() => setTagging(true)}>${t('orders.tag')}<//>`}
    ${tagging && html`<${Tagging} onClose=${() => setTagging(false)} onTag=${tag} />`}
    ${results && html`<${Results} title=${title} results=${results} busy=${left > 0} onClose=${() => {
      setResults(null);
      if (results.every((r) => r.ok)) onDone();
    }} />`}`;
}

/** @param {{ onClose: () => void, onTag: (tags: string[]) => void }} props */
function Tagging({ onClose, onTag }) {
  const [tags, setTags] = useState(/** @type {string[]} */ ([]));
  const actions = html`<${Button} look="primary" disabled=${tags.length === 0} onClick=${() => onTag(tags)}>${t('orders.tag')}<//>`;
  return html`<${Dialog} title=${t('orders.tag')} onClose=${onClose} actions=${actions}><${LabelsField} label=${t('orders.tags')} value=${tags} onInput=${setTags} /><//>`;
}
