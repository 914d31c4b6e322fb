// What was given to carriers, batch by batch, and what comes back from them.
import { html, useState } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { go, href } from '../../base/route.js';
import { can } from '../../base/shop.js';
import { collectionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { List } from '../../parts/list.js';
import { Empty, Page } from '../../parts/state.js';
import { Status, Time } from '../../parts/value.js';
import { MakeBatch } from './make_batch.js';

/** @type {Record<string, Partial<import('../../parts/table.js').Column>>} */
const cells = {
  number: { width: '8rem', cell: (b) => t('carriers.batch', { n: b.number }) },
  carrier: { width: '9rem' },
  count: { width: '7rem' },
  released: { width: '7rem' },
  createdAt: { width: '10rem' },
  note: { width: 'minmax(8rem, 2fr)' },
};

const columns = ['number', 'carrier', 'count', 'released', 'createdAt', 'note'];

/** @param {any} b */
const card = (b) => html`<span class="row-card">
  <b>${t('carriers.batch', { n: b.number })}</b><${Status} slug="carrier-batches" path="carrier" value=${b.carrier} />
  <span>${t('carriers.inIt', { n: b.count - b.released })}${b.note ? ` · ${b.note}` : ''}</span><${Time} at=${b.createdAt} relative /></span>`;

export default function Carriers() {
  const [making, setMaking] = useState(false);
  const may = can('orders:fulfill');
  useShortcuts(may ? [
    { keys: 'n', label: t('carriers.make'), run: () => setMaking(true) },
    { keys: 'i', label: t('carriers.import'), run: () => go('/carriers/import') },
  ] : []);
  const make = may && html`<${Button} look="primary" icon="plus" keys="n" onClick=${() => setMaking(true)}>${t('carriers.make')}<//>`;
  const top = may && html`<${Button} icon="upload" href=${href('/carriers/import')}>${t('carriers.import')}<//>${make}`;
  const empty = html`<${Empty} icon="truck" title=${t('carriers.none')} text=${t('carriers.noneText')} action=${make} />`;
  return html`<${Page} title=${collectionLabel('carrier-batches')} class="full" top=${top}>
    <${List} slug="carrier-batches" label=${collectionLabel('carrier-batches')} link=${(/** @type {any} */ b) => href(`/carriers/${b.id}`)}
      columns=${columns} cells=${cells} card=${card} empty=${empty} />
    ${making && html`<${MakeBatch} onClose=${() => setMaking(false)} />`}
  <//>`;
}
