package productindex

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/app/indexing"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/productsearch"
	"github.com/cartwright-dev/cartwright/ports"
)

// changed is what events are about.
type changed struct {
	products, variants, markets map[string]bool
	groups                      []map[string]bool // by source
}

func newChanged() *changed {
	c := &changed{products: map[string]bool{}, variants: map[string]bool{}, markets: map[string]bool{}}
	for range groupSources {
		c.groups = append(c.groups, map[string]bool{})
	}
	return c
}

// followed are the collections whose events are read.
func followed() []string {
	return []string{
		catalog.Brands.Slug, catalog.Categories.Slug, catalog.Tags.Slug, catalog.Products.Slug, catalog.Variants.Slug, catalog.Options.Slug,
		catalog.MarketPrices.Slug, catalog.Markets.Slug, inventory.Movements.Slug,
	}
}

// add takes in what an event is about.
func (c *changed) add(e ports.Event) error {
	switch e.Collection {
	case catalog.Products.Slug:
		c.products[e.Record] = true
		return nil
	case catalog.Markets.Slug:
		c.markets[e.Record] = true
		return nil
	}
	for i, s := range groupSources {
		if e.Collection == s.schema.Slug {
			c.groups[i][e.Record] = true
			return nil
		}
	}
	var body struct{ Data, Doc, PreviousDoc part }
	if err := reply.Decode(e.Body, &body); err != nil {
		return fmt.Errorf("read event %s: %w", e.ID, err)
	}
	for _, p := range []part{body.Data, body.Doc, body.PreviousDoc} {
		c.addPart(e.Collection, p)
	}
	return nil
}

// part is what is read of a part of a product as it is, was or was deleted, or of a movement of its stock.
type part struct {
	Product, Variant        string
	StockBefore, StockAfter int64
}

func (c *changed) addPart(slug string, p part) {
	switch {
	case slug == inventory.Movements.Slug && (p.StockBefore > 0) == (p.StockAfter > 0):
	case slug == catalog.MarketPrices.Slug && p.Variant != "":
		c.variants[p.Variant] = true
	case p.Product != "":
		c.products[p.Product] = true
	}
}

// take takes in the products and groups that events are about.
func (x *Indexer) take(ctx context.Context, m indexing.Move, events []ports.Event) error {
	if len(events) == 0 {
		return x.Index.Put(ctx, m.From, m.To, nil, nil)
	}
	c := newChanged()
	for _, e := range events {
		if err := c.add(e); err != nil {
			return err
		}
	}
	b, err := x.open(ctx, m.From.Tenant)
	if err != nil {
		return err
	}
	if err := b.addProducts(ctx, c); err != nil {
		return err
	}
	entries, groups, err := b.changed(ctx, c)
	if err != nil {
		return err
	}
	return x.Index.Put(ctx, m.From, m.To, entries, groups)
}

// addProducts adds the products whose fixed prices have changed, or the markets of these.
func (b *builder) addProducts(ctx context.Context, c *changed) error {
	prices, err := indexing.ReadMany(ctx, b.live, catalog.MarketPrices, slices.Sorted(maps.Keys(c.markets)), indexing.In(catalog.MarketPrices, "market"))
	if err != nil {
		return err
	}
	for _, p := range prices {
		c.variants[p.Text("variant")] = true
	}
	variants, err := indexing.ReadMany(ctx, b.live, catalog.Variants, slices.Sorted(maps.Keys(c.variants)), indexing.In(catalog.Variants, "id"))
	for _, v := range variants {
		c.products[v.Text("product")] = true
	}
	return err
}

// changed are the entries and groups of what has changed: nothing of what is gone.
func (b *builder) changed(ctx context.Context, c *changed) (entries []productsearch.Entry, groups []productsearch.Group, err error) {
	for some := range slices.Chunk(slices.Sorted(maps.Keys(c.products)), indexing.ReadAtOnce) {
		docs, err := indexing.ReadMany(ctx, b.live, catalog.Products, some, indexing.In(catalog.Products, "id"))
		if err != nil {
			return nil, nil, err
		}
		there, options, err := b.products(ctx, docs)
		if err != nil {
			return nil, nil, err
		}
		entries, groups = append(entries, there...), append(groups, options...)
		for _, id := range indexing.Missing(some, docs) {
			entries = append(entries, productsearch.Gone(id))
		}
	}
	for i, ids := range c.groups {
		some := slices.Sorted(maps.Keys(ids))
		docs, err := indexing.ReadMany(ctx, b.live, groupSources[i].schema, some, indexing.In(groupSources[i].schema, "id"))
		if err != nil {
			return nil, nil, err
		}
		groups = append(groups, b.groups(i, docs)...)
		for _, id := range indexing.Missing(some, docs) {
			groups = append(groups, productsearch.Group{Kind: groupSources[i].kind, ID: id})
		}
	}
	return entries, groups, nil
}
