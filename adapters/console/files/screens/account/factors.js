// What proves the person besides the password: passkeys, an authenticator app, and codes for the day when both are lost.
import { html, useState } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { useQuery } from '../../base/query.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Once } from '../../parts/once.js';
import { Badge, Card, Loading, Notice, Refused } from '../../parts/state.js';
import { passkeysWork } from '../login/passkey.js';
import { Codes } from './codes.js';
import { AddPasskey, Passkeys } from './passkeys.js';
import { App } from './app.js';

/** @typedef {import('../../vendor/sdk.js').OperatorAnswer<'GET /api/users/second-factor'>} Factor */
/** @typedef {import('../../vendor/sdk.js').OperatorAnswer<'GET /api/users/passkeys'>['passkeys']} Keys */

/** Factors is the second proofs of the person, and how to add and remove them. */
export function Factors() {
  const [codes, setCodes] = useState(/** @type {string[]} */ ([]));
  const [open, setOpen] = useState('');
  const { data, refusal, reload } = useQuery('factors', read);
  useShortcuts(data && passkeysWork() ? [{ keys: 'a', label: t('account.passkeyAdd'), run: () => setOpen('passkey') }] : []);
  const state = data && html`<${Badge} tone=${data.factor.active ? 'good' : 'wait'}>${t(data.factor.active ? 'account.on' : 'account.off')}<//>`;
  /** onChange reads anew what there is, and shows the recovery codes that came with the first proof. */
  const onChange = (/** @type {string[]} */ fresh = []) => {
    setOpen('');
    setCodes(fresh);
    reload();
  };
  return html`<${Card} title=${t('account.factors')} top=${state}>
    ${refusal ? html`<${Refused} refusal=${refusal} again=${reload} />` : !data && html`<${Loading} />`}
    ${data && html`
      ${data.factor.required && !data.factor.active && html`<${Notice} kind="warn">${t('account.required')}<//>`}
      <p class="help">${t('account.factorsText')}</p>
      <${Passkeys} keys=${data.keys} onAdd=${() => setOpen('passkey')} onChange=${onChange} />
      <${App} on=${data.factor.totp} onChange=${onChange} />
      ${data.factor.active && html`<${Codes} left=${data.factor.recoveryCodesLeft} onChange=${onChange} />`}`}
    ${open === 'passkey' && html`<${AddPasskey} onClose=${() => setOpen('')} onChange=${onChange} />`}
    ${codes.length > 0 && html`<${Once} title=${t('account.codes')} text=${t('account.codesOnce')} secret=${codes.join('\n')}
      filename="cartwright-recovery-codes.txt" onClose=${() => setCodes([])} />`}
  <//>`;
}

/** @param {AbortSignal} signal */
async function read(signal) {
  const [factor, { passkeys }] = await Promise.all([
    api.call('GET /api/users/second-factor', {}, { signal }), api.call('GET /api/users/passkeys', {}, { signal })]);
  return { factor, keys: passkeys };
}
