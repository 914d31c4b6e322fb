package refunds

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// requireProof refuses to let a person whose session was not proven lately give amount back, if that is more than the shop's limit
// together with what they have given back since a session counts as proven. Refunds of one person at the same time wait for each other
// here, so that each counts those before it. Errors: tenant.ErrReauthenticate.
func (w *recorder) requireProof(ctx context.Context, tx ports.Tx, by tenant.Principal, amount money.Money) error {
	if w.trial || len(by.Tenant.ProofAbove) == 0 || amount.IsZero() || by.RequireProof() == nil {
		return nil
	}
	if _, err := tx.Records.Lock(ctx, identity.Users, by.ID); err != nil && !errors.Is(err, ports.ErrNotFound) { // platform admins have none here
		return err
	}
	s := payment.Transactions
	since := w.now().Add(-tenant.ProofLasts)
	recent, err := ports.FindAll(ctx, tx.Records, collection.Query{Schema: s, Sort: s.SortBy("createdAt"), Where: collection.And{
		s.Where("createdAt", collection.GreaterThan, since), s.Where("type", collection.Equals, opRefund),
	}})
	if err != nil {
		return err
	}
	var lately int64
	for _, one := range recent {
		r := payment.RefundFrom(one)
		if r.Actor.Kind == by.Kind && r.Actor.ID == by.ID && r.Amount.Currency == amount.Currency && r.State.CountsAgainstPaid() {
			lately += r.Amount.Minor
		}
	}
	return by.RequireProofToRefund(amount, lately)
}
