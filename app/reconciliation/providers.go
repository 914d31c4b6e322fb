package reconciliation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// lookupWorkers is how many payments are looked up concurrently.
const lookupWorkers = 4

// checkProviders compares every payment with what its provider reports. Without LookupPayment the providers'
// total is the ledger's.
func (r *tenantRun) checkProviders(ctx context.Context) error {
	for _, s := range r.totals {
		s.Provider = s.Ledger
	}
	if r.LookupPayment == nil {
		return nil
	}
	s := payment.Sessions
	return r.eachPage(ctx, s, s.Where("kind", collection.NotEquals, string(payment.Custom)), func(list []collection.Record) error {
		transactions, err := r.transactionsBy(ctx, "paymentSession", recordIDs(list))
		if err != nil {
			return err
		}
		said, asked := make([]ports.ProviderPayment, len(list)), make([]error, len(list))
		background.Parallel(lookupWorkers, func(i int) {
			for at := i; at < len(list); at += lookupWorkers {
				said[at], asked[at] = r.LookupPayment(ctx, payment.SessionFrom(list[at]))
			}
		})
		for i, one := range list {
			if err := r.comparePayment(ctx, one, transactions[one.ID()], said[i], asked[i]); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
}

// recordedAmounts is what is recorded of a payment.
type recordedAmounts struct {
	settledAmounts

	pending int64 // refunds
}

func sumRecorded(transactions []collection.Record) (h recordedAmounts) {
	for _, t := range transactions {
		m := settled(t)
		h.paid, h.refunded, h.reversed, h.held = h.paid+m.paid, h.refunded+m.refunded, h.reversed+m.reversed, h.held+m.held
		if t.Text("type") == "refund" && t.Text("status") == "pending" {
			amount, _ := t.Money("amount")
			h.pending += amount.Minor
		}
	}
	return h
}

// matches reports whether a provider's amounts agree with ours: a pending refund may be included or not.
func (h recordedAmounts) matches(provider settledAmounts) bool {
	return h.paid-h.reversed == provider.paid-provider.reversed && h.held == provider.held &&
		h.refunded <= provider.refunded && provider.refunded <= h.refunded+h.pending
}

// comparePayment reports whether a provider contradicts our records, also on a second comparison.
func (r *tenantRun) comparePayment(
	ctx context.Context, s collection.Record, transactions []collection.Record, p ports.ProviderPayment, asked error,
) error {
	if asked == nil && sumRecorded(transactions).matches(providerAmounts(p)) {
		return nil
	}
	now, err := r.transactionsBy(ctx, "paymentSession", []string{s.ID()})
	if err != nil {
		return err
	}
	h := sumRecorded(now[s.ID()])
	if p, asked = r.LookupPayment(ctx, payment.SessionFrom(s)); asked != nil {
		r.reportf("payment", s.ID(), "lookup at %s failed: %v", s.Text("provider"), asked)
		return nil
	}
	theirs := providerAmounts(p)
	if h.matches(theirs) {
		return nil
	}
	amount, _ := s.Group("amount").Money("amount")
	major := func(minor int64) string { return money.Of(minor, amount.Currency).Major() }
	r.reportf("payment", s.ID(), "%s reports %s paid, %s refunded, %s taken back and %s authorized; ours are %s, %s (%s pending), %s and %s",
		s.Text("provider"), major(theirs.paid), major(theirs.refunded), major(theirs.reversed), major(theirs.held), major(h.paid),
		major(h.refunded), major(h.pending), major(h.reversed), major(h.held))
	r.totalsFor(tenant.Environment(s.Text("environment")), amount.Currency).Provider += theirs.net() - h.net()
	return nil
}

// providerAmounts is what a provider received, refunded and took back. Of a payment that is not paid any more, it has
// what was refunded of it before.
func providerAmounts(p ports.ProviderPayment) (m settledAmounts) {
	m.paid, m.refunded = p.Refunded.Minor, p.Refunded.Minor
	wasRefunded := p.Refunded.Minor > 0 && (p.State == ports.ProviderCanceled || p.State == ports.ProviderUnknown)
	if p.State == ports.ProviderPaid || wasRefunded {
		m.paid = p.Amount.Minor
	}
	if p.State == ports.ProviderAuthorized {
		m.held = p.Amount.Minor
	}
	for _, g := range p.Gone {
		if !g.Returned {
			m.reversed += g.Amount.Minor
		}
	}
	return m
}
