// Every mail of the shop, with what became of it, and whether mails are sent at all.
import { html } from '../../vendor/ui.js';
import { href } from '../../base/route.js';
import { collectionLabel, optionLabel, t } from '../../base/words.js';
import { List } from '../../parts/list.js';
import { Badge, Empty, Page } from '../../parts/state.js';
import { Sending } from './sending.js';
import { Status, Time } from '../../parts/value.js';

/** @typedef {import('../../vendor/sdk.js').Schemas['MailDelivery']} Delivery */

/** about is what a mail tells. @param {Delivery} d */
export const about = (d) => optionLabel('mail-deliveries', 'kind', d.kind);

/** badge is what became of a mail. @param {{ delivery: Delivery }} props */
export const State = ({ delivery }) => html`<${Status} slug="mail-deliveries" path="status" value=${delivery.status} />`;

/** recipient is the address or number that a mail or message goes to. @param {Delivery} d */
export const recipient = (d) => d.recipient ?? d.recipientPhone;

const cells = {
  kind: { cell: (/** @type {Delivery} */ d) => html`${about(d)}${d.test && html` <${Badge}>${t('mails.test')}<//>`}`, width: 'minmax(9rem, 1fr)' },
  recipient: { cell: recipient, width: 'minmax(11rem, 1.4fr)' },
  status: { cell: (/** @type {Delivery} */ d) => html`<${State} delivery=${d} />`, width: '8rem' },
  reason: { width: '10rem' },
  occurredAt: { cell: (/** @type {Delivery} */ d) => html`<${Time} at=${d.occurredAt} relative />`, width: '9rem' },
  nextAttemptAt: { cell: (/** @type {Delivery} */ d) => html`<${Time} at=${d.nextAttemptAt} relative />`, width: '9rem' },
};

/** card is a mail in the list of a phone. @param {Delivery} d */
const card = (d) => html`<span class="job-card"><b>${about(d)}</b><${Time} at=${d.occurredAt} relative />
  <span>${recipient(d)}</span><span class="badges"><${State} delivery=${d} /></span></span>`;

export default function Mails() {
  const empty = html`<${Empty} icon="send" title=${t('mails.none')} text=${t('mails.noneText')} />`;
  return html`<${Page} title=${collectionLabel('mail-deliveries')} class="full noted">
    <${Sending} />
    <${List} slug="mail-deliveries" label=${collectionLabel('mail-deliveries')} columns=${Object.keys(cells)} cells=${cells}
      link=${(/** @type {Delivery} */ d) => href(`/mails/${d.id}`)} card=${card} empty=${empty} />
  <//>`;
}
