import { html } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { writer } from '../../base/shop.js';
import { fieldLabel, t } from '../../base/words.js';
import { PasswordField, TextField } from '../../parts/field.js';
import { FormDialog } from '../../parts/form.js';
import { tell } from '../../parts/toast.js';
import { RoleField } from './role_field.js';

/**
 * Invite asks somebody to join the shop; with a password the account is there at once. @param {{ onClose: () => void, onUnsent: (email: string) => void }} props
 * onUnsent: is told of an address that no mail invites
 */
export function Invite({ onClose, onUnsent }) {
  const form = useForm({
    name: 'invite',
    initial: { email: '', role: '', name: '', password: '' },
    keep: false,
    send: async ({ email, ...rest }, options) => {
      const to = email?.trim() ?? '';
      const { invited, mailed } = await writer('users').create({ email: to, ...rest }, options);
      onClose();
      tell(t(!invited ? 'team.created' : mailed ? 'team.invited' : 'team.invitedUnsent', { email: to }));
      if (invited && !mailed) onUnsent(to);
    },
  });
  const field = (/** @type {string} */ name) => ({
    label: fieldLabel('users', name), ...form.input(name),
  });
  return html`<${FormDialog} form=${form} id="invite" title=${t('team.invite')} action=${t(form.values.password ? 'team.create' : 'team.invite')}
    onClose=${onClose}>
    <${TextField} ...${field('email')} type="email" required autofocus autocomplete="off" />
    <${RoleField} ...${field('role')} />
    <${TextField} ...${field('name')} autocomplete="off" />
    <details><summary>${t('team.withPassword')}</summary>
      <${PasswordField} ...${field('password')} label=${t('common.password')} help=${t('team.passwordHelp')} autocomplete="new-password" /></details>
  <//>`;
}
