package checkouts_test

import (
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/shipping"
)

func (b *bed) setPostalCode(id, postalCode string) paymentbed.Answer {
	b.T.Helper()
	to := *paymentbed.Home
	to.PostalCode = postalCode
	return b.Must(b.Checkouts.Update(b.T.Context(), b.Server(paymentbed.Key(), "checkouts.update", ""),
		checkouts.UpdateInput{Checkout: id, Address: &to}))
}

// A new address changes the shipping fee by the current policies; lines, prices and codes stay frozen
// whatever changes in the catalog.
func TestShippingIsRepricedForFrozenLines(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.Create(discount.Schema, `{"code":"FREEWAY","type":"free_shipping","endsAt":"2026-01-31T12:00:00.000Z"}`)
		policies := b.All(shipping.Schema)
		b.Change(shipping.Schema, policies[0].ID(), `{"freeShippingThreshold":30000}`)
		plain := b.Checkout("mug").Text("checkout.id")
		free := b.CheckoutOf(b.Cart([]string{"FREEWAY"}, "mug"))
		if free.Text("checkout.totals.shipping") != "0" {
			t.Fatalf("%v", free)
		}
		b.Change(catalog.Variants, b.Variants["mug"], `{"price":90000}`)
		b.Advance(4 * time.Hour) // the code is over

		if got := b.setPostalCode(plain, "06001"); got.Text("checkout.totals.shipping") != "3000" ||
			got.Text("checkout.totals.total") != "15000" {
			t.Errorf("a dearer price makes the way free: %v", got.At("checkout.totals"))
		}
		if got := b.setPostalCode(free.Text("checkout.id"), "06001"); got.Text("checkout.totals.shipping") != "0" ||
			got.Text("checkout.totals.total") != "12000" {
			t.Errorf("an applied code no longer applies: %v", got.At("checkout.totals"))
		}
		b.Change(catalog.Products, b.Get(catalog.Variants, b.Variants["mug"]).Text("product"), `{"status":"draft"}`)
		if got := b.setPostalCode(plain, "63000"); got.Text("checkout.totals.shipping") != "6000" {
			t.Errorf("the island costs more: %v", got.At("checkout.totals"))
		}
	})
}
