// Deciding about a payment that requires attention: what will happen is said before.
import { html } from '../../vendor/ui.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { TextField } from '../../parts/field.js';
import { FormDialog, useAct } from '../../parts/form.js';
import { Outcome, useOutcome } from '../orders/outcome.js';
import { caseOf } from './possible.js';

/** @param {{ payment: import('./payment.js').Payment, act: 'place' | 'refund' | 'dismiss', onClose: () => void, onChanged: () => void }} props */
export function Resolve({ payment, act, onClose, onChanged }) {
  const { session, checkout } = payment;
  const { id, revision } = session;
  const form = useAct({
    name: `resolve ${id} ${act}`,
    initial: { note: '', refundAccount: undefined },
    send: (changes, options) =>
      api.call('POST /api/payment-sessions/{id}/resolve', /** @type {any} */ ({ id, action: act, ...changes, expectedRevision: revision }), options),
    said: t(`payments.done-${act}`), onClose, onChanged,
  });
  const of = useOutcome(form, 'POST /api/payment-sessions/{id}/resolve', { id, action: act, note: '-', expectedRevision: revision });
  const title = t(`payments.do-${act}`);
  return html`<${FormDialog} form=${form} id="resolve" title=${title} action=${title} danger=${act === 'refund'} ready=${form.dirty && of.ready} onClose=${onClose}>
    <p>${t(act === 'dismiss' ? `payments.dismiss-${caseOf(session) ?? 'money'}` : `payments.what-${act}`)}</p>
    <${TextField} label=${t('payments.note')} help=${t('payments.noteHelp')} ...${form.input('note')} rows=${2} required autofocus />
    <${Outcome} form=${form} of=${of} lines=${checkout?.lines} />
  <//>`;
}
