package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// cartHarness is a harness with something to buy, and the cart of a guest.
type cartHarness struct {
	*harness

	variant   string
	id, token string
}

// sellable is the variant of a product in stock, 1500 each.
func (b *harness) sellable() string {
	b.t.Helper()
	product := b.make("products", `{"name":"Tea","status":"published","price":1500,"stock":10}`)
	found := b.secret(200, "GET", "/api/product-variants?where[product][equals]="+product, "")
	return found.docs()[0].(map[string]any)["id"].(string)
}

func newCartHarness(t *testing.T) *cartHarness {
	b := newSQLiteHarness(t)
	k := &cartHarness{harness: b, variant: b.sellable()}
	made := b.request("POST", "/api/commerce/carts", "{}", "X-Client-Key", b.shop.ClientKey)
	if made.status != 201 || made.header.Get("X-Cart-Revision") != "1" {
		t.Fatal(made.status, made.raw)
	}
	k.id, k.token = made.cart()["id"].(string), made.body["cartToken"].(string)
	return k
}

func (a answer) cart() map[string]any {
	c, _ := a.body["cart"].(map[string]any)
	return c
}

var keys atomic.Int64

func newKey() string {
	return fmt.Sprintf("ik_%032d", keys.Add(1))
}

// guest sends a request for the guest's cart, with its token and an idempotency key.
func (k *cartHarness) guest(method, path, body, key string) answer {
	k.t.Helper()
	return k.request(method, "/api/commerce/carts/"+k.id+path, body, "X-Client-Key", k.shop.ClientKey, "X-Cart-Token", k.token,
		"Idempotency-Key", key)
}

func (k *cartHarness) item(quantity, revision int) string {
	return fmt.Sprintf(`{"variantId":%q,"quantity":%d,"expectedRevision":%d}`, k.variant, quantity, revision)
}

func TestGuestCart(t *testing.T) {
	k := newCartHarness(t)
	added := k.guest("POST", "/items", k.item(2, 1), newKey())
	line := added.cart()["lines"].([]any)[0].(map[string]any)
	if added.status != 200 || added.header.Get("X-Cart-Revision") != "2" || line["total"] != 3000.0 || added.body["cartToken"] != nil {
		t.Fatal(added.status, added.raw)
	}
	item := "/items/" + line["id"].(string)
	for _, step := range []struct {
		name, method, path, body string
		revision                 string
		lines                    int
	}{
		{"another quantity", "PATCH", item, `{"quantity":5,"expectedRevision":2}`, "3", 1},
		{"attributes", "PATCH", item, `{"attributes":{"gift":"yes"},"expectedRevision":3}`, "4", 1},
		{"out again", "DELETE", item + "?expectedRevision=4", "", "5", 0},
		{"emptied", "POST", "/clear", `{"expectedRevision":5}`, "6", 0},
	} {
		a := k.guest(step.method, step.path, step.body, newKey())
		if a.status != 200 || a.header.Get("X-Cart-Revision") != step.revision || len(a.cart()["lines"].([]any)) != step.lines {
			t.Errorf("%s: %d %s %s", step.name, a.status, a.header.Get("X-Cart-Revision"), a.raw)
		}
	}
	shown := k.request("GET", "/api/commerce/carts/"+k.id, "", "X-Client-Key", k.shop.ClientKey, "X-Cart-Token", k.token)
	if shown.status != 200 || shown.header.Get("X-Cart-Revision") != "6" || shown.cart()["status"] != "active" {
		t.Error(shown.status, shown.raw)
	}
	if strings.Contains(shown.raw, "tokenHash") || strings.Contains(shown.raw, "onHand") {
		t.Error(shown.raw)
	}
}

func TestIdempotentReplayReturnsSameBytes(t *testing.T) {
	k := newCartHarness(t)
	key := newKey()
	first := k.guest("POST", "/items", k.item(2, 1), key)
	k.secret200("POST", "/items", fmt.Sprintf(`{"variantId":%q,"quantity":1}`, k.variant))
	again := k.guest("POST", "/items", k.item(2, 1), `"`+key+`"`)
	if again.status != 200 || again.raw != first.raw || again.header.Get("Idempotency-Replayed") != "true" ||
		again.header.Get("X-Cart-Revision") != "3" || first.header.Get("Idempotency-Replayed") != "" {
		t.Error(again.status, again.header, again.raw)
	}
	if other := k.guest("POST", "/items", k.item(3, 1), key); other.status != 422 || other.reason() != "idempotency_key_reused" {
		t.Error(other.status, other.raw)
	}
	staleKey := newKey()
	stale := k.guest("POST", "/items", k.item(1, 1), staleKey)
	data, _ := stale.body["errors"].([]any)[0].(map[string]any)["data"].(map[string]any)
	if stale.status != 409 || stale.reason() != "cart_revision_conflict" || data["currentRevision"] != 3.0 {
		t.Error(stale.status, stale.raw)
	}
	if again := k.guest("POST", "/items", k.item(1, 1), staleKey); again.status != 409 || again.raw != stale.raw ||
		again.header.Get("Idempotency-Replayed") != "true" || again.header.Get("X-Request-Id") == stale.header.Get("X-Request-Id") {
		t.Error(again.status, again.raw, stale.raw)
	}
}

// secret200 changes the cart as the shop's server.
func (k *cartHarness) secret200(method, path, body string) {
	k.t.Helper()
	a := k.request(method, "/api/server/commerce/carts/"+k.id+path, body, "X-API-Key", k.shop.SecretKey, "Idempotency-Key", newKey())
	if a.status != 200 {
		k.t.Fatal(a.status, a.raw)
	}
}

func TestIdempotentCreateReturnsTokenAgain(t *testing.T) {
	b := newSQLiteHarness(t)
	key := newKey()
	create := func(key string) answer {
		return b.request("POST", "/api/commerce/carts", `{"attributes":{"from":"shop"}}`,
			"X-Client-Key", b.shop.ClientKey, "Idempotency-Key", key)
	}
	first, again := create(key), create(key)
	if first.status != 201 || again.status != 201 || first.raw != again.raw || again.header.Get("Idempotency-Replayed") != "true" {
		t.Error(first.raw, again.raw)
	}
	if own := create("sixteen-characters-or-more"); own.status != 400 || own.reason() != "idempotency_key_invalid" {
		t.Error(own.status, own.raw)
	}
}

func TestInvalidCartRequestsNameFields(t *testing.T) {
	k := newCartHarness(t)
	add := func(body string) answer { return k.guest("POST", "/items", body, newKey()) }
	for name, tc := range map[string]struct {
		got   answer
		field string
	}{
		"a missing variant":     {add(`{"quantity":1,"expectedRevision":1}`), "variantId"},
		"a quantity of nothing": {add(k.item(0, 1)), "quantity"},
		"half a unit":           {add(`{"variantId":"v","quantity":0.5,"expectedRevision":1}`), "quantity"},
		"the old admission":     {add(`{"variantId":"v","quantity":1,"expectedRevision":1,"admission":{"name":"A"}}`), "admission"},
		"a misspelt field":      {add(`{"variantId":"v","quantity":1,"expectedRevision":1,"colour":"red"}`), "colour"},
		"a nested one": {
			add(`{"variantId":"v","quantity":1,"expectedRevision":1,"admissions":[{"name":"A","age":3}]}`), "admissions.0.age",
		},
		"attributes that count": {add(`{"variantId":"v","quantity":1,"expectedRevision":1,"attributes":{"n":1}}`), "attributes"},
		"a revision of nothing": {add(k.item(1, 0)), "expectedRevision"},
		"a revision in words":   {k.guest("DELETE", "/items/x?expectedRevision=two", "", newKey()), "expectedRevision"},
		"an item without a name": {
			k.request("POST", "/api/commerce/carts", `{"items":[{"quantity":1}]}`, "X-Client-Key", k.shop.ClientKey), "items.0.variantId",
		},
		"a guest's customer": {
			k.request("POST", "/api/commerce/carts", `{"customerId":"x"}`, "X-Client-Key", k.shop.ClientKey), "customerId",
		},
	} {
		if tc.got.status != 400 || !strings.Contains(tc.got.raw, `"field":"`+tc.field) {
			t.Errorf("%s: %d %s", name, tc.got.status, tc.got.raw)
		}
	}
	if hint := add(`{"variantId":"v","quantity":1,"expectedRevision":1,"admission":{}}`); !strings.Contains(hint.raw, "Use admissions") {
		t.Error(hint.raw)
	}
	for name, tc := range map[string]struct {
		got    answer
		status int
		reason string
	}{
		"no key":                 {k.guest("POST", "/items", k.item(1, 1), ""), 400, "idempotency_key_required"},
		"no revision":            {add(fmt.Sprintf(`{"variantId":%q,"quantity":1}`, k.variant)), 400, "expected_revision_required"},
		"a key of the cart's id": {k.guest("POST", "/items", k.item(1, 1), "cart-"+k.id), 400, "idempotency_key_derived"},
		"too many":               {add(k.item(11, 1)), 422, "out_of_stock"},
	} {
		if tc.got.status != tc.status || tc.got.reason() != tc.reason {
			t.Errorf("%s: %d %s", name, tc.got.status, tc.got.raw)
		}
	}
}

func TestCartOfAnotherTenantIsNotFound(t *testing.T) {
	k := newCartHarness(t)
	missing := k.request("GET", "/api/server/commerce/carts/"+newID(), "", "X-API-Key", k.shop.SecretKey, "X-Request-Id", "same")
	for name, a := range map[string]answer{
		"another shop's server": k.request("GET", "/api/server/commerce/carts/"+k.id,
			"", "X-API-Key", k.other.SecretKey, "X-Request-Id", "same"),
		"another shop's visitor": k.request("GET", "/api/commerce/carts/"+k.id, "", "X-Client-Key", k.other.ClientKey, "X-Cart-Token",
			k.token, "X-Request-Id", "same"),
		"a wrong token": k.request("GET", "/api/commerce/carts/"+k.id, "", "X-Client-Key", k.shop.ClientKey, "X-Cart-Token", "ct_wrong",
			"X-Request-Id", "same"),
	} {
		if a.status != 404 || a.raw != missing.raw {
			t.Errorf("%s: %d %s", name, a.status, a.raw)
		}
	}
	for name, tc := range map[string]struct {
		got    answer
		status int
	}{
		"a bare client key":               {k.request("GET", "/api/commerce/carts/"+k.id, "", "X-Client-Key", k.shop.ClientKey), 401},
		"nobody":                          {k.request("GET", "/api/commerce/carts/"+k.id, ""), 401},
		"a secret key on the public side": {k.request("GET", "/api/commerce/carts/"+k.id, "", "X-API-Key", k.shop.SecretKey), 403},
		"a client key on the server side": {
			k.request("GET", "/api/server/commerce/carts/"+k.id, "", "X-Client-Key", k.shop.ClientKey), 403,
		},
		"a wrong method": {
			k.request(http.MethodPut, "/api/commerce/carts/"+k.id+"/clear", "{}", "X-Client-Key", k.shop.ClientKey), 405,
		},
		"mine without a login": {k.request("GET", "/api/commerce/carts/mine", "", "X-Client-Key", k.shop.ClientKey), 401},
	} {
		if tc.got.status != tc.status {
			t.Errorf("%s: %d %s", name, tc.got.status, tc.got.raw)
		}
	}
}

func TestExpiredCartReadsAsAbandoned(t *testing.T) {
	k := newCartHarness(t)
	k.advance(30 * 24 * time.Hour)
	if a := k.request("GET", "/api/commerce/carts/"+k.id, "", "X-Client-Key", k.shop.ClientKey, "X-Cart-Token", k.token); a.cart()["status"] != "abandoned" {
		t.Error(a.raw)
	}
	if a := k.guest("POST", "/items", k.item(1, 1), newKey()); a.status != 409 || a.reason() != "cart_not_active" {
		t.Error(a.status, a.raw)
	}
}
