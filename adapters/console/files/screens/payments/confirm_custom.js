import { html } from '../../vendor/ui.js';
import { amountIn } from '../../base/amount.js';
import { money } from '../../base/format.js';
import { api } from '../../base/shop.js';
import { fieldLabel, t } from '../../base/words.js';
import { NumberField, TextField } from '../../parts/field.js';
import { FormDialog, useAct } from '../../parts/form.js';

/**
 * ConfirmCustom vouches for a payment at a provider that the shop talks to by itself.
 * @param {{ payment: import('./payment.js').Payment, onClose: () => void, onChanged: () => void }} props
 */
export function ConfirmCustom({ payment: { session }, onClose, onChanged }) {
  const { amount, currency } = session.amount;
  const form = useAct({
    name: `confirm ${session.id}`,
    initial: { providerPaymentId: '', eventId: '', captured: '' },
    send: ({ providerPaymentId, eventId, captured }, options) =>
      api.call('POST /api/payment-sessions/custom/confirm', {
        providerSessionId: session.providerSessionId ?? '', providerPaymentId, eventId, captured: { amount: amountIn(captured), currency },
      }, options),
    said: t('payments.done-confirm'), onClose, onChanged,
  });
  const { values, error, set } = form;
  return html`<${FormDialog} form=${form} id="confirm" title=${t('payments.do-confirm')} action=${t('payments.do-confirm')} onClose=${onClose}>
    <p>${t('payments.what-confirm', { amount: money(amount, currency) })}</p>
    <${TextField} label=${fieldLabel('payment-sessions', 'providerPaymentId')} value=${values.providerPaymentId} error=${error('providerPaymentId')} mono
      spellcheck=${false} onInput=${(/** @type {string} */ v) => set('providerPaymentId', v)} required autofocus />
    <${TextField} label=${t('payments.eventId')} help=${t('payments.eventHelp')} value=${values.eventId} error=${error('eventId')} mono spellcheck=${false}
      onInput=${(/** @type {string} */ v) => set('eventId', v)} required />
    <${NumberField} label=${t('payments.captured')} help=${t('payments.capturedHelp')} unit=${currency} value=${values.captured} error=${error('captured')}
      onInput=${(/** @type {string} */ v) => set('captured', v)} required />
  <//>`;
}
