import { html } from '../../vendor/ui.js';
import { useQuery } from '../../base/query.js';
import { href } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Badge, Card, Empty, Loading, Refused } from '../../parts/state.js';
import { Status } from '../../parts/value.js';

/** @param {import('../../vendor/sdk.js').Schemas['Market']} m */
const facts = (m) => [m.code, m.currency, m.countries.join(', '), m.exchangeRate && t('setup.rate', { rate: m.exchangeRate })].filter(Boolean).join(' · ');

/** Markets is where the shop sells, each with its currency. @param {{ title: string }} props */
export function Markets({ title }) {
  const read = (/** @type {AbortSignal} */ signal) => api.collections.from('markets').find({ limit: 100, sort: 'name' }, { signal });
  const { data, refusal, reload } = useQuery('markets', read, { live: ['markets'] });
  const add = can('markets:create') && html`<${Button} icon="plus" href=${href('/records/markets/new')}>${t('common.add')}<//>`;
  return html`<${Card} title=${title} top=${add}>
    ${refusal ? html`<${Refused} refusal=${refusal} again=${reload} />` : !data && html`<${Loading} />`}
    ${data?.docs.length === 0 && html`<${Empty} icon="globe" title=${t('setup.noMarkets')} text=${t('setup.noMarketsText')} />`}
    <ul class="rows-plain">${data?.docs.map((m) => html`<li key=${m.id}><a class="row-plain" href=${href(`/records/markets/${m.id}`)}>
      <b>${m.name}</b> ${m.isDefault && html`<${Badge} tone="info">${t('setup.default')}<//>`} ${m.status === 'inactive' && html`<${Status} slug="markets"
        path="status" value=${m.status} />`}
      <small>${facts(m)}</small></a><${Icon} name="chevron-right" /></li>`)}</ul>
  <//>`;
}
