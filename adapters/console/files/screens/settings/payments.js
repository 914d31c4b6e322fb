import { html } from '../../vendor/ui.js';
import { useQuery } from '../../base/query.js';
import { href } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { optionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Badge, Card, Empty, Loading, Refused } from '../../parts/state.js';

/** Payments is the accounts of the shop at payment providers. @param {{ title: string }} props */
export function Payments({ title }) {
  const read = (/** @type {AbortSignal} */ signal) => api.collections.from('provider-connections').find({ limit: 100, sort: 'name' }, { signal });
  const { data, refusal, reload } = useQuery('connections', read, { live: ['provider-connections'] });
  const add = can('provider-connections:create') && html`<${Button} icon="plus" href=${href('/settings/payments/new')}>${t('common.add')}<//>`;
  return html`<${Card} title=${title} top=${add}>
    ${refusal ? html`<${Refused} refusal=${refusal} again=${reload} />` : !data && html`<${Loading} />`}
    ${data?.docs.length === 0 && html`<${Empty} icon="credit-card" title=${t('setup.noPayments')} text=${t('setup.noPaymentsText')} />`}
    <ul class="rows-plain">${data?.docs.map((c) => html`<li key=${c.id}><a class="row-plain" href=${href(`/settings/payments/${c.id}`)}>
      <b>${c.name}</b> <${Badge} tone=${c.environment === 'live' ? 'good' : 'wait'}>${optionLabel('provider-connections', 'environment', c.environment)}<//>
      ${c.isDefault && html` <${Badge} tone="info">${t('setup.default')}<//>`} ${!c.enabled && html`<${Badge} tone="over">${t('setup.disabled')}<//>`}
      <small>${optionLabel('provider-connections', 'provider', c.provider)} · ${c.accountKey}</small></a><${Icon} name="chevron-right" /></li>`)}</ul>
  <//>`;
}
