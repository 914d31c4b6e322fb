// All drafts: orders that are being put together by hand.
import { html } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { go, href, screenOf } from '../../base/route.js';
import { can } from '../../base/shop.js';
import { collectionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { List } from '../../parts/list.js';
import { Empty, Page } from '../../parts/state.js';
import { Money, Status, Time } from '../../parts/value.js';
import { trialTag } from './find.js';
import { titleOf } from './draft.js';

/** @param {any} d */
const units = (d) => (d.lines ?? []).reduce((/** @type {number} */ n, /** @type {any} */ l) => n + l.quantity, 0);

/** @type {Record<string, Partial<import('../../parts/table.js').Column>>} */
const cells = {
  customerSnapshot: { cell: titleOf, width: 'minmax(10rem, 2fr)' },
  status: { width: '8rem' },
  lines: { cell: (d) => d.lines.length, width: '5rem', align: 'end' },
  totals: { cell: (d) => html`<${Money} amount=${d.totals?.total} currency=${d.currency} />`, width: '8rem', align: 'end' },
  updatedAt: { cell: (d) => html`<${Time} at=${d.updatedAt} relative />`, width: '9rem' },
  createdAt: { cell: (d) => html`<${Time} at=${d.createdAt} relative />`, width: '9rem' },
};

/** @param {any} d */
const card = (d) => html`<span class="draft-card"><b>${titleOf(d)}</b><${Time} at=${d.createdAt} relative />
  <span>${t('drafts.units', { n: units(d) })}</span><${Status} slug="draft-orders" path="status" value=${d.status} /></span>`;

const columns = ['customerSnapshot', 'status', 'lines', 'totals', 'tags', 'createdAt', 'updatedAt'];

/** Drafts that codes are tried on are none. */
const real = { tags: { not_in: [trialTag] } };

export default function Drafts() {
  const may = can('draft-orders:create');
  useShortcuts(may ? [{ keys: 'n', label: t('drafts.new'), run: () => go('/drafts/new') }] : []);
  const add = may && html`<${Button} look="primary" icon="phone" href=${href('/drafts/new')}>${t('drafts.new')}<//>`;
  const empty = html`<${Empty} icon="phone" title=${t('drafts.none')} text=${t('drafts.noneText')} action=${add} />`;
  return html`<${Page} title=${collectionLabel('draft-orders')} class="full" top=${add}>
    <${List} slug="draft-orders" label=${collectionLabel('draft-orders')} link=${(/** @type {any} */ d) => href(screenOf('draft-orders', d.id))}
      columns=${columns} cells=${cells}
      card=${card} empty=${empty} where=${real} />
  <//>`;
}
