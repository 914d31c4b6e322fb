// What the order comes to right now, as the shop calculates it.
import { html, useEffect } from '../../vendor/ui.js';
import { useQuery } from '../../base/query.js';
import { api } from '../../base/shop.js';
import { optionLabel, t } from '../../base/words.js';
import { Icon } from '../../parts/icon.js';
import { Card, Notice, Refused } from '../../parts/state.js';
import { TaxRows } from '../../parts/taxes.js';
import { Money } from '../../parts/value.js';
import { CodeTold, ShippingTold } from '../discounts/explain.js';

/** @typedef {import('./items.js').Totals} Totals */
/** @typedef {import('./store.js').Draft} Draft */

/** What prices, codes and taxes depend on: a customer may be free of taxes. Stock moves too often to follow it; it is looked at before the order is made. */
const live = ['products', 'product-variants', 'market-prices', 'markets', 'discounts', 'shipping-policies', 'tax-rates', 'customers'];

/**
 * useTotals is what a draft comes to, calculated anew after each change that was kept, and when prices or stock change.
 * @param {Draft} draft
 */
export function useTotals({ record }) {
  const id = record?.id ?? '';
  const ask = (/** @type {AbortSignal} */ signal) => api.preview('POST /api/draft-orders/{id}/calculate', { id, explain: true }, { signal });
  const asked = useQuery(id ? `totals ${id}` : '', ask, { live });
  useEffect(() => {
    if (record && record.revision > 1) asked.reload();
  }, [record?.revision]);
  return asked;
}

/**
 * Sums is the way to the total. @param {{ totals: Totals, wait?: boolean }} props wait: something is on its way that may change them
 */
export function Sums({ totals, wait = false }) {
  const { currency, discountCode, shipping, explanation } = totals;
  const agreed = totals.lines.reduce((sum, l) => sum + (l.terms?.discount ?? 0), 0);
  return html`<dl class=${`sums ${wait ? 'stale' : ''}`} aria-live="polite" aria-busy=${wait}>
    <div><dt>${t('drafts.subtotal')}</dt><dd><${Money} amount=${totals.subtotal} currency=${currency} /></dd></div>
    ${agreed > 0 && html`<div><dt>${t('drafts.agreed')}</dt><dd><${Money} amount=${-agreed} currency=${currency} /></dd></div>`}
    ${discountCode && html`<div><dt>${discountCode.code}${!discountCode.valid && html`<small
      class="note">${optionLabel('draft-orders', 'discountCode.reason', discountCode.reason ?? '')}</small>`}</dt>
      <dd><${Money} amount=${agreed - totals.discount || 0} currency=${currency} /></dd></div>`}
    ${explanation?.discountCodes.map((code) => html`<${Why} key=${code.code} label=${t('drafts.whyCode')}><${CodeTold} code=${code}
      currency=${currency} /><//>`)}
    <div><dt>${t('drafts.shipping')}</dt><dd>${shipping === null ? t('drafts.shippingUnknown') : html`<${Money} amount=${shipping}
      currency=${currency} />`}</dd></div>
    ${explanation?.shipping && html`<${Why} label=${t('drafts.whyShipping')}><${ShippingTold} shipping=${explanation.shipping} currency=${currency} /><//>`}
    <${TaxRows} taxes=${totals.taxes} which="added" currency=${currency} />
    <div class="whole"><dt>${t('drafts.total')}</dt><dd><${Money} amount=${totals.total} currency=${currency} /></dd></div>
    <${TaxRows} taxes=${totals.taxes} which="included" currency=${currency} />
  </dl>`;
}

/** @param {{ label: string, children?: any }} props */
function Why({ label, children }) {
  return html`<div class="why"><dt class="aside">${label}</dt><dd><details class="how"><summary>${label}</summary>${children}</details></dd></div>`;
}

/**
 * needs is what is missing before a draft can become an order, a few words each; the shop has the last word.
 * @param {Draft} draft
 * @param {Totals | undefined} totals
 */
export function needs({ values }, totals) {
  if (!values?.lines.length || !totals) return [];
  return [
    totals.unavailable.length > 0 ? t('drafts.needs-goods', { n: totals.unavailable.length }) : '',
    totals.discountCode && !totals.discountCode.valid ? t('drafts.needs-code') : '',
    values.customerSnapshot.email || values.customer ? '' : t('drafts.needs-email'),
    totals.shipping === null ? t('drafts.needs-address') : '',
  ].filter(Boolean);
}

/** TotalsCard stands beside what is composed. @param {{ draft: Draft, asked: ReturnType<typeof useTotals>, needed: string[], action: any }} props */
export function TotalsCard({ draft, asked, needed, action }) {
  const { data, refusal, loading, reload } = asked;
  const wait = draft.state === 'keeping' || loading;
  return html`<${Card} title=${t('drafts.totals')} class="totals" top=${html`<${Kept} draft=${draft} />`}>
    ${draft.record && data && !refusal && html`<${Sums} totals=${data} wait=${wait} />`}
    ${draft.record && refusal && html`<${Refused} refusal=${refusal} again=${reload} />`}
    ${!draft.record && html`<p class="none">${t('drafts.totalsLater')}</p>`}
    ${needed.length > 0 && html`<${Notice} kind="warn"><p>${t('drafts.needs')}</p><ul>${needed.map((line) => html`<li key=${line}>${line}</li>`)}</ul><//>`}
    ${action}
  <//>`;
}

/** Kept says whether what is typed is on the server. @param {{ draft: Draft }} props */
function Kept({ draft }) {
  if (!draft.record && draft.state === 'kept') return null;
  const icon = { kept: 'check', keeping: 'loader-circle', refused: 'circle-alert' }[draft.state];
  return html`<small class=${`kept ${draft.state}`} role="status"><${Icon} name=${icon} size=${14} />${t(`drafts.state-${draft.state}`)}</small>`;
}
