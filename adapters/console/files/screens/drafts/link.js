// The payment link of a draft: made from it, copied for the buyer, followed until it is paid, and revoked.
import { html, useState } from '../../vendor/ui.js';
import { useQuery } from '../../base/query.js';
import { href } from '../../base/route.js';
import { api, can, idOf, shop } from '../../base/shop.js';
import { useForm } from '../../base/form.js';
import { fieldLabel, t } from '../../base/words.js';
import { useAttempt } from '../../parts/acts.js';
import { Button } from '../../parts/button.js';
import { Copied } from '../../parts/copy.js';
import { confirm } from '../../parts/dialog.js';
import { NumberField } from '../../parts/field.js';
import { FormDialog } from '../../parts/form.js';
import { Card, Notice, Refused } from '../../parts/state.js';
import { tell } from '../../parts/toast.js';
import { Status, Time } from '../../parts/value.js';
import { isOver } from './terms.js';
import { Sums } from './totals.js';

/** @typedef {import('./store.js').Draft} Draft */

/** pageOf is the page of the shop's storefront on which buyers pay, if the shop names one. */
const pageOf = () => shop.value?.settings.storefrontUrl;

/** NoPage tells that links lead nowhere yet. */
const NoPage = () => html`<${Notice} kind="warn">${t('drafts.linkNoPage')} <a href=${href('/settings')}>${t('drafts.linkSetPage')}</a><//>`;

/**
 * MakeLink shows what the buyer will pay, and makes the link.
 * @param {{ draft: Draft, totals: import('./items.js').Totals, asked: ReturnType<typeof import('./totals.js').useTotals>, onClose: () => void }} props
 */
export function MakeLink({ draft, totals, asked, onClose }) {
  const id = draft.record?.id ?? '';
  const wait = asked.loading || Boolean(asked.refusal) || !pageOf();
  const form = useForm({
    name: `payment link ${id}`, keep: false, initial: { days: '7', revision: draft.record?.revision },
    send: async ({ days = '' }, options) => {
      await api.call('POST /api/draft-orders/{id}/payment-link', { id, days: Number(days || 7), expectedRevision: options.revision },
        { idempotencyKey: options.idempotencyKey });
      tell(t('drafts.linkMade'));
      draft.restart();
      onClose();
    },
  });
  return html`<${FormDialog} form=${form} id="payment-link" title=${t('drafts.link')} action=${t('drafts.makeLink')} onClose=${onClose} ready=${!wait}>
    <div class="preview"><${Sums} totals=${totals} wait=${wait} /></div>
    ${asked.refusal && html`<${Refused} refusal=${asked.refusal} again=${asked.reload} />`}
    ${pageOf() ? html`<p class="help">${t('drafts.linkText')}</p>` : html`<${NoPage} />`}
    <${NumberField} label=${t('drafts.linkDays')} value=${form.values.days} error=${form.error('days')} required
      onInput=${(/** @type {string} */ v) => form.set('days', v)} />
  <//>`;
}

/** PaymentLink is the link of a draft that waits for its payment. @param {{ draft: Draft }} props */
export function PaymentLink({ draft }) {
  const [address, setAddress] = useState('');
  const [busy, attempt] = useAttempt();
  const { id, paymentLink } = /** @type {import('./store.js').Values} */ (draft.values);
  const checkout = idOf(paymentLink?.checkout) ?? '';
  const read = (/** @type {AbortSignal} */ signal) => api.collections.from('checkouts').findById(checkout, { depth: 0 }, { signal });
  const { data } = useQuery(checkout && can('checkouts:read') ? `checkout ${checkout}` : '', read, { live: ['checkouts'], record: checkout });
  // A link that a colleague has revoked meanwhile is not made anew.
  const asked = { id, expectedRevision: draft.record?.revision ?? null };
  const show = () => attempt(async () => setAddress(`${pageOf()}#/pay/${(await api.call('POST /api/draft-orders/{id}/payment-link', asked)).checkoutToken}`));
  const revoke = async () => {
    if (!(await confirm({ title: t('drafts.revoke'), text: t('drafts.revokeText'), action: t('drafts.revoke'), danger: true }))) return;
    await attempt(async () => {
      await api.call('POST /api/draft-orders/{id}/payment-link/revoke', asked);
      tell(t('drafts.revoked'));
    });
    draft.restart();
  };
  const over = isOver(paymentLink?.expiresAt, data?.status);
  return html`<${Card} title=${t('drafts.link')} top=${data && html`<${Status} slug="checkouts" path="status" value=${data.status} />`}>
    <p>${t(data?.status === 'payment_pending' ? 'drafts.linkPaying' : over ? 'drafts.linkOver' : 'drafts.linkWaits')}</p>
    <p class="under">${fieldLabel('draft-orders', 'paymentLink.expiresAt')} <${Time} at=${paymentLink?.expiresAt} /></p>
    ${data?.status === 'requires_attention' && html`<${Notice} kind="warn">${t('drafts.linkAttention')}<//>`}
    ${!pageOf() && html`<${NoPage} />`}
    ${address && html`<${Copied} text=${address} label=${t('drafts.link')} />`}
    ${can('draft-orders:update') && html`<div class="buttons">
      <${Button} icon="ban" disabled=${busy} onClick=${revoke}>${t('drafts.revoke')}<//>
      ${!address && !over && pageOf() && html`<${Button} look="primary" icon="link" busy=${busy} onClick=${show}>${t('drafts.showLink')}<//>`}
    </div>`}
  <//>`;
}
