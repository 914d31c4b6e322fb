import { html } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { FormFoot } from '../../parts/form.js';
import { tell } from '../../parts/toast.js';

/**
 * SuspendTenant stops a shop, with a reason that its people read.
 * @param {{ tenant: import('./tenants.js').Named, onClose: () => void, onChanged: () => void }} props
 */
export function SuspendTenant({ tenant: { id, name }, onClose, onChanged }) {
  const form = useForm({
    name: `suspend ${id}`,
    initial: { reason: '' },
    keep: false,
    send: ({ reason }, options) => api.call('POST /api/tenants/{id}/suspend', { id, reason }, options),
    onSent: () => {
      onChanged();
      tell(t('setup.suspended', { name }));
    },
  });
  const foot = html`<${FormFoot} form=${form} id="suspend" action=${t('setup.suspend')} onCancel=${onClose} danger />`;
  return html`<${Dialog} title=${t('setup.suspendTitle', { name })} onClose=${onClose} busy=${form.busy} actions=${foot}>
    <form id="suspend" class="stack" onSubmit=${(/** @type {Event} */ e) => {
      e.preventDefault();
      void form.submit();
    }}>
      <p>${t('setup.suspendText')}</p>
      <${TextField} label=${t('setup.reason')} required autofocus value=${form.values.reason} error=${form.error('reason')}
        onInput=${(/** @type {string} */ v) => form.set('reason', v)} />
    </form>
  <//>`;
}
