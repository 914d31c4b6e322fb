// The addresses that are told what happens in the shop.
import { html, useState } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { go, href } from '../../base/route.js';
import { can } from '../../base/shop.js';
import { collectionLabel, optionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { List } from '../../parts/list.js';
import { Once } from '../../parts/once.js';
import { Empty } from '../../parts/state.js';
import { Time } from '../../parts/value.js';
import { EndpointDialog } from './edit.js';
import { On, Webhooks, secretWords, subscribed } from './parts.js';

/** @type {Record<string, Partial<import('../../parts/table.js').Column>>} */
const cells = {
  url: { width: 'minmax(14rem, 2fr)' },
  enabled: { cell: (e) => html`<${On} endpoint=${e} />`, width: '7rem' },
  collections: { cell: subscribed, width: 'minmax(10rem, 1.5fr)' },
  disabledReason: { cell: (e) => (e.disabledReason ? optionLabel('webhook-endpoints', 'disabledReason', e.disabledReason) : ''), width: '10rem' },
  createdAt: { cell: (e) => html`<${Time} at=${e.createdAt} relative />`, width: '9rem' },
};

const card = (/** @type {any} */ e) => html`<span class="job-card"><b>${e.url}</b><${On} endpoint=${e} /><small>${subscribed(e)}</small></span>`;

export default function Endpoints() {
  const [open, setOpen] = useState(false);
  const [made, setMade] = useState(/** @type {{ id: string, secret: string } | null} */ (null));
  const may = can('webhook-endpoints:create');
  const add = may && html`<${Button} look="primary" icon="plus" keys="n" onClick=${() => setOpen(true)}>${t('webhooks.add')}<//>`;
  useShortcuts(may ? [{ keys: 'n', label: t('webhooks.add'), run: () => setOpen(true) }] : []);
  const empty = html`<${Empty} icon="webhook" title=${t('webhooks.none')} text=${t('webhooks.noneText')} action=${add} />`;
  return html`<${Webhooks} at="endpoints" top=${add}>
    <${List} slug="webhook-endpoints" label=${collectionLabel('webhook-endpoints')} link=${(/** @type {any} */ e) => href(`/webhooks/${e.id}`)}
      columns=${Object.keys(cells)} cells=${cells} card=${card} empty=${empty} />
    ${open && html`<${EndpointDialog} onClose=${() => setOpen(false)}
      onMade=${(/** @type {any} */ answer) => setMade({ id: answer.doc.id, secret: answer.secret })} />`}
    ${made && html`<${Once} ...${secretWords()} secret=${made.secret} onClose=${() => go(`/webhooks/${made.id}`)} />`}
  <//>`;
}
