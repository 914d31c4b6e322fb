package productindex

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
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
	return append(readings(), catalog.Variants.Slug, catalog.Options.Slug, catalog.MarketPrices.Slug, catalog.Markets.Slug, inventory.Movements.Slug)
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
	body, err := reply.ParseObject(e.Body)
	if err != nil {
		return fmt.Errorf("read event %s: %w", e.ID, err)
	}
	for _, name := range []string{"data", "doc", "previousDoc"} {
		if state, is := body[name].(map[string]any); is {
			c.addPart(e.Collection, state)
		}
	}
	return nil
}

// addPart takes in a part of a product as it is, was or was deleted.
func (c *changed) addPart(slug string, part map[string]any) {
	product, _ := part["product"].(string)
	variant, _ := part["variant"].(string)
	switch {
	case slug == inventory.Movements.Slug && hasUnits(part["stockBefore"]) == hasUnits(part["stockAfter"]):
	case slug == catalog.MarketPrices.Slug && variant != "":
		c.variants[variant] = true
	case product != "":
		c.products[product] = true
	}
}

// hasUnits reports whether a count of units is above zero.
func hasUnits(count any) bool {
	n, _ := count.(collection.JSONNumber)
	return n != "" && n != "0" && n[0] != '-'
}

// follow takes a page of events into an index; more reports whether there is another. The records are read after the
// page, so that they are as these events left them, or newer: then another event follows.
func (x *Indexer) follow(ctx context.Context, place ports.SearchPlace) (more bool, err error) {
	page, err := x.Events.Events(ctx, ports.EventQuery{Tenant: place.Tenant, After: place.Sequence, Collections: followed(), Limit: eventPage})
	if err != nil || page.Next <= place.Sequence {
		return false, err
	}
	c := newChanged()
	for _, e := range page.Events {
		if err := c.add(e); err != nil {
			return false, err
		}
	}
	next := place
	next.Sequence = page.Next
	if len(page.Events) == 0 {
		return page.More(), x.Index.Put(ctx, place, next, nil, nil)
	}
	b, err := x.open(ctx, place.Tenant)
	if err != nil {
		return false, err
	}
	if err := b.addProducts(ctx, c); err != nil {
		return false, err
	}
	entries, groups, err := b.changed(ctx, c)
	if err != nil {
		return false, err
	}
	return page.More(), x.Index.Put(ctx, place, next, entries, groups)
}

// addProducts adds the products whose fixed prices have changed, or the markets of these.
func (b *builder) addProducts(ctx context.Context, c *changed) error {
	prices, err := readMany(ctx, b.live, catalog.MarketPrices, slices.Sorted(maps.Keys(c.markets)), in(catalog.MarketPrices, "market"))
	if err != nil {
		return err
	}
	for _, p := range prices {
		c.variants[p.Text("variant")] = true
	}
	variants, err := readMany(ctx, b.live, catalog.Variants, slices.Sorted(maps.Keys(c.variants)), in(catalog.Variants, "id"))
	for _, v := range variants {
		c.products[v.Text("product")] = true
	}
	return err
}

// changed are the entries and groups of what has changed: nothing of what is gone.
func (b *builder) changed(ctx context.Context, c *changed) (entries []productsearch.Entry, groups []productsearch.Group, err error) {
	for some := range slices.Chunk(slices.Sorted(maps.Keys(c.products)), recordPage) {
		docs, err := readMany(ctx, b.live, catalog.Products, some, in(catalog.Products, "id"))
		if err != nil {
			return nil, nil, err
		}
		there, options, err := b.products(ctx, docs)
		if err != nil {
			return nil, nil, err
		}
		entries, groups = append(entries, there...), append(groups, options...)
		for _, id := range missing(some, docs) {
			entries = append(entries, productsearch.Gone(id))
		}
	}
	for i, ids := range c.groups {
		some := slices.Sorted(maps.Keys(ids))
		docs, err := readMany(ctx, b.live, groupSources[i].schema, some, in(groupSources[i].schema, "id"))
		if err != nil {
			return nil, nil, err
		}
		groups = append(groups, b.groups(i, docs)...)
		for _, id := range missing(some, docs) {
			groups = append(groups, productsearch.Group{Kind: groupSources[i].kind, ID: id})
		}
	}
	return entries, groups, nil
}

// missing are those of ids that none of docs has.
func missing(ids []string, docs []collection.Record) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		return slices.ContainsFunc(docs, func(d collection.Record) bool { return d.ID() == id })
	})
}
