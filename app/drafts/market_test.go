package drafts_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/domain/catalog"
)

func TestShopInAnotherCurrencyNeedsAKRWMarket(t *testing.T) {
	t.Parallel()
	for name, store := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBed(t, store(), "USD")
			id := b.draft(`,"shippingFee":3000`, "2 mug")
			for _, action := range []string{"calculate", "finalize"} {
				status, got := b.ask("POST", "/draft-orders/"+id+"/"+action, "", append(owner, "Idempotency-Key", key())...)
				if status != 422 || got.reason() != "draft_market_required" {
					t.Errorf("%s: %d %v", action, status, got["raw"])
				}
			}
			b.create(catalog.Markets, `{"name":"Japan","code":"jp","currency":"JPY","exchangeRate":150,"isDefault":true}`)
			b.create(catalog.Markets, `{"name":"Closed","code":"closed","currency":"KRW","exchangeRate":1,"status":"inactive"}`)
			old := b.create(catalog.Markets, `{"name":"Korea","code":"kr","currency":"KRW","exchangeRate":2,"roundingIncrement":10}`)
			if got := b.calculate(id); got.text("subtotal") != "48000" || got.text("total") != "51000" || got.text("currency") != "KRW" {
				t.Errorf("%v", got["raw"])
			}
			b.create(catalog.Markets, `{"name":"Seoul","code":"seoul","currency":"KRW","exchangeRate":3,"isDefault":true}`)
			b.create(catalog.MarketPrices, `{"market":"`+old+`","variant":"`+b.variants["mug"]+`","amount":1}`)
			status, done := b.finalize(id, key())
			if status != 201 || done.text("order.subtotal") != "72000" || done.text("order.currency") != "KRW" ||
				done.text("order.totalAmount") != "75000" {
				t.Errorf("the default market decides: %d %v", status, done["raw"])
			}
		})
	}
}
