package rest_test

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestServerReadsDiscountExplanation(t *testing.T) {
	t.Parallel()
	s := newQuoteHarness(t)
	a := s.server("discounts/validate",
		`{"code":"SHIRTS","orderAmount":23000,"market":"kr","explain":true,"items":`+items(s.shirt, 1, s.song, 1)+`}`)
	x, _ := a.body["explanation"].(map[string]any)
	if a.status != 200 || x == nil {
		t.Fatal(a.status, a.raw)
	}
	code := x["discountCodes"].([]any)[0].(map[string]any)
	if code["unrounded"] != "4999.95" || code["rounded"] != 5000.0 || code["eligible"] != 15000.0 || code["amount"] != 5000.0 ||
		len(code["lines"].([]any)) != 1 {
		t.Errorf("the code: %v", code)
	}
	var sources []string
	var total float64
	for _, l := range x["lines"].([]any) {
		line := l.(map[string]any)
		sources = append(sources, line["price"].(map[string]any)["source"].(string))
		total += line["total"].(float64)
	}
	if got := strings.Join(sources, " "); got != "computed computed stated" || total != 18000 ||
		x["totals"].(map[string]any)["total"] != 18000.0 {
		t.Errorf("lines from %s come to %v: %v", got, total, x["totals"])
	}
	a = s.server("discounts/validate", `{"code":"LEAST","orderAmount":100,"currency":"KRW","explain":true}`)
	x, _ = a.body["explanation"].(map[string]any)
	rules := x["discountCodes"].([]any)[0].(map[string]any)["rules"].([]any)
	last, _ := json.Marshal(rules[len(rules)-1])
	if a.body["valid"] != false || string(last) != `{"got":"100","passed":false,"rule":"min_order_amount","wanted":"20000"}` ||
		x["totals"].(map[string]any)["total"] != 100.0 {
		t.Errorf("a refusal: %s", a.raw)
	}
	a = s.server("discounts/validate", `{"code":"SHIRTS","orderAmount":9500,"explain":true,"items":`+items(s.shirt, 1, s.song, 1)+`}`)
	x, _ = a.body["explanation"].(map[string]any)
	if sums, _ := json.Marshal(x["totals"]); string(sums) != `{"discount":12000,"subtotal":19000,"total":7000}` {
		t.Errorf("what was taken off before: %s", a.raw)
	}
	g := s.graphql(200, document(`{ discountValidate(code: "TEN", orderAmount: 99.5, currency: "USD", explain: true) { discountAmount explanation { totals { total } discountCodes { unrounded rules { rule passed } } } } }`), "X-API-Key",
		s.shop.SecretKey)
	if !strings.Contains(g.raw,
		`"discountAmount":9.95,"explanation":{"totals":{"total":89.55},"discountCodes":[{"unrounded":"9.95","rules":[{"rule":"known","passed":true}`) {
		t.Errorf("over GraphQL: %s", g.raw)
	}
}

func TestServerReadsCartExplanation(t *testing.T) {
	t.Parallel()
	s := newQuoteHarness(t)
	made := s.request("POST", "/api/commerce/carts", `{"market":"jp","discountCodes":["japan"],"items":`+items(s.shirt, 2)+`}`,
		"X-Client-Key", s.shop.ClientKey)
	id, token := made.cart()["id"].(string), made.body["cartToken"].(string)
	server := func() answer {
		return s.request("GET", "/api/server/commerce/carts/"+id+"?explain=true", "", "X-API-Key", s.shop.SecretKey)
	}
	a := server()
	x, _ := a.body["explanation"].(map[string]any)
	totals, _ := a.cart()["totals"].(map[string]any)
	if a.status != 200 || x == nil || x["current"] != true || x["totals"].(map[string]any)["total"] != 2700.0 ||
		totals["total"] != 2700.0 || a.header.Get("X-Cart-Revision") != "1" {
		t.Fatal(a.status, a.raw)
	}
	price, _ := json.Marshal(x["lines"].([]any)[0].(map[string]any)["price"])
	if string(price) != `{"adjustmentPercent":0,"amount":1500,"base":15000,"baseCurrency":"KRW","exchangeRate":0.1,"productDiscount":0,"roundingIncrement":10,"source":"computed","unrounded":"1500"}` {
		t.Errorf("the price: %s", price)
	}
	plain := s.request("GET", "/api/server/commerce/carts/"+id, "", "X-API-Key", s.shop.SecretKey)
	if strings.Contains(plain.raw, "explanation") || plain.raw[:len(plain.raw)-1] != a.raw[:len(plain.raw)-1] {
		t.Errorf("without explain: %s", plain.raw)
	}
	public := s.request("GET", "/api/commerce/carts/"+id+"?explain=true", "", "X-Client-Key", s.shop.ClientKey, "X-Cart-Token", token)
	if public.status != 400 || !strings.Contains(public.raw, `"field":"explain"`) {
		t.Errorf("to the shopper: %d %s", public.status, public.raw)
	}
	if bad := s.request("GET", "/api/server/commerce/carts/"+id+"?explain=maybe", "", "X-API-Key", s.shop.SecretKey); bad.status != 400 {
		t.Errorf("maybe: %d %s", bad.status, bad.raw)
	}
	if theirs := s.request("GET", "/api/server/commerce/carts/"+id+"?explain=true", "", "X-API-Key", s.other.SecretKey); theirs.status != 404 {
		t.Errorf("to another shop: %d %s", theirs.status, theirs.raw)
	}
	g := s.graphql(200,
		document(`{ cartRetrieve(cartId: "`+id+
			`", explain: true) { cart { revision } explanation { current lines { price { source unrounded } } } } }`),
		"X-API-Key", s.shop.SecretKey)
	if !strings.Contains(g.raw, `"explanation":{"current":true,"lines":[{"price":{"source":"computed","unrounded":"1500"}}]}`) {
		t.Errorf("over GraphQL: %s", g.raw)
	}
	s.secret(200, "PATCH", "/api/products/"+s.product, `{"discount":50}`)
	if x, _ = server().body["explanation"].(map[string]any); x["current"] != false || x["totals"].(map[string]any)["total"] != 1350.0 {
		t.Errorf("after a price change: %v", x)
	}
	s.secret(200, "PATCH", "/api/markets/"+s.jp, `{"status":"inactive"}`)
	a = server()
	if x, _ = a.body["explanation"].(map[string]any); a.status != 200 || x["current"] != true ||
		!strings.Contains(a.raw, `"source":"kept"`) {
		t.Errorf("in an inactive market: %d %s", a.status, a.raw)
	}
}
