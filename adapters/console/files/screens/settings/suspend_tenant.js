import { html } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { TextField } from '../../parts/field.js';
import { FormDialog } from '../../parts/form.js';
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
  return html`<${FormDialog} form=${form} id="suspend" title=${t('setup.suspendTitle', { name })} action=${t('setup.suspend')} danger onClose=${onClose}>
    <p>${t('setup.suspendText')}</p>
    <${TextField} label=${t('setup.reason')} required autofocus ...${form.input('reason')} />
  <//>`;
}
