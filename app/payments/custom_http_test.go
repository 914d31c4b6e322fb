package payments_test

import (
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
)

const bridge = "/server/commerce/payment-sessions/custom"

func TestCustomSessionsOverHTTP(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		w := paymentbed.NewWeb(b.Bed)
		id := b.Checkout("mug").Text("checkout.id")
		open := `{"checkoutId":"` + id + `","providerSessionId":"ps-1","providerName":"Corner Bank"}`
		k := paymentbed.Key()
		status, opened := w.Ask("POST", bridge, open, "X-API-Key", "sk", "Idempotency-Key", k)
		if status != 201 || opened.Text("paymentSession.providerSessionId") != "ps-1" || opened.At("action") != nil {
			t.Fatalf("%d %v", status, opened)
		}
		if status, again := w.Ask("POST", bridge, open, "X-API-Key", "sk", "Idempotency-Key", k); status != 201 ||
			again.Text("raw") != opened.Text("raw") || again.Text("replayed") != "true" {
			t.Errorf("the same key: %d %v", status, again)
		}
		if status, again := w.Ask("POST", bridge, open, "X-API-Key", "sk", "Idempotency-Key", paymentbed.Key()); status != 200 ||
			again.Text("paymentSession.id") != opened.Text("paymentSession.id") {
			t.Errorf("another key: %d %v", status, again)
		}
		if status, got := w.Ask("GET", bridge+"?providerSessionId=ps-1", "", "X-API-Key", "sk_reader"); status != 200 ||
			got.Text("raw") != `{"amount":{"amount":15000,"currency":"KRW"},"orderId":null,"status":"pending"}` {
			t.Errorf("%d %v", status, got)
		}
		told := `{"providerSessionId":"ps-1","providerPaymentId":"pay-1","eventId":"evt-1","captured":{"amount":15000,"currency":"KRW"}}`
		status, got := w.Ask("POST", bridge+"/confirm", strings.Replace(told, "15000", "14999", 1), "X-API-Key", "sk",
			"Idempotency-Key", k+"x")
		if status != 409 || got.Reason() != "payment_amount_mismatch" {
			t.Errorf("another amount: %d %v", status, got)
		}
		status, done := w.Ask("POST", bridge+"/confirm", told, "X-API-Key", "sk", "Idempotency-Key", k+"x") // nothing happened under it
		if status != 200 || done.Text("order.status") != "paid" || done.Text("checkout.status") != "completed" {
			t.Fatalf("%d %v", status, done)
		}
		if status, got := w.Ask("GET", bridge+"?providerPaymentId=pay-1", "", "X-API-Key", "sk"); status != 200 ||
			got.Text("orderId") != done.Text("order.id") {
			t.Errorf("%d %v", status, got)
		}
	})
}

// asked is a request that must be refused.
type asked struct {
	method, path, body string
	headers            []string
	status             int
}

func TestCustomAndReconcileAccess(t *testing.T) {
	b := newBed(t, shops.SQLite())
	w := paymentbed.NewWeb(b.Bed)
	opened := b.Checkout("mug")
	b.CustomSession(opened.Text("checkout.id"), "ps-1")
	shopper := []string{"X-Client-Key", "pk", "X-Checkout-Token", opened.Text("checkoutToken")}
	fresh := b.Checkout("mug").Text("checkout.id")
	open := `{"checkoutId":"` + fresh + `","providerSessionId":"ps-2","providerName":"Corner Bank"}`
	told := `{"providerSessionId":"ps-1","providerPaymentId":"pay-1","eventId":"evt-1","captured":{"amount":15000,"currency":"KRW"}}`
	const found = "accountKey=a&environment=test&providerPaymentId=p"
	const reconciled = `{"accountKey":"a","environment":"test","providerPaymentId":"p"}`
	const find, reconcile = "/server/commerce/payment-sessions/aggregator/find?", "/server/commerce/payment-sessions/aggregator/reconcile"
	secret := []string{"X-API-Key", "sk"}
	for name, c := range map[string]asked{
		"a shopper opens":               {"POST", "/commerce/payment-sessions/custom", open, shopper, 405},
		"a shopper confirms":            {"POST", "/commerce/payment-sessions/custom/confirm", told, shopper, 404},
		"a shopper reads":               {"GET", "/commerce/payment-sessions/custom?providerSessionId=ps-1", "", shopper, 404},
		"a shopper finds":               {"GET", "/commerce/payment-sessions/aggregator/find?" + found, "", shopper, 404},
		"a shopper reconciles":          {"POST", "/commerce/payment-sessions/aggregator/reconcile", reconciled, shopper, 405},
		"a shopper at the server":       {"POST", bridge, open, shopper, 403},
		"a shopper confirms there":      {"POST", bridge + "/confirm", told, shopper, 403},
		"a shopper reads there":         {"GET", bridge + "?providerSessionId=ps-1", "", shopper, 403},
		"a shopper finds there":         {"GET", find + found, "", shopper, 403},
		"a shopper reconciles there":    {"POST", reconcile, reconciled, shopper, 403},
		"a reading key opens":           {"POST", bridge, open, []string{"X-API-Key", "sk_reader"}, 403},
		"a reading key confirms":        {"POST", bridge + "/confirm", told, []string{"X-API-Key", "sk_reader"}, 403},
		"a reading key reconciles":      {"POST", reconcile, reconciled, []string{"X-API-Key", "sk_reader"}, 403},
		"a reading key finds":           {"GET", find + found, "", []string{"X-API-Key", "sk_reader"}, 200},
		"a live key finds in test":      {"GET", find + found, "", []string{"X-API-Key", "sk_live"}, 403},
		"a live key reconciles in test": {"POST", reconcile, reconciled, []string{"X-API-Key", "sk_live"}, 403},
		"a live key confirms":           {"POST", bridge + "/confirm", told, []string{"X-API-Key", "sk_live"}, 404},
		"a live key reads":              {"GET", bridge + "?providerSessionId=ps-1", "", []string{"X-API-Key", "sk_live"}, 404},
		"another shop confirms":         {"POST", bridge + "/confirm", told, []string{"X-API-Key", "sk_stranger"}, 404},
		"another shop opens":            {"POST", bridge, open, []string{"X-API-Key", "sk_stranger"}, 404},
		"another shop reads":            {"GET", bridge + "?providerSessionId=ps-1", "", []string{"X-API-Key", "sk_stranger"}, 404},
		"neither identity":              {"GET", bridge, "", secret, 400},
		"both identities":               {"GET", bridge + "?providerSessionId=ps-1&providerPaymentId=pay-1", "", secret, 400},
		"half a body":                   {"POST", bridge + "/confirm", `{"providerSessionId":"ps-1"}`, secret, 400},
		"an amount as a text":           {"POST", bridge + "/confirm", strings.Replace(told, "15000", `"15000"`, 1), secret, 400},
		"half a won":                    {"POST", bridge + "/confirm", strings.Replace(told, "15000", "15000.5", 1), secret, 400},
		"no such currency":              {"POST", bridge + "/confirm", strings.Replace(told, "KRW", "ABC", 1), secret, 400},
		"a field of its own":            {"POST", bridge + "/confirm", strings.Replace(told, "{", `{"orderId":"o",`, 1), secret, 400},
		"no environment":                {"GET", find + "accountKey=a&providerPaymentId=p", "", secret, 400},
		"an environment of its own":     {"GET", find + "accountKey=a&environment=staging&providerPaymentId=p", "", secret, 400},
		"no account":                    {"POST", reconcile, `{"environment":"test","providerPaymentId":"p"}`, secret, 400},
		"a list of payments": {
			"POST", reconcile, `{"accountKey":"a","environment":"test","providerPaymentId":["p"]}`, secret, 400,
		},
	} {
		status, answer := w.Ask(c.method, c.path, c.body, append(c.headers, "Idempotency-Key", paymentbed.Key())...)
		if status != c.status {
			t.Errorf("%s: %d %v", name, status, answer.Text("raw"))
		}
	}
	for _, path := range []string{bridge, bridge + "/confirm", reconcile} {
		body := map[string]string{bridge: open, bridge + "/confirm": told, reconcile: reconciled}[path]
		if status, answer := w.Ask("POST", path, body, secret...); status != 400 || answer.Reason() != "idempotency_key_required" {
			t.Errorf("%s without a key: %d %v", path, status, answer)
		}
	}
	if s := b.All(payment.Sessions); len(s) != 1 || s[0].Text("status") != "pending" || len(b.All(order.Schema)) != 0 {
		t.Errorf("%v", s)
	}
}
