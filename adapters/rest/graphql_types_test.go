package rest_test

import (
	"strings"
	"testing"
)

// create, update and delete of a type whose records have operations of their own are these operations: same receipts,
// same access, and the record beside what else they answer.
func TestTypeMutationsAreTheOperations(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		visitor := []string{"X-Client-Key", b.shop.ClientKey}
		variant := b.sellable()
		create := `createCart(data: {items: [{variantId: $v, quantity: 2}]}, idempotencyKey: $k) { id revision totals { total } cartToken cart { id } }`
		first := b.graphql(200, mutate(create, "v", variant, "k", firstKey), visitor...)
		if first.at("createCart.totals.total") != "3000" || !strings.HasPrefix(first.at("createCart.cartToken"), "ct_") ||
			first.at("createCart.id") != first.at("createCart.cart.id") {
			t.Fatal(first.raw)
		}
		own := `cartCreate(input: {items: [{variantId: $v, quantity: 2}]}, idempotencyKey: $k) { cartToken cart { id } }`
		if a := b.graphql(200, mutate(own, "v", variant, "k", firstKey), visitor...); a.at("cartCreate.cart.id") != first.at("createCart.id") ||
			a.at("cartCreate.cartToken") != first.at("createCart.cartToken") || !strings.Contains(a.raw, `"replayed":["cartCreate"]`) {
			t.Errorf("the same call under the operation's own name is not a replay: %s", a.raw)
		}
		if a := b.graphql(200, mutate(create, "v", variant, "k", firstKey), visitor...); a.at("createCart.id") != first.at("createCart.id") ||
			!strings.Contains(a.raw, `"replayed":["createCart"]`) {
			t.Errorf("it is not replayed: %s", a.raw)
		}
		endpoint := `createWebhookEndpoint(data: {url: $u, collections: ["brands"]}) { id url enabled secret }`
		for name, who := range map[string][]string{"a visitor": visitor, "nobody": nil} {
			if a := b.graphql(200, mutate(endpoint, "u", "https://example.com/hook"), who...); a.at("createWebhookEndpoint") != "<nil>" ||
				a.reason() == "" {
				t.Errorf("%s: %s", name, a.raw)
			}
		}
		made := b.graphql(200, mutate(endpoint, "u", "https://example.com/hook"), "X-API-Key", b.shop.SecretKey)
		id := made.at("createWebhookEndpoint.id")
		if made.at("createWebhookEndpoint.url") != "https://example.com/hook" || made.at("createWebhookEndpoint.enabled") != "true" ||
			!strings.HasPrefix(made.at("createWebhookEndpoint.secret"), "whsec_") {
			t.Fatal(made.raw)
		}
		remove := mutate(`deleteWebhookEndpoint(id: $i) { ...Hook } } fragment Hook on WebhookEndpoint { id url`, "i", id)
		if a := b.graphql(200, remove, "X-API-Key", b.other.SecretKey); a.reason() != "not_found" {
			t.Errorf("another shop: %s", a.raw)
		}
		if a := b.graphql(200, remove, "X-API-Key", b.shop.SecretKey); a.at("deleteWebhookEndpoint.id") != id ||
			a.at("deleteWebhookEndpoint.url") != "https://example.com/hook" {
			t.Error(a.raw)
		}
		b.secret(404, "GET", "/api/webhook-endpoints/"+id, "")
		bearer, _ := b.login()
		key := b.graphql(200, mutate(`createApiKey(data: {name: $n, kind: secret, environment: live, scopes: [read]}) { id name key last4 }`, "n", "till"),
			"Authorization", bearer)
		if key.at("createApiKey.name") != "till" || !strings.HasPrefix(key.at("createApiKey.key"), "sk_live_") {
			t.Fatal(key.raw)
		}
		gone := b.graphql(200, mutate(`deleteApiKey(id: $i) { id revokedAt }`, "i", key.at("createApiKey.id")), "Authorization", bearer)
		if gone.at("deleteApiKey.id") != key.at("createApiKey.id") || gone.at("deleteApiKey.revokedAt") == "<nil>" {
			t.Error(gone.raw)
		}
	})
}
