package buying

import (
	"context"
	"crypto/subtle"
	"slices"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// known refuses callers that could own nothing here: a client key alone, a secret key without the scope.
// Errors: fault.ErrUnauthenticated, fault.ErrForbidden, tenant.ErrFeatureDisabled.
func known(c once.Call, write bool) error {
	p := c.Principal
	switch {
	case write && p.Tenant.ID != "" && !p.Tenant.CommerceEnabled:
		return tenant.ErrFeatureDisabled
	case c.Server && p.Kind == tenant.SecretKey:
		if write && !p.CanWrite || !write && !p.CanRead {
			return fault.ErrForbidden.Saying("This key does not have the scope for it.")
		}
		return nil
	case c.Server, p.Kind == tenant.User:
		return fault.ErrForbidden
	case c.CheckoutToken != "" || c.CartToken != "" || p.Kind == tenant.Customer:
		return nil
	}
	return fault.ErrUnauthenticated
}

// admit compares the caller with a record: a server credential of its tenant, the capability token it was made with, or
// the customer it belongs to. Nobody learns more than "not found".
func admit(c once.Call, token, owner, tokenHash string, env tenant.Environment) error {
	switch {
	case c.Principal.Environment != env:
	case c.Server && c.Principal.Kind == tenant.SecretKey:
		return nil
	case token != "" && subtle.ConstantTimeCompare([]byte(once.HashText(token)), []byte(tokenHash)) == 1:
		return nil
	case c.Principal.Kind == tenant.Customer && owner != "" && owner == c.Principal.ID:
		return nil
	}
	return ports.ErrAbsent
}

func admitCart(c once.Call, x cart.Cart) error {
	return admit(c, c.CartToken, x.Customer, x.TokenHash, x.Environment)
}

func admitCheckout(c once.Call, x checkout.Checkout) error {
	return admit(c, c.CheckoutToken, x.Customer, x.TokenHash, x.Environment)
}

// lockCheckout locks a checkout the caller may act on. Errors: ports.ErrAbsent.
func lockCheckout(ctx context.Context, tx ports.Tx, c once.Call, id string) (collection.Record, checkout.Checkout, error) {
	r, err := tx.Records.Lock(ctx, checkout.Schema, id)
	if err != nil {
		return nil, checkout.Checkout{}, err
	}
	x := checkout.FromRecord(r)
	return r, x, admitCheckout(c, x)
}

// session reads a payment session, of one of these kinds if any are named, whose checkout the caller may act on. Errors:
// ports.ErrAbsent.
func (b *Buying) session(ctx context.Context, c once.Call, id string, of ...payment.Kind) (collection.Record, payment.Session, error) {
	reader := b.Store.Read(ports.For(c.Principal))
	r, err := reader.Get(ctx, payment.Sessions, id)
	if err != nil {
		return nil, payment.Session{}, err
	}
	s := payment.SessionFrom(r)
	if len(of) > 0 && !slices.Contains(of, s.Kind) {
		return nil, s, ports.ErrAbsent
	}
	co, err := reader.Get(ctx, checkout.Schema, s.Checkout)
	if err != nil {
		return nil, s, err
	}
	if err := admitCheckout(c, checkout.FromRecord(co)); err != nil || c.Key == "" {
		return r, s, err
	}
	return r, s, c.Check(s.Checkout) // keyed work on a session acts on its checkout too
}
