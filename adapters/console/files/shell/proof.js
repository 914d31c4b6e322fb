// The question whether it is still the same person at the keyboard, before what a thief of the session would do.
import { html, useEffect, useRef, useState } from '../vendor/ui.js';
import { useForm } from '../base/form.js';
import { asked } from '../base/proof.js';
import { api, user } from '../base/shop.js';
import { t } from '../base/words.js';
import { Button } from '../parts/button.js';
import { Account, PasswordField, TextField } from '../parts/field.js';
import { FormDialog } from '../parts/form.js';
import { passkeysWork, prove } from '../screens/login/passkey.js';

/** Proof asks for the password, a code or a passkey while a call waits for it; the page has it once. */
export function Proof() {
  const answer = asked.value;
  return answer && html`<${Ask} answer=${answer} />`;
}

/** @param {{ answer: (proven: boolean) => void }} props */
function Ask({ answer }) {
  const [ways, setWays] = useState(/** @type {string[]} */ ([]));
  const [byCode, setByCode] = useState(false);
  const key = useRef(false);
  const begin = () => api.ask('POST /api/users/reauthenticate/begin');
  useEffect(() => {
    // Without an answer there is still the password, which everybody has.
    begin().then(({ methods }) => setWays(methods), () => undefined);
  }, []);
  const form = useForm({ name: 'proof', initial: { password: '', code: '' }, keep: false, send: async ({ password, code = '' }) => {
    const own = byCode ? { code: code.replace(/\s/g, '') } : { password };
    const proof = key.current ? await passkey() : own;
    if (!proof) return;
    await api.ask('POST /api/users/reauthenticate', proof);
    answer(true);
  } });
  const passkey = async () => {
    const { options, challenge } = await begin();
    const credential = /** @type {Record<string, any> | null} */ (await prove(options));
    return credential && { challenge: challenge ?? '', credential };
  };
  const byKey = async () => {
    key.current = true;
    await form.submit();
    key.current = false;
  };
  const codes = ways.includes('totp') || ways.includes('recovery-code');
  return html`<${FormDialog} form=${form} id="proof" title=${t('shell.proof')} action=${t('shell.proofDone')} onClose=${() => answer(false)}>
    <p>${t('shell.proofText')}</p>
    <${Account} email=${user.value?.email} />
    ${byCode
      ? html`<${TextField} key="code" label=${t('login.code')} help=${t('login.codeHelp')} autocomplete="one-time-code" mono
        required autofocus ...${form.input('code')} />`
      : html`<${PasswordField} key="password" label=${t('common.password')} autocomplete="current-password" required autofocus
        ...${form.input('password')} />`}
    <div class="actions">
      ${codes && html`<${Button} look="quiet" onClick=${() => setByCode(!byCode)}>${t(byCode ? 'shell.proofPassword' : 'shell.proofCode')}<//>`}
      ${ways.includes('passkey') && passkeysWork() && html`<${Button} icon="key" onClick=${byKey}>${t('login.passkey')}<//>`}
    </div>
  <//>`;
}
