// One delivery: what was sent, every try and its answer, and how to send it again.
import { html, useRoute } from '../../vendor/ui.js';
import { number } from '../../base/format.js';
import { useNextAttempt } from '../../base/job.js';
import { useQuery } from '../../base/query.js';
import { href, screenOf } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { collectionLabel, fieldLabel, optionLabel, t } from '../../base/words.js';
import { Acts, useAttempt } from '../../parts/acts.js';
import { Json } from '../../parts/copy.js';
import { Absent, Badge, Card, Empty, Notice, Page, Refused } from '../../parts/state.js';
import { tell } from '../../parts/toast.js';
import { Status, Time } from '../../parts/value.js';
import { about } from './parts.js';

/** @typedef {import('./parts.js').Delivery} Delivery */

export default function DeliveryScreen() {
  const { id = '' } = useRoute().params;
  const read = (/** @type {AbortSignal} */ signal) => api.collections.from('webhook-deliveries').findById(id, { depth: 1 }, { signal });
  const { data, refusal, reload } = useQuery(`webhook-deliveries ${id}`, read);
  useNextAttempt(data, reload);
  const back = { href: href('/webhooks/deliveries'), label: collectionLabel('webhook-deliveries') };
  if (!data) return html`<${Absent} title=${collectionLabel('webhook-deliveries', 'one')} back=${back} refusal=${refusal} again=${reload} />`;
  const badges = html`<span class="badges"><${Status} slug="webhook-deliveries" path="status" value=${data.status} />
    ${data.replayed && html`<${Badge}>${fieldLabel('webhook-deliveries', 'replayed')}<//>`}</span>`;
  return html`<${Page} title=${about(data)} back=${back} badges=${badges} top=${html`<${Again} delivery=${data} onChanged=${reload} />`}>
    ${data.reason && html`<${Notice} kind="bad">${optionLabel('webhook-deliveries', 'reason', data.reason)}<//>`}
    <div class="columns">
      <div><${Attempts} delivery=${data} /><${Request} delivery=${data} /></div>
      <aside><${Card} title=${t('webhooks.facts')}><${Facts} delivery=${data} /><//></aside>
    </div>
  <//>`;
}

/** Again sends it once more. @param {{ delivery: Delivery, onChanged: () => void }} props */
function Again({ delivery, onChanged }) {
  const [busy, attempt] = useAttempt(onChanged);
  const run = () => attempt(async () => {
    await api.call('POST /api/webhook-deliveries/{id}/redeliver', { id: delivery.id });
    tell(t('webhooks.redelivered'));
  });
  const may = can('webhook-endpoints:update') && !delivery.test;
  return html`<${Acts} next=${may && { keys: 'n', label: t('webhooks.redeliver'), icon: 'rotate-ccw', run }} busy=${busy} />`;
}

/** @param {{ delivery: Delivery }} props */
function Attempts({ delivery }) {
  const { attempts } = delivery;
  return html`<${Card} title=${fieldLabel('webhook-deliveries', 'attempts')}>
    ${attempts.length === 0 && html`<${Empty} icon="clock" title=${t('webhooks.notTried')} />`}
    <ol class="tries">${attempts.map((a) => html`<li key=${a.at}>
      <p><${Badge} tone=${a.status && a.status < 300 ? 'good' : 'bad'}>${a.status ?? optionLabel('webhook-deliveries', 'attempts.failure', a.failure ?? '')}<//>
        <${Time} at=${a.at} /> · ${t('webhooks.took', { ms: number(a.durationMs) })}</p>
      ${a.response && html`<pre class="tree" tabindex="0" role="group" aria-label=${fieldLabel('webhook-deliveries', 'response')}>${a.response}</pre>`}
    </li>`)}</ol>
    ${delivery.nextAttemptAt && html`<p>${fieldLabel('webhook-deliveries', 'nextAttemptAt')}: <${Time} at=${delivery.nextAttemptAt} /></p>`}
  <//>`;
}

/** Request is what was sent, as the log of events still has it. @param {{ delivery: Delivery }} props */
function Request({ delivery }) {
  const { sequence, event } = delivery;
  const read = async (/** @type {AbortSignal} */ signal) => {
    const { docs } = await api.call('GET /api/events', { after: String((sequence ?? 1) - 1), limit: 1 }, { signal });
    return docs.find((e) => e.id === event) ?? null;
  };
  const { data, refusal } = useQuery(sequence ? `event ${sequence}` : '', read);
  if (!sequence) return null;
  return html`<${Card} title=${t('webhooks.request')}>
    ${data === null && html`<p>${t('webhooks.requestGone')}</p>`}
    ${refusal && html`<${Refused} refusal=${refusal} />`}
    ${data && html`<${Json} label=${t('webhooks.request')}
      value=${{ collection: data.collection, operation: data.operation, data: data.data, doc: data.doc, previousDoc: data.previousDoc }} />`}
  <//>`;
}

/** @param {{ delivery: Delivery }} props */
function Facts({ delivery }) {
  const d = delivery;
  const endpoint = typeof d.endpoint === 'object' ? d.endpoint : null;
  const fact = (/** @type {string} */ name, /** @type {any} */ value) =>
    value !== null && html`<div><dt>${fieldLabel('webhook-deliveries', name)}</dt><dd>${value}</dd></div>`;
  return html`<dl class="facts">
    ${fact('endpoint', endpoint && html`<a href=${href(`/webhooks/${endpoint.id}`)}>${endpoint.url}</a>`)}
    ${fact('record', d.record && d.collection && !d.test ? html`<a
      href=${href(screenOf(d.collection, d.record))}><code>${d.record.slice(-8)}</code></a>` : null)}
    ${fact('event', d.event && html`<code>${d.event}</code>`)}
    ${fact('sequence', d.sequence === null ? null : number(d.sequence))}
    ${fact('occurredAt', html`<${Time} at=${d.occurredAt} />`)}
    ${fact('endedAt', html`<${Time} at=${d.endedAt} />`)}
  </dl>`;
}
