package portstest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/productsearch"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// manyProducts are so many that an index stores them in several steps.
const manyProducts = 60

// manyEntries are many products with words that the event of a number gives them, and each with a brand of its own if branded.
func manyEntries(sequence int64, branded bool) (entries []productsearch.Entry, groups []productsearch.Group) {
	for i := range manyProducts {
		p := productsearch.Product{ID: fmt.Sprintf("p%02d", i), Listed: true, Price: -1, Names: []string{"lampe"}}
		for word := range 20 {
			p.Names = append(p.Names, fmt.Sprintf("word%dx%dx%d", i, word, sequence))
		}
		if branded {
			p.Brand = fmt.Sprintf("b%02d", i)
			groups = append(groups, productsearch.Group{Kind: productsearch.Brand, ID: p.Brand, Names: map[string]string{"": "Brand " + p.Brand}})
		}
		entries = append(entries, productsearch.EntryOf(p, strings.ToLower))
	}
	return entries, groups
}

// whilePut puts many products as the event of a number, and calls look until they are put and once after that.
func (f ProductSearchFixture) whilePut(t *testing.T, id tenant.ID, sequence int64, branded bool, look func()) {
	t.Helper()
	from := ports.SearchPlace{Tenant: id}
	if sequence > 1 {
		from.Version, from.Sequence = 1, sequence-1
	}
	entries, groups := manyEntries(sequence, branded)
	put := make(chan error, 1)
	go func() {
		put <- f.Products.Put(t.Context(), from, ports.SearchPlace{Tenant: id, Version: 1, Sequence: sequence}, entries, groups)
	}()
	for {
		select {
		case err := <-put:
			if err != nil {
				t.Fatal(err)
			}
			look()
			return
		default:
			look()
		}
	}
}

// Whoever sees a new product can type what it is called, even with a mistake, and narrow what is found by what it has.
func (f ProductSearchFixture) testComplete(t *testing.T) {
	id := freshTenant()
	var all int64
	f.whilePut(t, id, 1, true, func() {
		all = f.search(t, f.Second, productsearch.Request{Tenant: id}).Total
		if all == 0 {
			return
		}
		found := f.search(t, f.Second, productsearch.Request{Tenant: id, Query: parsed(t, "lampx"), Facets: true})
		if found.Total < all || int64(len(found.Facets.Brands)) < all {
			t.Fatalf("of %d products, %d have the word and %d a brand", all, found.Total, len(found.Facets.Brands))
		}
	})
	if all != manyProducts {
		t.Errorf("%d products are found", all)
	}
}

// A facet has a name at every moment while products that are found already get new brands.
func (f ProductSearchFixture) testNames(t *testing.T) {
	id := freshTenant()
	f.whilePut(t, id, 1, false, func() {})
	var brands []productsearch.Count
	f.whilePut(t, id, 2, true, func() {
		found := f.search(t, f.Second, productsearch.Request{Tenant: id, Facets: true})
		brands = found.Facets.Brands
		if i := slices.IndexFunc(brands, func(c productsearch.Count) bool { return c.Name == "" }); i >= 0 {
			t.Fatalf("of %d products, %v has no name", found.Total, brands[i])
		}
	})
	if len(brands) != manyProducts {
		t.Errorf("%d brands are counted", len(brands))
	}
}
