package rest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/records"
)

// priceOf is the price in a record.
func (b *harness) priceOf(slug, id string) any {
	b.t.Helper()
	r := b.secret(200, "GET", "/api/"+slug+"/"+id, "")
	if slug == "market-prices" {
		return r.body["amount"]
	}
	return r.body["price"]
}

// expectations are what a preview showed, as the input expected.
func expectations(a answer) string {
	var list []string
	prices, _ := a.body["prices"].([]any)
	for _, p := range prices {
		one := p.(map[string]any)
		list = append(list, fmt.Sprintf(`{"id":%q,"revision":%v}`, one["id"], one["revision"]))
	}
	return "[" + strings.Join(list, ",") + "]"
}

// Rules catalog-31, catalog-32.
func TestPricesAreChangedAsThePreviewShowed(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		p, _ := b.whole()
		product, own := p["id"].(string), part(p, "variants", 1)["id"].(string)
		body := `{"products":["` + product + `"],"basisPoints":1000,"roundTo":1000,"below":100`
		shown := b.secret(200, "POST", "/api/products/prices/adjust", body+`,"preview":true}`)
		if shown.counts() != "2 0 0" || shown.body["preview"] != true || b.priceOf("products", product) != 30000.0 {
			t.Fatalf("%s", shown.raw)
		}
		prices := shown.body["prices"].([]any)
		for i, want := range []string{"products 30000 32900 updated", "product-variants 40000 43900 updated"} {
			one := prices[i].(map[string]any)
			if got := fmt.Sprint(one["collection"], " ", one["from"], " ", one["to"], " ", one["status"]); got != want {
				t.Errorf("price %d: %s, want %s", i, got, want)
			}
		}
		b.secret(200, "PATCH", "/api/product-variants/"+own, `{"price":41000}`) // somebody else
		done := b.secret(200, "POST", "/api/products/prices/adjust", body+`,"expected":`+expectations(shown)+`}`)
		if done.counts() != "1 0 1" || !strings.Contains(done.raw, "changed_meanwhile") {
			t.Errorf("%s", done.raw)
		}
		if b.priceOf("products", product) != 32900.0 || b.priceOf("product-variants", own) != 41000.0 {
			t.Errorf("%s", done.raw)
		}
		again := b.secret(200, "POST", "/api/products/prices/adjust", body+`,"expected":`+expectations(shown)+`}`)
		if again.counts() != "0 0 2" || b.priceOf("products", product) != 32900.0 {
			t.Errorf("the same preview again: %s", again.raw)
		}
		if a := b.secret(200, "POST", "/api/products/prices/adjust", body+`,"expected":[]}`); a.counts() != "0 0 0" {
			t.Errorf("%s", a.raw)
		}
	})
}

// Rule api-27: a price that changed after the preview, and one that is gone, are told in the language of the call.
func TestPricesThatChangedAreToldInTheLanguageOfTheCaller(t *testing.T) {
	t.Parallel()
	b := newSQLiteHarness(t)
	p, _ := b.whole()
	product := p["id"].(string)
	expected := fmt.Sprintf(`[{"id":%q,"revision":99},{"id":"gone","revision":1}]`, product)
	told := b.request("POST", "/api/products/prices/adjust", `{"products":["`+product+`"],"basisPoints":1000,"preview":true,"expected":`+expected+`}`,
		"X-API-Key", b.shop.SecretKey, "Accept-Language", "ko")
	if told.counts() != "0 0 2" || !strings.Contains(told.raw, "다른 사람이 먼저 수정했습니다") || !strings.Contains(told.raw, "더 이상 없는 판매가입니다") {
		t.Errorf("%d %s", told.status, told.raw)
	}
}

// Rule catalog-31.
func TestPricesOfAMarketAreChangedInItsCurrency(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		p, _ := b.whole()
		price := part(part(p, "variants", 0), "prices", 0)["id"].(string)
		a := b.secret(200, "POST", "/api/products/prices/adjust", `{"where":{"name":{"equals":"Teapot"}},"market":"jp","basisPoints":-500,"roundTo":10,"rounding":"down"}`)
		if a.counts() != "1 0 0" || a.body["currency"] != "JPY" || b.priceOf("market-prices", price) != 2940.0 {
			t.Errorf("%s", a.raw)
		}
		if b.priceOf("products", p["id"].(string)) != 30000.0 {
			t.Error("the price of the product was changed too")
		}
		for body, want := range map[string]string{
			`{"basisPoints":1}`: "where", `{"where":{"name":{"equals":"x"}},"products":["x"],"basisPoints":1}`: "where",
			`{"products":["x"]}`: "basisPoints", `{"products":["x"],"basisPoints":-9001}`: "basisPoints",
			`{"products":["x"],"basisPoints":1,"roundTo":0.5}`: "roundTo", `{"products":["x"],"basisPoints":1,"roundTo":0}`: "roundTo",
			`{"products":["x"],"basisPoints":1,"below":1}`: "below", `{"products":["x"],"basisPoints":1,"rounding":"odd"}`: "rounding",
			`{"products":["x"],"basisPoints":1,"expected":[{"id":"a"}]}`: "expected.0.revision", `{"products":["x"],"basisPoints":1,"by":1}`: "by",
		} {
			if a := b.secret(400, "POST", "/api/products/prices/adjust", body); !strings.Contains(a.raw, `"field":"`+want+`"`) {
				t.Errorf("%s: %s", body, a.raw)
			}
		}
		b.secret(404, "POST", "/api/products/prices/adjust", `{"products":["x"],"market":"fr","basisPoints":1}`)
		other := b.request("POST", "/api/products/prices/adjust", `{"products":["`+p["id"].(string)+`"],"basisPoints":1000}`, "X-API-Key", b.other.SecretKey)
		if other.counts() != "0 0 0" || b.priceOf("products", p["id"].(string)) != 30000.0 {
			t.Errorf("another tenant: %s", other.raw)
		}
		if a := b.request("POST", "/api/products/prices/adjust", `{"products":["x"],"basisPoints":1}`, "X-Client-Key", b.shop.ClientKey); a.status != 403 {
			t.Errorf("a shopper: %d %s", a.status, a.raw)
		}
	})
}

// Rule catalog-32. The machine fails among the prices of variants, when those of products are changed.
func TestNoPriceIsChangedTwice(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		p, _ := b.whole()
		product, own := p["id"].(string), part(p, "variants", 1)["id"].(string)
		hooks, crashed := b.content.Hooks["product-variants"], false
		prepare := hooks.Prepare
		hooks.Prepare = func(ctx context.Context, w *records.Write) error {
			if !crashed {
				crashed = true
				return errors.New("the machine lost its power")
			}
			return prepare(ctx, w)
		}
		b.content.Hooks["product-variants"] = hooks
		send := func() answer {
			return b.requestWithKey("ik_reprice_0123456789ab", "POST", "/api/products/prices/adjust", `{"products":["`+product+`"],"basisPoints":1000}`)
		}
		if a := send(); a.status != 500 || b.priceOf("products", product) != 33000.0 {
			t.Fatalf("%d %s", a.status, a.raw)
		}
		first := send()
		if first.counts() != "2 0 0" || b.priceOf("products", product) != 33000.0 || b.priceOf("product-variants", own) != 44000.0 {
			t.Errorf("%s", first.raw)
		}
		if again := send(); again.raw != first.raw || b.priceOf("product-variants", own) != 44000.0 {
			t.Errorf("%s", again.raw)
		}
		if !strings.Contains(first.raw, `"from":30000`) {
			t.Errorf("%s", first.raw)
		}
	})
}
