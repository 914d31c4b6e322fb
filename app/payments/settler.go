package payments

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// Settler brings our records in line with the provider. Its ladder is described in the package comment.
type Settler struct {
	core

	underway *underway
}

// Outcome is a session after it was settled, with its checkout and, once placed, its order.
type Outcome struct {
	Session                 payment.Session
	Record, Checkout, Order collection.Record

	seen   payment.Fact // what the look-up showed; "" without one
	marked bool         // the webhook was marked as processed with it
}

// Members is the answer {paymentSession, checkout, order}; the order is null before it is placed.
func (o Outcome) Members() []reply.Member {
	return []reply.Member{
		{Name: "paymentSession", Schema: payment.Sessions, Record: o.Record},
		{Name: "checkout", Schema: checkout.Schema, Record: o.Checkout}, {Name: "order", Schema: order.Schema, Record: o.Order},
	}
}

// withOrder adds the order of a session that has one, unless it is there already.
func (o Outcome) withOrder(ctx context.Context, r ports.Reader) (_ Outcome, err error) {
	if o.Session.Order != "" && o.Order == nil {
		o.Order, err = r.Get(ctx, order.Schema, o.Session.Order)
	}
	return o, err
}

// SettleOption changes what a settle does.
type SettleOption func(*settleOptions)

type settleOptions struct {
	known  *knownSession // nil: it is read
	closed bool
	mark   func(ctx context.Context, tx ports.Tx) error // nil: there is nothing to mark
	then   followUp
	claim  *idempotency.Claim // nil: none
}

// followUp is work that belongs into the transaction of a settle, after everything else: storing the receipt.
type followUp func(ctx context.Context, tx ports.Tx, o Outcome) error

// knownSession is a session with its checkout as the caller has just read them, its connection if the caller has that, and
// what the provider has just answered to a call about the payment, if that is all that a look-up would say.
type knownSession struct {
	record, checkout collection.Record
	connection       *connections.Opened
	payment          *ports.ProviderPayment
}

// knowing says what need not be read or asked again.
func knowing(k knownSession) SettleOption { return func(o *settleOptions) { o.known = &k } }

// afterClose says that the provider answered a close with closed: nobody can pay any more, or only through
// our confirm.
func afterClose(closed bool) SettleOption { return func(o *settleOptions) { o.closed = closed } }

// andThen runs work in the transaction of the settle, which then happens even when nothing is new. It may save the receipt
// of a claim.
func andThen(claim *idempotency.Claim, work followUp) SettleOption {
	return func(o *settleOptions) { o.claim, o.then = claim, work }
}

// marking marks the webhook that caused a settle as processed, in the transaction that finds the payment booked.
func marking(mark func(ctx context.Context, tx ports.Tx) error) SettleOption {
	return func(o *settleOptions) { o.mark = mark }
}

// observation is what a lookup showed.
type observation struct {
	fact    payment.Fact
	payment ports.ProviderPayment
	closed  bool // the provider said before that nobody can pay any more, or only through our confirm
}

// mayPlace reports whether an order of s may be placed, which then needs a number.
func (o observation) mayPlace(s payment.Session) bool {
	return (o.fact == payment.FactPaid || o.fact == payment.FactAuthorized) && !s.Booked()
}

// factWhenClosed is the observed fact, or Canceled for an unpaid payment that was closed at its provider.
// Under the session's lock no confirm begins; if none began that may have captured, none ever will, because a
// canceled session cannot be confirmed.
func (o observation) factWhenClosed(ctx context.Context, tx ports.Tx, s payment.Session) (payment.Fact, error) {
	switch o.fact {
	case payment.FactAbsent, payment.FactOpen, payment.FactFailed, payment.FactExpired:
	default:
		return o.fact, nil
	}
	if !o.closed {
		return o.fact, nil
	}
	capturing, err := tx.ProviderCalls.MayHaveActed(ctx, s.Tenant, s.ID, ports.OpConfirm)
	if err != nil || capturing {
		return o.fact, err
	}
	return payment.FactCanceled, nil
}
