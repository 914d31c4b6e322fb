// Package stocktaking keeps products and variants aware of whether their stock is low (see package catalog), whatever moved
// it: a sale, a promise to a checkout and its end, an edit, an import.
//
// It has the last word in every transaction that locked rows of stock. Sales of one variant take turns at its row, so
// each of them sees what the one before left, and of many at once exactly one crosses the threshold. Those of different
// variants of a product take turns at the product's record, if that has a threshold; no other sale waits here. Records are
// locked after stock, variants before products, each by id.
package stocktaking

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

// Stocktaking compares stock with thresholds.
type Stocktaking struct {
	Now   func() time.Time
	NewID func() string
}

// Settle writes down which variants and products behind the held rows of stock became low, or are low no longer.
func (s Stocktaking) Settle(ctx context.Context, tx ports.Tx, held []ports.Place) error {
	byEnvironment := map[tenant.Environment]map[string]bool{}
	all := map[string]bool{}
	for _, h := range held {
		if byEnvironment[h.Environment] == nil {
			byEnvironment[h.Environment] = map[string]bool{}
		}
		byEnvironment[h.Environment][h.Variant], all[h.Variant] = true, true
	}
	c := count{Stocktaking: s, tx: tx, current: map[string]collection.Record{}, locked: map[string]bool{}}
	if err := c.read(ctx, all); err != nil {
		return err
	}
	for _, env := range slices.Sorted(maps.Keys(byEnvironment)) {
		if err := c.variants(ctx, env, byEnvironment[env]); err != nil {
			return err
		}
	}
	for _, env := range slices.Sorted(maps.Keys(byEnvironment)) {
		if err := c.products(ctx, env, byEnvironment[env]); err != nil {
			return err
		}
	}
	if len(c.changes) == 0 {
		return nil
	}
	return tx.Records.Write(ctx, c.changes...)
}

// count is one settling of accounts.
type count struct {
	Stocktaking

	tx      ports.Tx
	owner   map[string]string            // product by variant
	current map[string]collection.Record // variants and products as they are by now, by id
	locked  map[string]bool
	changes []collection.Change
}

// read finds the variants and their products. A threshold is only ever set by who holds all rows of the product's stock,
// of which we hold one: whether there is one can be seen before anything is locked.
func (c *count) read(ctx context.Context, variants map[string]bool) error {
	found, err := c.tx.Records.GetMany(ctx, catalog.Variants, slices.Sorted(maps.Keys(variants)))
	if err != nil {
		return err
	}
	c.owner = map[string]string{}
	products := map[string]bool{}
	for id, v := range found {
		c.owner[id], products[v.Text("product")] = v.Text("product"), true
	}
	maps.Copy(c.current, found)
	owners, err := c.tx.Records.GetMany(ctx, catalog.Products, slices.Sorted(maps.Keys(products)))
	maps.Copy(c.current, owners)
	return err
}

// watched reports whether a record may have to change: it has a threshold, or is still low from when it had one.
func (c *count) watched(id string, env tenant.Environment) bool {
	r := c.current[id]
	return r != nil && (catalog.Threshold(r) != nil || catalog.Low(r, env))
}

func (c *count) variants(ctx context.Context, env tenant.Environment, held map[string]bool) error {
	var ids []string
	for id := range held {
		if c.watched(id, env) {
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
		if inventory.Low(catalog.Threshold(c.current[id]), l) == catalog.Low(c.current[id], env) {
			continue
		}
		if err := c.lock(ctx, catalog.Variants, id); err != nil {
			return err
		}
		c.flip(catalog.Variants, id, env, collection.Record{"stock": l.OnHand, "reserved": l.Reserved})
	}
	return nil
}

func (c *count) products(ctx context.Context, env tenant.Environment, held map[string]bool) error {
	ids := map[string]bool{}
	for id := range held {
		if p := c.owner[id]; c.watched(p, env) {
			ids[p] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		if err := c.lock(ctx, catalog.Products, id); err != nil { // first: then others' sales of its other variants are over, or wait
			return err
		}
		levels, err := c.levels(ctx, env, id)
		if err != nil {
			return err
		}
		if inventory.Low(catalog.Threshold(c.current[id]), levels...) == catalog.Low(c.current[id], env) {
			continue
		}
		onHand := int64(0)
		for _, l := range levels {
			onHand += l.OnHand
		}
		c.flip(catalog.Products, id, env, collection.Record{"stock": onHand})
	}
	return nil
}

// levels are the stock of all variants of a product.
func (c *count) levels(ctx context.Context, env tenant.Environment, product string) (levels []inventory.Level, err error) {
	s := catalog.Variants
	all, err := ports.All(ctx, c.tx.Records, collection.Query{
		Schema: s, Environment: string(env), Where: s.Where("product", collection.Equals, product),
		Sort: []collection.Order{{Path: s.Where("id", collection.Exists, true).Path}},
	})
	for _, v := range all {
		levels = append(levels, inventory.Level{OnHand: v.Int("stock"), Reserved: v.Int("reserved"), Tracked: catalog.Tracked(v)})
	}
	return levels, err
}

// lock keeps others from changing a record, and reads it as it is by now.
func (c *count) lock(ctx context.Context, s *collection.Schema, id string) error {
	if c.locked[id] {
		return nil
	}
	r, err := c.tx.Records.Lock(ctx, s, id)
	c.current[id], c.locked[id] = r, true
	return err
}

// flip has a record say of env the opposite of what it said. figures are its stock there, before and after: the change is about
// nothing else.
func (c *count) flip(s *collection.Schema, id string, env tenant.Environment, figures collection.Record) {
	was := catalog.Low(c.current[id], env)
	before := c.current[id].Clone()
	maps.Copy(before, figures)
	before["lowStock"] = was
	after := catalog.WithLow(before, env, !was)
	change := collection.NewChange(s, before, after, c.NewID(), c.Now())
	change.About, change.Tells = string(env), "lowStock"
	c.changes = append(c.changes, change)
	c.current[id] = after
}
