// A draft becomes an order: what will happen is shown before.
import { html, useState } from '../../vendor/ui.js';
import { money } from '../../base/format.js';
import { useForm } from '../../base/form.js';
import { go, screenOf } from '../../base/route.js';
import { api, can, shop } from '../../base/shop.js';
import { fieldLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { Notice, Refused } from '../../parts/state.js';
import { complain, tell } from '../../parts/toast.js';
import { Sums } from './totals.js';

/** @typedef {import('./store.js').Draft} Draft */

/**
 * Finalize shows what the order will be and asks whether its money is there already.
 * @param {{
 *   draft: Draft, totals: import('./items.js').Totals, asked: ReturnType<typeof import('./totals.js').useTotals>, onClose: () => void
 * }} props asked: whether the totals are those of now
 */
export function Finalize({ draft, totals, asked, onClose }) {
  const [paid, setPaid] = useState(false);
  const [note, setNote] = useState('');
  // Nobody agrees to sums that may be those from before.
  const wait = asked.loading || Boolean(asked.refusal);
  const mayPay = can('payments:record') && totals.total !== 0;
  const id = draft.record?.id ?? '';
  const form = useForm({
    name: `finalize ${id}`, keep: false,
    initial: { revision: draft.record?.revision },
    send: async (_, options) => {
      const { order } = await api.call('POST /api/draft-orders/{id}/finalize', { id, expectedRevision: options.revision },
        { idempotencyKey: options.idempotencyKey });
      if (paid && mayPay) await pay(order, note);
      tell(t('drafts.made', { number: order.orderNumber }));
      go(screenOf('orders', order.id));
    },
  });
  const submit = async (/** @type {Event} */ e) => {
    e.preventDefault();
    if (!wait && !(await form.submit())) asked.reload();
  };
  const actions = html`${form.refusal && html`<${Notice} kind="bad">${whole(form.refusal)}<//>`}<${Button} onClick=${onClose}
    disabled=${form.busy}>${t('common.cancel')}<//>
    <${Button} look="primary" type="submit" form="finalize" busy=${form.busy || asked.loading}
      disabled=${Boolean(asked.refusal)}>${t(paid && mayPay ? 'drafts.makePaid' : 'drafts.make')}<//>`;
  return html`<${Dialog} title=${t('drafts.finalize')} onClose=${onClose} busy=${form.busy} actions=${actions}>
    <form id="finalize" class="stack" onSubmit=${submit}>
      ${asked.refusal && html`<${Refused} refusal=${asked.refusal} again=${asked.reload} />`}
      <div class="preview"><${Sums} totals=${totals} wait=${wait} /></div>
      <ul class="rules">${happens(draft, totals, paid && mayPay).map((line) => html`<li key=${line}><${Icon} name="arrow-right"
        size=${14} /><span>${line}</span></li>`)}</ul>
      ${mayPay && html`<fieldset class="options"><legend>${t('drafts.money')}</legend>
        <label><input type="radio" name="paid" checked=${!paid} onChange=${() => setPaid(false)} />${t('drafts.notPaid')}</label>
        <label><input type="radio" name="paid" checked=${paid} onChange=${() => setPaid(true)} />${t('drafts.alreadyPaid')}</label>
      </fieldset>`}
      ${mayPay && paid && html`<${TextField} label=${t('drafts.paidHow')} help=${t('drafts.paidHowHelp')} value=${note} onInput=${setNote} maxLength=${500} />`}
    </form>
  <//>`;
}

/** whole is what was refused, with the names of fields that stand behind the window. @param {import('../../base/refusal.js').Refusal} refusal */
function whole({ fields, alone }) {
  const named = Object.entries(fields).map(([path, text]) => `${fieldLabel('draft-orders', path)}: ${text}`);
  return named.length > 0 ? named.join(' ') : alone;
}

/**
 * pay says that the money of a new order is there. The order stands even if that is refused.
 * @param {{ id: string, revision?: number }} order
 * @param {string} note
 */
async function pay({ id, revision = undefined }, note) {
  try {
    await api.call('POST /api/orders/{id}/transitions', { id, to: 'paid', note: note.trim() || null, expectedRevision: revision ?? null });
  } catch (e) {
    complain(e);
  }
}

/**
 * happens is what making the order does, a sentence each.
 * @param {Draft} draft
 * @param {import('./items.js').Totals} totals
 * @param {boolean} paid
 */
function happens({ values }, totals, paid) {
  const hours = shop.value?.settings.unpaidOrderHours ?? 24;
  const who = values?.customerSnapshot;
  const units = totals.lines.reduce((n, l) => n + l.quantity, 0);
  const waits = hours > 0 ? t('drafts.willWait', { n: hours }) : t('drafts.willWaitLong');
  return [
    t('drafts.willOrder', { amount: money(totals.total, totals.currency), name: who?.name || who?.email || '—' }),
    t('drafts.willTake', { n: units }),
    totals.total === 0 ? t('drafts.willBeFree') : paid ? t('drafts.willBePaid', { amount: money(totals.total, totals.currency) }) : waits,
    t('drafts.willNotMail'),
  ];
}
