package rest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/quotes"
)

// quoteHarness is a harness with products, markets and discount codes.
type quoteHarness struct {
	*harness

	shirt, song, bulky string // variants: 15000 and ships, 4000 and does not, 10000 and ships by a policy of its own
	kr, jp             string // markets
	product            string // of shirt
}

func newQuoteHarness(t *testing.T) quoteHarness {
	t.Helper()
	b := newSQLiteHarness(t)
	own := b.make("shipping-policies",
		`{"title":"Bulky","baseFee":9000,"zones":[{"name":"far","ranges":[{"from":"63000","to":"63644"}],"extraFee":1000}]}`)
	s := quoteHarness{harness: b}
	s.product, s.shirt = s.makeProduct(`{"name":"Shirt","status":"published","price":15000,"stock":9}`, "")
	_, s.song = s.makeProduct(`{"name":"Song","status":"published","price":4000}`, `{"kind":"digital","requiresShipping":false}`)
	_, s.bulky = s.makeProduct(fmt.Sprintf(`{"name":"Sofa","status":"published","price":10000,"stock":9,"shippingPolicy":%q}`, own), "")
	s.kr = b.make("markets", `{"name":"Korea","code":"kr","currency":"KRW"}`)
	s.jp = b.make("markets", `{"name":"Japan","code":"jp","currency":"JPY","exchangeRate":0.1,"roundingIncrement":10}`)
	for _, code := range []string{
		`{"code":"TEN","type":"percentage","value":10}`,
		`{"code":"SHIRTS","type":"percentage","value":33.333,"applicableProducts":["` + s.product + `"]}`,
		`{"code":"FIVE","type":"fixed_amount","value":5000}`,
		`{"code":"CAPPED","type":"percentage","value":50,"maxDiscountAmount":6000}`,
		`{"code":"LEAST","type":"percentage","value":10,"minOrderAmount":20000}`,
		`{"code":"SHIP","type":"free_shipping"}`,
		`{"code":"TIERS","type":"tiered","tiers":[{"minAmount":10000,"discountType":"fixed_amount","value":1000},{"minAmount":30000,"discountType":"percentage","value":20}]}`,
		`{"code":"JAPAN","type":"percentage","value":10,"markets":["` + s.jp + `"]}`,
		`{"code":"OFF","type":"percentage","value":10,"isActive":false}`,
		`{"code":"GONE","type":"percentage","value":10,"endsAt":"2020-01-01T00:00:00.000Z"}`,
	} {
		b.make("discounts", code)
	}
	return s
}

// makeProduct creates a product, changes its variant, and returns the ids of both.
func (s quoteHarness) makeProduct(product, variant string) (productID, variantID string) {
	s.t.Helper()
	productID = s.make("products", product)
	variantID = s.secret(200, "GET", "/api/product-variants?where[product][equals]="+productID, "").docs()[0].(map[string]any)["id"].(string)
	if variant != "" {
		s.secret(200, "PATCH", "/api/product-variants/"+variantID, variant)
	}
	return productID, variantID
}

func items(pairs ...any) string {
	var list []string
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, fmt.Sprintf(`{"variantId":%q,"quantity":%d}`, pairs[i], pairs[i+1]))
	}
	return "[" + strings.Join(list, ",") + "]"
}

func (s quoteHarness) public(path, body string) answer {
	s.t.Helper()
	return s.request("POST", "/api/commerce/"+path, body, "X-Client-Key", s.shop.ClientKey)
}

func (s quoteHarness) server(path, body string) answer {
	s.t.Helper()
	return s.request("POST", "/api/server/commerce/"+path, body, "X-API-Key", s.shop.SecretKey)
}

func (s quoteHarness) publicLater(path, body string) answer {
	s.t.Helper()
	s.advance(quotes.AttemptWindow)
	return s.public(path, body)
}
