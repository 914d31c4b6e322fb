// Package reconciliation checks that money adds up: the amounts of orders, their transactions, the ledger
// and, on demand, the providers.
//
// Per tenant, environment and currency: charges − refunds of the ledger = Σ over orders of (paid − refunded)
// + unapplied money. It reads page by page while servers are running; a difference is checked again under the
// order's lock before it is reported. Orders that were paid outside of this system, of which there is no
// transaction, are not in the ledger. Refunds never take more of the tax-free part of a payment than it has.
package reconciliation

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Reconciler compares recorded money with the ledger and the providers.
type Reconciler struct {
	Store  ports.Store
	Ledger ports.LedgerReader
	// LookupPayment is the provider's state of a session's payment; nil: providers are not asked.
	LookupPayment func(ctx context.Context, s payment.Session) (ports.ProviderPayment, error)
	// OnDiscrepancy is called for every discrepancy.
	OnDiscrepancy func(Discrepancy)
}

// Discrepancy is a difference between two records of the same thing.
type Discrepancy struct {
	Tenant tenant.ID
	Kind   string // "order", "payment", "transaction", "stock"
	ID     string
	Detail string
}

// Totals is the money of one tenant, environment and currency, in minor units.
type Totals struct {
	Tenant      tenant.ID
	Environment tenant.Environment
	Currency    money.Currency
	Orders      int64 // Σ paid − refunded
	Unapplied   int64 // money that belongs to no order
	Ledger      int64 // charges − refunds
	Provider    int64 // of it, according to providers; custom and manual payments count as in the ledger
}

// Balanced reports whether s adds up; asked is whether providers were asked.
func (s Totals) Balanced(asked bool) bool {
	return s.Orders+s.Unapplied == s.Ledger && (!asked || s.Provider == s.Ledger)
}

// pageSize is how many records are read at a time; it bounds memory.
const pageSize = 200

// tenantRun is the check of one tenant.
type tenantRun struct {
	*Reconciler

	tenant tenant.ID
	totals map[totalsKey]*Totals
}

type totalsKey struct {
	env      tenant.Environment
	currency money.Currency
}

// CheckTenant checks one tenant and returns its totals by environment and currency. Errors are those of
// reading, not discrepancies.
func (a *Reconciler) CheckTenant(ctx context.Context, id tenant.ID) ([]Totals, error) {
	r := &tenantRun{Reconciler: a, tenant: id, totals: map[totalsKey]*Totals{}}
	for _, check := range []func(context.Context) error{r.checkOrders, r.checkUnapplied, r.checkStock, r.checkProviders} {
		if err := check(ctx); err != nil {
			return nil, err
		}
	}
	var all []Totals
	for s := range maps.Values(r.totals) {
		all = append(all, *s)
	}
	slices.SortFunc(all, func(a, b Totals) int {
		return cmp.Or(cmp.Compare(a.Environment, b.Environment), cmp.Compare(a.Currency, b.Currency))
	})
	return all, nil
}

func (r *tenantRun) totalsFor(env tenant.Environment, c money.Currency) *Totals {
	p := totalsKey{env, c}
	if r.totals[p] == nil {
		r.totals[p] = &Totals{Tenant: r.tenant, Environment: env, Currency: c}
	}
	return r.totals[p]
}

func (r *tenantRun) reportf(what, id, format string, args ...any) {
	r.OnDiscrepancy(Discrepancy{r.tenant, what, id, fmt.Sprintf(format, args...)})
}

// eachPage calls fn with each page of the matching records, ordered by id.
func (r *tenantRun) eachPage(ctx context.Context, s *collection.Schema, where collection.Cond, fn func([]collection.Record) error) error {
	reader := r.Store.Read(ports.Scope{Tenants: []tenant.ID{r.tenant}, System: true})
	for after := ""; ; {
		cond := collection.And{s.Where("id", collection.GreaterThan, after)}
		if where != nil {
			cond = append(cond, where)
		}
		found, err := reader.Find(ctx, collection.Query{
			Schema: s, Where: cond, Sort: s.SortBy("id"), Limit: pageSize, Page: 1, SkipCount: true,
			LeaveOutDamaged: true,
		})
		if err != nil {
			return err
		}
		for _, d := range found.Damaged {
			r.reportf(s.Slug, d.ID, "the record is damaged: %v", d.Err)
		}
		if len(found.Docs) > 0 {
			if err := fn(found.Docs); err != nil {
				return err
			}
		}
		if found.Found() < pageSize {
			return nil
		}
		after = found.LastID()
	}
}

func recordIDs(records []collection.Record) []string {
	out := make([]string, len(records))
	for i, r := range records {
		out[i] = r.ID()
	}
	return out
}
