package shops

import (
	"context"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// View reads what a store has of one tenant. Read errors fail the test.
type View struct {
	t     testing.TB
	store *sqlstore.Store
	shop  tenant.ID
}

// NewView is the view of a tenant.
func NewView(t testing.TB, store *sqlstore.Store, shop tenant.ID) View { return View{t, store, shop} }

// Atomically runs fn in one transaction of the shop.
func (v View) Atomically(fn func(ctx context.Context, tx ports.Tx) error) {
	v.t.Helper()
	if err := v.store.Atomically(v.t.Context(), ports.ForTenant(v.shop), fn); err != nil {
		v.t.Fatal(err)
	}
}

// Get reads a record.
func (v View) Get(s *collection.Schema, id string) collection.Record {
	v.t.Helper()
	r, err := v.store.Read(ports.ForTenant(v.shop)).Get(v.t.Context(), s, id)
	if err != nil {
		v.t.Fatalf("%s %s: %v", s.Slug, id, err)
	}
	return r
}

// All reads every record of a collection, in both environments.
func (v View) All(s *collection.Schema) []collection.Record {
	v.t.Helper()
	page, err := v.store.Read(ports.ForTenant(v.shop)).Find(v.t.Context(), collection.Query{Schema: s, Limit: collection.MaxLimit, Page: 1})
	if err != nil {
		v.t.Fatal(err)
	}
	return page.Docs
}

// Level is the stock of a variant in test.
func (v View) Level(variant string) (l ports.StockLevel) {
	v.t.Helper()
	v.Atomically(func(ctx context.Context, tx ports.Tx) error {
		levels, err := tx.Stock.Levels(ctx, tenant.Test, []string{variant})
		l = levels[variant]
		return err
	})
	return l
}
