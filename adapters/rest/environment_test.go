package rest_test

import (
	"fmt"
	"testing"
)

func TestTestKeyReadsTestStockOnEveryPath(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		product := b.make("products", `{"name":"Mug","price":1000,"status":"published","stock":7}`)
		variant := b.secret(200, "GET", "/api/product-variants?where[product][equals]="+product, "").docs()[0].(map[string]any)["id"].(string)
		market := b.make("markets", `{"name":"KR","code":"kr","currency":"KRW"}`)
		price := b.make("market-prices", `{"market":"`+market+`","variant":"`+variant+`","amount":900}`)
		as := func(key, method, path, body string) answer {
			t.Helper()
			a := b.request(method, "/api/"+path, body, "X-API-Key", key)
			if a.status != 200 {
				t.Fatalf("%s %s: %d %s", method, path, a.status, a.raw)
			}
			return a
		}
		if got := as(b.shop.TestSecretKey, "PATCH", "product-variants/"+variant, `{"stock":3,"expectedStock":7}`).doc()["stock"]; got != 3.0 {
			t.Error("the response of the write has stock", got)
		}
		for key, want := range map[string]float64{b.shop.SecretKey: 7, b.shop.TestSecretKey: 3} {
			for path, got := range map[string]any{
				"a variant":   as(key, "GET", "product-variants/"+variant, "").body["stock"],
				"its product": as(key, "GET", "products/"+product, "").body["stock"],
				"a list":      as(key, "GET", "product-variants?where[stock][less_than]=8", "").docs()[0].(map[string]any)["stock"],
				"a filter": as(key, "GET", fmt.Sprintf("product-variants?where[stock][not_equals]=%v", 10-want),
					"").body["totalDocs"].(float64) * want,
				"a relation": as(key, "GET", "market-prices/"+price+"?depth=2", "").body["variant"].(map[string]any)["stock"],
				"a relation's": as(key, "GET", "market-prices/"+price+"?depth=2",
					"").body["variant"].(map[string]any)["product"].(map[string]any)["stock"],
				"a write beside it": as(key, "PATCH", "product-variants/"+variant, `{"sku":"M"}`).doc()["stock"],
				"a write to another": as(key, "PATCH", "market-prices/"+price+"?depth=1", `{"amount":901}`).
					doc()["variant"].(map[string]any)["stock"],
			} {
				if got != want {
					t.Errorf("%s has stock %v, want %v", path, got, want)
				}
			}
		}
	})
}
