// Deciding about a payment that requires attention: what will happen is said before.
import { html } from '../../vendor/ui.js';
import { api } from '../../base/shop.js';
import { optionLabel, t } from '../../base/words.js';
import { TextField } from '../../parts/field.js';
import { FormDialog, useAct } from '../../parts/form.js';
import { Money } from '../../parts/value.js';
import { Account, needsAccount } from '../orders/account.js';
import { heldOf } from './movements.js';
import { caseOf } from './possible.js';

/** @param {{ payment: import('./payment.js').Payment, act: 'place' | 'refund' | 'dismiss', onClose: () => void, onChanged: () => void }} props */
export function Resolve({ payment, act, onClose, onChanged }) {
  const { session, checkout, movements } = payment;
  const { id, revision, provider } = session;
  const form = useAct({
    name: `resolve ${id} ${act}`,
    initial: { note: '', refundAccount: undefined },
    send: (changes, options) =>
      api.call('POST /api/payment-sessions/{id}/resolve', /** @type {any} */ ({ id, action: act, ...changes, expectedRevision: revision }), options),
    said: t(`payments.done-${act}`), onClose, onChanged,
  });
  const held = heldOf(movements);
  const note = html`<${TextField} label=${t('payments.note')} help=${t('payments.noteHelp')} ...${form.input('note')} rows=${2} required autofocus />`;
  const title = t(`payments.do-${act}`);
  const from = { provider: optionLabel('payment-sessions', 'provider', provider) };
  return html`<${FormDialog} form=${form} id="resolve" title=${title} action=${title} danger=${act === 'refund'} onClose=${onClose}>
    <p>${t(act === 'dismiss' ? `payments.dismiss-${caseOf(session) ?? 'money'}` : `payments.what-${act}`)}</p>
    ${act !== 'dismiss' && held && html`<dl class="sums preview">
      ${act === 'place' && checkout?.lines.map((l) => html`<div key=${l.id}><dt>${l.title} × ${l.quantity}</dt><dd></dd></div>`)}
      <div class="whole"><dt>${t(act === 'refund' ? 'payments.givenBack' : 'payments.paidBy', from)}</dt>
        <dd><${Money} amount=${held.amount} currency=${held.currency} /></dd></div>
    </dl>`}
    ${note}
    ${needsAccount(form) && html`<${Account} form=${form} />`}
  <//>`;
}
