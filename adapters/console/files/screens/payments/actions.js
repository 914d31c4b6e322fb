// What can be done about a payment: what is advised first, all else behind a menu. Each says what it does before it does it.
import { html, useState } from '../../vendor/ui.js';
import { go } from '../../base/route.js';
import { api, environment } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Acts, useAttempt } from '../../parts/acts.js';
import { confirm } from '../../parts/dialog.js';
import { tell } from '../../parts/toast.js';
import { CancelOrder } from '../orders/cancel_order.js';
import { Capture } from '../orders/capture.js';
import { ConfirmCustom } from './confirm_custom.js';
import { openDispute, possible } from './possible.js';
import { Release } from './release.js';
import { Resolve } from './resolve.js';

/** @typedef {import('./possible.js').Act} Act */

/** How the acts look, and their keys. @type {Record<Act, { icon: string, keys: string, danger?: boolean }>} */
const looks = {
  place: { icon: 'shopping-cart', keys: 'o' },
  refund: { icon: 'banknote', keys: 'u', danger: true },
  dismiss: { icon: 'check', keys: 'd' },
  capture: { icon: 'banknote', keys: 'c' },
  cancelOrder: { icon: 'ban', keys: 'b', danger: true },
  dispute: { icon: 'message-square', keys: 'e' },
  order: { icon: 'arrow-right', keys: 'o' },
  reconcile: { icon: 'refresh-cw', keys: 'a' },
  confirm: { icon: 'circle-check', keys: 'v' },
  cancel: { icon: 'x', keys: 'l', danger: true },
  release: { icon: 'minus', keys: 's', danger: true },
};

/** @param {{ payment: import('./payment.js').Payment, onChanged: () => void }} props */
export function PaymentActions({ payment, onChanged }) {
  const [open, setOpen] = useState(/** @type {Act | ''} */ (''));
  const [busy, attempt] = useAttempt(onChanged);
  const { session, order, disputes } = payment;
  const { suggested, others } = possible(payment);
  /** Those that need no window of their own. @type {Partial<Record<Act, () => void>>} */
  const direct = {
    dispute: () => go(`/disputes/${disputes.find(openDispute)?.id}`),
    order: () => go(`/orders/${order?.id}`),
    reconcile: () => void attempt(async () => tell(await askProvider(payment))),
    cancel: () => void askedCancel(session).then((yes) => (yes ? attempt(() => cancel(session)) : undefined)),
  };
  const of = (/** @type {Act} */ act) => ({ ...looks[act], label: t(`payments.do-${act}`), run: direct[act] ?? (() => setOpen(act)) });
  const same = { onClose: () => setOpen(''), onChanged };
  return html`<${Acts} next=${suggested && of(suggested)} others=${others.map(of)} busy=${busy} label=${t('payments.others')} />
    ${(open === 'place' || open === 'refund' || open === 'dismiss') && html`<${Resolve} payment=${payment} act=${open} ...${same} />`}
    ${open === 'capture' && order && html`<${Capture} order=${order} ...${same} />`}
    ${open === 'cancelOrder' && order && html`<${CancelOrder} order=${order} ...${same} />`}
    ${open === 'confirm' && html`<${ConfirmCustom} payment=${payment} ...${same} />`}
    ${open === 'release' && html`<${Release} payment=${payment} ...${same} />`}`;
}

/**
 * askProvider looks the payment up at its provider and settles it by what that says. It answers what came of it.
 * @param {import('./payment.js').Payment} payment
 */
async function askProvider({ session, connection }) {
  const { order, requiresAttention, paymentSession } = await api.call('POST /api/payment-sessions/aggregator/reconcile', {
    accountKey: connection?.accountKey ?? '', environment: environment.value, providerPaymentId: session.providerPaymentId ?? session.paymentId ?? '',
  });
  if (requiresAttention) return t('payments.asked-attention');
  if (order && !session.order) return t('payments.asked-order', { number: order.orderNumber });
  return t(paymentSession?.status === session.status ? 'payments.asked-same' : 'payments.asked-changed');
}

/** @param {import('./payment.js').Payment['session']} session */
function askedCancel(session) {
  const text = t(session.slotHeld ? 'payments.what-cancel' : 'payments.what-cancelReleased');
  return confirm({ title: t('payments.do-cancel'), text, action: t('payments.do-cancel'), danger: true });
}

/** @param {import('./payment.js').Payment['session']} session */
async function cancel({ id, revision }) {
  await api.call('POST /api/payment-sessions/{id}/cancel', { id, expectedRevision: revision });
  tell(t('payments.done-cancel'));
}
