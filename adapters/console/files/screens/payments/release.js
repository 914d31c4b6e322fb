import { html } from '../../vendor/ui.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { TextField } from '../../parts/field.js';
import { FormDialog, useAct } from '../../parts/form.js';
import { Outcome, useOutcome } from '../orders/outcome.js';

/**
 * Release frees the checkout of a payment that may still come.
 * @param {{ payment: import('./payment.js').Payment, onClose: () => void, onChanged: () => void }} props
 */
export function Release({ payment: { session }, onClose, onChanged }) {
  const { id, revision } = session;
  const form = useAct({
    name: `release ${id}`,
    initial: { note: '' },
    send: ({ note }, options) => api.call('POST /api/payment-sessions/{id}/release', { id, note, expectedRevision: revision }, options),
    said: t('payments.done-release'), onClose, onChanged,
  });
  const of = useOutcome(form, 'POST /api/payment-sessions/{id}/release', { id, note: '-', expectedRevision: revision });
  return html`<${FormDialog} form=${form} id="release" title=${t('payments.do-release')} action=${t('payments.do-release')} danger ready=${form.dirty && of.ready} onClose=${onClose}>
    <p>${t('payments.what-release')}</p>
    <${TextField} label=${t('payments.note')} help=${t('payments.noteHelp')} ...${form.input('note')} rows=${2} required autofocus />
    <${Outcome} form=${form} of=${of} />
  <//>`;
}
