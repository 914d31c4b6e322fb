import { html } from '../../vendor/ui.js';
import { useQuery } from '../../base/query.js';
import { api } from '../../base/shop.js';
import { fieldLabel, t } from '../../base/words.js';
import { TextField } from '../../parts/field.js';

/** Parts of the bank account that money goes back to, where it came by a deposit. */
const accountParts = /** @type {const} */ (['bank', 'account', 'holder']);

/**
 * Account asks for the buyer's bank account, which payments by deposit need to be given back. Banks are told by the codes of the provider,
 * which are offered where it publishes them.
 * @param {{ form: import('../../base/form.js').Form }} props
 */
export function Account({ form }) {
  const { data } = useQuery('payment providers', (signal) => api.call('GET /api/payment-providers', {}, { signal }));
  const banks = [...new Set((data?.providers ?? []).flatMap((p) => p.refundAccounts.banks))];
  return html`<fieldset class="stack"><legend>${t('orders.account')}</legend><p class="help">${t('orders.accountHelp')}</p>
    ${accountParts.map((name) => html`<${TextField} key=${name} label=${fieldLabel('refundAccount', name)} value=${form.get(`refundAccount.${name}`) ?? ''}
      ...${name === 'bank' && { help: t('orders.bankHelp'), list: 'banks' }}
      error=${form.error(`refundAccount.${name}`)} onInput=${(/** @type {string} */ v) => form.set(`refundAccount.${name}`, v)} />`)}
    <datalist id="banks">${banks.map((bank) => html`<option value=${bank}></option>`)}</datalist>
  </fieldset>`;
}
