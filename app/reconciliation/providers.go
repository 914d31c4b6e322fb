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
type recordedAmounts struct{ paid, refunded, pending int64 }

func sumRecorded(transactions []collection.Record) (h recordedAmounts) {
	for _, t := range transactions {
		paid, refunded := settledAmounts(t)
		h.paid, h.refunded = h.paid+paid.Minor, h.refunded+refunded.Minor
		if t.Text("type") == "refund" && t.Text("status") == "pending" {
			amount, _ := t.Money("amount")
			h.pending += amount.Minor
		}
	}
	return h
}

// matches reports whether a provider's amounts agree with ours: a pending refund may be included or not.
func (h recordedAmounts) matches(paid, refunded int64) bool {
	return h.paid == paid && h.refunded <= refunded && refunded <= h.refunded+h.pending
}

// comparePayment reports whether a provider contradicts our records, also on a second comparison.
func (r *tenantRun) comparePayment(
	ctx context.Context, s collection.Record, transactions []collection.Record, p ports.ProviderPayment, asked error,
) error {
	paid, refunded := providerAmounts(p)
	if h := sumRecorded(transactions); asked == nil && h.matches(paid, refunded) {
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
	if paid, refunded = providerAmounts(p); h.matches(paid, refunded) {
		return nil
	}
	amount, _ := s.Group("amount").Money("amount")
	major := func(minor int64) string { return money.Of(minor, amount.Currency).Major() }
	r.reportf("payment", s.ID(), "%s reports %s paid and %s refunded; ours are %s and %s (%s pending)", s.Text("provider"),
		major(paid), major(refunded), major(h.paid), major(h.refunded), major(h.pending))
	r.totalsFor(tenant.Environment(s.Text("environment")), amount.Currency).Provider += paid - refunded - h.paid + h.refunded
	return nil
}

// providerAmounts is what a provider received and refunded.
func providerAmounts(p ports.ProviderPayment) (paid, refunded int64) {
	if p.State == ports.ProviderPaid || p.Refunded.Minor > 0 {
		return p.Amount.Minor, p.Refunded.Minor
	}
	return 0, 0
}
