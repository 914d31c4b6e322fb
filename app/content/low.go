package content

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// unitsOf is the stock that a variant is written with.
func unitsOf(variant collection.Record) inventory.Level {
	return inventory.Level{OnHand: variant.Int("stock"), Tracked: catalog.Tracked(variant)}
}

// bornWith is r, a new product or variant, low or not by what its variants are written with.
func bornWith(r collection.Record, variants ...collection.Record) collection.Record {
	levels := make([]inventory.Level, len(variants))
	for i, v := range variants {
		levels[i] = unitsOf(v)
	}
	return catalog.BornLow(r, inventory.Low(catalog.Threshold(r), levels...))
}

// countFields are what decides whether stock is low, besides sales.
var countFields = []string{"stock", "trackInventory", "lowStockThreshold"}

// counts reports whether w may change whether stock is low. What is new is low from the start.
func (w *Write) counts() bool {
	for _, name := range countFields {
		if _, given := w.Input[name]; given && !w.Create {
			return true
		}
	}
	return false
}

// holdProduct locks the stock of a product before its record: the order in which sales lock them. Whoever settles the
// transaction then counts again.
func holdProduct(ctx context.Context, tx ports.Tx, w *Write) error {
	if !w.counts() {
		return nil
	}
	return holdStock(ctx, tx, w, w.ID)
}

// holdVariant does the same for a variant. With one that goes, its siblings are counted.
func holdVariant(ctx context.Context, tx ports.Tx, w *Write) error {
	if w.Create || w.Input != nil && !w.counts() {
		return nil
	}
	found, err := tx.Records.GetMany(ctx, catalog.Variants, []string{w.ID})
	if err != nil || found[w.ID] == nil {
		return err // who looks for it next will say so
	}
	return holdStock(ctx, tx, w, found[w.ID].Text("product"))
}

// settled has what depends on the stock of w written down before its answer shows it.
func settled(then func(context.Context, ports.Tx, *Write) error) func(context.Context, ports.Tx, *Write) error {
	return func(ctx context.Context, tx ports.Tx, w *Write) error {
		if err := then(ctx, tx, w); err != nil || tx.Settle == nil {
			return err
		}
		return tx.Settle(ctx)
	}
}

// holdStock locks the rows of a product's variants in both environments.
func holdStock(ctx context.Context, tx ports.Tx, w *Write, product string) error {
	variants, err := every(ctx, tx, w, catalog.Variants, "product", product)
	if err != nil {
		return err
	}
	ids := make([]string, len(variants))
	for i, v := range variants {
		ids[i] = v.ID()
	}
	for _, env := range [...]tenant.Environment{tenant.Live, tenant.Test} {
		if _, err := tx.Stock.Levels(ctx, env, ids); err != nil {
			return err
		}
	}
	return nil
}
