// Package lowstock maintains the low-stock flags of products and variants (see package catalog) after every
// change of stock: sales, reservations by checkouts and their release, edits, imports.
//
// It runs last in every transaction that locked stock rows. Sales of one variant are serialized by its stock
// row, so each sees the result of the previous one, and of many concurrent sales exactly one crosses the
// threshold. Sales of different variants of a product are serialized by the product's record if that has a
// threshold; other sales do not wait here. Records are locked after stock, variants before products, each
// ordered by id.
package lowstock

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Tracker compares stock with thresholds.
type Tracker struct {
	Now   func() time.Time
	NewID func() string
}

// Update sets or clears lowStock on the variants and products whose stock rows the transaction locked.
func (s Tracker) Update(ctx context.Context, tx ports.Tx, locked []ports.StockKey) error {
	byEnvironment := map[tenant.Environment]map[string]bool{}
	all := map[string]bool{}
	for _, h := range locked {
		if byEnvironment[h.Environment] == nil {
			byEnvironment[h.Environment] = map[string]bool{}
		}
		byEnvironment[h.Environment][h.Variant], all[h.Variant] = true, true
	}
	c := update{Tracker: s, tx: tx, current: map[string]collection.Record{}, locked: map[string]bool{}}
	if err := c.load(ctx, all); err != nil {
		return err
	}
	for _, env := range slices.Sorted(maps.Keys(byEnvironment)) {
		if err := c.updateVariants(ctx, env, byEnvironment[env]); err != nil {
			return err
		}
	}
	for _, env := range slices.Sorted(maps.Keys(byEnvironment)) {
		if err := c.updateProducts(ctx, env, byEnvironment[env]); err != nil {
			return err
		}
	}
	if len(c.changes) == 0 {
		return nil
	}
	return tx.Records.Write(ctx, c.changes...)
}

// update is one run of Tracker.Update.
type update struct {
	Tracker

	tx        ports.Tx
	productOf map[string]string            // product by variant
	current   map[string]collection.Record // current variants and products, by id
	locked    map[string]bool
	changes   []collection.Change
}

// load reads the variants and their products. A threshold is only set by a transaction that has locked all
// stock rows of the product; as this transaction has locked one of them, whether there is a threshold can be
// read without a lock.
func (c *update) load(ctx context.Context, variants map[string]bool) error {
	found, err := c.tx.Records.GetMany(ctx, catalog.Variants, slices.Sorted(maps.Keys(variants)), nil)
	if err != nil {
		return err
	}
	c.productOf = map[string]string{}
	products := map[string]bool{}
	for id, v := range found {
		c.productOf[id], products[v.Text("product")] = v.Text("product"), true
	}
	maps.Copy(c.current, found)
	owners, err := c.tx.Records.GetMany(ctx, catalog.Products, slices.Sorted(maps.Keys(products)), nil)
	maps.Copy(c.current, owners)
	return err
}

// mayChange reports whether a record may have to change: it has a threshold, or its flag is still set from
// when it had one.
func (c *update) mayChange(id string, env tenant.Environment) bool {
	r := c.current[id]
	return r != nil && (catalog.LowStockThreshold(r) != nil || catalog.LowStock(r, env))
}

func (c *update) updateVariants(ctx context.Context, env tenant.Environment, locked map[string]bool) error {
	var ids []string
	for id := range locked {
		if c.mayChange(id, env) {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	slices.Sort(ids)
	levels, err := c.tx.Stock.Levels(ctx, env, ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		l := levels[id]
		if inventory.IsLow(catalog.LowStockThreshold(c.current[id]), l) == catalog.LowStock(c.current[id], env) {
			continue
		}
		if err := c.lock(ctx, catalog.Variants, id); err != nil {
			return err
		}
		c.toggle(catalog.Variants, id, env, collection.Record{"stock": l.OnHand, "reserved": l.Reserved})
	}
	return nil
}

func (c *update) updateProducts(ctx context.Context, env tenant.Environment, locked map[string]bool) error {
	ids := map[string]bool{}
	for id := range locked {
		if p := c.productOf[id]; c.mayChange(p, env) {
			ids[p] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		// before reading levels: then concurrent sales of its other variants have ended, or wait
		if err := c.lock(ctx, catalog.Products, id); err != nil {
			return err
		}
		levels, err := c.productLevels(ctx, env, id)
		if err != nil {
			return err
		}
		if inventory.IsLow(catalog.LowStockThreshold(c.current[id]), levels...) == catalog.LowStock(c.current[id], env) {
			continue
		}
		onHand := int64(0)
		for _, l := range levels {
			onHand += l.OnHand
		}
		c.toggle(catalog.Products, id, env, collection.Record{"stock": onHand})
	}
	return nil
}

// productLevels are the stock levels of all variants of a product.
func (c *update) productLevels(ctx context.Context, env tenant.Environment, product string) (levels []inventory.Level, err error) {
	s := catalog.Variants
	all, err := ports.FindAll(ctx, c.tx.Records, collection.Query{
		Schema: s, Environment: string(env), Where: s.Where("product", collection.Equals, product),
		Sort: s.SortBy("id"),
	})
	for _, v := range all {
		levels = append(levels, inventory.Level{OnHand: v.Int("stock"), Reserved: v.Int("reserved"), Tracked: catalog.Tracked(v)})
	}
	return levels, err
}

// lock locks a record and reads its current state.
func (c *update) lock(ctx context.Context, s *collection.Schema, id string) error {
	if c.locked[id] {
		return nil
	}
	r, err := c.tx.Records.Lock(ctx, s, id)
	c.current[id], c.locked[id] = r, true
	return err
}

// toggle inverts a record's flag for env. figures is its stock there, before and after: the change contains
// nothing else.
func (c *update) toggle(s *collection.Schema, id string, env tenant.Environment, figures collection.Record) {
	was := catalog.LowStock(c.current[id], env)
	before := c.current[id].Clone()
	maps.Copy(before, figures)
	before["lowStock"] = was
	after := catalog.WithLowStock(before, env, !was)
	change := collection.NewChange(s, before, after, c.NewID(), c.Now())
	change.EventEnvironment, change.ComputedField = string(env), "lowStock"
	c.changes = append(c.changes, change)
	c.current[id] = after
}
