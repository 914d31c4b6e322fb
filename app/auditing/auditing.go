// Package auditing checks that money adds up: what orders say was paid and went back, what their transactions say, what the
// journal of movements says, and on demand what the providers say.
//
// Per tenant, environment and currency: charges − refunds of the journal = Σ over orders of paid − refunded + the money that
// belongs to no order. It reads page by page beside running servers; what differs is looked at once more under the order's
// lock before it is called a difference. Orders that were paid elsewhere, of which we have no transaction, are none of the
// journal's.
package auditing

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

// Audit is one check of the books.
type Audit struct {
	Store ports.Store
	Books ports.Books
	// Ask is what a provider says of a session's payment; nil: providers are not asked.
	Ask func(ctx context.Context, s payment.Session) (ports.ProviderPayment, error)
	// Found is told of every difference.
	Found func(Difference)
}

// Difference is something that does not add up.
type Difference struct {
	Tenant tenant.ID
	What   string // "order", "payment", "transaction", "stock"
	ID     string
	Detail string
}

// Sum is the money of one tenant, environment and currency, in minor units.
type Sum struct {
	Tenant      tenant.ID
	Environment tenant.Environment
	Currency    money.Currency
	Orders      int64 // Σ paid − refunded
	Loose       int64 // money that belongs to no order
	Journal     int64 // charges − refunds
	Provider    int64 // what providers hold of it; custom and manual money counts as it stands in the journal
}

// Adds reports whether s adds up; asked is whether providers were asked.
func (s Sum) Adds(asked bool) bool {
	return s.Orders+s.Loose == s.Journal && (!asked || s.Provider == s.Journal)
}

// page is how many records are looked at together: the memory of an audit.
const page = 200

// run is an audit of one tenant.
type run struct {
	*Audit

	tenant tenant.ID
	sums   map[place]*Sum
}

type place struct {
	env      tenant.Environment
	currency money.Currency
}

// Tenant checks one tenant and returns its sums, by environment and currency. Errors are those of reading, not differences.
func (a *Audit) Tenant(ctx context.Context, id tenant.ID) ([]Sum, error) {
	r := &run{Audit: a, tenant: id, sums: map[place]*Sum{}}
	for _, check := range []func(context.Context) error{r.orders, r.loose, r.stock, r.providers} {
		if err := check(ctx); err != nil {
			return nil, err
		}
	}
	var all []Sum
	for s := range maps.Values(r.sums) {
		all = append(all, *s)
	}
	slices.SortFunc(all, func(a, b Sum) int {
		return cmp.Or(cmp.Compare(a.Environment, b.Environment), cmp.Compare(a.Currency, b.Currency))
	})
	return all, nil
}

func (r *run) at(env tenant.Environment, c money.Currency) *Sum {
	p := place{env, c}
	if r.sums[p] == nil {
		r.sums[p] = &Sum{Tenant: r.tenant, Environment: env, Currency: c}
	}
	return r.sums[p]
}

func (r *run) differsf(what, id, format string, args ...any) {
	r.Found(Difference{r.tenant, what, id, fmt.Sprintf(format, args...)})
}

// each calls fn with page after page of the records that match, in order of their ids.
func (r *run) each(ctx context.Context, s *collection.Schema, where collection.Cond, fn func([]collection.Record) error) error {
	reader := r.Store.Read(ports.Scope{Tenants: []tenant.ID{r.tenant}, System: true})
	for after := ""; ; {
		cond := collection.And{s.Where("id", collection.GreaterThan, after)}
		if where != nil {
			cond = append(cond, where)
		}
		found, err := reader.Find(ctx, collection.Query{Schema: s, Where: cond, Sort: byID(s), Limit: page, Page: 1, Uncounted: true})
		if err != nil {
			return err
		}
		if len(found.Docs) == 0 {
			return nil
		}
		if err := fn(found.Docs); err != nil {
			return err
		}
		if len(found.Docs) < page {
			return nil
		}
		after = found.Docs[len(found.Docs)-1].ID()
	}
}

func byID(s *collection.Schema) []collection.Order {
	return []collection.Order{{Path: s.Where("id", collection.Exists, true).Path}}
}

func ids(records []collection.Record) []string {
	out := make([]string, len(records))
	for i, r := range records {
		out[i] = r.ID()
	}
	return out
}

// oneOf is the condition that a field is one of values.
func oneOf(s *collection.Schema, field string, values []string) collection.Cond {
	list := make([]any, len(values))
	for i, v := range values {
		list[i] = v
	}
	return s.Where(field, collection.In, list...)
}
