import { html, useState } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { confirm } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { FormDialog } from '../../parts/form.js';
import { Menu } from '../../parts/menu.js';
import { complain, tell } from '../../parts/toast.js';
import { Time } from '../../parts/value.js';
import { make, passkeysWork } from '../login/passkey.js';
import { deviceOf } from './device.js';
import { Proven } from './proven.js';

/** @typedef {import('./factors.js').Keys[number]} Key */

/** @param {{ keys: Key[], onAdd: () => void, onChange: () => void }} props */
export function Passkeys({ keys, onAdd, onChange }) {
  const [renamed, setRenamed] = useState(/** @type {Key | null} */ (null));
  const remove = async (/** @type {Key} */ { id, name }) => {
    const text = t('account.passkeyRemoveText', { name });
    if (!(await confirm({ title: t('account.passkeyRemove'), text, action: t('common.remove'), danger: true }))) return;
    await api.call('POST /api/users/passkeys/{passkey}/remove', { passkey: id });
    onChange();
    tell(t('account.passkeyRemoved', { name }));
  };
  const add = passkeysWork() && html`<${Button} icon="plus" keys="a" onClick=${onAdd}>${t('account.passkeyAdd')}<//>`;
  return html`<${Proven} icon="key" title=${t('account.passkeys')} text=${t(passkeysWork() ? 'account.passkeysText' : 'account.passkeysNot')}
    top=${add}>
    ${keys.length > 0 && html`<ul class="rows-plain">${keys.map((key) => html`<li key=${key.id}>
      <div><b>${key.name}</b><small>${t('account.added')} <${Time} at=${key.createdAt}
        relative /> · ${t('account.used')} <${Time} at=${key.lastUsedAt} relative /></small></div>
      <${Menu} label=${t('account.moreOf', { name: key.name })} look="quiet" items=${[
        { label: t('account.rename'), icon: 'pencil', run: () => setRenamed(key) },
        { label: t('common.remove'), icon: 'trash', danger: true, run: () => void remove(key).catch(complain) },
      ]} />
    </li>`)}</ul>`}
    ${renamed && html`<${Rename} passkey=${renamed} onClose=${() => setRenamed(null)} onChange=${onChange} />`}
  <//>`;
}

/** AddPasskey asks for a name, and the browser for the passkey. @param {{ onClose: () => void, onChange: (codes: string[]) => void }} props */
export function AddPasskey({ onClose, onChange }) {
  const form = useForm({
    name: 'passkey',
    initial: { name: deviceOf(navigator.userAgent) },
    keep: false,
    send: async () => {
      const begun = await api.ask('POST /api/users/passkeys/begin');
      const credential = await make(begun.options);
      if (!credential) return;
      const { recoveryCodes } = await api.ask('POST /api/users/passkeys', { challenge: begun.challenge,
        credential: /** @type {any} */ (credential), name: form.values.name });
      onChange(recoveryCodes);
      tell(t('account.passkeyAdded'));
    },
  });
  return html`<${Naming} title=${t('account.passkeyAdd')} text=${t('account.passkeyAddText')} form=${form} onClose=${onClose} ready />`;
}

/** @param {{ passkey: Key, onClose: () => void, onChange: () => void }} props */
function Rename({ passkey, onClose, onChange }) {
  const form = useForm({
    name: `passkey ${passkey.id}`,
    initial: { name: passkey.name },
    keep: false,
    send: ({ name }, options) => api.call('PATCH /api/users/passkeys/{passkey}', { passkey: passkey.id, name }, options),
    onSent: () => {
      onClose();
      onChange();
    },
  });
  return html`<${Naming} title=${t('account.rename')} form=${form} onClose=${onClose} />`;
}

/** @param {{ title: string, text?: string, form: import('../../base/form.js').Form, onClose: () => void, ready?: boolean }} props */
function Naming({ title, text, form, onClose, ready = false }) {
  return html`<${FormDialog} form=${form} id="naming" title=${title} action=${t(ready ? 'common.next' : 'common.save')} ready=${ready || form.dirty}
    onClose=${onClose}>
    ${text && html`<p>${text}</p>`}
    <${TextField} label=${t('account.passkeyName')} required autofocus maxLength=${100} ...${form.input('name')} />
  <//>`;
}
