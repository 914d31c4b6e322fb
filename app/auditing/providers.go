package auditing

import (
	"context"
	"sync"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// askers is how many payments are asked about at the same time.
const askers = 4

// providers compares every payment with what its provider says. Without Ask the providers hold what the journal says.
func (r *run) providers(ctx context.Context) error {
	for _, s := range r.sums {
		s.Provider = s.Journal
	}
	if r.Ask == nil {
		return nil
	}
	s := payment.Sessions
	return r.each(ctx, s, s.Where("kind", collection.NotEquals, string(payment.Custom)), func(list []collection.Record) error {
		transactions, err := r.transactions(ctx, "paymentSession", ids(list))
		if err != nil {
			return err
		}
		said, asked := make([]ports.ProviderPayment, len(list)), make([]error, len(list))
		var all sync.WaitGroup
		for i := range askers {
			all.Go(func() {
				for at := i; at < len(list); at += askers {
					said[at], asked[at] = r.Ask(ctx, payment.SessionFrom(list[at]))
				}
			})
		}
		all.Wait()
		for i, one := range list {
			if err := r.compare(ctx, one, transactions[one.ID()], said[i], asked[i]); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
}

// held is what we wrote down of a payment.
type held struct{ paid, refunded, pending int64 }

func holding(transactions []collection.Record) (h held) {
	for _, t := range transactions {
		paid, refunded := moved(t)
		h.paid, h.refunded = h.paid+paid.Minor, h.refunded+refunded.Minor
		if t.Text("type") == "refund" && t.Text("status") == "pending" {
			amount, _ := t.Money("amount")
			h.pending += amount.Minor
		}
	}
	return h
}

// agrees reports whether a provider's word is ours: it may count a refund that is on its way already.
func (h held) agrees(paid, refunded int64) bool {
	return h.paid == paid && h.refunded <= refunded && refunded <= h.refunded+h.pending
}

// compare tells whether a provider says otherwise than we do, twice.
func (r *run) compare(ctx context.Context, s collection.Record, transactions []collection.Record, p ports.ProviderPayment, asked error) error {
	paid, refunded := captured(p)
	if h := holding(transactions); asked == nil && h.agrees(paid, refunded) {
		return nil
	}
	now, err := r.transactions(ctx, "paymentSession", []string{s.ID()})
	if err != nil {
		return err
	}
	h := holding(now[s.ID()])
	if p, asked = r.Ask(ctx, payment.SessionFrom(s)); asked != nil {
		r.differsf("payment", s.ID(), "%s could not be asked: %v", s.Text("provider"), asked)
		return nil
	}
	if paid, refunded = captured(p); h.agrees(paid, refunded) {
		return nil
	}
	amount, _ := s.Group("amount").Money("amount")
	major := func(minor int64) string { return money.Of(minor, amount.Currency).Major() }
	r.differsf("payment", s.ID(), "%s says %s paid and %s refunded, we say %s and %s (%s on its way)", s.Text("provider"),
		major(paid), major(refunded), major(h.paid), major(h.refunded), major(h.pending))
	r.at(tenant.Environment(s.Text("environment")), amount.Currency).Provider += paid - refunded - h.paid + h.refunded
	return nil
}

// captured is what a provider took, and gave back.
func captured(p ports.ProviderPayment) (paid, refunded int64) {
	if p.State == ports.ProviderPaid || p.Refunded.Minor > 0 {
		return p.Amount.Minor, p.Refunded.Minor
	}
	return 0, 0
}
