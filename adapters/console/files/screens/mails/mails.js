// Every mail of the shop, with what became of it, and whether mails are sent at all.
import { html } from '../../vendor/ui.js';
import { useQuery } from '../../base/query.js';
import { href } from '../../base/route.js';
import { api } from '../../base/shop.js';
import { collectionLabel, optionLabel, t } from '../../base/words.js';
import { List } from '../../parts/list.js';
import { Empty, Notice, Page } from '../../parts/state.js';
import { Status, Time } from '../../parts/value.js';

/** @typedef {import('../../vendor/sdk.js').Schemas['MailDelivery']} Delivery */

/** about is what a mail tells. @param {Delivery} d */
export const about = (d) => optionLabel('mail-deliveries', 'kind', d.kind);

/** badge is what became of a mail. @param {{ delivery: Delivery }} props */
export const State = ({ delivery }) => html`<${Status} slug="mail-deliveries" path="status" value=${delivery.status} />`;

const cells = {
  kind: { cell: about, width: 'minmax(9rem, 1fr)' },
  recipient: { width: 'minmax(11rem, 1.4fr)' },
  status: { cell: (/** @type {Delivery} */ d) => html`<${State} delivery=${d} />`, width: '8rem' },
  reason: { width: '10rem' },
  occurredAt: { cell: (/** @type {Delivery} */ d) => html`<${Time} at=${d.occurredAt} relative />`, width: '9rem' },
  nextAttemptAt: { cell: (/** @type {Delivery} */ d) => html`<${Time} at=${d.nextAttemptAt} relative />`, width: '9rem' },
};

/** card is a mail in the list of a phone. @param {Delivery} d */
const card = (d) => html`<span class="job-card"><b>${about(d)}</b><${Time} at=${d.occurredAt} relative />
  <span>${d.recipient}</span><span class="badges"><${State} delivery=${d} /></span></span>`;

export default function Mails() {
  const empty = html`<${Empty} icon="send" title=${t('mails.none')} text=${t('mails.noneText')} />`;
  return html`<${Page} title=${collectionLabel('mail-deliveries')} class="full noted">
    <${Sending} />
    <${List} slug="mail-deliveries" label=${collectionLabel('mail-deliveries')} columns=${Object.keys(cells)} cells=${cells}
      link=${(/** @type {Delivery} */ d) => href(`/mails/${d.id}`)} card=${card} empty=${empty} />
  <//>`;
}

/** Sending says whether mails of the environment leave the server. */
function Sending() {
  const { data } = useQuery('mail status', (signal) => api.call('GET /api/mail/status', {}, { signal }));
  if (!data) return null;
  if (data.down) return html`<${Notice} kind="warn">${t('mails.down')}<//>`;
  if (data.sends) return html`<p class="help">${t('mails.from', { from: data.from ?? '' })}</p>`;
  return html`<${Notice}>${data.page ? html`${t('mails.shown')} <a href=${data.page} target="_blank" rel="noopener">${data.page}</a>` : t('mails.off')}<//>`;
}
