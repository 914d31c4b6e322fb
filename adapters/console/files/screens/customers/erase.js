// Somebody is erased, in two steps: what will go is shown, then the address is typed once more.
import { html, useState } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { FormFoot } from '../../parts/form.js';
import { Loading, Notice, Refused } from '../../parts/state.js';
import { Blocking, HeldTable } from './held.js';

/** @typedef {import('./held.js').Held} Held */

/**
 * Erase shows what an erasure takes away, and begins it.
 * @param {{
 *   name: string, email: string, title: string,
 *   held: Pick<Held, 'collections' | 'blocking'> | undefined, refusal: import('../../base/refusal.js').Refusal | undefined,
 *   send: (reason: string | null, options: { idempotencyKey: string }) => Promise<unknown>, onClose: () => void, onBegun: () => void
 * }} props name: tells what is sent
 */
export function Erase({ name, email, title, held, refusal, send, onClose, onBegun }) {
  const [sure, setSure] = useState(false);
  const form = useForm({
    name, keep: false, initial: { reason: '', email: '' },
    send: ({ reason }, { idempotencyKey }) => send(reason ?? null, { idempotencyKey }),
    onSent: onBegun,
  });
  const same = form.values.email.trim().toLowerCase() === email.toLowerCase();
  const submit = (/** @type {Event} */ e) => {
    e.preventDefault();
    if (same) void form.submit();
  };
  const step = html`<${Button} onClick=${onClose}>${t('common.cancel')}<//>
    <${Button} look="danger" disabled=${!held || held.blocking.length > 0} onClick=${() => setSure(true)}>${t('customers.goOn')}<//>`;
  const last = html`<${FormFoot} form=${same ? form : { ...form, dirty: false }} onCancel=${onClose} id="erase" action=${t('customers.eraseNow')} danger />`;
  return html`<${Dialog} title=${title} size="large" onClose=${onClose} busy=${form.busy} actions=${sure ? last : step}>
    ${!sure && html`<div class="stack">
      <p>${t('customers.eraseText')}</p>
      ${refusal ? html`<${Refused} refusal=${refusal} />` : !held && html`<${Loading} lines=${5} />`}
      ${held && html`<${Blocking} blocking=${held.blocking} /><${HeldTable} held=${held} /><p class="help">${t('customers.staysText')}</p>`}
    </div>`}
    ${sure && html`<form id="erase" class="stack" onSubmit=${submit}>
      <${Notice} kind="warn">${t('customers.eraseSure')}<//>
      <${TextField} label=${t('customers.typeEmail', { email })} ...${form.input('email')} autofocus autocomplete="off" spellcheck=${false} required />
      <${TextField} label=${t('customers.eraseWhy')} help=${t('customers.eraseWhyHelp')} ...${form.input('reason')} />
    </form>`}
  <//>`;
}
