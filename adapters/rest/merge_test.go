package rest_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestCartsAreMerged(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		variant := b.sellable()
		b.customer("kim@shop.example")
		bearer := "Bearer " + b.loginCustomer("kim@shop.example", "correct horse").body["token"].(string)
		fill := func(quantity int, headers ...string) answer {
			b.t.Helper()
			a := b.request("POST", "/api/commerce/carts", fmt.Sprintf(`{"items":[{"variantId":%q,"quantity":%d}]}`, variant, quantity),
				append(headers, "X-Client-Key", b.shop.ClientKey)...)
			if a.status != 201 {
				b.t.Fatal(a.raw)
			}
			return a
		}
		id := func(a answer) string { return a.cart()["id"].(string) }
		mine, guests := fill(6, "Authorization", bearer), fill(7)
		body := fmt.Sprintf(`{"sourceCartId":%q,"sourceCartToken":%q}`, id(guests), guests.body["cartToken"])
		merge := func(body string, headers ...string) answer {
			return b.request("POST", "/api/commerce/carts/merge", body, append(headers, "X-Client-Key", b.shop.ClientKey)...)
		}
		key := newKey()
		first := merge(body, "Authorization", bearer, "Idempotency-Key", key)
		warnings := fmt.Sprintf(`"warnings":[{"variantId":%q,"requested":13,"kept":10}]}`, variant)
		if first.status != 200 || id(first) != id(mine) || first.header.Get("X-Cart-Revision") != "2" ||
			!strings.HasSuffix(first.raw, warnings) || first.body["cartToken"] != nil {
			t.Fatal(first.status, first.raw)
		}
		if again := merge(body, "Authorization", bearer, "Idempotency-Key", key); again.raw != first.raw ||
			again.header.Get("Idempotency-Replayed") != "true" {
			t.Error(again.raw)
		}
		other := fill(1)
		guest := []string{"X-Cart-Token", other.body["cartToken"].(string), "Idempotency-Key", newKey()}
		for name, c := range map[string]struct {
			got    answer
			status int
			reason string
		}{
			"another key":  {merge(body, "Authorization", bearer, "Idempotency-Key", newKey()), 409, "cart_not_active"},
			"no key":       {merge(body, "Authorization", bearer), 400, "idempotency_key_required"},
			"a client key": {merge(body, "Idempotency-Key", newKey()), 401, "unauthenticated"},
			"a revision": {
				merge(`{"sourceCartId":"a","expectedRevision":1}`, "Authorization", bearer, "Idempotency-Key", newKey()), 400,
				"validation_failed",
			},
			"no source":         {merge(`{}`, "Authorization", bearer, "Idempotency-Key", newKey()), 400, "validation_failed"},
			"a guest missingID": {merge(body, guest...), 400, "validation_failed"},
			"with itself": {
				merge(fmt.Sprintf(`{"sourceCartId":%q,"targetCartId":%q}`, id(other), id(other)), guest...), 400, "validation_failed",
			},
			"someone else's": {
				merge(fmt.Sprintf(`{"sourceCartId":%q,"targetCartId":%q}`, id(mine), id(other)), guest...), 404, "not_found",
			},
			"server, customer": {merge(fmt.Sprintf(`{"sourceCartId":%q,"customerId":"x"}`, id(mine)), guest...), 400, "validation_failed"},
		} {
			if c.got.status != c.status || c.got.reason() != c.reason {
				t.Errorf("%s: %d %s", name, c.got.status, c.got.raw)
			}
		}
		ql := b.graphql(200,
			mutate(`cartMerge(input: {sourceCartId: $s, targetCartId: $t}, idempotencyKey: $k) { cart { id revision } warnings { requested kept } }`,
				"s", id(other), "t", id(mine), "k", newKey()), "X-API-Key", b.shop.SecretKey)
		if ql.at("cartMerge.cart.id") != id(mine) || !strings.Contains(ql.raw, `"warnings":[{"requested":11,"kept":10}]`) {
			t.Error(ql.raw)
		}
	})
}
