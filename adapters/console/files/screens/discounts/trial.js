// A code on an order that does not exist: what the shop would take off, and why.
import { html, useRef, useState } from '../../vendor/ui.js';
import { useMarkets } from '../../base/markets.js';
import { api, environment, shop, user } from '../../base/shop.js';
import { fieldLabel, t } from '../../base/words.js';
import { SelectField, TextField } from '../../parts/field.js';
import { RelationField } from '../../parts/relation.js';
import { Card, Loading, Notice, Refused } from '../../parts/state.js';
import { trialTag } from '../drafts/find.js';
import { Items } from '../drafts/items.js';
import { Sums } from '../drafts/totals.js';
import { usePreview } from '../../base/preview.js';
import { CodeTold } from './explain.js';

/** @typedef {import('../drafts/store.js').Line} Line */

const drafts = () => /** @type {any} */ (api.collections.from('draft-orders'));

/**
 * inTurn begins once what was tried before has ended, in other tabs too, so that two do not both find no draft and make one.
 * @template T
 * @param {() => Promise<T>} next
 * @returns {Promise<T>}
 */
async function inTurn(next) {
  return navigator.locks ? navigator.locks.request(`trial ${shop.value?.id} ${environment.value}`, next) : next();
}

/**
 * tried is what the shop says of an order with the code. It calculates drafts only, so each person has one for trying; it reserves
 * nothing and never becomes an order.
 * @param {Record<string, any>} order
 * @param {AbortSignal} signal
 * @returns {Promise<import('../drafts/items.js').Totals>}
 */
async function tried(order, signal) {
  const mine = { tags: { in: [trialTag] }, status: { equals: 'draft' }, assignee: { equals: user.value?.id } };
  const { docs } = await drafts().find({ where: mine, limit: 1, depth: 0 }, { signal });
  const known = docs[0];
  const { doc } = known
    ? await drafts().update(known.id, { ...order, expectedRevision: known.revision })
    : await drafts().create({ ...order, tags: [trialTag], assignee: user.value?.id, operatorNotes: t('discounts.trialNote') });
  return api.preview('POST /api/draft-orders/{id}/calculate', { id: doc.id, explain: true }, { signal });
}

/** @param {{ discount: import('./told.js').Discount, dirty: boolean }} props dirty: the form has what is not saved yet */
export function Trial({ discount, dirty }) {
  const [lines, setLines] = useState(/** @type {Line[]} */ ([]));
  const [customer, setCustomer] = useState(/** @type {string | null} */ (null));
  const [market, setMarket] = useState('');
  const [postalCode, setPostalCode] = useState('');
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const markets = useMarkets();
  const own = shop.value?.currency ?? '';
  const currency = markets.find((m) => m.id === market)?.currency ?? own;
  const order = {
    lines, customer, market: market || null, currency, discountCode: discount.code, shippingFee: null, shippingAddress: { postalCode: postalCode.trim()
      || null },
  };
  const key = lines.length > 0 ? JSON.stringify([order, discount.revision]) : '';
  const { preview, refusal, asking } = usePreview(key, (signal) => inTurn(() => tried(order, signal)));
  const code = preview?.explanation?.discountCodes[0];
  return html`<${Card} title=${t('discounts.try')} class="trial">
    <p class="help">${t('discounts.tryText')}</p>
    ${dirty && html`<${Notice} kind="warn">${t('discounts.trySaved')}<//>`}
    <${Items} lines=${lines} onChange=${setLines} totals=${preview} input=${input} foreign=${market !== ''} />
    <details class="how"><summary>${t('discounts.tryMore')}</summary><div class="stack">
      <${RelationField} label=${t('discounts.tryCustomer')} to="customers" value=${customer} onInput=${setCustomer} />
      <${SelectField} label=${fieldLabel('draft-orders', 'market')} value=${market}
        options=${markets.map((m) => ({ value: m.id, label: `${m.name} (${m.currency})` }))}
        empty=${t('drafts.ownPrices', { currency: own })} onInput=${setMarket} />
      <${TextField} label=${t('discounts.tryPostalCode')} value=${postalCode} inputmode="numeric" autocomplete="off" onInput=${setPostalCode} />
    </div></details>
    <div aria-live="polite" class="stack">
      ${asking && !preview && html`<${Loading} />`}
      ${refusal && html`<${Refused} refusal=${refusal} />`}
      ${preview && code && html`<${Notice} kind=${code.applied ? 'good' : 'warn'}>${t(code.applied ? 'discounts.applies' : 'discounts.appliesNot')}<//>
        <${CodeTold} code=${code} currency=${preview.currency} />`}
      ${preview && html`<${Sums} totals=${{ ...preview, explanation: undefined }} />`}
    </div>
  <//>`;
}
