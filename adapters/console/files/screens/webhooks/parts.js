// What the screens of webhooks have in common.
import { html } from '../../vendor/ui.js';
import { href } from '../../base/route.js';
import { collectionLabel, collectionWord, optionLabel, t } from '../../base/words.js';
import { Badge, Page } from '../../parts/state.js';
import { Status, Time } from '../../parts/value.js';

/** @typedef {import('../../vendor/sdk.js').Schemas['WebhookEndpoint']} Endpoint */
/** @typedef {import('../../vendor/sdk.js').Schemas['WebhookDelivery']} Delivery */

/** secretWords is how the secret of an endpoint is shown once. */
export const secretWords = () => ({ title: t('webhooks.secret'), text: `${t('webhooks.secretOnce')} ${t('webhooks.secretUse')}` });

/**
 * Webhooks is the page of both lists.
 * @param {{ at: 'endpoints' | 'deliveries', top?: any, children?: any }} props
 */
export function Webhooks({ at, top, children }) {
  const to = (/** @type {string} */ screen, /** @type {'endpoints' | 'deliveries'} */ name) =>
    html`<a href=${href(screen)} aria-current=${at === name ? 'page' : undefined}>${collectionLabel(`webhook-${name}`)}</a>`;
  const both = html`<nav class="segments" aria-label=${t('shell.webhooks')}>${to('/webhooks', 'endpoints')}${to('/webhooks/deliveries', 'deliveries')}</nav>`;
  return html`<${Page} title=${t('shell.webhooks')} class="full" top=${top} badges=${both}>${children}<//>`;
}

/** On is whether an endpoint receives anything. @param {{ endpoint: Endpoint }} props */
export function On({ endpoint }) {
  return html`<${Badge} tone=${endpoint.enabled ? 'good' : 'bad'}>${t(endpoint.enabled ? 'webhooks.on' : 'webhooks.off')}<//>`;
}

/** subscribed is what an endpoint asks for, in words. @param {Endpoint} endpoint */
export function subscribed({ collections, operations }) {
  const what = collections.length > 0 ? collections.map((slug) => collectionLabel(slug)).join(', ') : t('webhooks.everything');
  return operations.length > 0 ? `${what} (${operations.map((o) => optionLabel('webhook-endpoints', 'operations', o)).join(', ')})` : what;
}

/** about is what a delivery tells of. @param {Delivery} d */
export function about(d) {
  if (d.test) return t('webhooks.aTest');
  return t(`common.did-${d.operation ?? 'update'}`, { what: collectionWord(d.collection ?? '', 'one') });
}

/** Columns of deliveries. @type {Record<string, Partial<import('../../parts/table.js').Column>>} */
export const cells = {
  event: { cell: about, width: 'minmax(10rem, 1.2fr)' },
  status: { cell: (d) => html`<${Status} slug="webhook-deliveries" path="status" value=${d.status} />`, width: '8rem' },
  responseStatus: { width: '9rem', align: 'end' },
  attempts: { cell: (d) => d.attempts.length, align: 'end', width: '6rem' },
  record: { cell: (d) => (d.record ? html`<code>${d.record.slice(-8)}</code>` : '') , width: '8rem' },
  occurredAt: { cell: (d) => html`<${Time} at=${d.occurredAt ?? d.createdAt} relative />`, width: '9rem' },
  nextAttemptAt: { cell: (d) => html`<${Time} at=${d.nextAttemptAt} relative />`, width: '9rem' },
};

/** card is a delivery in the list of a phone. @param {Delivery} d */
export const card = (d) => html`<span class="job-card"><b>${about(d)}</b><${Time} at=${d.occurredAt ?? d.createdAt} relative />
  <span class="badges"><${Status} slug="webhook-deliveries" path="status" value=${d.status} />${d.responseStatus ?? ''}</span></span>`;
