// A payment by virtual account: what the shopper has to transfer where, and until when.

import { el, say } from './dom.js';
import { moment, money, t } from './words.js';

/** Reports whether a session waits for a transfer that can still be made. */
export const awaitsTransfer = ({ status, observation, instructions }) =>
  status === 'processing' && observation !== 'expired' && Boolean(instructions?.account);

/** The instructions of a session. */
export function transfer(shop, session) {
  const { bank, bankCode, account, holder, amount, currency, due } = session.instructions;
  return el('div', {},
    el('p', { class: 'lead' }, t('transfer.lead')),
    el('dl', { class: 'facts' },
      fact(t('transfer.amount'), el('strong', {}, money(amount, currency))),
      fact(t('transfer.bank'), bank && bankCode ? `${bank} (${bankCode})` : bank ?? bankCode),
      fact(t('transfer.account'), el('strong', { class: 'account' }, account), copyButton(account)),
      holder && fact(t('transfer.holder'), holder),
      due && fact(t('transfer.until'), el('time', { datetime: due }, moment(due)))),
    el('p', {}, kept(session), t('transfer.waits')),
    session.provider === 'sandbox' && session.providerSessionId && el('p', {}, el('a', {
      class: 'button', href: `${shop.baseUrl}/sandbox/pay/${session.providerSessionId}`, target: '_blank', rel: 'noopener',
    }, t('transfer.sandbox'))));
}

const fact = (name, ...what) => el('div', {}, el('dt', {}, name), el('dd', {}, what));

/** How long the goods are kept, which may be shorter than the bank waits. */
function kept({ expiresAt, instructions: { due } }) {
  return due && Date.parse(due) <= Date.parse(expiresAt) ? t('transfer.kept-then') : t('transfer.kept-until', { time: moment(expiresAt) });
}

/** Browsers let no page of an insecure address copy. */
function copyButton(text) {
  if (!navigator.clipboard) return null;
  const copy = () => navigator.clipboard.writeText(text).then(() => say(t('transfer.copied')), () => say(t('transfer.not-copied')));
  return [' ', el('button', { type: 'button', class: 'link', onclick: copy, 'aria-label': t('transfer.copy-account') }, t('transfer.copy'))];
}
