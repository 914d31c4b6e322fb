package portstest

import (
	"reflect"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/productsearch"
	"github.com/cartwright-dev/cartwright/ports"
)

func (f ProductSearchFixture) testWords(t *testing.T) {
	id := freshTenant()
	at := ports.SearchPlace{Tenant: id}
	put := func(entries ...productsearch.Entry) {
		t.Helper()
		next := ports.SearchPlace{Tenant: id, Version: 1, Sequence: at.Sequence + 1}
		if err := f.Products.Put(t.Context(), at, next, entries, nil); err != nil {
			t.Fatal(err)
		}
		at = next
	}
	wantTaken := func(taken string, products ...string) {
		t.Helper()
		for _, in := range []ports.ProductSearch{f.Products, f.Second} {
			found := f.search(t, in, productsearch.Request{Tenant: id, Limit: 9, Query: parsed(t, "lampx")})
			want := []productsearch.Correction{{Typed: "lampx", Taken: taken}}
			if !reflect.DeepEqual(found.IDs, products) || !reflect.DeepEqual(found.Corrections, want) && taken != "" {
				t.Errorf("%+v, want %v taken for %q", found, products, taken)
			}
		}
	}
	put(named("p1", "lampe"), named("p2", "lampe"), named("p3", "lamps"))
	wantTaken("lampe", "p3", "p2", "p1")
	put(named("p1", "mug"))
	wantTaken("lampe", "p3", "p2")
	put(productsearch.Gone("p2"))
	wantTaken("lamps", "p3")
	put(named("p4", "lampe mug"), productsearch.Gone("p3"))
	wantTaken("lampe", "p4")
	put(productsearch.Gone("p4"), named("p1", "mugs"))
	wantTaken("")
}
