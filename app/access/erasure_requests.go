package access

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// RequestErasure records that the customer of a session wants to be erased, and returns them. in has the session's principal and the
// customer's password: whoever found an open session must not have its customer erased. The shop decides when. Errors:
// fault.ErrUnauthenticated, fault.ErrValidation, ErrPasswordWrong, ErrTooManyLogins, fault.ErrUnavailable, identity.ErrErased.
func (a *Service) RequestErasure(ctx context.Context, in Login) (collection.Record, error) {
	p := in.Principal
	if p.Kind != tenant.Customer {
		return nil, fault.ErrUnauthenticated
	}
	person, err := a.Me(ctx, p)
	if err != nil {
		return nil, err
	}
	in.Email = person.Text("email")
	try, err := a.beginLogin(ctx, &in, p.Tenant.ID, countedLogin)
	if err != nil {
		return nil, passwordAgainError(err) // of one that is too long
	}
	defer try.release()
	err = a.checkPassword(ctx, in.Password, person.Text("password"), try)
	if !errors.Is(err, ErrCredentials) {
		a.undoAttempt(ctx, try)
	}
	if err != nil {
		return nil, passwordAgainError(err)
	}
	return a.changeCustomer(ctx, p, func(r collection.Record) (collection.Record, error) {
		if r.Int("tokenVersion") != person.Int("tokenVersion") {
			return nil, errSessionsRevoked // the password may be another one since it was checked
		}
		return identity.RequestErasure(r, a.Now())
	})
}

// passwordAgainError is the refusal of the password of somebody who is logged in: not 401, which clients take for the end of the
// session.
func passwordAgainError(err error) error {
	if errors.Is(err, ErrCredentials) {
		return ErrPasswordWrong
	}
	return err
}

// WithdrawErasure records that the customer of a session no longer wants to be erased, and returns them. Errors:
// fault.ErrUnauthenticated, identity.ErrErased.
func (a *Service) WithdrawErasure(ctx context.Context, p tenant.Principal) (collection.Record, error) {
	if p.Kind != tenant.Customer {
		return nil, fault.ErrUnauthenticated
	}
	return a.changeCustomer(ctx, p, identity.WithdrawErasure)
}

// changeCustomer stores what fn makes of the customer of a session, unless that is the same.
func (a *Service) changeCustomer(
	ctx context.Context, p tenant.Principal, fn func(collection.Record) (collection.Record, error),
) (customer collection.Record, err error) {
	err = a.Store.Atomically(ctx, ports.ForPrincipal(p), func(ctx context.Context, tx ports.Tx) error {
		before, err := tx.Records.Lock(ctx, identity.Customers, p.ID)
		if errors.Is(err, ports.ErrNotFound) {
			return fault.ErrUnauthenticated
		}
		if err != nil {
			return err
		}
		if customer, err = fn(before); err != nil || before.Time("erasureRequestedAt").Equal(customer.Time("erasureRequestedAt")) {
			return err
		}
		return tx.Records.Write(ctx, collection.NewChange(identity.Customers, before, customer, a.NewID(), a.Now()))
	})
	return customer, err
}
