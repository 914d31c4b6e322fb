package buying_test

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// get reads a record.
func (b *bed) get(s *collection.Schema, id string) collection.Record {
	b.t.Helper()
	r, err := b.store.Read(ports.Of(b.shop.ID)).Get(b.t.Context(), s, id)
	if err != nil {
		b.t.Fatalf("%s %s: %v", s.Slug, id, err)
	}
	return r
}

// all reads every record of a collection.
func (b *bed) all(s *collection.Schema) []collection.Record {
	b.t.Helper()
	page, err := b.store.Read(ports.Of(b.shop.ID)).Find(b.t.Context(), collection.Query{Schema: s, Limit: 500, Page: 1})
	if err != nil {
		b.t.Fatal(err)
	}
	return page.Docs
}

func (b *bed) level(name string) (l ports.Level) {
	b.t.Helper()
	b.atomically(func(ctx context.Context, tx ports.Tx) error {
		levels, err := tx.Stock.Levels(ctx, tenant.Test, []string{b.variants[name]})
		l = levels[b.variants[name]]
		return err
	})
	return l
}

// balance is what the books say an order brought.
func (b *bed) balance(orderID string) (minor int64) {
	b.t.Helper()
	b.atomically(func(ctx context.Context, tx ports.Tx) error {
		sums, err := tx.Ledger.Balance(ctx, orderID)
		minor = sums["KRW"]
		return err
	})
	return minor
}
