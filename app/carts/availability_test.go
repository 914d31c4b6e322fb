package carts_test

import (
	"slices"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/carts"
	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// Whoever reads a cart sees what of it is available at that moment, with amounts and a revision as of its last change.
func TestReadersSeeWhatIsAvailableNow(t *testing.T) {
	s := newShop(t, oneDatabase(t), 0)
	p := s.process(t, mailbox.Options{})
	hat := s.write(t, catalog.Products, collection.Record{
		"name": "Hat", "slug": "hat", "status": catalog.Published, "price": money.Of(3000, "KRW"),
	})
	variants := []string{s.variant(t, s.product, 5), s.variant(t, hat, 5)}
	kim := s.write(t, identity.Customers, collection.Record{"email": "kim@example.com"})
	a, err := p.Create(t.Context(), s.server("carts.create", newKey()), carts.NewCart{Customer: kim, Lines: []cart.LineInput{
		{Variant: variants[0], Quantity: 2}, {Variant: variants[1], Quantity: 1},
	}})
	created := read(t, a, err)
	for _, x := range []struct {
		change func()
		want   []bool
	}{
		{func() { s.stock(t, s.product, variants[0], 1) }, []bool{false, true}},
		{func() { s.change(t, catalog.Products, hat, collection.Record{"status": "draft"}) }, []bool{false, false}},
		{func() { s.stock(t, s.product, variants[0], 2) }, []bool{true, false}},
		{func() { s.change(t, catalog.Products, hat, collection.Record{"status": catalog.Published}) }, []bool{true, true}},
	} {
		x.change()
		s.pass(2 * time.Second) // cached facts have expired
		mine, err := p.Mine(t.Context(), s.server("carts.mine", ""), kim)
		explained, failed := p.Explain(t.Context(), s.server("carts.explain", ""), created.Cart.ID)
		for name, c := range map[string]shown{
			"retrieve": p.look(t, created.Cart.ID), "mine": read(t, mine, err), "explain": read(t, explained, failed),
		} {
			var got []bool
			for _, l := range c.Cart.Lines {
				got = append(got, l.Available)
			}
			if !slices.Equal(got, x.want) {
				t.Errorf("%s shows %v as available, want %v", name, got, x.want)
			}
			if c.Cart.Revision != created.Cart.Revision || c.Cart.Totals != created.Cart.Totals {
				t.Errorf("%s shows %+v of an unchanged cart, want %+v", name, c.Cart, created.Cart)
			}
		}
	}
}
