package reconciliation

import (
	"context"
	"maps"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// maxRereads is how often two concurrently changing lists are read until they agree.
const maxRereads = 3

// checkUnapplied compares unapplied money: the transactions of late payments with the ledger.
func (r *tenantRun) checkUnapplied(ctx context.Context) error {
	var journal, transactions map[totalsKey]int64
	for n := range maxRereads {
		var err error
		if journal, err = r.unappliedMovements(ctx, n == 0); err != nil {
			return err
		}
		if transactions, err = r.unappliedTransactions(ctx); err != nil {
			return err
		}
		if maps.Equal(journal, transactions) {
			break
		}
	}
	for p, minor := range journal {
		r.totalsFor(p.env, p.currency).Ledger += minor
	}
	for p, minor := range transactions {
		r.totalsFor(p.env, p.currency).Unapplied += minor
	}
	if !maps.Equal(journal, transactions) {
		r.reportf("payment", "-", "money without an order is %v in the ledger and %v in transactions (minor units)", journal, transactions)
	}
	return nil
}

func (r *tenantRun) unappliedMovements(ctx context.Context, tell bool) (map[totalsKey]int64, error) {
	sums := map[totalsKey]int64{}
	for after := ""; ; {
		list, err := r.Ledger.Entries(ctx, r.tenant, after, pageSize)
		if err != nil || len(list) == 0 {
			return dropZeros(sums), err
		}
		if tell {
			if err := r.reportOrphanMovements(ctx, list); err != nil {
				return nil, err
			}
		}
		for _, m := range list {
			if m.Order == "" {
				sums[totalsKey{m.Environment, m.Amount.Currency}] += signedMinor(m)
			}
		}
		after = list[len(list)-1].ID
	}
}

func signedMinor(m ports.LedgerEntry) int64 {
	if m.Type == "charge" {
		return m.Amount.Minor
	}
	return -m.Amount.Minor
}

// reportOrphanMovements reports ledger entries whose order does not exist. Their money counts as in the
// ledger.
func (r *tenantRun) reportOrphanMovements(ctx context.Context, list []ports.LedgerEntry) error {
	named := make([]string, 0, len(list))
	for _, m := range list {
		if m.Order != "" {
			named = append(named, m.Order)
		}
	}
	found, err := r.Store.Read(ports.ForTenant(r.tenant)).GetMany(ctx, order.Schema, named, nil)
	if err != nil {
		return err
	}
	for _, m := range list {
		if m.Order != "" && found[m.Order] == nil {
			r.reportf("movement", m.ID, "its order %s does not exist", m.Order)
			r.totalsFor(m.Environment, m.Amount.Currency).Ledger += signedMinor(m)
		}
	}
	return nil
}

func (r *tenantRun) unappliedTransactions(ctx context.Context) (map[totalsKey]int64, error) {
	s, sums := payment.Transactions, map[totalsKey]int64{}
	err := r.eachPage(ctx, s, s.Where("order", collection.Exists, false), func(list []collection.Record) error {
		for _, t := range list {
			amount, _ := t.Money("amount")
			sums[totalsKey{tenant.Environment(t.Text("environment")), amount.Currency}] += settled(t).net()
		}
		return nil
	})
	return dropZeros(sums), err
}

// dropZeros is sums without zero entries.
func dropZeros(sums map[totalsKey]int64) map[totalsKey]int64 {
	maps.DeleteFunc(sums, func(_ totalsKey, n int64) bool { return n == 0 })
	return sums
}

// checkStock compares reserved units with their reservations.
func (r *tenantRun) checkStock(ctx context.Context) error {
	drifted, err := r.Ledger.StockDrift(ctx, r.tenant)
	for _, d := range drifted {
		r.reportf("stock", d.Variant, "%s: stock shows %d reserved units, reservations add up to %d",
			d.Environment, d.Reserved, d.ReservationSum)
	}
	return err
}
