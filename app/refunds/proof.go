package refunds

import (
	"context"
	"errors"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// requireProofToName refuses to let a person whose session was not proven lately name an account that money is sent to, whatever the
// shop's limit: it may be their own, and what was sent there does not come back. The accounts are those that are really used, nil for
// none. Errors: tenant.ErrReauthenticate.
func (w *recorder) requireProofToName(by tenant.Principal, accounts ...*payment.RefundAccount) error {
	if w.trial || !slices.ContainsFunc(accounts, func(a *payment.RefundAccount) bool { return a != nil }) {
		return nil
	}
	return by.RequireProof()
}

// requireProof refuses to let a person whose session was not proven lately give amount back, if that goes to an account that they named,
// or is more than the shop's limit together with what they have given back since a session counts as proven. Refunds of one person at the
// same time wait for each other here, so that each counts those before it. Errors: tenant.ErrReauthenticate.
func (w *recorder) requireProof(ctx context.Context, tx ports.Tx, by tenant.Principal, amount money.Money, named *payment.RefundAccount) error {
	if err := w.requireProofToName(by, named); err != nil {
		return err
	}
	if w.trial || len(by.Tenant.ProofAbove) == 0 || amount.IsZero() || by.RequireProof() == nil {
		return nil
	}
	_, err := tx.Records.Lock(ctx, identity.Users, by.ID)
	if errors.Is(err, ports.ErrNotFound) { // platform admins have no record here: they wait for each other at that of the shop
		_, err = tx.Records.Lock(ctx, identity.Tenants, string(by.Tenant.ID))
	}
	if err != nil {
		return err
	}
	s := payment.Transactions
	since := w.now().Add(-tenant.ProofLasts)
	recent, err := ports.FindAll(ctx, tx.Records, collection.Query{Schema: s, Sort: s.SortBy("createdAt"), Where: collection.And{
		s.Where("createdAt", collection.GreaterThan, since), s.Where("type", collection.Equals, opRefund),
		s.Where("environment", collection.Equals, string(by.Environment)), // money of tests is none
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
