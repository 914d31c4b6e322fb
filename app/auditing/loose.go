package auditing

import (
	"context"
	"maps"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// moments is how often two lists that change meanwhile are read until they agree.
const moments = 3

// loose compares money that belongs to no order: the transactions of late payments with the journal.
func (r *run) loose(ctx context.Context) error {
	var journal, transactions map[place]int64
	for n := range moments {
		var err error
		if journal, err = r.looseMovements(ctx, n == 0); err != nil {
			return err
		}
		if transactions, err = r.looseTransactions(ctx); err != nil {
			return err
		}
		if maps.Equal(journal, transactions) {
			break
		}
	}
	for p, minor := range journal {
		r.at(p.env, p.currency).Journal += minor
	}
	for p, minor := range transactions {
		r.at(p.env, p.currency).Loose += minor
	}
	if !maps.Equal(journal, transactions) {
		r.differsf("payment", "-", "the money of no order is %v by the journal and %v by its transactions, in minor units", journal, transactions)
	}
	return nil
}

func (r *run) looseMovements(ctx context.Context, tell bool) (map[place]int64, error) {
	sums := map[place]int64{}
	for after := ""; ; {
		list, err := r.Books.Movements(ctx, r.tenant, after, page)
		if err != nil || len(list) == 0 {
			return clean(sums), err
		}
		if tell {
			if err := r.ofNobody(ctx, list); err != nil {
				return nil, err
			}
		}
		for _, m := range list {
			if m.Order == "" {
				sums[place{m.Environment, m.Amount.Currency}] += signed(m)
			}
		}
		after = list[len(list)-1].ID
	}
}

func signed(m ports.Movement) int64 {
	if m.Type == "charge" {
		return m.Amount.Minor
	}
	return -m.Amount.Minor
}

// ofNobody tells of movements whose order there is not. Their money counts as it stands in the journal.
func (r *run) ofNobody(ctx context.Context, list []ports.Movement) error {
	named := make([]string, 0, len(list))
	for _, m := range list {
		if m.Order != "" {
			named = append(named, m.Order)
		}
	}
	found, err := r.Store.Read(ports.Of(r.tenant)).GetMany(ctx, order.Schema, named)
	if err != nil {
		return err
	}
	for _, m := range list {
		if m.Order != "" && found[m.Order] == nil {
			r.differsf("movement", m.ID, "its order %s does not exist", m.Order)
			r.at(m.Environment, m.Amount.Currency).Journal += signed(m)
		}
	}
	return nil
}

func (r *run) looseTransactions(ctx context.Context) (map[place]int64, error) {
	s, sums := payment.Transactions, map[place]int64{}
	err := r.each(ctx, s, s.Where("order", collection.Exists, false), func(list []collection.Record) error {
		for _, t := range list {
			paid, refunded := moved(t)
			sums[place{tenant.Environment(t.Text("environment")), paid.Currency}] += paid.Minor - refunded.Minor
		}
		return nil
	})
	return clean(sums), err
}

// clean is sums without those that came to nothing.
func clean(sums map[place]int64) map[place]int64 {
	maps.DeleteFunc(sums, func(_ place, n int64) bool { return n == 0 })
	return sums
}

// stock compares reserved units with what they are promised to.
func (r *run) stock(ctx context.Context) error {
	drifted, err := r.Books.Drift(ctx, r.tenant)
	for _, d := range drifted {
		r.differsf("stock", d.Variant, "%s: %d units are reserved, %d are promised", d.Environment, d.Reserved, d.Promised)
	}
	return err
}
