package program

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// Payments at a hanging provider are refused, at once when its circuit is open; metrics and readiness name
// the connection. The server stays ready, the shop's carts can change, and other shops sell.
func TestHangingProviderAffectsOnlyItsShop(t *testing.T) {
	t.Parallel()
	m := newDemoEnv(t).with("CARTWRIGHT_PROVIDER_TIMEOUT", "15s").with("CARTWRIGHT_PROVIDER_CONCURRENCY", "2").
		with("CARTWRIGHT_BREAKER_FAILURES", "2").with("CARTWRIGHT_BREAKER_WINDOW", "1h").with("CARTWRIGHT_BREAKER_OPEN", "1h")
	server := m.serve(t)
	first, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	var second credentials
	if err := json.Unmarshal([]byte(m.must(t, "tenant", "create", "--name", "Other", "--json")), &second); err != nil {
		t.Fatal(err)
	}
	stuck, other := newBuyer(t, server.url, first.TestSecretKey), newBuyer(t, server.url, second.TestSecretKey)
	stuck.buy()
	faults := `{"latencyMs": 0, "failNext": 0, "hangNext": 1000, "dropResponseNext": 0, "wrongAmountNext": 0}`
	if status, body := requestJSON(t, "PUT", server.url+"/sandbox/faults", faults, stuck.key); status != http.StatusOK {
		t.Fatalf("%d %v", status, body)
	}
	checkouts := make([]string, 6)
	for i := range checkouts {
		checkouts[i] = stuck.checkout()
	}
	var all sync.WaitGroup
	for _, checkout := range checkouts {
		all.Go(func() { wantProviderUnavailable(stuck, checkout) })
	}
	for range 3 {
		other.buy()
		stuck.checkout() // carts and checkouts need no provider
	}
	all.Wait()
	_, found := requestJSON(t, "GET", server.url+"/api/provider-connections", "", stuck.key)
	id := textAt(found["docs"].([]any)[0].(map[string]any), "id")
	metric := `cartwright_circuit_state{circuit="provider",connection="` + id + `"} 2`
	if metrics := scrapeMetrics(t, server.url); !strings.Contains(metrics, metric) || strings.Contains(metrics, first.TenantID) ||
		strings.Contains(metrics, first.SecretKey) {
		t.Errorf("the metrics lack %s, or contain a tenant or a key:\n%s", metric, metrics)
	}
	status, ready := requestJSON(t, "GET", server.url+"/readyz", "")
	if circuits, _ := ready["circuits"].(map[string]any); status != http.StatusOK || textAt(circuits, "providers", id) != "open" {
		t.Errorf("%d %v", status, ready)
	}
	wantProviderUnavailable(stuck, checkouts[0])
	wantFieldUnavailable(stuck, checkouts[0])
	other.buy()
}

// wantFieldUnavailable asks over GraphQL for what needs the provider, beside what does not: the one is an error, the
// other there.
func wantFieldUnavailable(b sandboxBuyer, checkout string) {
	query, _ := json.Marshal(map[string]string{"query": `mutation {
		before: cartCreate(input: {}) { cart { id } }
		pay: paymentSessionCreate(idempotencyKey: "ik_` + strings.Repeat("g", 32) + `", input: {checkoutId: "` + checkout + `",
			successUrl: "https://shop.example/ok", failUrl: "https://shop.example/no"}) { paymentSession { id } }
		after: cartCreate(input: {}) { cart { id } }
	}`})
	status, answer := requestJSON(b.T, "POST", b.url+"/api/graphql", string(query), b.key)
	data, _ := answer["data"].(map[string]any)
	text, _ := json.Marshal(answer["errors"])
	if status != http.StatusOK || textAt(data, "before", "cart", "id") == "" || textAt(data, "after", "cart", "id") == "" || data["pay"] != nil ||
		!strings.Contains(string(text), `"reason":"provider_unavailable"`) || !strings.Contains(string(text), `"path":["pay"]`) ||
		!strings.Contains(string(text), `"retryAfter":3`) { // three thousand and some seconds
		b.Errorf("a field whose provider cannot be reached: %d %v %s", status, data, text)
	}
}

// wantProviderUnavailable opens a payment session, which must be refused as retryable.
func wantProviderUnavailable(b sandboxBuyer, checkout string) {
	status, body := b.openSession(checkout)
	text, _ := json.Marshal(body)
	if status != http.StatusServiceUnavailable || !strings.Contains(string(text), `"reason":"provider_unavailable"`) ||
		!strings.Contains(string(text), `"retryable":true`) {
		b.Errorf("a payment at a provider that does not answer: %d %s", status, text)
	}
}
