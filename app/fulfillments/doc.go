// Package fulfillments delivers orders: shipping lines in parcels, other lines by manual completion.
// Rules: features/fulfillment/RULES.md. The sections below are decisions that the rules leave open.
//
// # Input
//
//   - Omitted items mean everything open. An empty list, a line named twice and a quantity below 1 are
//     invalid; a line of the order with the other kind of fulfillment is line_not_shippable or
//     line_requires_shipping, any other unknown line line_not_found, more units than are open
//     fulfillment_quantity_exceeded.
//   - A fulfillment may be created before its carrier is known. Shipping requires a carrier and a tracking
//     number, which Ship also accepts and which then replace earlier ones; parcels of the carrier "other"
//     need no number. Tracking can be corrected until delivery, but not removed.
//   - Tracking numbers are stored as normalized by carrier.NormalizeNumber, in capitals without spaces and
//     hyphens, so that equal numbers are equal strings. A number that a spreadsheet seems to have rounded is
//     stored as it was entered.
//
// # States
//
//   - Units in a pending fulfillment are taken, but count as fulfilled in the order only when it is shipped;
//     until then a cancellation of the order returns them to stock.
//   - A shipped fulfillment cannot be canceled: what comes back is a return. Canceling a pending one returns
//     its units to the fulfillment order; the order remains preparing, since its states have no way back.
//   - An order is preparing once a fulfillment was created or a unit completed, shipped once all its shipping
//     units are, and delivered once all of them were delivered and all others are completed; an order without
//     shipping lines becomes delivered with its last unit. Intermediate states emit no event.
//   - Fulfilling an order that awaits payment, is canceled or being canceled, or is finished, is
//     order_transition_invalid.
//   - A partially shipped order can still be canceled, since it is preparing. Then the whole payment is
//     refunded, unshipped units return to stock and pending fulfillments are canceled; those in transit stay
//     unchanged and need no further work. To keep the payment for the shipped part, ship the rest, or refund
//     it.
//   - Manually marking an order as shipped ships everything open in one fulfillment without a carrier.
//
// # Concurrency
//
// Everything is decided under the lock of the order, in one transaction with its records, events and receipt.
// The fulfillment orders and fulfillments of an order are written under that lock only, so they need no locks
// of their own; the writes are compare-and-set nevertheless.
package fulfillments
