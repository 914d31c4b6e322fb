// One mail: where it went, what became of it, and how to send it again.
import { html, useRef, useRoute } from '../../vendor/ui.js';
import { createCommerceIdempotencyKey } from '../../vendor/sdk.js';
import { number } from '../../base/format.js';
import { useNextAttempt } from '../../base/job.js';
import { useQuery } from '../../base/query.js';
import { refusalOf } from '../../base/refusal.js';
import { href, screenOf } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { collectionLabel, fieldLabel, optionLabel, t } from '../../base/words.js';
import { Acts, useAttempt } from '../../parts/acts.js';
import { Absent, Badge, Card, Notice, Page } from '../../parts/state.js';
import { tell } from '../../parts/toast.js';
import { Time } from '../../parts/value.js';
import { State, about, recipient } from './mails.js';

/** @typedef {import('./mails.js').Delivery} Delivery */

const slug = 'mail-deliveries';

export default function MailScreen() {
  const { id = '' } = useRoute().params;
  const { data, refusal, reload } = useQuery(`${slug} ${id}`, (signal) => api.collections.from(slug).findById(id, { depth: 0 }, { signal }));
  useNextAttempt(data, reload);
  const back = { href: href('/mails'), label: collectionLabel(slug) };
  if (!data) return html`<${Absent} title=${collectionLabel(slug, 'one')} back=${back} refusal=${refusal} again=${reload} />`;
  const fact = (/** @type {string} */ name, /** @type {any} */ value) => value && html`<div><dt>${fieldLabel(slug, name)}</dt><dd>${value}</dd></div>`;
  const at = (/** @type {'occurredAt' | 'sentAt' | 'endedAt' | 'nextAttemptAt'} */ name) => fact(name, data[name] && html`<${Time} at=${data[name]} />`);
  return html`<${Page} title=${about(data)} back=${back} badges=${html`<${State} delivery=${data} />${data.test && html` <${Badge}>${t('mails.test')}<//>`}`}
    top=${data.resendable && html`<${Again} delivery=${data} onChanged=${reload} />`}>
    ${data.reason && html`<${Notice} kind=${data.status === 'failed' ? 'bad' : 'info'}>${optionLabel(slug, 'reason', data.reason)}<//>`}
    <${Card} title=${t('mails.facts')}><dl class="facts">
      ${fact('recipient', recipient(data))}
      ${fact('record', data.record && data.collection && html`<a href=${href(screenOf(data.collection, data.record))}>${collectionLabel(data.collection, 'one')}</a>`)}
      ${at('occurredAt')}${at('sentAt')}${at('nextAttemptAt')}
      ${fact('attempts', number(data.attempts))}
      ${fact('lastError', data.lastError)}
    </dl><//>
  <//>`;
}

/** Again sends it once more, or at once if it waits; the server says where it does. @param {{ delivery: Delivery, onChanged: () => void }} props */
function Again({ delivery, onChanged }) {
  const [busy, attempt] = useAttempt(onChanged);
  const label = t(delivery.endedAt ? 'mails.resend' : 'mails.now');
  // What may have been done already is the same when it is tried again.
  const key = useRef(createCommerceIdempotencyKey());
  const run = () => attempt(async () => {
    try {
      await api.call('POST /api/mail-deliveries/{id}/resend', { id: delivery.id }, { idempotencyKey: key.current });
    } catch (e) {
      if (!refusalOf(e).unknown) key.current = createCommerceIdempotencyKey();
      throw e;
    }
    key.current = createCommerceIdempotencyKey();
    tell(t(delivery.sentAt ? 'mails.queued' : 'mails.goes'));
  });
  return html`<${Acts} next=${can('mails:resend') && { keys: 'n', label, icon: 'rotate-ccw', run }} busy=${busy} />`;
}
