// Package buying turns carts into paid orders: checkouts, payment sessions, and the one settle in which redirect, poll,
// confirm and webhook all end. Contract 8.
//
// Decisions of our own: a checkout lives 24 hours; a session that is canceled, released or paid answers
// payment_session_terminal to cancel; money that arrives while its checkout is merely expired still becomes the order if
// the goods are there; what a provider says about somebody else's payment is never booked.
//
// Of hosted and standard sessions: the addresses below /payment-sessions/aggregator know those two kinds alone, while
// /payment-sessions/{id} shows, cancels and releases sessions of every kind. A look-up that fails is said to have failed, to
// shoppers too; within the two seconds after it they read what is known. The methods of an account are asked about when the
// slot is taken: a retry is what was begun. A standard action is in KRW, the one currency its version knows. Where its page
// has no https address a provider has not answered, whatever it did; the sandbox may show its own on this machine by http.
// The checkout's token in an address is refused. What is wrong with an address by itself is said before a key is used up,
// whether its site is allowed afterwards: the shop may change that, and a replay stays what it was.
//
// Of the previous generation's checkout: codes that come with it stand in place of the cart's, which keeps its own, and all
// of them have to apply; a chosen order number waits in the checkout and is taken at placement, another one is drawn where
// it is taken by then; an outside payment stands in the order's metadata. A shop that makes orders before they are paid
// takes goods and counts codes at once, as for a paid order, and its order has fulfilment work from the start.
//
// A webhook is believed in nothing but that it is worth looking. An event is kept as heard once the payments it names are
// settled and not before: whoever crashes or fails on the way leaves it to the provider's next delivery. Nothing is kept of
// events that name no payment of ours.
//
// Of the bridge for providers without an adapter: its caller is believed, nobody is called. A provider session belongs to one
// payment session for good, a provider payment pays one, an event tells one payment; events that were refused told nothing.
// Only the shop's server ends such a session, and thereby says that the provider closed it; money told of afterwards counts
// all the same. Find and reconcile compare exactly, within the account and the key's own environment (the other one is
// refused): two sessions that fit are none.
//
// Money that did not become its order waits for a person: its session, and its checkout unless that has an order already,
// require attention and say what is suggested. An operator places the order, gives the money back, or says that it was
// dealt with elsewhere, and a refund that fails later brings it back into the queue; the charge in the books is never changed, but given to the order that it paid for after all. A checkout whose
// payments were all dealt with is canceled, so that its cart can be bought again.
//
// Money may go back without us: a person refunds it in the provider's console. Providers compare what is left with what we
// say, so that from then on they refuse every refund of ours. So whenever one is refused, and when a webhook tells of a refund or
// somebody reconciles, the payment is looked up, and each refund of it that the provider lists and the books do not know is
// written down as one of its own: under the lock of the order, known by the provider's id of it, which the ledger takes once. It
// says that it was not made here. The order reads as refunded by as much; but nothing is canceled, shipped or returned for it:
// what the money was for only the person knows. Nothing is written while it is unknown what became of a refund of ours, which
// might be the one; nor of a payment that is not told of exactly as it was booked, nor beyond what was paid. What the bank still
// works on is written down as such and followed like ours. A refund, return or cancel whose caller waits is then decided anew:
// what is left of the payment is asked for or refused as refund_exceeds_paid, naming it; a cancel of which everything is back
// already is done; money of no order that is all back leaves the queue as refunded. The watch does not decide anew what was
// refused to it: the person may have paid in the console just because we could not, and the caller may ask again.
//
// Lock order: cart, checkout, payment session, discounts, stock. No provider is called inside a transaction.
package buying

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Buying is the use cases.
type Buying struct {
	Store       ports.Store
	Once        *once.Runner
	Vault       ports.Vault
	Providers   map[string]ports.Provider // by name; those missing cannot be used
	Heard       ports.Heard               // of webhooks
	Now         func() time.Time
	NewID       func() string
	Reservation time.Duration // how long goods are held for a payment session; 0 is 60 min
	PollEvery   time.Duration // how often open payments are looked at; 0 is 5 s
	LookEvery   time.Duration // how long shoppers' reads of one session share a look-up; 0 is 2 s
	Log         *slog.Logger  // nil: slog.Default()
	// Returns is told how far the refund of a return request is, in the transaction that writes it down: before anybody was
	// asked, when it may refuse, and at every step. It returns the order o, which is locked, as it is then, and what else
	// changes. Nil: no refund names a return.
	Returns func(ctx context.Context, tx ports.Tx, o order.Order, r payment.Refund) (order.Order, []collection.Change, error)
	Fail    func(point string) // called at the named points where a crash must heal; nil in production

	hearing lanes
}

const defaultReservation = 60 * time.Minute

func (b *Buying) reservation() time.Duration {
	if b.Reservation <= 0 {
		return defaultReservation
	}
	return b.Reservation
}

func (b *Buying) until() time.Time { return collection.Instant(b.Now().Add(b.reservation())) }

// The points at which tests crash the process.
const (
	FailPrepared     = "prepare.sent"         // the provider answered prepare, nothing is stored
	FailConfirmed    = "confirm.sent"         // the provider answered confirm, nothing is stored
	FailLookedUp     = "settle.looked-up"     // settle knows the provider's answer, nothing is stored
	FailBeforeCommit = "settle.before-commit" // the order is written, not committed
	FailCommitted    = "settle.committed"     // the order is committed, nobody was told
	FailHeard        = "webhook.settled"      // what a webhook named is settled, the event not kept as heard
)

func (b *Buying) fail(point string) {
	if b.Fail != nil {
		b.Fail(point)
	}
}

func (b *Buying) log() *slog.Logger {
	if b.Log != nil {
		return b.Log
	}
	return slog.Default()
}

// atomically runs fn in one transaction of a tenant.
func (b *Buying) atomically(ctx context.Context, id tenant.ID, fn func(ctx context.Context, tx ports.Tx) error) error {
	return b.Store.Atomically(ctx, ports.Of(id), fn)
}

// changes collects what one transaction writes.
type changes struct {
	b    *Buying
	now  time.Time
	list []collection.Change
}

func (b *Buying) changes() *changes { return &changes{b: b, now: b.Now()} }

// put adds the step from before (nil: create) to after, unless nothing differs, and returns the record as it will be read.
func (c *changes) put(s *collection.Schema, before, after collection.Record) collection.Record {
	ch := collection.NewChange(s, before, after, c.b.NewID(), c.now)
	if before != nil && len(ch.Changed()) == 0 {
		return before
	}
	c.list = append(c.list, ch)
	return after
}

// with adds an undeclared JSON member to an object.
func with(object []byte, name string, tree collection.Tree) []byte {
	out := append(slices.Clip(object[:len(object)-1]), ',')
	out = append(collection.AppendString(out, name), ':')
	return append(collection.AppendTree(out, tree), '}')
}
