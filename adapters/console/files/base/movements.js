// Money that moved, as the books of the shop have it.
import { sumOf } from './format.js';

/** @typedef {Pick<import('../vendor/sdk.js').Schemas['Transaction'], 'type' | 'status' | 'amount' | 'currency'>} Movement */

/** The status in which money has moved, by the type of the movement. */
const moves = { payment: 'paid', refund: 'refunded', reversal: 'reversed' };

/** Whether the money of a movement has moved. @param {Movement} m */
export const moved = ({ type, status }) => status === moves[type ?? 'payment'];

/** Whether it has, or is on its way back to the buyer: none of that can be given back once more. @param {Movement} m */
export const movedOrPromised = (m) => moved(m) || (m.type === 'refund' && m.status === 'pending');

/** signed is an amount as it counts: what came is more, what was given or taken back is less. @param {Movement} m */
export const signed = ({ type, amount }) => ((type ?? 'payment') === 'payment' ? 1 : -1) * (amount ?? 0);

/**
 * balanceOf is what is left of payments after what was given or taken back.
 * @param {Movement[]} movements
 * @param {string} currency others are left out
 * @param {(m: Movement) => boolean} [counts]
 */
export function balanceOf(movements, currency, counts = moved) {
  return sumOf(movements.filter((m) => counts(m) && m.currency === currency).map(signed), currency);
}
