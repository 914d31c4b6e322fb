// Finding the payment that a provider's console shows: here first, and at the provider if it is not known here.
import { html, useState } from '../../vendor/ui.js';
import { useQuery } from '../../base/query.js';
import { go } from '../../base/route.js';
import { api, can, environment } from '../../base/shop.js';
import { fieldLabel, optionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { SelectField, TextField } from '../../parts/field.js';
import { Notice } from '../../parts/state.js';
import { complain } from '../../parts/toast.js';

/** @param {{ onClose: () => void }} props */
export function FindPayment({ onClose }) {
  const [missed, setMissed] = useState(/** @type {'' | 'here' | 'provider'} */ (''));
  const [busy, setBusy] = useState('');
  const [id, setId] = useState('');
  const [account, setAccount] = useState('');
  const { data: accounts } = useQuery(can('provider-connections:read') ? 'payments accounts' : '', readAccounts);
  const accountKey = account || (accounts?.length === 1 ? (accounts[0]?.accountKey ?? '') : '');
  const look = async (/** @type {'here' | 'provider'} */ where) => {
    setBusy(where);
    setMissed('');
    const input = { accountKey, environment: environment.value, providerPaymentId: id.trim() };
    try {
      const { found, paymentSession } = await (where === 'here'
        ? api.call('GET /api/payment-sessions/aggregator/find', input)
        : api.call('POST /api/payment-sessions/aggregator/reconcile', input));
      if (found && paymentSession) go(`/payments/${paymentSession.id}`);
      else setMissed(where);
    } catch (e) {
      complain(e);
    }
    setBusy('');
  };
  const ask = missed === 'here' &&
    html`<${Button} icon="refresh-cw" busy=${busy === 'provider'} onClick=${() => look('provider')}>${t('payments.do-reconcile')}<//>`;
  const label = (/** @type {string} */ path) => fieldLabel('payment-sessions', path);
  const actions = html`<${Button} onClick=${onClose}>${t('common.cancel')}<//>
    <${Button} look="primary" type="submit" form="find" busy=${busy === 'here'} disabled=${!id.trim() || !accountKey}>${t('common.find')}<//>`;
  return html`<${Dialog} title=${t('payments.find')} onClose=${onClose} actions=${actions}>
    <form id="find" class="stack" onSubmit=${(/** @type {Event} */ e) => {
      e.preventDefault();
      void look('here');
    }}>
      <p>${t('payments.findText')}</p>
      ${accounts && accounts.length > 1 && html`<${SelectField} label=${label('connection')} value=${account} empty="—" required onInput=${setAccount}
        options=${accounts.map((a) => ({ value: a.accountKey, label: nameOfAccount(a) }))} />`}
      ${!can('provider-connections:read') && html`<${TextField} label=${fieldLabel('provider-connections', 'accountKey')} value=${account} required mono
        spellcheck=${false} onInput=${setAccount} />`}
      <${TextField} label=${label('providerPaymentId')} value=${id} mono spellcheck=${false} required autofocus onInput=${setId} />
      ${missed && html`<${Notice} kind=${missed === 'here' ? 'info' : 'warn'} action=${ask}>${t(`payments.missed-${missed}`)}<//>`}
    </form>
  <//>`;
}

/** @param {{ name: string | null, provider: string, accountKey: string }} account */
const nameOfAccount = ({ name, provider, accountKey }) => name || `${optionLabel('payment-sessions', 'provider', provider)} · ${accountKey}`;

/** readAccounts is the shop's accounts at providers, of the environment that is shown. @param {AbortSignal} signal */
async function readAccounts(signal) {
  const where = { environment: { equals: environment.value } };
  const { docs } = await api.collections.from('provider-connections').find({ where, limit: 100, sort: 'name' }, { signal });
  return docs;
}
