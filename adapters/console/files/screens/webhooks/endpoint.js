// One address that is told what happens: what it asks for, and what was sent to it.
import { html, useRoute } from '../../vendor/ui.js';
import { useQuery } from '../../base/query.js';
import { href } from '../../base/route.js';
import { api } from '../../base/shop.js';
import { collectionLabel, fieldLabel, optionLabel, t } from '../../base/words.js';
import { List } from '../../parts/list.js';
import { Absent, Card, Empty, Notice, Page } from '../../parts/state.js';
import { Time } from '../../parts/value.js';
import { EndpointActions } from './actions.js';
import { On, card, cells, subscribed } from './parts.js';

export default function EndpointScreen() {
  const { id = '' } = useRoute().params;
  const read = (/** @type {AbortSignal} */ signal) => api.collections.from('webhook-endpoints').findById(id, {}, { signal });
  const { data, refusal, reload } = useQuery(`webhook-endpoints ${id}`, read, { live: ['webhook-endpoints'], record: id });
  const back = { href: href('/webhooks'), label: t('shell.webhooks') };
  if (!data) return html`<${Absent} title=${t('shell.webhooks')} back=${back} refusal=${refusal} again=${reload} />`;
  const empty = html`<${Empty} icon="send" title=${t('webhooks.noDeliveries')} text=${t('webhooks.noDeliveriesText')} />`;
  return html`<${Page} title=${data.url ?? ''} class="full" back=${back} badges=${html`<${On} endpoint=${data} />`}
    top=${html`<${EndpointActions} endpoint=${data} onChanged=${reload} />`}>
    <div class="with-list">
      <${Facts} endpoint=${data} />
      <${List} slug="webhook-deliveries" label=${collectionLabel('webhook-deliveries')} where=${{ endpoint: { equals: id } }} columns=${Object.keys(cells)}
        cells=${cells}
        link=${(/** @type {any} */ d) => href(`/webhooks/deliveries/${d.id}`)} card=${card} empty=${empty} />
    </div>
  <//>`;
}

/** @param {{ endpoint: import('./parts.js').Endpoint }} props */
function Facts({ endpoint }) {
  const { description, disabledReason, disabledAt, previousSecretUntil } = endpoint;
  return html`<div class="stack">
    ${disabledReason && html`<${Notice} kind="bad">${t(`webhooks.off-${disabledReason}`)} <${Time} at=${disabledAt} /><//>`}
    ${previousSecretUntil && Date.parse(previousSecretUntil) > Date.now() && html`<${Notice} kind="warn">${t('webhooks.twoSecrets')} <${Time}
      at=${previousSecretUntil} /><//>`}
    <${Card}><dl class="facts">
      ${description && html`<div><dt>${fieldLabel('webhook-endpoints', 'description')}</dt><dd>${description}</dd></div>`}
      <div><dt>${fieldLabel('webhook-endpoints', 'collections')}</dt><dd>${subscribed(endpoint)}</dd></div>
      <div><dt>${fieldLabel('webhook-endpoints', 'audience')}</dt><dd>${optionLabel('webhook-endpoints', 'audience', endpoint.audience ?? '')}</dd></div>
    </dl><//>
  </div>`;
}
