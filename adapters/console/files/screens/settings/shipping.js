import { html } from '../../vendor/ui.js';
import { useQuery } from '../../base/query.js';
import { href } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { fieldLabel, optionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Badge, Card, Empty, Loading, Refused } from '../../parts/state.js';
import { Money } from '../../parts/value.js';

/** @typedef {import('../../vendor/sdk.js').Schemas['ShippingPolicy']} Policy */

/** Shipping is what delivery costs, by policy and zone. @param {{ title: string }} props */
export function Shipping({ title }) {
  const read = (/** @type {AbortSignal} */ signal) => api.collections.from('shipping-policies').find({ limit: 100, sort: 'title' }, { signal });
  const { data, refusal, reload } = useQuery('shipping-policies', read, { live: ['shipping-policies'] });
  const add = can('shipping-policies:create') && html`<${Button} icon="plus" href=${href('/settings/shipping/new')}>${t('common.add')}<//>`;
  return html`<${Card} title=${title} top=${add}>
    ${refusal ? html`<${Refused} refusal=${refusal} again=${reload} />` : !data && html`<${Loading} />`}
    ${data?.docs.length === 0 && html`<${Empty} icon="truck" title=${t('setup.noShipping')} text=${t('setup.noShippingText')} />`}
    ${data?.docs.map((p) => html`<${One} key=${p.id} policy=${p} />`)}
  <//>`;
}

/** @param {{ policy: Policy }} props */
function One({ policy: { id, title, currency, baseFee, freeShippingThreshold, returnShippingFee, initialShippingRefund, isDefault, zones } }) {
  const label = (/** @type {string} */ path) => fieldLabel('shipping-policies', path);
  const cost = (/** @type {number | null} */ amount) => html`<${Money} amount=${amount} currency=${currency} />`;
  const codes = (/** @type {Policy['zones'][number]} */ z) => (z.ranges ?? []).map((r) => (r.from === r.to ? r.from : `${r.from}–${r.to}`)).join(', ');
  return html`<div class="policy">
    <h3><a href=${href(`/settings/shipping/${id}`)}>${title}</a> ${isDefault && html`<${Badge} tone="info">${t('setup.default')}<//>`}</h3>
    <dl class="facts">
      <div><dt>${label('baseFee')}</dt><dd>${cost(baseFee)}</dd></div>
      <div><dt>${label('freeShippingThreshold')}</dt><dd>${cost(freeShippingThreshold)}</dd></div>
      <div><dt>${label('returnShippingFee')}</dt><dd>${cost(returnShippingFee)}</dd></div>
      ${initialShippingRefund && html`<div><dt>${label('initialShippingRefund')}</dt><dd>
        ${optionLabel('shipping-policies', 'initialShippingRefund', initialShippingRefund)}</dd></div>`}
    </dl>
    ${zones.length > 0 && html`<div class="scroll"><table class="zones"><caption class="aside">${label('zones')}</caption>
      <thead><tr><th scope="col">${label('zones.name')}</th><th scope="col">${label('zones.ranges')}</th><th scope="col" class="end">
        ${label('zones.extraFee')}</th></tr></thead>
      <tbody>${zones.map((z, i) => html`<tr key=${i}><th scope="row">${z.name}</th><td>${codes(z) || '—'}</td><td class="end">${cost(z.extraFee)}</td>
        </tr>`)}</tbody>
    </table></div>`}
  </div>`;
}
