// What the order is worth to whom: market, code, fee of delivery, notes.
import { html, useEffect, useState } from '../../vendor/ui.js';
import { amountIn } from '../../base/amount.js';
import { useMarkets } from '../../base/markets.js';
import { useQuery } from '../../base/query.js';
import { api, can, shop } from '../../base/shop.js';
import { fieldLabel, optionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { LabelsField, NumberField, SelectField, TextField } from '../../parts/field.js';
import { Card } from '../../parts/state.js';
import { Concession } from './concession.js';
import { withoutAmounts } from './store.js';

/** @typedef {import('./store.js').Draft} Draft */

/**
 * @param {{ draft: Draft, totals: import('./items.js').Totals | undefined, onUnclear: (unclear: boolean) => void }} props
 * onUnclear: whether the fee that stands there is no amount
 */
export function Terms({ draft, totals, onUnclear }) {
  const { values, change, error } = draft;
  const [giving, setGiving] = useState(false);
  const markets = useMarkets();
  const own = shop.value?.currency ?? '';
  const currency = totals?.currency ?? values?.currency ?? own;
  const options = markets.map((m) => ({ value: m.id, label: `${m.name} (${m.currency})` }));
  // An amount that was said for delivery or agreed for goods is one of its currency, and does not go along into another.
  const move = (/** @type {string} */ id) => {
    const next = markets.find((m) => m.id === id)?.currency ?? own;
    change({ market: id || null, currency: next, shippingFee: null, ...(next !== currency && values && { lines: withoutAmounts(values.lines) }) });
  };
  const policies = usePolicies(currency);
  const code = totals?.discountCode;
  const wrong = code && !code.valid && code.code === (values?.discountCode ?? '').trim().toUpperCase() ? optionLabel('draft-orders', 'discountCode.reason',
    code.reason ?? '') : undefined;
  return html`<${Card} title=${t('drafts.terms')}>
    <div class="two">
      ${options.length > 0 && html`<${SelectField} label=${fieldLabel('draft-orders', 'market')} value=${values?.market ?? ''} options=${options}
        empty=${t('drafts.ownPrices', { currency: own })} error=${error('market') ?? error('currency')} onInput=${move} />`}
      <div class="with-button"><${TextField} label=${fieldLabel('draft-orders', 'discountCode')} value=${values?.discountCode ?? ''} autocomplete="off"
        spellcheck=${false} mono
          error=${error('discountCode') ?? wrong} onInput=${(/** @type {string} */ v) => change({ discountCode: v.trim() ? v : null })} />
        ${can('discounts:create') && (values?.lines.length ?? 0) > 0 && html`<${Button} icon="percent"
          onClick=${() => setGiving(true)}>${t('drafts.giveOff')}<//>`}</div>
      ${policies.length > 1 && html`<${SelectField} label=${fieldLabel('draft-orders', 'shippingPolicy')} value=${values?.shippingPolicy ?? ''}
        options=${policies} empty=${t('drafts.ownPolicies')} error=${error('shippingPolicy')}
        onInput=${(/** @type {string} */ v) => change({ shippingPolicy: v || null })} />`}
      <${Fee} value=${values?.shippingFee ?? null} currency=${currency} error=${error('shippingFee')} onUnclear=${onUnclear}
        onChange=${(/** @type {number | null} */ n) => change({ shippingFee: n })} />
    </div>
    <div class="two">
      <${TextField} label=${fieldLabel('draft-orders', 'customerNotes')} help=${t('drafts.customerNotesHelp')} rows=${2} value=${values?.customerNotes ?? ''}
        error=${error('customerNotes')} onInput=${(/** @type {string} */ v) => change({ customerNotes: v })} />
      <${TextField} label=${fieldLabel('draft-orders', 'operatorNotes')} help=${t('drafts.operatorNotesHelp')} rows=${2} value=${values?.operatorNotes ?? ''}
        error=${error('operatorNotes')} onInput=${(/** @type {string} */ v) => change({ operatorNotes: v })} />
    </div>
    <${LabelsField} label=${fieldLabel('draft-orders', 'tags')} value=${values?.tags ?? []} error=${error('tags')}
      onInput=${(/** @type {string[]} */ tags) => change({ tags })} />
    ${giving && html`<${Concession} lines=${values?.lines ?? []} currency=${currency} onClose=${() => setGiving(false)}
      onMade=${(/** @type {string} */ made) => {
      setGiving(false);
      change({ discountCode: made });
    }} />`}
  <//>`;
}

/** usePolicies are the shipping policies of the shop in a currency, to choose from. @param {string} currency */
function usePolicies(currency) {
  const read = (/** @type {AbortSignal} */ signal) => api.collections.from('shipping-policies').find({ limit: 100, depth: 0 }, { signal });
  const { data } = useQuery(can('shipping-policies:read') ? 'shipping-policies' : '', read, { live: ['shipping-policies'] });
  return (data?.docs ?? []).filter((p) => p.currency === currency).map((p) => ({ value: p.id, label: p.title ?? p.id }));
}

/** feeOf is the fee that was typed: null for none, undefined for what is no amount. @param {string} text @returns {number | null | undefined} */
export function feeOf(text) {
  const fee = text.trim() === '' ? null : amountIn(text);
  return fee === null || (typeof fee === 'number' && fee >= 0) ? fee : undefined;
}

/**
 * @param {{
 *   value: number | null, currency: string, error: string | undefined, onChange: (n: number | null) => void, onUnclear: (unclear: boolean) => void
 * }} props
 */
function Fee({ value, currency, error, onChange, onUnclear }) {
  const [text, setText] = useState(String(value ?? ''));
  useEffect(() => {
    if (feeOf(text) !== value) setText(String(value ?? ''));
  }, [value]);
  const bad = feeOf(text) === undefined;
  // The draft still has the fee from before, which nobody wants charged.
  useEffect(() => onUnclear(bad), [bad]);
  const type = (/** @type {string} */ typed) => {
    setText(typed);
    const fee = feeOf(typed);
    if (fee !== undefined) onChange(fee);
  };
  return html`<${NumberField} label=${fieldLabel('draft-orders', 'shippingFee')} help=${t('drafts.feeHelp')} unit=${currency} value=${text}
    error=${bad ? t('drafts.feeWrong') : error} onInput=${type} />`;
}

/**
 * isOver says whether a payment link can no longer be paid: by the status of its checkout, which not every role may read and which was
 * read some time ago, else by the clock.
 * @param {string | null | undefined} expiresAt @param {string} [status]
 */
export const isOver = (expiresAt, status = 'open') =>
  status === 'expired' || (status === 'open' && Boolean(expiresAt) && Date.parse(expiresAt ?? '') <= Date.now());
