package rest_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// makeCode creates a discount code of 10 percent, with more fields.
func (b *harness) makeCode(code string, more string) {
	b.t.Helper()
	b.make("discounts", fmt.Sprintf(`{"code":%q,"title":%q,"type":"percentage","value":10,"combinable":true%s}`, code, code, more))
}

func TestGuestReplacesCodesAndAttributes(t *testing.T) {
	k := newCartHarness(t)
	k.makeCode("TEN", "")
	k.makeCode("OLD", `,"endsAt":"2020-01-01T00:00:00.000Z"`)
	k.guest("POST", "/items", k.item(2, 1), newKey())
	set := k.guest("PUT", "/discount-codes", `{"discountCodes":["ten","old"],"expectedRevision":2}`, newKey())
	codes, _ := set.cart()["discountCodes"].([]any)
	if set.status != 200 || len(codes) != 2 || codes[0].(map[string]any)["amount"] != 300.0 ||
		codes[1].(map[string]any)["reason"] != "discount_expired" || codes[1].(map[string]any)["applied"] != false {
		t.Fatal(set.status, set.raw)
	}
	for _, step := range []struct {
		name, path, body string
		status           int
		revision, reason string
	}{
		{"without a list", "/discount-codes", `{"expectedRevision":3}`, 400, "", "validation_failed"},
		{"a list of numbers", "/discount-codes", `{"discountCodes":[1],"expectedRevision":3}`, 400, "", "validation_failed"},
		{"an empty list", "/discount-codes", `{"discountCodes":[],"expectedRevision":3}`, 200, "4", ""},
		{"without attributes", "/attributes", `{"expectedRevision":4}`, 400, "", "validation_failed"},
		{"an attribute that is no text", "/attributes", `{"attributes":{"a":1},"expectedRevision":4}`, 400, "", "validation_failed"},
		{"attributes", "/attributes", `{"attributes":{"a":"1"},"expectedRevision":4}`, 200, "5", ""},
		{"an old revision", "/attributes", `{"attributes":{"b":"1"},"expectedRevision":4}`, 409, "5", "cart_revision_conflict"},
		{"no revision", "/attributes", `{"attributes":{"b":"1"}}`, 400, "", "expected_revision_required"},
		{"no attributes", "/attributes", `{"attributes":{},"expectedRevision":5}`, 200, "6", ""},
	} {
		a := k.guest("PUT", step.path, step.body, newKey())
		if a.status != step.status || a.header.Get("X-Cart-Revision") != step.revision || a.reason() != step.reason {
			t.Errorf("%s: %d %s %s", step.name, a.status, a.header.Get("X-Cart-Revision"), a.raw)
		}
	}
	if a := k.guest("PUT", "/attributes", `{"attributes":{},"expectedRevision":6}`, ""); a.status != 400 ||
		a.reason() != "idempotency_key_required" {
		t.Error(a.status, a.raw)
	}
}

// previousCart sends requests of the previous generation: without key and revision.
func (b *harness) previousCart(token string) func(method, path, body string, headers ...string) answer {
	return func(method, path, body string, headers ...string) answer {
		headers = append([]string{"X-Client-Key", b.shop.ClientKey, "X-Cart-Token", token}, headers...)
		return b.request(method, "/api/commerce/cart"+path, body, headers...)
	}
}

func TestPreviousAPISharesCart(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		variant := b.sellable()
		b.makeCode("TEN", "")
		b.makeCode("OLD", `,"endsAt":"2020-01-01T00:00:00.000Z"`)
		made := b.request("POST", "/api/commerce/cart", "", "X-Client-Key", b.shop.ClientKey)
		id, _ := made.body["id"].(string)
		token, _ := made.body["cartToken"].(string)
		if made.status != 201 || !strings.HasPrefix(token, "ct_") || made.body["itemsTotal"] != 0.0 || made.body["shippingFee"] != 0.0 ||
			made.body["cart"] != nil {
			t.Fatal(made.status, made.raw)
		}
		old := b.previousCart(token)
		added := old("POST", "/"+id+"/items", fmt.Sprintf(`{"variantId":%q,"quantity":2}`, variant))
		line := added.body["lines"].([]any)[0].(map[string]any)["id"].(string)
		fee, there := added.body["shippingFee"]
		if added.status != 200 || added.body["itemsTotal"] != 3000.0 || added.body["totalAmount"] != 3000.0 || !there || fee != nil ||
			added.body["cartToken"] != nil {
			t.Fatal(added.raw)
		}
		for _, step := range []struct {
			name, method, path, body string
			status                   int
			reason                   string
			discount, total          float64
		}{
			{"another quantity", "PATCH", "/items/" + line, `{"quantity":4}`, 200, "", 0, 6000},
			{"a code", "POST", "/apply-discount", `{"discountCode":"ten"}`, 200, "", 600, 5400},
			{"a code that is over", "POST", "/apply-discount", `{"discountCode":"old"}`, 422, "discount_expired", 0, 0},
			{"an unknown discount code", "POST", "/apply-discount", `{"discountCode":"wish"}`, 422, "discount_not_found", 0, 0},
			{"no code", "POST", "/apply-discount", `{}`, 400, "validation_failed", 0, 0},
			{"the code is removed", "POST", "/remove-discount", `{"discountCode":"TEN"}`, 200, "", 0, 6000},
			{"a list of codes", "PUT", "/discount-codes", `{"discountCodes":["old","ten"]}`, 200, "", 600, 5400},
			{"a revision is no part of it", "POST", "/clear", `{"expectedRevision":1}`, 400, "validation_failed", 0, 0},
			{"the line is removed", "DELETE", "/items/" + line, "", 200, "", 0, 0},
			{"the line is missing", "DELETE", "/items/" + line, "", 404, "line_not_found", 0, 0},
			{"emptied", "POST", "/clear", "", 200, "", 0, 0},
		} {
			a := old(step.method, "/"+id+step.path, step.body)
			if a.status != step.status || a.reason() != step.reason ||
				a.status == 200 && (a.body["discountAmount"] != step.discount || a.body["totalAmount"] != step.total) {
				t.Errorf("%s: %d %s", step.name, a.status, a.raw)
			}
		}
		shown := old("GET", "/"+id, "")
		current := b.request("GET", "/api/server/commerce/carts/"+id, "", "X-API-Key", b.shop.SecretKey)
		if shown.status != 200 || shown.body["revision"] != 8.0 || shown.header.Get("X-Cart-Revision") != "8" ||
			shown.body["totalAmount"] != 0.0 || current.cart()["revision"] != 8.0 {
			t.Error(shown.raw, current.raw)
		}
		if a := b.request("GET", "/api/commerce/cart/"+id, "", "X-Client-Key", b.shop.ClientKey); a.status != 401 {
			t.Error("a client key alone", a.status)
		}
		if a := b.request("POST", "/api/server/commerce/cart/"+id+"/clear", "", "X-API-Key", b.shop.SecretKey); a.status != 200 ||
			a.body["revision"] != 9.0 {
			t.Error(a.status, a.raw)
		}
	})
}

func TestIdempotencyKeyOnPreviousAPI(t *testing.T) {
	b := newSQLiteHarness(t)
	variant := b.sellable()
	create := newKey()
	made := b.request("POST", "/api/commerce/cart", "{}", "X-Client-Key", b.shop.ClientKey, "Idempotency-Key", create)
	again := b.request("POST", "/api/commerce/cart", "{}", "X-Client-Key", b.shop.ClientKey, "Idempotency-Key", create)
	if made.status != 201 || made.raw != again.raw || again.header.Get("Idempotency-Replayed") != "true" {
		t.Fatal(made.raw, again.raw)
	}
	id := made.body["id"].(string)
	old, key, body := b.previousCart(made.body["cartToken"].(string)), newKey(), fmt.Sprintf(`{"variantId":%q,"quantity":1}`, variant)
	first := old("POST", "/"+id+"/items", body, "Idempotency-Key", key)
	if again := old("POST", "/"+id+"/items", body, "Idempotency-Key", key); first.status != 200 || again.raw != first.raw ||
		again.header.Get("Idempotency-Replayed") != "true" {
		t.Error(first.raw, again.raw)
	}
	if a := old("POST", "/"+id+"/items", body, "Idempotency-Key", "made-of-"+id); a.status != 400 ||
		a.reason() != "idempotency_key_derived" {
		t.Error(a.raw)
	}
	if a := old("GET", "/"+id, ""); a.body["revision"] != 2.0 {
		t.Error(a.raw)
	}
}

func TestParallelPreviousAPIChangesAllApply(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		body := fmt.Sprintf(`{"variantId":%q,"quantity":1}`, b.sellable())
		made := b.request("POST", "/api/commerce/cart", "{}", "X-Client-Key", b.shop.ClientKey)
		id, old := made.body["id"].(string), b.previousCart(made.body["cartToken"].(string))
		var wg sync.WaitGroup
		for i := range 20 { // ten are on hand
			wg.Go(func() {
				a := old("POST", "/"+id+"/items", body)
				if a.status != 200 && a.reason() != "out_of_stock" {
					t.Error(i, a.status, a.raw)
				}
			})
		}
		wg.Wait()
		a := old("GET", "/"+id, "")
		if a.body["revision"] != 11.0 || a.body["lines"].([]any)[0].(map[string]any)["quantity"] != 10.0 {
			t.Error(a.raw)
		}
	})
}

func TestPreviousAPIOverGraphQL(t *testing.T) {
	b := newSQLiteHarness(t)
	variant := b.sellable()
	made := b.previousCartGraphQL("", `mutation { previousCartCreate { id cartToken totalAmount } }`)
	cart, _ := made.body["data"].(map[string]any)["previousCartCreate"].(map[string]any)
	if cart["totalAmount"] != 0.0 {
		t.Fatal(made.raw)
	}
	added := b.previousCartGraphQL(cart["cartToken"].(string),
		fmt.Sprintf(`mutation { previousCartAddItem(cartId: %q, input: {variantId: %q, quantity: 2}) { revision itemsTotal shippingFee lines { variant { title product { name } } } } }`, cart["id"], variant))
	if !strings.Contains(added.raw, `"revision":2,"itemsTotal":3000,"shippingFee":null`) || !strings.Contains(added.raw, `"name":"Tea"`) {
		t.Error(added.raw)
	}
}

func (b *harness) previousCartGraphQL(token, document string) answer {
	b.t.Helper()
	return b.request("POST", "/api/graphql", fmt.Sprintf(`{"query":%q}`, document), "X-Client-Key", b.shop.ClientKey, "X-Cart-Token", token)
}
