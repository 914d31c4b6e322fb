package productindex_test

import (
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/stores"
	"github.com/cartwright-dev/cartwright/domain/productsearch"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

func TestProductSearch(t *testing.T) {
	stores.OnBoth(t, func(t *testing.T, open stores.Opener) {
		portstest.ProductSearch(t, func(t *testing.T) portstest.ProductSearchFixture {
			s, _ := open(t, portstest.EventSchemas()...)
			return portstest.ProductSearchFixture{Store: s, Products: s.ProductSearch(), Second: s.ProductSearch(), Number: stores.Number(s)}
		})
	})
}

// A search reads the groups before the bits. A product that comes between has a brand whose name it does not know yet.
func TestFacetsHaveNamesOfWhatCameWhileTheyWereCounted(t *testing.T) {
	stores.OnBoth(t, func(t *testing.T, open stores.Opener) {
		s, _ := open(t, portstest.EventSchemas()...)
		x := s.ProductSearch()
		put := func(sequence int64, brand string) {
			from, to := ports.SearchPlace{Tenant: "shop"}, ports.SearchPlace{Tenant: "shop", Version: 1, Sequence: sequence}
			if sequence > 1 {
				from.Version, from.Sequence = 1, sequence-1
			}
			e := productsearch.EntryOf(productsearch.Product{ID: brand, Listed: true, Price: -1, Brand: brand}, strings.ToLower)
			g := productsearch.Group{Kind: productsearch.Brand, ID: brand, Names: map[string]string{"": "Name of " + brand}}
			if err := x.Put(t.Context(), from, to, []productsearch.Entry{e}, []productsearch.Group{g}); err != nil {
				t.Fatal(err)
			}
		}
		put(1, "nord")
		found, err := x.SearchAfter(t.Context(), productsearch.Request{Tenant: "shop", Facets: true}, func() { put(2, "loom") })
		if err != nil {
			t.Fatal(err)
		}
		named := map[string]string{}
		for _, c := range found.Facets.Brands {
			named[c.ID] = c.Name
		}
		if found.Total != 2 || len(named) != 2 || named["loom"] != "Name of loom" || named["nord"] != "Name of nord" {
			t.Errorf("of %d products, the brands are %v", found.Total, found.Facets.Brands)
		}
	})
}
