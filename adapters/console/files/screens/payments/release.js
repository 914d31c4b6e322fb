import { html } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { TextField } from '../../parts/field.js';
import { FormDialog } from '../../parts/form.js';
import { tell } from '../../parts/toast.js';

/**
 * Release frees the checkout of a payment that may still come.
 * @param {{ payment: import('./payment.js').Payment, onClose: () => void, onChanged: () => void }} props
 */
export function Release({ payment: { session }, onClose, onChanged }) {
  const { id, revision } = session;
  const form = useForm({
    name: `release ${id}`,
    initial: { note: '' },
    keep: false,
    refresh: onChanged,
    send: ({ note }, { idempotencyKey }) => api.call('POST /api/payment-sessions/{id}/release', { id, note, expectedRevision: revision }, { idempotencyKey }),
    onSent: () => {
      onClose();
      onChanged();
      tell(t('payments.done-release'));
    },
  });
  return html`<${FormDialog} form=${form} id="release" title=${t('payments.do-release')} action=${t('payments.do-release')} danger onClose=${onClose}>
    <p>${t('payments.what-release')}</p>
    <${TextField} label=${t('payments.note')} help=${t('payments.noteHelp')} ...${form.input('note')} rows=${2} required autofocus />
  <//>`;
}
