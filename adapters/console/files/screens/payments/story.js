// What happened to a payment, and what to do about it, in sentences.
import { html } from '../../vendor/ui.js';
import { money, time } from '../../base/format.js';
import { fieldLabel, optionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Card } from '../../parts/state.js';
import { complain, tell } from '../../parts/toast.js';
import { Money, Time } from '../../parts/value.js';
import { caseOf, waitsForDeposit } from './possible.js';

/** @typedef {import('./payment.js').Payment} Payment */

/** @param {{ payment: Payment }} props */
export function Story({ payment }) {
  const { session, disputes } = payment;
  const due = disputes.find((d) => d.evidenceDue && d.status === 'needs_response')?.evidenceDue;
  if (caseOf(session)) {
    return html`<section class="card payment-case" aria-labelledby="case">
      <h2 id="case"><${Icon} name="triangle-alert" />${optionLabel('payment-sessions', 'reason', session.reason ?? '')}</h2>
      <p>${t(`payments.why-${session.reason}`)}</p>
      ${session.suggestedAction && html`<p>
        <b>${t('payments.advice')}</b> ${t(`payments.advice-${session.suggestedAction}`)} ${due && html`<b><${Time} at=${due} /></b>`}</p>`}
      ${session.note && html`<p class="quote">${session.note}</p>`}
    </section>`;
  }
  return html`<${Card} title=${t('payments.story')}>
      <p>${t(`payments.state-${waitsForDeposit(session) ? 'deposit' : session.status}`)}</p>
      ${session.observation !== 'none' && html`<p>${t(`payments.seen-${session.observation}`)}</p>`}
      ${session.resolution && html`<p>${t(`payments.resolved-${session.resolution}`)}</p>`}
      ${session.reason && session.resolution && html`<p class="none">${t('payments.was')} ${optionLabel('payment-sessions', 'reason', session.reason)}</p>`}
      ${session.slotHeld && html`<p class="none">${t('payments.slot', { at: time(session.expiresAt) })}</p>`}
      ${session.note && html`<p class="quote">${session.note}</p>`}
    <//>
    ${waitsForDeposit(session) && html`<${Deposit} session=${session} />`}`;
}

/** Deposit is where the buyer has to pay, to be told to those who ask. @param {{ session: Payment['session'] }} props */
function Deposit({ session }) {
  const { amount, currency, bank, bankCode, account, holder, due } = session.instructions;
  const label = (/** @type {string} */ name) => fieldLabel('payment-sessions', `instructions.${name}`);
  const copy = async () => {
    const told = { bank: bank ?? bankCode ?? '', account, holder: holder ?? '', amount: money(amount, currency), due: time(due) };
    try {
      await navigator.clipboard.writeText(Object.entries(told).map(([name, value]) => `${label(name)}: ${value}`).join('\n'));
      tell(t('payments.copied'));
    } catch (e) {
      complain(e);
    }
  };
  const late = due !== null && Date.parse(due) < Date.now();
  return html`<${Card} title=${t('payments.deposit')} top=${html`<${Button} icon="copy" onClick=${copy}>${t('payments.copy')}<//>`}>
    <dl class="facts">
      <div><dt>${label('bank')}</dt><dd>${bank ?? bankCode ?? '—'}</dd></div>
      <div><dt>${label('account')}</dt><dd><code>${account}</code></dd></div>
      <div><dt>${label('holder')}</dt><dd>${holder ?? '—'}</dd></div>
      <div><dt>${label('amount')}</dt><dd><${Money} amount=${amount} currency=${currency} /></dd></div>
      <div class=${late ? 'payment-warned' : ''}><dt>${label('due')}</dt><dd><${Time} at=${due} /></dd></div>
    </dl>
    <p class="help">${t(late ? 'payments.depositLate' : 'payments.depositHelp')}</p>
  <//>`;
}
