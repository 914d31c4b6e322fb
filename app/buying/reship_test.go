package buying_test

import (
	"context"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/ports"
)

func (b *bed) change(s *collection.Schema, id, text string) {
	b.t.Helper()
	b.atomically(func(ctx context.Context, tx ports.Tx) error {
		_, err := (content.Within{Content: b.content}).Update(ctx, tx, b.owner(), s, id, shops.Tree(b.t, text))
		return err
	})
}

func (b *bed) sendTo(id, postalCode string) said {
	b.t.Helper()
	to := *home
	to.PostalCode = postalCode
	return b.must(b.Update(b.t.Context(), b.server(key(), "checkouts.update", ""), buying.CheckoutUpdate{Checkout: id, Address: &to}))
}

// A new address changes what the way costs, by today's policies; what is bought, its prices and its codes stay frozen,
// whatever becomes of them in the shop.
func TestTheWayIsPricedForWhatIsFrozen(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		b.create(discount.Schema, `{"code":"FREEWAY","type":"free_shipping","endsAt":"2026-01-31T12:00:00.000Z"}`)
		policies := b.all(shipping.Schema)
		b.change(shipping.Schema, policies[0].ID(), `{"freeShippingThreshold":30000}`)
		plain := b.checkout("mug").text("checkout.id")
		free := b.of(b.cart([]string{"FREEWAY"}, "mug"))
		if free.text("checkout.totals.shipping") != "0" {
			t.Fatalf("%v", free)
		}
		b.change(catalog.Variants, b.variants["mug"], `{"price":90000}`)
		b.advance(4 * time.Hour) // the code is over

		if got := b.sendTo(plain, "06001"); got.text("checkout.totals.shipping") != "3000" || got.text("checkout.totals.total") != "15000" {
			t.Errorf("a dearer price makes the way free: %v", got.at("checkout.totals"))
		}
		if got := b.sendTo(free.text("checkout.id"), "06001"); got.text("checkout.totals.shipping") != "0" || got.text("checkout.totals.total") != "12000" {
			t.Errorf("a code that was applied is gone: %v", got.at("checkout.totals"))
		}
		b.change(catalog.Products, b.get(catalog.Variants, b.variants["mug"]).Text("product"), `{"status":"draft"}`)
		if got := b.sendTo(plain, "63000"); got.text("checkout.totals.shipping") != "6000" {
			t.Errorf("the island costs more: %v", got.at("checkout.totals"))
		}
	})
}
