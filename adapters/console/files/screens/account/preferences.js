import { html } from '../../vendor/ui.js';
import { useQuery } from '../../base/query.js';
import { api, shop } from '../../base/shop.js';
import { fieldLabel, t } from '../../base/words.js';
import { Card, Loading, Refused } from '../../parts/state.js';
import { complain } from '../../parts/toast.js';

/** @typedef {import('../../vendor/sdk.js').OperatorAnswer<'GET /api/users/me/preferences'>} Wishes */

/** Ways to be told. @type {('tell' | 'mail')[]} */
const ways = ['tell', 'mail'];

/** Preferences is what the person wants to hear of in this shop: a choice counts as soon as the shop has it. */
export function Preferences() {
  const { data, refusal, reload, set } = useQuery('preferences', (signal) => api.call('GET /api/users/me/preferences', {}, { signal }));
  const choose = async (/** @type {'tell' | 'mail'} */ way, /** @type {string} */ name, /** @type {boolean} */ on) => {
    try {
      set(await api.call('PATCH /api/users/me/preferences', { [way]: { [name]: on } }));
    } catch (e) {
      complain(e);
      reload();
    }
  };
  return html`<${Card} title=${t('account.preferences')}>
    <p class="help">${t('account.preferencesText', { shop: shop.value?.name })}</p>
    ${refusal ? html`<${Refused} refusal=${refusal} again=${reload} />` : !data && html`<${Loading} />`}
    ${data && html`<${Choices} wishes=${data} choose=${choose} />`}
  <//>`;
}

/** @param {{ wishes: Wishes, choose: (way: 'tell' | 'mail', name: string, on: boolean) => void }} props */
function Choices({ wishes, choose }) {
  const label = (/** @type {string} */ path) => fieldLabel('user-preferences', path);
  return html`<table class="wishes">
    <thead><tr><th scope="col"><span class="aside">${t('account.about')}</span></th>${ways.map((way) => html`<th scope="col">
      ${t(`account.way-${way}`)}</th>`)}</tr></thead>
    <tbody>${Object.keys(wishes.mail).sort().map((name) => html`<tr key=${name}><th scope="row">${label(`mail.${name}`)}</th>${ways.map((way) => {
      const on = /** @type {Record<string, boolean>} */ (wishes[way])[name];
      return html`<td>${on === undefined ? html`<span class="none" title=${t('account.always')}>${t('account.alwaysShort')}</span>`
        : html`<input type="checkbox" checked=${on}
        aria-label=${`${label(`mail.${name}`)}: ${t(`account.way-${way}`)}`}
          onChange=${(/** @type {any} */ e) => choose(way, name, e.currentTarget.checked)} />`}</td>`;
    })}</tr>`)}</tbody>
  </table>`;
}
