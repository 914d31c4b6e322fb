// Payments that buyers dispute with their bank, the next deadline first.
import { html } from '../../vendor/ui.js';
import { href } from '../../base/route.js';
import { fieldLabel, optionLabel, t } from '../../base/words.js';
import { List } from '../../parts/list.js';
import { Empty, Page } from '../../parts/state.js';
import { Money, Status, Time } from '../../parts/value.js';

/**
 * reasonOf is why a payment is disputed. Providers say it in words or as a name, such as product_not_received; the usual names have words.
 * @param {any} d a dispute
 */
export function reasonOf(d) {
  const word = t(`payments.claim-${d.reason}`);
  if (!word.endsWith(`.claim-${d.reason}`)) return word;
  return /^[a-z_]+$/.test(d.reason ?? '') ? optionLabel('disputes', 'reason', d.reason) : d.reason || d.providerDisputeId;
}

/** @type {Record<string, Partial<import('../../parts/table.js').Column>>} */
const cells = {
  reason: { width: 'minmax(10rem, 1.6fr)', cell: reasonOf },
  status: { width: '9rem' },
  evidenceDue: { width: '9rem', cell: (d) => html`<${Time} at=${d.evidenceDue} relative />` },
  provider: { width: '8.5rem', cell: (d) => optionLabel('disputes', 'provider', d.provider) },
  openedAt: { width: '9rem', cell: (d) => html`<${Time} at=${d.openedAt} relative />` },
};

/** @param {any} d */
const card = (d) => html`<span class="payment-card">
  <b>${reasonOf(d)}</b><${Money} amount=${d.amount} currency=${d.currency} />
  <span><${Status} slug="disputes" path="status" value=${d.status} /></span>
  <span>${fieldLabel('disputes', 'evidenceDue')} <${Time} at=${d.evidenceDue} relative /></span>
</span>`;

const columns = ['reason', 'status', 'evidenceDue', 'amount', 'provider', 'openedAt'];

export default function Disputes() {
  const empty = html`<${Empty} icon="circle-check" title=${t('payments.noneDisputes')} text=${t('payments.noneDisputesText')} />`;
  return html`<${Page} title=${t('payments.disputes')} class="full">
    <${List} slug="disputes" label=${t('payments.disputes')} link=${(/** @type {any} */ d) => href(`/disputes/${d.id}`)} columns=${columns} cells=${cells}
      sort="-createdAt" card=${card} empty=${empty} />
  <//>`;
}
