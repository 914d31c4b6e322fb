import { html, useState } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { useShortcuts } from '../../base/keys.js';
import { api, user } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Account, PasswordField } from '../../parts/field.js';
import { FormDialog } from '../../parts/form.js';
import { Card } from '../../parts/state.js';
import { complain, tell } from '../../parts/toast.js';

/** Password is how to have another one: with the present one, and by mail for who does not know it. */
export function Password() {
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const email = user.value?.email ?? '';
  const mail = async () => {
    setBusy(true);
    await api.ask('POST /api/users/forgot-password', { email }).then(() => tell(t('account.mailed', { email })), complain);
    setBusy(false);
  };
  useShortcuts([
    { keys: 'm', label: t('account.mailLink'), run: () => void mail() },
    { keys: 'w', label: t('account.passwordNow'), run: () => setOpen(true) },
  ]);
  return html`<${Card} title=${t('account.password')}>
    <p class="help">${t('account.passwordText')}</p>
    <div class="actions">
      <${Button} icon="lock" onClick=${() => setOpen(true)}>${t('account.passwordNow')}<//>
      <${Button} icon="mail" busy=${busy} onClick=${mail}>${t('account.mailLink')}<//>
    </div>
    ${open && html`<${NewPassword} onClose=${() => setOpen(false)} />`}
  <//>`;
}

/** @param {{ onClose: () => void }} props */
function NewPassword({ onClose }) {
  const form = useForm({
    name: 'password',
    initial: { currentPassword: '', password: '' },
    keep: false,
    send: ({ currentPassword, password }) => api.ask('POST /api/users/change-password', { currentPassword, password }),
    onSent: () => {
      onClose();
      tell(t('account.passwordChanged'));
    },
  });
  return html`<${FormDialog} form=${form} id="password" title=${t('account.passwordNow')} action=${t('account.passwordSet')} onClose=${onClose}>
    <p>${t('account.passwordEnds')}</p>
    <${Account} email=${user.value?.email} />
    <${PasswordField} label=${t('account.passwordCurrent')} autocomplete="current-password" autofocus required ...${form.input('currentPassword')} />
    <${PasswordField} label=${t('account.passwordNew')} autocomplete="new-password" required ...${form.input('password')} />
  <//>`;
}
