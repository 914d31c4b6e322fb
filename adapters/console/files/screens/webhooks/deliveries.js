// Everything that was sent, to all addresses.
import { html } from '../../vendor/ui.js';
import { href } from '../../base/route.js';
import { collectionLabel, fieldLabel, t } from '../../base/words.js';
import { List } from '../../parts/list.js';
import { Empty } from '../../parts/state.js';
import { Webhooks, card, cells } from './parts.js';

export default function Deliveries() {
  const empty = html`<${Empty} icon="send" title=${t('webhooks.noDeliveries')} text=${t('webhooks.noDeliveriesText')} />`;
  const url = (/** @type {any} */ d) => d.endpoint?.url ?? '';
  const all = { ...cells, endpoint: { cell: url, label: fieldLabel('webhook-deliveries', 'endpoint'), width: 'minmax(12rem, 1.5fr)' } };
  return html`<${Webhooks} at="deliveries">
    <${List} slug="webhook-deliveries" label=${collectionLabel('webhook-deliveries')} depth=${1} columns=${Object.keys(all)} cells=${all}
      link=${(/** @type {any} */ d) => href(`/webhooks/deliveries/${d.id}`)} card=${card} empty=${empty} />
  <//>`;
}
