// All discount codes: what each takes, and whether it works right now.
import { html } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { number } from '../../base/format.js';
import { go, href, screenOf } from '../../base/route.js';
import { can } from '../../base/shop.js';
import { collectionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { List } from '../../parts/list.js';
import { Badge, Empty, Page } from '../../parts/state.js';
import { Time } from '../../parts/value.js';
import { effectTold, stateOf, tones } from './told.js';

/** StateOf is whether a code works. @param {{ discount: any }} props */
export function StateOf({ discount }) {
  const state = stateOf(discount);
  return html`<${Badge} tone=${tones[state]}>${t(`discounts.state-${state}`)}<//>`;
}

/** @param {any} d */
const used = (d) => (d.usageLimit ? `${number(d.usageCount ?? 0)} / ${number(d.usageLimit)}` : number(d.usageCount ?? 0));

/** @type {Record<string, Partial<import('../../parts/table.js').Column>>} */
const cells = {
  code: { cell: (d) => html`<code>${d.code}</code>`, width: 'minmax(9rem, 1fr)' },
  type: { cell: effectTold, width: 'minmax(12rem, 2fr)' },
  isActive: { cell: (d) => html`<${StateOf} discount=${d} />`, width: '8rem' },
  usageCount: { cell: used, width: '7rem', align: 'end' },
  endsAt: { cell: (d) => html`<${Time} at=${d.endsAt} />`, width: '11rem' },
};

/** @param {any} d */
const card = (d) => html`<span class="code-card"><code>${d.code}</code><${StateOf}
  discount=${d} /><span>${effectTold(d)}</span><small>${used(d)}</small></span>`;

const columns = ['code', 'title', 'type', 'isActive', 'usageCount', 'endsAt'];

export default function Discounts() {
  const may = can('discounts:create');
  useShortcuts(may ? [{ keys: 'n', label: t('discounts.new'), run: () => go('/discounts/new') }] : []);
  const add = may && html`<${Button} look="primary" icon="plus" href=${href('/discounts/new')}>${t('discounts.new')}<//>`;
  const empty = html`<${Empty} icon="percent" title=${t('discounts.none')} text=${t('discounts.noneText')} action=${add} />`;
  return html`<${Page} title=${collectionLabel('discounts')} class="full" top=${add}>
    <${List} slug="discounts" label=${collectionLabel('discounts')} link=${(/** @type {any} */ d) => href(screenOf('discounts', d.id))} columns=${columns}
      cells=${cells}
      card=${card} empty=${empty} />
  <//>`;
}
