// A request to be erased is declined, with a reason that the customer reads.
import { html } from '../../vendor/ui.js';
import { api } from '../../base/shop.js';
import { fieldLabel, t } from '../../base/words.js';
import { TextField } from '../../parts/field.js';
import { FormDialog, useAct } from '../../parts/form.js';

/** @param {{ customer: import('./customers.js').Customer, onClose: () => void, onChanged: () => void }} props */
export function Decline({ customer, onClose, onChanged }) {
  const { id, revision = null } = customer;
  const form = useAct({
    name: `decline ${id}`, initial: { reason: '' }, said: t('customers.declined'), onClose, onChanged,
    send: ({ reason }, options) => api.call('POST /api/customers/{id}/decline-erasure', { id, reason, expectedRevision: revision }, options),
  });
  return html`<${FormDialog} form=${form} id="decline" title=${t('customers.decline')} action=${t('customers.declineNow')} onClose=${onClose}>
    <p>${t('customers.declineText')}</p>
    <${TextField} label=${fieldLabel('customers', 'erasureDeclineReason')} ...${form.input('reason')} rows=${4} maxLength=${500} required autofocus />
  <//>`;
}
