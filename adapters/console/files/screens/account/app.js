import { html, useState } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { useShortcuts } from '../../base/keys.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import { FormDialog } from '../../parts/form.js';
import { Copy } from '../../parts/once.js';
import { complain, tell } from '../../parts/toast.js';
import { Proven } from './proven.js';

/** @typedef {import('../../vendor/sdk.js').OperatorAnswer<'POST /api/users/totp/enroll'>} Secret */

/** App is the authenticator app of the person. @param {{ on: boolean, onChange: (codes?: string[]) => void }} props */
export function App({ on, onChange }) {
  const [secret, setSecret] = useState(/** @type {Secret | null} */ (null));
  const [ending, setEnding] = useState(false);
  const [busy, setBusy] = useState(false);
  const enroll = async () => {
    setBusy(true);
    await api.ask('POST /api/users/totp/enroll').then(setSecret, complain);
    setBusy(false);
  };
  useShortcuts([on ? { keys: 'p', label: t('account.appEnd'), run: () => setEnding(true) }
    : { keys: 'p', label: t('account.appAdd'), run: () => void enroll() }]);
  const top = on
    ? html`<${Button} onClick=${() => setEnding(true)}>${t('account.appEnd')}<//>`
    : html`<${Button} icon="plus" busy=${busy} onClick=${enroll}>${t('account.appAdd')}<//>`;
  return html`<${Proven} icon="scan-line" title=${t('account.app')} text=${t(on ? 'account.appOn' : 'account.appText')} top=${top}>
    ${secret && html`<${Enroll} secret=${secret} onClose=${() => setSecret(null)} onChange=${onChange} />`}
    ${ending && html`<${End} onClose=${() => setEnding(false)} onChange=${onChange} />`}
  <//>`;
}

/** spaced is a code as people read it out. @param {string} text */
const spaced = (text) => text.replace(/(.{4})(?=.)/g, '$1 ');

/** @param {{ secret: Secret, onClose: () => void, onChange: (codes?: string[]) => void }} props */
function Enroll({ secret, onClose, onChange }) {
  const form = useForm({
    name: 'totp',
    initial: { code: '' },
    keep: false,
    send: async ({ code }) => {
      const { recoveryCodes } = await api.ask('POST /api/users/totp/confirm', { code: code.replace(/\s/g, '') });
      onClose();
      onChange(recoveryCodes);
      tell(t('account.appAdded'));
    },
  });
  return html`<${FormDialog} form=${form} id="totp" title=${t('account.appAdd')} action=${t('account.appAdd')} onClose=${onClose}>
    <p>${t('account.appScan')}</p>
    <img class="qr" src=${secret.qrCode} alt=${t('account.appCode')} />
    <div class="secret-row"><code>${spaced(secret.secret)}</code><${Copy} text=${secret.secret} /></div>
    <p><a href=${secret.url}>${t('account.appOpen')}</a></p>
    <${TextField} label=${t('account.code')} help=${t('account.codeHelp')} autocomplete="one-time-code" inputmode="numeric" mono required autofocus
      ...${form.input('code')} />
  <//>`;
}

/** End takes the app away, with a code. @param {{ onClose: () => void, onChange: () => void }} props */
function End({ onClose, onChange }) {
  const form = useForm({
    name: 'totp',
    initial: { code: '' },
    keep: false,
    send: ({ code = '' }) => api.ask('POST /api/users/totp/disable', { code: code.replace(/\s/g, '') }),
    onSent: () => {
      onClose();
      onChange();
      tell(t('account.appEnded'));
    },
  });
  return html`<${FormDialog} form=${form} id="totp" title=${t('account.appEnd')} action=${t('account.appEnd')} danger onClose=${onClose}>
    <p>${t('account.appEndText')}</p>
    <${TextField} label=${t('account.code')} help=${t('account.codeOrRecovery')} autocomplete="one-time-code" mono required autofocus
      ...${form.input('code')} />
  <//>`;
}
