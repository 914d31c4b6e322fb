package portstest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// placedVariants are variants as far as places depend on them.
var placedVariants = &collection.Schema{
	Slug: "product-variants", Singular: "ProductVariant", Plural: "ProductVariants",
	Fields: []collection.Field{{Name: "title", Kind: collection.Text}},
}

// StockPlacesFixture is a store with its reader of places.
type StockPlacesFixture struct {
	Store  ports.Store
	Reader ports.StockPlaceReader
}

// StockPlaces checks ports.StockPlaces and ports.StockPlaceReader of the stores that open makes for collections.
func StockPlaces(t *testing.T, open func(t *testing.T, schemas ...*collection.Schema) StockPlacesFixture) {
	f := open(t, inventory.Locations, placedVariants)
	run := func(name string, test func(h placesFixture)) {
		t.Run(name, func(t *testing.T) {
			test(placesFixture{stockFixture: stockFixture{t, f.Store, freshTenant(), false}, reader: f.Reader})
		})
	}
	run("places are in the order of their locations", placesInOrder)
	run("a sale takes what lies nowhere in particular, then from the last location", placesOfSales)
	run("units that arrive after a sale do not lie where others were sold from", placesAreSettled)
	run("a location that goes leaves its units nowhere in particular", placesOfDeletedLocation)
	run("places go with their variant", placesOfDeletedVariant)
	run("live and test places are apart, and those of tenants", placesApart)
	run("pages of what lies at a location", placesInPages)
	run("two moves of the same units move them once", placesContention)
	run("any history keeps every unit at one place", placesHistory)
}

// placesFixture is one tenant's stock and locations.
type placesFixture struct {
	stockFixture

	reader ports.StockPlaceReader
}

// write writes the change of a record.
func (h placesFixture) write(s *collection.Schema, before, after collection.Record) {
	h.t.Helper()
	mustInTx(h.t, h.s, h.id, func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(s, before, after, "e-"+string(freshTenant()), day))
	})
}

// location makes a location at a position. Ids of later ones are greater.
func (h placesFixture) location(position int64) collection.Record {
	h.t.Helper()
	r := collection.Record{"id": fmt.Sprintf("l-%012d", nextName.Add(1)), "tenant": string(h.id), "name": "Shelf", "position": position}
	h.write(inventory.Locations, nil, r)
	return r
}

// put has units lie at locations, by the stock that is there.
func (h placesFixture) put(env tenant.Environment, variant string, places inventory.Places) {
	h.t.Helper()
	mustInTx(h.t, h.s, h.id, func(ctx context.Context, tx ports.Tx) error {
		return tx.StockPlaces.Put(ctx, h.id, env, variant, places)
	})
}

// count has n units of a variant be on hand.
func (h placesFixture) count(env tenant.Environment, variant string, n int64) {
	h.t.Helper()
	mustInTx(h.t, h.s, h.id, func(ctx context.Context, tx ports.Tx) error {
		return tx.Stock.Set(ctx, h.id, env, "p", variant, ports.StockLevel{OnHand: n, Tracked: true}, ports.StockCause{})
	})
}

func (h placesFixture) restock(variant string, n int64) {
	h.t.Helper()
	mustInTx(h.t, h.s, h.id, func(ctx context.Context, tx ports.Tx) error {
		return tx.Stock.Restock(ctx, h.id, tenant.Live, []ports.Demand{{Variant: variant, Quantity: n}}, ports.StockCause{})
	})
}

// lying is where the live units of a variant lie. What a transaction reads has to be the same.
func (h placesFixture) lying(variant string) (inventory.Places, int64) {
	h.t.Helper()
	level, stored, err := h.reader.Find(h.t.Context(), h.id, tenant.Live, variant)
	if err != nil {
		h.t.Fatal(err)
	}
	mustInTx(h.t, h.s, h.id, func(ctx context.Context, tx ports.Tx) error {
		same, err := tx.StockPlaces.Of(ctx, h.id, tenant.Live, variant)
		if err == nil && !slices.Equal(same, stored) {
			h.t.Errorf("a transaction reads %v, others %v", same, stored)
		}
		return err
	})
	return stored.Lying(level.OnHand)
}

func (h placesFixture) wantLying(when, variant string, unplaced int64, want ...inventory.Place) {
	h.t.Helper()
	got, rest := h.lying(variant)
	if !slices.Equal(got, want) || rest != unplaced {
		h.t.Errorf("%s: %v and %d, want %v and %d", when, got, rest, want, unplaced)
	}
}

func placesInOrder(h placesFixture) {
	c, a, b := h.location(2), h.location(1), h.location(1)
	h.count(tenant.Live, "v", 10)
	h.put(tenant.Live, "v", inventory.Places{{Location: c.ID(), Units: 1}, {Location: b.ID(), Units: 2}, {Location: a.ID(), Units: 3}})
	h.wantLying("by position, then id", "v", 4,
		inventory.Place{Location: a.ID(), Units: 3}, inventory.Place{Location: b.ID(), Units: 2}, inventory.Place{Location: c.ID(), Units: 1})
	h.put(tenant.Live, "v", inventory.Places{{Location: b.ID(), Units: 10}})
	h.wantLying("put again", "v", 0, inventory.Place{Location: b.ID(), Units: 10})
	h.wantLying("a variant without stock", "unheard-of", 0)
}

func placesOfSales(h placesFixture) {
	a, b := h.location(1), h.location(2)
	h.count(tenant.Live, "v", 10)
	h.put(tenant.Live, "v", inventory.Places{{Location: a.ID(), Units: 4}, {Location: b.ID(), Units: 3}})
	if err := h.take("c1", ports.Demand{Variant: "v", Quantity: 5}); err != nil {
		h.t.Fatal(err)
	}
	h.wantLying("three of nowhere in particular and two of the last", "v", 0,
		inventory.Place{Location: a.ID(), Units: 4}, inventory.Place{Location: b.ID(), Units: 1})
	if err := h.take("c2", ports.Demand{Variant: "v", Quantity: 3}); err != nil {
		h.t.Fatal(err)
	}
	h.wantLying("then those of the one before", "v", 0, inventory.Place{Location: a.ID(), Units: 2})
	h.restock("v", 3)
	h.wantLying("put back", "v", 0, inventory.Place{Location: a.ID(), Units: 4}, inventory.Place{Location: b.ID(), Units: 1})
}

func placesAreSettled(h placesFixture) {
	a := h.location(1)
	h.count(tenant.Live, "v", 5)
	h.put(tenant.Live, "v", inventory.Places{{Location: a.ID(), Units: 5}})
	if err := h.take("c", ports.Demand{Variant: "v", Quantity: 4}); err != nil {
		h.t.Fatal(err)
	}
	h.count(tenant.Live, "v", 8)
	h.wantLying("seven arrived", "v", 7, inventory.Place{Location: a.ID(), Units: 1})
}

func placesOfDeletedLocation(h placesFixture) {
	a, b := h.location(1), h.location(2)
	h.count(tenant.Live, "v", 10)
	h.put(tenant.Live, "v", inventory.Places{{Location: a.ID(), Units: 6}, {Location: b.ID(), Units: 4}})
	if err := h.take("c", ports.Demand{Variant: "v", Quantity: 3}); err != nil {
		h.t.Fatal(err)
	}
	h.write(inventory.Locations, a, nil)
	h.wantLying("one is left at the other", "v", 6, inventory.Place{Location: b.ID(), Units: 1})
	h.restock("v", 3)
	h.wantLying("what comes back now lies nowhere in particular", "v", 9, inventory.Place{Location: b.ID(), Units: 1})
}

func placesOfDeletedVariant(h placesFixture) {
	a := h.location(1)
	v := collection.Record{"id": "v-" + string(h.id), "tenant": string(h.id), "title": "Tea"}
	h.write(placedVariants, nil, v)
	for _, env := range [...]tenant.Environment{tenant.Live, tenant.Test} {
		h.count(env, v.ID(), 3)
		h.put(env, v.ID(), inventory.Places{{Location: a.ID(), Units: 3}})
	}
	h.write(placedVariants, v, nil)
	for _, env := range [...]tenant.Environment{tenant.Live, tenant.Test} {
		if _, stored, err := h.reader.Find(h.t.Context(), h.id, env, v.ID()); err != nil || len(stored) > 0 {
			h.t.Errorf("%s: %v %v", env, stored, err)
		}
		if page, total, err := h.reader.FindAt(h.t.Context(), h.at(env, a.ID(), 1, 10)); err != nil || total != 0 || len(page) > 0 {
			h.t.Errorf("%s: at the location are %v of %d, %v", env, page, total, err)
		}
	}
}

func (h placesFixture) at(env tenant.Environment, location string, page, limit int) ports.PlaceQuery {
	return ports.PlaceQuery{Tenant: h.id, Environment: env, Location: location, Page: page, Limit: limit}
}

func placesApart(h placesFixture) {
	a := h.location(1)
	h.count(tenant.Live, "v", 5) // and in test
	h.put(tenant.Test, "v", inventory.Places{{Location: a.ID(), Units: 5}})
	h.wantLying("in live", "v", 5)
	outsider := placesFixture{stockFixture{h.t, h.s, freshTenant(), false}, h.reader}
	outsider.wantLying("another tenant", "v", 0)
	if page, total, err := h.reader.FindAt(h.t.Context(), outsider.at(tenant.Test, a.ID(), 1, 10)); err != nil || total != 0 || len(page) > 0 {
		h.t.Errorf("another tenant finds %v of %d, %v", page, total, err)
	}
	if err := inTx(h.t, h.s, outsider.id, func(ctx context.Context, tx ports.Tx) error {
		return tx.StockPlaces.Put(ctx, h.id, tenant.Live, "v", nil)
	}); err == nil {
		h.t.Error("another tenant moved units")
	}
	if err := inTx(h.t, h.s, outsider.id, func(ctx context.Context, tx ports.Tx) error {
		_, err := tx.StockPlaces.Of(ctx, h.id, tenant.Live, "v")
		return err
	}); err == nil {
		h.t.Error("another tenant saw where units lie")
	}
}

func placesInPages(h placesFixture) {
	first, a := h.location(1), h.location(2)
	for i, units := range []int64{7, 3, 2, 9} { // 3 of each lie at the first, and 5 are said to lie at a
		variant := fmt.Sprintf("v%d", i)
		h.count(tenant.Live, variant, units)
		h.put(tenant.Live, variant, inventory.Places{{Location: first.ID(), Units: 3}, {Location: a.ID(), Units: 5}})
	}
	for _, c := range []struct {
		page, limit int
		want        []ports.PlacedVariant
	}{
		{1, 10, []ports.PlacedVariant{{Variant: "v0", Units: 4}, {Variant: "v3", Units: 5}}},
		{1, 1, []ports.PlacedVariant{{Variant: "v0", Units: 4}}},
		{2, 1, []ports.PlacedVariant{{Variant: "v3", Units: 5}}},
		{3, 1, nil},
		{1, 0, nil},
	} {
		page, total, err := h.reader.FindAt(h.t.Context(), h.at(tenant.Live, a.ID(), c.page, c.limit))
		if err != nil || total != 2 || !slices.Equal(page, c.want) {
			h.t.Errorf("page %d of %d: %v of %d, %v", c.page, c.limit, page, total, err)
		}
	}
}

func placesContention(h placesFixture) {
	a, b := h.location(1), h.location(2)
	h.count(tenant.Live, "v", 10)
	h.put(tenant.Live, "v", inventory.Places{{Location: a.ID(), Units: 10}})
	var all sync.WaitGroup
	moved := make([]bool, 24)
	for i := range moved {
		all.Go(func() {
			err := inTx(h.t, h.s, h.id, func(ctx context.Context, tx ports.Tx) error {
				return h.transfer(ctx, tx, "v", inventory.Transfer{From: a.ID(), To: b.ID(), Units: 1})
			})
			if moved[i] = err == nil; err != nil && !errors.Is(err, inventory.ErrNotAtLocation) {
				h.t.Errorf("move %d: %v", i, err)
			}
		})
	}
	all.Wait()
	if n := len(slices.DeleteFunc(moved, func(done bool) bool { return !done })); n != 10 {
		h.t.Errorf("%d moves of 10 units", n)
	}
	h.wantLying("after the moves", "v", 0, inventory.Place{Location: b.ID(), Units: 10})
}

// transfer moves units of a variant under the lock of its stock.
func (h placesFixture) transfer(ctx context.Context, tx ports.Tx, variant string, move inventory.Transfer) error {
	levels, err := tx.Stock.Levels(ctx, tenant.Live, []string{variant})
	if err != nil {
		return err
	}
	stored, err := tx.StockPlaces.Of(ctx, h.id, tenant.Live, variant)
	if err != nil {
		return err
	}
	next, err := move.Apply(stored, levels[variant].OnHand)
	if err != nil {
		return err
	}
	return tx.StockPlaces.Put(ctx, h.id, tenant.Live, variant, next)
}
