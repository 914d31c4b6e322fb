package drafts_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/shipping"
)

// A draft in another currency than the shop's has the prices of the shop's market in it, and needs one.
func TestDraftInAnotherCurrencyNeedsAMarketInIt(t *testing.T) {
	onBothDatabasesIn(t, "USD", func(t *testing.T, b *bed) {
		id := b.draft(`,"shippingFee":3`, "2 mug")
		if got := b.calculate(id); got.text("currency") != "USD" || got.text("total") != "24003" || got.at("marketId") != nil {
			t.Errorf("a draft is in the shop's currency: %v", got["raw"])
		}
		krw := `{"currency":"KRW","shippingFee":3000}`
		if status, got := b.patch(id, krw); status != 422 || got.reason() != "draft_market_required" || got.text("errors.0.data.currency") != "KRW" {
			t.Errorf("no market: %d %v", status, got["raw"])
		}
		b.create(catalog.Markets, `{"name":"Japan","code":"jp","currency":"JPY","exchangeRate":150,"isDefault":true}`)
		b.create(catalog.Markets, `{"name":"Closed","code":"closed","currency":"KRW","exchangeRate":1,"status":"inactive"}`)
		if status, got := b.patch(id, krw); status != 422 || got.reason() != "draft_market_required" {
			t.Errorf("no active market: %d %v", status, got["raw"])
		}
		old := b.create(catalog.Markets, `{"name":"Korea","code":"kr","currency":"KRW","exchangeRate":2,"roundingIncrement":10}`)
		if status, got := b.patch(id, krw); status != 200 || got.at("doc.market") != nil {
			t.Fatalf("%d %v", status, got["raw"])
		}
		if got := b.calculate(id); got.text("subtotal") != "48000" || got.text("total") != "51000" || got.text("currency") != "KRW" ||
			got.text("marketId") != old {
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

// The market that a draft names decides, by its fixed prices and by its rate; the order and what follows are in its currency.
func TestDraftOfANamedMarket(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.product("cup", "12000", "100", "")
		for _, c := range []struct {
			currency                       money.Currency
			rate, lamp, fee                string
			cup, subtotal, discount, total string // one cup; of 3 cups, a lamp and a fee, with a tenth off
		}{
			{"USD", "0.00075", "39.99", "4.5", "9", "66.99", "6.7", "64.79"},
			{"EUR", "0.00069", "34.5", "0", "8.28", "59.34", "5.93", "53.41"},
			{"JPY", "0.11", "5480", "600", "1320", "9440", "944", "9096"},
			{"KRW", "0.9", "40000", "2500", "10800", "72400", "7240", "67660"},
			{"KWD", "0.00023", "11.255", "1.005", "2.76", "19.535", "1.954", "18.586"},
		} {
			code := "to-" + string(c.currency)
			market := b.create(catalog.Markets, `{"name":"M","code":"`+code+`","currency":"`+string(c.currency)+`","exchangeRate":`+c.rate+`}`)
			b.create(catalog.MarketPrices, `{"market":"`+market+`","variant":"`+b.variants["lamp"]+`","amount":`+c.lamp+`}`)
			id := b.draft(`,"market":"`+code+`","shippingFee":`+c.fee+`,"discountCode":"TEN"`, "3 cup", "lamp")
			if r := b.get(draft.Schema, id); r.Text("currency") != string(c.currency) || r.Text("market") != market {
				t.Errorf("%s: %v", c.currency, r)
			}
			for path, want := range map[string]string{
				"currency": string(c.currency), "marketId": market, "lines.0.unitPrice": c.cup, "lines.1.unitPrice": c.lamp,
				"subtotal": c.subtotal, "discount": c.discount, "total": c.total,
			} {
				if got := b.calculate(id); got.text(path) != want {
					t.Errorf("%s: %s is %s, want %s", c.currency, path, got.text(path), want)
				}
			}
			status, done := b.finalize(id, key())
			if status != 201 || done.text("order.currency") != string(c.currency) || done.text("order.totalAmount") != c.total ||
				done.text("draftOrder.totals.total") != c.total {
				t.Fatalf("%s: %d %v", c.currency, status, done["raw"])
			}
			placed := b.get(order.Schema, done.text("order.id"))
			if total, _ := placed.Money("totalAmount"); total.Currency != c.currency {
				t.Errorf("%s: the order costs %v", c.currency, total)
			}
		}
	})
}

// What the shop cannot price or deliver in the currency of a draft is told apart from what it does not sell.
func TestDraftOfWhatHasNoPriceInItsMarket(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		fixed := b.create(catalog.Markets, `{"name":"Fixed","code":"fixed","currency":"EUR","exchangeRate":1}`)
		b.setInMarket(fixed, "exchangeRate", nil) // as those of older versions
		b.create(catalog.MarketPrices, `{"market":"`+fixed+`","variant":"`+b.variants["lamp"]+`","amount":20.5}`)
		id := b.draft(`,"market":"fixed","shippingFee":1`, "lamp", "mug")
		got := b.calculate(id)
		if got.text("total") != "21.5" || got.text("lines.1.reason") != "variant_not_priced" || got.text("unavailable.0.reason") != "variant_not_priced" {
			t.Errorf("%v", got["raw"])
		}
		if status, done := b.finalize(id, key()); status != 422 || done.reason() != "variant_not_priced" ||
			done.text("errors.0.data.variantId") != b.variants["mug"] {
			t.Errorf("%d %v", status, done["raw"])
		}
		if status, got := b.patch(id, `{"lines":[`+b.lines("lamp")+`],"shippingFee":null}`); status != 200 {
			t.Fatalf("%d %v", status, got["raw"])
		}
		if status, done := b.finalize(id, key()); status != 422 || done.reason() != "shipping_unavailable" {
			t.Errorf("no fee in this currency: %d %v", status, done["raw"])
		}
		b.create(shipping.Schema, `{"title":"Europe","baseFee":7.25,"currency":"EUR","zones":[],"isDefault":true}`)
		if status, done := b.finalize(id, key()); status != 201 || done.text("order.totalAmount") != "27.75" {
			t.Errorf("%d %v", status, done["raw"])
		}
	})
}

// Market, currency and fee of a draft agree, also after an edit.
func TestMarketAndCurrencyOfADraftAgree(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		us := b.create(catalog.Markets, `{"name":"US","code":"us","currency":"USD","exchangeRate":0.00075}`)
		b.create(catalog.Markets, `{"name":"Japan","code":"jp","currency":"JPY","exchangeRate":0.11}`)
		id := b.draft(`,"market":"us","currency":"usd","shippingFee":4.5`, "mug")
		for edit, field := range map[string]string{
			`{"currency":"JPY","shippingFee":400}`: "currency", `{"market":"jp"}`: "shippingFee", `{"market":"closed"}`: "market",
			`{"market":null,"currency":"KRW"}`: "shippingFee", `{"shippingFee":4.555}`: "shippingFee", `{"market":"jp","currency":"USD"}`: "currency",
		} {
			if status, got := b.patch(id, edit); status != 400 || got.text("errors.0.data.0.field") != field {
				t.Errorf("%s: %d %v", edit, status, got["raw"])
			}
		}
		if got := b.calculate(id); got.text("total") != "13.5" || got.text("marketId") != us {
			t.Errorf("refused edits changed it: %v", got["raw"])
		}
		for edit, want := range map[string]string{`{"market":"jp","shippingFee":400}`: "1720", `{"market":null,"shippingFee":null,"currency":"KRW"}`: "15000"} {
			if status, got := b.patch(id, edit); status != 200 {
				t.Errorf("%s: %d %v", edit, status, got["raw"])
			}
			if got := b.calculate(id); got.text("total") != want {
				t.Errorf("%s: %v", edit, got["raw"])
			}
		}
		closing := b.draft(`,"market":"us","shippingFee":4.5`, "mug")
		b.setInMarket(us, "status", catalog.Inactive)
		if status, got := b.ask("POST", "/draft-orders/"+closing+"/calculate", "", owner...); status != 404 || got.reason() != "market_not_found" {
			t.Errorf("a market that was closed: %d %v", status, got["raw"])
		}
		if status, got := b.patch(closing, `{"operatorNotes":"wait for the market"}`); status != 200 {
			t.Errorf("%d %v", status, got["raw"])
		}
	})
}
