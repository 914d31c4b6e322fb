// What can be done about a payment, by its state and by what the person may do. The server decides; this only offers.
import { can, idOf } from '../../base/shop.js';

/** @typedef {import('./payment.js').Payment} Payment */
/** @typedef {'place' | 'refund' | 'dismiss' | 'capture' | 'cancelOrder' | 'dispute' | 'order' | 'reconcile' | 'confirm' | 'cancel' | 'release'} Act */

/** Reasons whose money is gone, or was never collected: there is nothing to place an order with or to give back. */
const gone = ['payment_reversed', 'payment_reversed_after_shipping', 'payment_disputed', 'payment_voided', 'payment_voided_after_shipping'];

/** Reasons whose money the provider still holds for the order. */
const held = ['payment_authorization_ends', 'payment_capture_refused', 'payment_authorization_unclear'];

/** What the advice of the shop comes to. @type {Record<string, Act>} */
const advised = {
  refund: 'refund', place_after_restock: 'place', compare_amounts: 'refund', look_at_provider: 'reconcile', cancel_order: 'cancelOrder', collect_again: 'order',
  capture: 'capture', respond_to_dispute: 'dispute',
};

/**
 * caseOf is what kind of case a payment that requires attention is: whether there is money to decide about.
 * @param {Payment['session']} session
 * @returns {'money' | 'gone' | 'held' | 'unknown' | null}
 */
export function caseOf({ status, reason }) {
  if (status !== 'requires_attention') return null;
  if (reason === 'provider_state_unknown') return 'unknown';
  return gone.includes(reason ?? '') ? 'gone' : held.includes(reason ?? '') ? 'held' : 'money';
}

/** Whether a buyer was told where to deposit the money and has not done so. @param {Payment['session']} session */
export const waitsForDeposit = ({ status, instructions }) => status === 'processing' && Boolean(instructions?.account);

/**
 * possible is what can be done about a payment; suggested is what to do first, if there is anything.
 * @param {Payment} payment
 * @returns {{ suggested: Act | undefined, others: Act[] }}
 */
export function possible(payment) {
  const { session } = payment;
  const acts = [...ofCase(payment), ...ofOrder(payment), ...ofProvider(payment)];
  const first = session.suggestedAction ? advised[session.suggestedAction] : session.kind === 'custom' ? 'confirm' : 'capture';
  const suggested = acts.find((act) => act === first);
  return { suggested, others: acts.filter((act) => act !== suggested) };
}

/** @param {Payment} payment @returns {Act[]} */
function ofCase({ session }) {
  const of = caseOf(session);
  if (!of || !can('payments:resolve')) return [];
  if (of !== 'money') return ['dismiss'];
  return session.reason === 'payment_amount_mismatch' ? ['refund', 'dismiss'] : ['place', 'refund', 'dismiss'];
}

/** @param {Payment} payment @returns {Act[]} */
function ofOrder({ session, order, disputes }) {
  /** @type {Act[]} */
  const acts = [];
  if (order && idOf(order.authorization?.paymentSession) === session.id && can('payments:capture')) acts.push('capture');
  if (disputes.some(openDispute)) acts.push('dispute');
  if (order && session.suggestedAction === 'collect_again') acts.push('order');
  if (order && caseOf(session) && ['pending', 'authorized', 'paid', 'preparing'].includes(order.status) && can('orders:cancel')) acts.push('cancelOrder');
  return acts;
}

/** @param {Payment} payment @returns {Act[]} */
function ofProvider({ session, connection }) {
  const { kind, status, slotHeld } = session;
  const open = ['created', 'pending', 'processing'].includes(status) || caseOf(session) === 'unknown';
  /** @type {Act[]} */
  const acts = [];
  if (kind !== 'custom' && connection && (session.providerPaymentId || session.paymentId) && can('payments:reconcile')) acts.push('reconcile');
  if (!can('payments:resolve')) return acts;
  // What was ended here may have been paid there all the same.
  if (kind === 'custom' && !session.resolution && (open || ['failed', 'canceled', 'expired'].includes(status))) acts.push('confirm');
  if (open) acts.push('cancel');
  if (slotHeld) acts.push('release');
  return acts;
}

/** Whether a dispute is not decided yet. @param {{ status: string }} dispute */
export const openDispute = ({ status }) => status === 'needs_response' || status === 'under_review';
