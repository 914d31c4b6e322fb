package records

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// stockLevel is the stock in the input of a variant.
func stockLevel(variant collection.Record) inventory.Level {
	return inventory.Level{OnHand: variant.Int("stock"), Tracked: catalog.Tracked(variant)}
}

// withInitialLowFlag is r, a new product or variant, with lowStock set by the input of its variants.
func withInitialLowFlag(r collection.Record, variants ...collection.Record) collection.Record {
	levels := make([]inventory.Level, len(variants))
	for i, v := range variants {
		levels[i] = stockLevel(v)
	}
	return catalog.InitLowStock(r, inventory.IsLow(catalog.LowStockThreshold(r), levels...))
}

// lowStockFields are the fields that decide whether stock is low, besides sales.
var lowStockFields = []string{"stock", "trackInventory", "lowStockThreshold"}

// affectsLowStock reports whether w may change whether stock is low. New records have the flag from the
// start.
func (w *Write) affectsLowStock() bool {
	for _, name := range lowStockFields {
		if _, given := w.Input[name]; given && !w.Create {
			return true
		}
	}
	return false
}

// lockProductStock locks the stock rows of a product before its record, in the same order as sales do. The
// flag is recomputed when the transaction settles its stock.
func lockProductStock(ctx context.Context, tx ports.Tx, w *Write) error {
	if w.family != nil || !w.affectsLowStock() {
		return nil
	}
	return lockStock(ctx, tx, w, w.ID)
}

// lockVariantStock is lockProductStock for a variant; deleting one affects its siblings.
func lockVariantStock(ctx context.Context, tx ports.Tx, w *Write) error {
	if w.family != nil || w.Create || w.Input != nil && !w.affectsLowStock() {
		return nil
	}
	found, err := tx.Records.GetMany(ctx, catalog.Variants, []string{w.ID}, nil)
	if err != nil || found[w.ID] == nil {
		return err // the next lookup reports it
	}
	return lockStock(ctx, tx, w, found[w.ID].Text("product"))
}

// withStockSettled updates the low-stock flags that depend on w before the response shows them.
func withStockSettled(then func(context.Context, ports.Tx, *Write) error) func(context.Context, ports.Tx, *Write) error {
	return func(ctx context.Context, tx ports.Tx, w *Write) error {
		if err := then(ctx, tx, w); err != nil || tx.SyncStock == nil || w.family != nil {
			return err
		}
		return tx.SyncStock(ctx)
	}
}

// lockStock locks the stock rows of a product's variants in both environments.
func lockStock(ctx context.Context, tx ports.Tx, w *Write, product string) error {
	variants, err := listRelated(ctx, tx, w, catalog.Variants, "product", product)
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
