// Package ordering is what people and time do to orders beside canceling them and handling their goods: steps by hand,
// payments that come by no provider, confirmation after some days, and orders of other systems. Contract 9.
//
// Decisions of our own, of steps by hand:
//
//   - Admins, and secret keys that write, take every step of the table; editors those of the goods: preparing, shipped,
//     delivered, confirmed. The steps of returns belong to return requests alone. Nothing leads from a state to itself.
//   - A step to canceled is the cancel of the order, with everything that it does: the note is its reason, and its own rules
//     for keys hold, except that a key is made where the caller has none.
//   - From pending to paid the whole total was paid, by hand: the order has a transaction of the provider "custom" with the
//     note, and the money stands in the books as money of no account of ours. It goes back by being written down. An order
//     that costs nothing has neither.
//   - The goods follow what is said of the order: called shipped, all that is open leaves in a fulfillment without a carrier;
//     called delivered, all that is on its way has arrived and manual work is done. Payment and fulfilment status are derived
//     and never set.
//   - A failed order keeps its goods and its work until it is canceled, so that it can become pending again.
//   - The note stays with the order as statusNote, for staff: a customer reads notes, but never this one. Earlier notes are
//     in the order's events.
//   - A step is decided under the lock of the order: of two operators one is late and learns from which state. It is one
//     update of the order, and those of the records that follow. A key is optional; under one, the same step answers again.
//
// Of confirmation: a delivered order is confirmed as many days of 24 hours after its delivery as the shop says, 0 is never; a
// change of that setting holds for what is delivered already. Days in which goods were on their way back count. Orders are
// found by index, a bounded number at a time, and each is looked at again under its lock, so that any number of instances may
// do it.
//
// Of imports: see Import.
package ordering

import (
	"time"

	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/ports"
)

// Ordering is the use cases.
type Ordering struct {
	Store  ports.Store
	Once   *once.Runner
	Buying *buying.Buying // cancels, and books payments by hand
	Now    func() time.Time
	NewID  func() string
}
