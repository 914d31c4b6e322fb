// The colors of states: what went well, what waits, what needs somebody, what is over.

/** @type {Record<string, string>} */
const tones = {
  paid: 'good', delivered: 'good', confirmed: 'good', fulfilled: 'good', active: 'good', published: 'good', done: 'good', received: 'good', completed: 'good', succeeded: 'good', sent: 'good',
  authorized: 'info', preparing: 'info', shipped: 'info', in_progress: 'info', partial: 'info', running: 'info', sending: 'info', open: 'info', approved: 'info', processing: 'info', under_review: 'info', captured: 'good', won: 'good', applied: 'good',
  pending: 'wait', unpaid: 'wait', partially_paid: 'wait', requested: 'wait', return_requested: 'wait', return_processing: 'wait', queued: 'wait', awaiting_deposit: 'wait', awaiting_payment: 'wait', draft: 'wait',
  failed: 'bad', dead: 'bad', reversed: 'bad', payment_reversed: 'bad', payment_disputed: 'bad', payment_voided: 'bad', rejected: 'bad', requires_attention: 'bad', suspended: 'bad', lost: 'bad', needs_response: 'bad',
  canceled: 'over', refunded: 'over', partially_refunded: 'over', returned: 'over', archived: 'over', closed: 'over', expired: 'over', suppressed: 'over', none: 'neutral',
};

/** tone is the color of a state; neutral for those that mean neither. @param {string} value */
export function tone(value) {
  return tones[value] ?? 'neutral';
}
