// A payment by virtual account: what the shopper has to transfer where, and until when.

import { el, say } from './dom.js';
import { moment, money } from './words.js';

/** Reports whether a session waits for a transfer that can still be made. */
export const awaitsTransfer = ({ status, observation, instructions }) =>
  status === 'processing' && observation !== 'expired' && Boolean(instructions?.account);

/** The instructions of a session. */
export function transfer(shop, session) {
  const { bank, bankCode, account, holder, amount, currency, due } = session.instructions;
  return el('div', {},
    el('p', { class: 'lead' }, 'Please transfer the amount. Your order is placed as soon as it arrives.'),
    el('dl', { class: 'facts' },
      fact('Amount', el('strong', {}, money(amount, currency))),
      fact('Bank', bank && bankCode ? `${bank} (${bankCode})` : bank ?? bankCode),
      fact('Account', el('strong', { class: 'account' }, account), copyButton(account)),
      holder && fact('Holder', holder),
      due && fact('Until', el('time', { datetime: due }, moment(due)))),
    el('p', {}, kept(session), ' This page goes on by itself. You can also close it: the transfer alone places your order.'),
    session.provider === 'sandbox' && session.providerSessionId && el('p', {}, el('a', {
      class: 'button', href: `${shop.baseUrl}/sandbox/pay/${session.providerSessionId}`, target: '_blank', rel: 'noopener',
    }, 'Transfer it at the sandbox bank')));
}

const fact = (name, ...what) => el('div', {}, el('dt', {}, name), el('dd', {}, what));

/** How long the goods are kept, which may be shorter than the bank waits. */
function kept({ expiresAt, instructions: { due } }) {
  return due && Date.parse(due) <= Date.parse(expiresAt) ? 'We keep your goods until then.' : `We keep your goods until ${moment(expiresAt)}.`;
}

/** Browsers let no page of an insecure address copy. */
function copyButton(text) {
  if (!navigator.clipboard) return null;
  const copy = () => navigator.clipboard.writeText(text).then(() => say('The account is copied.'), () => say('Your browser does not let this page copy.'));
  return [' ', el('button', { type: 'button', class: 'link', onclick: copy, 'aria-label': 'Copy the account' }, 'Copy')];
}
