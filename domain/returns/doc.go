// Package returns holds the rules of returned goods: what a return refunds, and the states of a return request.
// Rules: features/returns/RULES.md. What follows are details that they leave open.
//
// # Requests
//
//   - Several requests of an order may be open at once.
//   - Units count as returned when a request is received, or when it is refunded without having been
//     received. The goods of the latter stay with the customer, or are digital, and nothing is restocked.
//   - Until then a request may be rejected or canceled, which frees its units for other requests.
//   - If a refund that the bank accepted fails later, its request is open again and can only be refunded.
//   - A customer's request always has the amounts of the order's policy.
//
// # Receipt
//
//   - All units of a line have one condition: who counts three kinds of damage in one line writes it into the notes.
//   - What did not arrive is free for another return, as if it had never been asked for.
//   - Amounts are those of the request while all of it arrived, whatever its condition: a fee for damage was agreed beforehand.
//
// # Shipping
//
//   - Only lines that were shipped count for a full return and for a proportional shipping refund.
//   - A proportional refund is computed and rounded once over everything returned so far. It goes by the
//     value of the goods, or by units if the goods cost nothing.
package returns
