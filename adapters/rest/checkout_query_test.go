package rest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// keepCheckouts stores n checkouts of a shop, a minute apart.
func (b *harness) storeCheckouts(n int) {
	b.t.Helper()
	none := money.Of(0, "KRW")
	for i := range n {
		b.storeRecord(checkout.Schema, checkout.Checkout{
			ID: fmt.Sprintf("k%d", i), Tenant: b.shop.Tenant.ID, Environment: tenant.Live, Status: checkout.Open,
			Cart: fmt.Sprintf("c%d", i), Currency: "KRW", ExpiresAt: time.UnixMilli(b.clock.Load()).Add(24 * time.Hour),
			Contact: sale.Contact{Email: fmt.Sprintf("buyer%d@shop.example", i)},
			Totals:  sale.Totals{Subtotal: none, Discount: none, Total: none},
		}.Record())
		b.advance(time.Minute)
	}
}

// Rule checkouts-10: the server's query of checkouts gives the same bytes as the list of the collection.
func TestCheckoutQueryMatchesCollectionList(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.storeCheckouts(5)
		for query, total := range map[string]string{
			"": "5", "?limit=2": "5", "?limit=2&page=3": "5", "?limit=2&page=9": "5", "?limit=0": "5", "?page=0": "5", "?depth=2": "5",
			"?sort=email&limit=3": "5", "?sort=-email,id": "5",
			"?where[email][equals]=buyer3@shop.example":                                                    "1",
			"?where[status][equals]=expired":                                                               "0",
			"?where[or][0][email][like]=buyer1&where[or][1][email][contains]=er2":                          "2",
			"?where=%7B%22email%22%3A%7B%22in%22%3A%5B%22buyer0%40shop.example%22%2C%22nobody%22%5D%7D%7D": "1",
		} {
			listed, queried := b.secret(200, "GET", "/api/checkouts"+query, ""), b.secret(200, "GET",
				"/api/server/commerce/checkouts"+query, "")
			if listed.raw != queried.raw || fmt.Sprint(queried.body["totalDocs"]) != total {
				t.Errorf("%s:\nlisted  %s\nqueried %s", query, listed.raw, queried.raw)
			}
		}
		for query, reason := range map[string]string{
			"?where[shoeSize][equals]=42": "query_invalid", "?sort=shoeSize": "query_invalid",
			"?where[tokenHash][exists]=true": "query_invalid", "?limit=501": "validation_failed", "?limit=-1": "validation_failed",
			"?limit=many": "validation_failed", "?depth=11": "validation_failed", "?wheer[status][equals]=open": "validation_failed",
			"?where=%7B": "malformed_request",
		} {
			listed, queried := b.request("GET", "/api/checkouts"+query, "", "X-API-Key", b.shop.SecretKey), b.request("GET",
				"/api/server/commerce/checkouts"+query, "", "X-API-Key", b.shop.SecretKey)
			if listed.status != queried.status || queried.status != 400 || queried.reason() != reason || listed.reason() != reason {
				t.Errorf("%s: listed %d %s, queried %d %s, want %s", query, listed.status, listed.reason(), queried.status,
					queried.reason(), reason)
			}
		}
	})
}

func TestCheckoutQueryIsForServersOnly(t *testing.T) {
	b := newSQLiteHarness(t)
	b.storeCheckouts(2)
	const at = "/api/server/commerce/checkouts"
	if a := b.request("GET", at, "", "X-Client-Key", b.shop.ClientKey); a.status != 403 || strings.Contains(a.raw, "buyer") {
		t.Errorf("a client key: %d %s", a.status, a.raw)
	}
	if a := b.request("GET", at, ""); a.status != 401 {
		t.Errorf("nobody: %d %s", a.status, a.raw)
	}
	if a := b.request("GET", at, "", "X-API-Key", b.other.SecretKey); a.status != 200 || fmt.Sprint(a.body["totalDocs"]) != "0" {
		t.Errorf("another shop: %d %s", a.status, a.raw)
	}
	if a := b.request("GET", at, "", "X-API-Key", b.shop.TestSecretKey); a.status != 200 || fmt.Sprint(a.body["totalDocs"]) != "0" {
		t.Errorf("the test environment: %d %s", a.status, a.raw)
	}
	admin := b.adminOf(b.shop)
	for scope, status := range map[string]int{"read": 200, "write": 403} {
		made := admin("POST", "/api-keys", fmt.Sprintf(`{"name":%q,"kind":"secret","environment":"live","scopes":[%q]}`, scope, scope))
		if a := b.request("GET", at, "", "X-API-Key", made.body["key"].(string)); a.status != status {
			t.Errorf("a key that may only %s: %d %s", scope, a.status, a.raw)
		}
	}
	if a := b.request("GET", "/api/commerce/checkouts", "", "X-Client-Key", b.shop.ClientKey); a.status == 200 {
		t.Errorf("the storefront's prefix: %d %s", a.status, a.raw)
	}
}

// GraphQL returns the same checkouts.
func TestCheckoutQueryOverGraphQL(t *testing.T) {
	b := newSQLiteHarness(t)
	b.storeCheckouts(3)
	const document = `{"query":"{ checkoutQuery(where: {email: {like: \"buyer\"}}, sort: \"email\", limit: 2) { totalDocs hasNextPage docs { id email status } } }"}`
	a := b.secret(200, "POST", "/api/graphql", document)
	if want := `{"data":{"checkoutQuery":{"totalDocs":3,"hasNextPage":true,"docs":[{"id":"k0","email":"buyer0@shop.example","status":"open"},{"id":"k1","email":"buyer1@shop.example","status":"open"}]}}}`; strings.TrimSpace(a.raw) != want {
		t.Errorf("%s", a.raw)
	}
	if a := b.request("POST", "/api/graphql", document, "X-Client-Key", b.shop.ClientKey); a.code() != "FORBIDDEN" ||
		strings.Contains(a.raw, "buyer0") {
		t.Errorf("a client key: %s", a.raw)
	}
}
