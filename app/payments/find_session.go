package payments

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/recent"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// FoundSession is a payment session with its checkout, as they were read.
type FoundSession struct {
	Session  payment.Session
	Record   collection.Record
	Checkout checkout.Checkout

	checkoutRecord collection.Record
}

// FindSession reads a payment session, of one of these kinds if any are given, whose checkout the caller may
// act on. Errors: ports.ErrNotFound.
func FindSession(
	ctx context.Context, store ports.Store, c idempotency.Call, id string, kinds ...payment.Kind,
) (f FoundSession, err error) {
	return findSession(ctx, nil, store, c, id, kinds...)
}

// findSession is FindSession, which takes what m remembers.
func findSession(
	ctx context.Context, m *recent.Memory, store ports.Store, c idempotency.Call, id string, kinds ...payment.Kind,
) (f FoundSession, err error) {
	reader, of := store.Read(ports.ForPrincipal(c.Principal)), c.Principal.Tenant.ID
	if f.Record, err = m.Get(ctx, reader, of, payment.Sessions, id); err != nil {
		return f, err
	}
	f.Session = payment.SessionFrom(f.Record)
	if len(kinds) > 0 && !slices.Contains(kinds, f.Session.Kind) {
		return f, ports.ErrNotFound
	}
	if f.checkoutRecord, err = m.Get(ctx, reader, of, checkout.Schema, f.Session.Checkout); err != nil {
		return f, err
	}
	f.Checkout = checkout.FromRecord(f.checkoutRecord)
	if err := checkouts.Authorize(c, f.Checkout); err != nil || c.Key == "" {
		return f, err
	}
	return f, c.CheckKey(f.Checkout.ID) // a key for a session is a key for its checkout too
}

// WithSale is f with its checkout, and the order if it has one, as members of an answer.
func (f FoundSession) WithSale(ctx context.Context, r ports.Reader) (Outcome, error) {
	return Outcome{Session: f.Session, Record: f.Record, Checkout: f.checkoutRecord}.withOrder(ctx, r)
}
