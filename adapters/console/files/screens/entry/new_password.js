import { html, useState } from '../../vendor/ui.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Account, PasswordField } from '../../parts/field.js';

/**
 * NewPassword is a password that is chosen now.
 * @param {{ text: string, action: string, busy: boolean, onChosen: (password: string) => void, email?: string }} props
 * email: whose it is, for what keeps passwords
 */
export function NewPassword({ text, action, busy, onChosen, email }) {
  const [password, setPassword] = useState('');
  const submit = (/** @type {Event} */ e) => {
    e.preventDefault();
    onChosen(password);
  };
  return html`<form onSubmit=${submit}>
    <p>${text}</p>
    ${email && html`<${Account} email=${email} />`}
    <${PasswordField} label=${t('entry.newPassword')} help=${t('entry.newPasswordHelp')} autocomplete="new-password" value=${password}
      onInput=${setPassword} required autofocus />
    <${Button} look="primary" type="submit" busy=${busy}>${action}<//>
  </form>`;
}
