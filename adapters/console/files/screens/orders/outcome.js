// What an operation would do, as the server previews it: money, stock, and what becomes of the records.
import { html } from '../../vendor/ui.js';
import { usePreview } from '../../base/preview.js';
import { api, idOf } from '../../base/shop.js';
import { collectionLabel, fieldLabel, optionLabel, t } from '../../base/words.js';
import { Notice } from '../../parts/state.js';
import { Money, Status } from '../../parts/value.js';
import { Account } from './account.js';

/** @typedef {NonNullable<import('../../vendor/sdk.js').Answer<'orderCancel'>['outcome']>} Told */
/** @typedef {{ variant: any, title: string | null, variantTitle?: string | null }} Line of a sale */
/** @typedef {{ preview: any, refusal: import('../../base/refusal.js').Refusal | undefined, ready: boolean, needsAccount: boolean }} Outlook */

/**
 * useOutcome previews what a form would do, and begins anew when that changes. It is ready to be done once that is known, or when what is
 * typed was refused for the bank account that the money goes to: the form asks for one then, and nothing moves without a right one.
 * @param {import('../../base/form.js').Form} form
 * @param {Parameters<typeof api.preview>[0]} operation
 * @param {Record<string, any> | null} input all but the account; null while that is not complete
 * @returns {Outlook}
 */
export function useOutcome(form, operation, input) {
  const { refundAccount } = form.values;
  const asked = { ...input, ...(refundAccount && { refundAccount }), preview: true };
  const { preview, refusal } = usePreview(input ? JSON.stringify(asked) : '', (signal) => api.preview(operation, /** @type {any} */ (asked), { signal }));
  const needsAccount = Boolean(refundAccount) || [form.refusal, refusal].some((r) => r?.reason.startsWith('refund_account'));
  return { preview, refusal, ready: preview !== undefined || (needsAccount && refusal !== undefined), needsAccount };
}

/**
 * Outcome shows it, or why it cannot be done.
 * @param {{ form: import('../../base/form.js').Form, of: Outlook, lines?: readonly Line[] | null, children?: any }} props
 * lines: they name the variants; children: more rows, above
 */
export function Outcome({ form, of: { preview, refusal, needsAccount }, lines = [], children }) {
  const told = /** @type {Told | null | undefined} */ (preview?.outcome);
  return html`${needsAccount && html`<${Account} form=${form} />`}
    <div aria-live="polite">${refusal && !needsAccount && !form.refusal && html`<${Notice} kind="warn">${refusal.alone}<//>`}
    ${told && html`<dl class="sums preview" aria-label=${t('orders.willHappen')}>
      ${children}
      ${told.money.length === 0 && html`<div><dt>${t('orders.noneMoves')}</dt><dd></dd></div>`}
      ${told.money.map((m, i) => html`<div key=${i} class="whole"><dt>${t(`orders.money-${m.type}`)} <small>${moverOf(m)}</small></dt>
        <dd><${Money} amount=${m.amount} currency=${m.currency} /></dd></div>`)}
      ${told.stock.map((u) => html`<div key=${u.variantId}><dt>${t(u.quantity > 0 ? 'orders.toStock' : 'orders.fromStock', { name: nameOf(lines, u.variantId) })}</dt>
        <dd>${t('orders.units', { n: Math.abs(u.quantity) })}</dd></div>`)}
      ${told.discountsFreed && html`<div><dt>${t('orders.codesFreed')}</dt><dd></dd></div>`}
      ${told.records.some((r) => r.collection === 'orders' && r.operation === 'create') && html`<div><dt>${t('orders.orderPlaced')}</dt><dd></dd></div>`}
      ${changesOf(told).map(({ slug, field, from, to }) => html`<div key=${`${slug} ${field} ${from}`}><dt>${collectionLabel(slug, 'one')} · ${fieldLabel(slug, field)}</dt>
        <dd><${Status} slug=${slug} path=${field} value=${from} /> → <${Status} slug=${slug} path=${field} value=${to} /></dd></div>`)}
    </dl>`}</div>`;
}

/** moverOf is who moves money. @param {Told['money'][number]} m */
function moverOf({ type, provider }) {
  if (provider !== 'custom') return optionLabel('transactions', 'provider', provider);
  return type === 'refund' ? t('orders.byHand') : '';
}

/** nameOf is what a line calls a variant. @param {readonly Line[] | null} lines @param {string} variant */
function nameOf(lines, variant) {
  const line = lines?.find((l) => idOf(l.variant) === variant);
  return line ? [line.title, line.variantTitle].filter(Boolean).join(' · ') : t('orders.someItem');
}

/** What people know of records. */
const known = ['status', 'paymentStatus', 'fulfillmentStatus', 'hold', 'refundStatus'];

/** changesOf is what becomes of records that are there, each kind of change once. @param {Told} told */
function changesOf({ records }) {
  const all = records.filter((r) => r.operation === 'update' && r.collection !== 'transactions').flatMap((r) => r.changes
    .filter((c) => known.includes(c.field)).map((c) => ({ slug: r.collection, ...c })));
  return [...new Map(all.map((c) => [`${c.slug} ${c.field} ${c.from}`, c])).values()];
}
