package payments

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
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
}

// FindSession reads a payment session, of one of these kinds if any are given, whose checkout the caller may
// act on. Errors: ports.ErrNotFound.
func FindSession(
	ctx context.Context, store ports.Store, c idempotency.Call, id string, kinds ...payment.Kind,
) (f FoundSession, err error) {
	reader := store.Read(ports.ForPrincipal(c.Principal))
	if f.Record, err = reader.Get(ctx, payment.Sessions, id); err != nil {
		return f, err
	}
	f.Session = payment.SessionFrom(f.Record)
	if len(kinds) > 0 && !slices.Contains(kinds, f.Session.Kind) {
		return f, ports.ErrNotFound
	}
	x, err := reader.Get(ctx, checkout.Schema, f.Session.Checkout)
	if err != nil {
		return f, err
	}
	f.Checkout = checkout.FromRecord(x)
	if err := checkouts.Authorize(c, f.Checkout); err != nil || c.Key == "" {
		return f, err
	}
	return f, c.CheckKey(f.Checkout.ID) // a key for a session is a key for its checkout too
}
