package buying_test

import (
	"context"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

func (b *bed) view() shops.View { return shops.See(b.t, b.store, b.shop.ID) }

func (b *bed) get(s *collection.Schema, id string) collection.Record { return b.view().Get(s, id) }

func (b *bed) all(s *collection.Schema) []collection.Record { return b.view().All(s) }

func (b *bed) level(name string) ports.Level { return b.view().Level(b.variants[name]) }

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
