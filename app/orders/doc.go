// Package orders is what operators and time do to orders besides canceling and fulfilling them: manual
// transitions, manual payments, automatic confirmation, and imports from other systems. Rules:
// features/orders/RULES.md.
//
// # Manual transitions
//
//   - Admins, and secret keys with the write scope, may make every transition of the table; editors those of
//     fulfillment: preparing, shipped, delivered, confirmed. The transitions of returns belong to return
//     requests alone. No transition leads from a status to itself.
//   - A transition to canceled is the cancel of the order with everything that it does: the note is its
//     reason. Its own rules for idempotency keys hold, except that a key is made for a caller without one.
//   - A transition from pending to paid records that the whole total was paid outside this platform: a
//     transaction of the provider "custom" with the note, and a ledger entry of the manual account. It is
//     refunded by being recorded. An order that costs nothing has neither.
//   - Fulfillments follow: a transition to shipped ships all open units in a fulfillment without a carrier;
//     one to delivered delivers all shipped units and completes manual fulfillment orders. Payment and
//     fulfillment status are derived and never set.
//   - A failed order keeps its stock and its fulfillment orders until it is canceled, so that it can become
//     pending again.
//   - The note is stored as statusNote, for staff: a customer reads notes, but never this one. Earlier notes
//     are in the order's events.
//   - A transition is decided under the lock of the order: of two concurrent ones the second is told the
//     status it came too late for. It is one update of the order and of the records that follow. The key is
//     optional; under one the same transition answers again.
//
// # Automatic confirmation
//
// A delivered order is confirmed as many days of 24 hours after its delivery as the tenant sets; 0 is never.
// A change of the setting also holds for orders that are delivered already. Days during a return count.
// Orders are found by index, a bounded number at a time, and each is checked again under its lock, so that
// any number of instances may do it.
//
// # Unpaid orders
//
// A pending or failed order for which nothing was paid is canceled as many hours after it was placed as the tenant
// sets, 24 by default; 0 is never. That frees the stock and the discount uses that it took. Each is decided again
// under its lock: a payment recorded meanwhile keeps the order.
//
// # Imports
//
// See Service.Import.
package orders
