package rest_test

import (
	"fmt"
	"strings"
	"testing"
)

const (
	firstKey  = "ik_0123456789abcdefghijABCDEFGHIJ01"
	secondKey = "ik_0123456789abcdefghijABCDEFGHIJ02"
)

// mutate is a document with fields of Mutation and variables name, value, … of type String.
func mutate(fields string, variables ...string) string {
	declared, given := "", map[string]any{}
	for i := 0; i < len(variables); i += 2 {
		declared += fmt.Sprintf(" $%s: String!", variables[i])
		given[variables[i]] = variables[i+1]
	}
	if declared != "" {
		declared = "(" + declared + ")"
	}
	return document("mutation"+declared+" {"+fields+"}", "variables", given)
}

// An operation over GraphQL is the operation over REST: same receipts, same reasons, same capabilities.
func TestCartsOverGraphQL(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		key := []string{"X-Client-Key", b.shop.ClientKey}
		variant := b.sellable()
		create := `cartCreate(input: {items: [{variantId: $v, quantity: 2}]}) { cartToken cart { id revision lines { quantity total variant { title } product { name } } totals { total } } }`
		a := b.graphql(200, mutate(create, "v", variant), key...)
		cart, token := a.at("cartCreate.cart.id"), a.at("cartCreate.cartToken")
		if !strings.HasPrefix(token, "ct_") || a.at("cartCreate.cart.totals.total") != "3000" ||
			!strings.Contains(a.raw, `"lines":[{"quantity":2,"total":3000,"variant":{"title":null},"product":{"name":"Tea"}}]`) {
			t.Fatal(a.raw)
		}
		add := `cartAddItem(cartId: $c, input: {variantId: $v, quantity: 1}, expectedRevision: 1, cartToken: $t, idempotencyKey: $k) { cart { revision totals { total } } }`
		with := func(k string) []string { return []string{"c", cart, "v", variant, "t", token, "k", k} }
		first := b.graphql(200, mutate(add, with(firstKey)...), key...)
		if first.at("cartAddItem.cart.revision") != "2" || first.body["extensions"] != nil {
			t.Fatal(first.raw)
		}
		again := b.graphql(200, mutate(add, with(firstKey)...), key...)
		if fmt.Sprint(again.body["data"]) != fmt.Sprint(first.body["data"]) ||
			fmt.Sprint(again.body["extensions"]) != "map[replayed:[cartAddItem]]" {
			t.Error(again.raw)
		}
		rest := b.request("POST", "/api/commerce/carts/"+cart+"/items",
			fmt.Sprintf(`{"variantId":%q,"quantity":1,"expectedRevision":1}`, variant),
			append(key, "X-Cart-Token", token, "Idempotency-Key", firstKey)...)
		if rest.status != 200 || rest.header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("the same call over REST is not a replay: %d %s", rest.status, rest.raw)
		}
		stale := b.graphql(200, mutate(add, with(secondKey)...), key...)
		if stale.reason() != "cart_revision_conflict" || !strings.Contains(stale.raw, `"data":{"currentRevision":2}`) ||
			stale.at("cartAddItem") != "<nil>" {
			t.Error(stale.raw)
		}
		id := func(a answer) string { _, id, _ := strings.Cut(a.raw, `"requestId":`); return id }
		if replay := b.graphql(200, mutate(add, with(secondKey)...), key...); id(replay)[:28] != id(stale)[:28] ||
			!strings.Contains(replay.raw, `"replayed":["cartAddItem"]`) {
			t.Error(replay.raw)
		}
		shown := b.graphql(200, document(fmt.Sprintf(`{ cartRetrieve(cartId: %q) { cart { revision } } }`, cart)),
			append(key, "X-Cart-Token", token)...)
		if shown.at("cartRetrieve.cart.revision") != "2" {
			t.Error(shown.raw)
		}
	})
}

// Documents may have several carts, each with its own capability and key; the header with a key applies only
// if one field takes a key.
func TestSeveralCartsInOneDocument(t *testing.T) {
	b := newSQLiteHarness(t)
	key := []string{"X-Client-Key", b.shop.ClientKey}
	two := b.graphql(200, mutate(`a: cartCreate { cartToken cart { id } } b: cartCreate { cartToken cart { id } }`), key...)
	emptied := func(name, token, k string) string {
		return fmt.Sprintf(` %s: cartClear(cartId: %q, cartToken: %q, expectedRevision: 1%s) { cart { revision } }`,
			name, two.at(name+".cart.id"), token, k)
	}
	tokenA, tokenB := two.at("a.cartToken"), two.at("b.cartToken")
	none := b.graphql(200, mutate(emptied("a", tokenA, "")+emptied("b", tokenB, "")), append(key, "Idempotency-Key", firstKey)...)
	if strings.Count(none.raw, "idempotency_key_required") != 2 {
		t.Errorf("one header was used as two keys: %s", none.raw)
	}
	wrong := b.graphql(200,
		mutate(emptied("a", tokenB, `, idempotencyKey: "`+firstKey+`"`)+emptied("b", tokenB, `, idempotencyKey: "short"`)), key...)
	if !strings.Contains(wrong.raw, "idempotency_key_invalid") || wrong.at("a") != "<nil>" || wrong.at("b") != "<nil>" {
		t.Error(wrong.raw)
	}
	both := b.graphql(200,
		mutate(emptied("a", tokenA, `, idempotencyKey: "`+firstKey+`"`)+emptied("b", tokenB, `, idempotencyKey: "`+secondKey+`"`)), key...)
	if both.at("a.cart.revision") != "2" || both.at("b.cart.revision") != "2" {
		t.Error(both.raw)
	}
	one := b.graphql(200, mutate(fmt.Sprintf(`cartClear(cartId: %q) { cart { revision } }`, two.at("a.cart.id"))), "X-API-Key",
		b.shop.SecretKey, "Idempotency-Key", secondKey)
	if one.at("cartClear.cart.revision") != "3" {
		t.Errorf("the shop's server needs neither capability nor revision: %s", one.raw)
	}
	for name, headers := range map[string][]string{"nobody": nil, "another visitor": key} {
		a := b.graphql(200, document(fmt.Sprintf(`{ cartRetrieve(cartId: %q) { cart { id } } }`, two.at("a.cart.id"))), headers...)
		if !strings.Contains(a.raw, `"data":{"cartRetrieve":null}`) || !strings.Contains(a.raw, "UNAUTHENTICATED") {
			t.Errorf("%s: %s", name, a.raw)
		}
	}
}
