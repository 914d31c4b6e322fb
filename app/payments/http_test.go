package payments_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestCheckoutAndPaymentOverHTTP(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		w := paymentbed.NewWeb(b.Bed)
		const public, server = "/commerce", "/server/commerce"
		body := `{"cartId":"` + b.Cart(nil, "mug") + `","email":"Kim@Example.com","customer":{"name":"Kim","phone":"010"},"shippingAddress":{"recipientName":"Kim","postalCode":"06000","address1":"Gangnam"},"notes":"ring"}`
		k := paymentbed.Key()
		status, opened := w.Ask("POST", public+"/checkouts", body, "X-Client-Key", "pk", "X-Cart-Token", "ct_guest", "Idempotency-Key", k)
		if status != 201 || opened.Text("checkout.email") != "kim@example.com" || opened.Text("checkout.notes") != "ring" ||
			opened.Text("checkout.paymentSlot.held") != "false" {
			t.Fatalf("%d %v", status, opened)
		}
		if raw := opened.Text("raw"); strings.Contains(raw, "tokenHash") || strings.Contains(raw, "usageLimit") {
			t.Errorf("hidden fields show: %s", raw)
		}
		status, again := w.Ask("POST", public+"/checkouts", body, "X-Client-Key", "pk", "X-Cart-Token", "ct_guest",
			"Idempotency-Key", `"`+k+`"`)
		if status != 201 || again.Text("raw") != opened.Text("raw") || again.Text("replayed") != "true" {
			t.Errorf("a replay: %d %v", status, again)
		}
		id, token := opened.Text("checkout.id"), opened.Text("checkoutToken")
		shopper := []string{"X-Client-Key", "pk", "X-Checkout-Token", token}
		status, union := w.Ask("GET", public+"/checkouts/"+id, "", shopper...)
		if status != 200 || union.Text("status") != "open" || union.At("checkoutToken") != nil {
			t.Errorf("%d %v", status, union)
		}

		pay := `{"checkoutId":"` + id + `","successUrl":"https://shop.example/ok?a=1","failUrl":"http://127.0.0.1:3000/no"}`
		status, session := w.Ask("POST", public+"/payment-sessions", pay, append(shopper, "Idempotency-Key", paymentbed.Key())...)
		if status != 201 || session.Text("action.orderId") == "" || session.Text("paymentSession.amount.amount") != "15000" {
			t.Fatalf("%d %v", status, session)
		}
		status, union = w.Ask("GET", public+"/checkouts/"+id, "", shopper...)
		if status != 200 || union.Text("status") != "payment_pending" ||
			union.Text("paymentSession.id") != session.Text("paymentSession.id") {
			t.Errorf("%d %v", status, union)
		}
		status, held := w.Ask("POST", server+"/payment-sessions", pay, "X-API-Key", "sk", "Idempotency-Key", paymentbed.Key())
		if status != 200 || held.Text("paymentSession.id") != session.Text("paymentSession.id") {
			t.Errorf("the same action: %d %v", status, held)
		}
		confirm, _ := json.Marshal(map[string]any{
			"paymentKey": b.Approve(session, "approve"), "orderId": session.Text("action.orderId"),
			"amount": map[string]any{"amount": 15000, "currency": "KRW"},
		})
		path := "/payment-sessions/" + session.Text("paymentSession.id")
		if status, _ = w.Ask("POST", public+path+"/confirm", string(confirm), append(shopper, "Idempotency-Key", paymentbed.Key())...); status != 404 &&
			status != 405 {
			t.Errorf("a shopper confirms: %d", status)
		}
		status, done := w.Ask("POST", server+path+"/confirm", string(confirm), "X-API-Key", "sk", "Idempotency-Key", paymentbed.Key())
		if status != 200 || done.Text("order.status") != "paid" || done.Text("order.customerSnapshot.name") != "Kim" {
			t.Errorf("%d %v", status, done)
		}
		status, union = w.Ask("GET", public+"/checkouts/"+id, "", shopper...)
		if status != 200 || union.Text("status") != "completed" || union.Text("order.id") != done.Text("order.id") {
			t.Errorf("%d %v", status, union)
		}
		status, got := w.Ask("GET", public+path, "", shopper...)
		if status != 200 || got.Text("paymentSession.status") != "succeeded" {
			t.Errorf("%d %v", status, got)
		}
	})
}

func TestCheckoutAccess(t *testing.T) {
	b := newBed(t, shops.SQLite())
	w := paymentbed.NewWeb(b.Bed)
	opened := b.Checkout("mug")
	id := opened.Text("checkout.id")
	session := b.Pay(id).Text("paymentSession.id")
	_, missing := w.Ask("GET", "/server/commerce/checkouts/"+shops.NewID(), "", "X-API-Key", "sk", "X-Request-Id", "r")
	for name, c := range map[string]struct {
		method, path string
		headers      []string
		status       int
	}{
		"nobody":                     {"GET", "/commerce/checkouts/" + id, nil, 401},
		"a client key alone":         {"GET", "/commerce/checkouts/" + id, []string{"X-Client-Key", "pk"}, 401},
		"a client key creates":       {"POST", "/commerce/payment-sessions", []string{"X-Client-Key", "pk"}, 401},
		"a secret key in public":     {"GET", "/commerce/checkouts/" + id, []string{"X-API-Key", "sk"}, 403},
		"a client key at the server": {"GET", "/server/commerce/checkouts/" + id, []string{"X-Client-Key", "pk"}, 403},
		"a reading key writes":       {"POST", "/server/commerce/checkouts/" + id + "/complete", []string{"X-API-Key", "sk_reader"}, 403},
		"another shop":               {"GET", "/server/commerce/checkouts/" + id, []string{"X-API-Key", "sk_stranger"}, 404},
		"another environment":        {"GET", "/server/commerce/payment-sessions/" + session, []string{"X-API-Key", "sk_live"}, 404},
		"a wrong token":              {"GET", "/commerce/checkouts/" + id, []string{"X-Client-Key", "pk", "X-Checkout-Token", "co_x"}, 404},
		"a reading key reads":        {"GET", "/server/commerce/checkouts/" + id, []string{"X-API-Key", "sk_reader"}, 200},
	} {
		body := ""
		if c.method == "POST" {
			body = `{"checkoutId":"` + id + `","successUrl":"https://a.example","failUrl":"https://a.example"}`
		}
		if strings.HasSuffix(c.path, "/complete") {
			body = "{}"
		}
		status, answer := w.Ask(c.method, c.path, body, append(c.headers, "X-Request-Id", "r", "Idempotency-Key", paymentbed.Key())...)
		if status != c.status {
			t.Errorf("%s: %d %v", name, status, answer)
		}
		if status == 404 && answer.Text("raw") != missing.Text("raw") {
			t.Errorf("%s differs from the answer for a missing record: %s", name, answer.Text("raw"))
		}
	}
}

func TestCustomerChecksOutWithoutACartToken(t *testing.T) {
	b := newBed(t, shops.SQLite())
	w := paymentbed.NewWeb(b.Bed)
	kim := b.Create(identity.Customers, `{"email":"kim@shop.example","name":"Kim Min"}`)
	as := func(id string) []string {
		return []string{"X-Client-Key", "pk", "Authorization", "Bearer " + id, "X-Request-Id", "r", "Idempotency-Key", paymentbed.Key()}
	}
	status, opened := w.Ask("POST", "/server/commerce/checkouts",
		`{"cartId":"`+b.Cart(nil, "course")+`","customer":"`+kim+`"}`, "X-API-Key", "sk", "Idempotency-Key", paymentbed.Key())
	if status != 201 || opened.Text("checkout.customer") != kim || opened.Text("checkout.email") != "kim@shop.example" ||
		opened.Text("checkout.customerSnapshot.name") != "Kim Min" {
		t.Fatalf("%d %v", status, opened)
	}
	path := "/commerce/checkouts/" + opened.Text("checkout.id")
	if status, answer := w.Ask("GET", path, "", as(kim)...); status != 200 {
		t.Errorf("the owner: %d %v", status, answer)
	}
	if status, answer := w.Ask("GET", path, "", as(shops.NewID())...); status != 404 {
		t.Errorf("another customer: %d %v", status, answer)
	}
	status, answer := w.Ask("POST", "/commerce/payment-sessions",
		`{"checkoutId":"`+opened.Text("checkout.id")+`","successUrl":"https://a.example","failUrl":"https://a.example"}`, as(kim)...)
	if status != 201 {
		t.Errorf("the owner pays: %d %v", status, answer)
	}
	guests := `{"cartId":"` + b.Cart(nil, "course") + `","email":"a@b.kr"}`
	if status, answer = w.Ask("POST", "/commerce/checkouts", guests, as(kim)...); status != 404 {
		t.Errorf("a guest's cart without its token: %d %v", status, answer)
	}
	if status, answer = w.Ask("POST", "/commerce/checkouts", guests, append(as(kim), "X-Cart-Token", "ct_guest")...); status != 201 ||
		answer.Text("checkout.customer") != kim {
		t.Errorf("a guest's cart with its token: %d %v", status, answer)
	}
	_, answer = w.Ask("POST", "/server/commerce/checkouts",
		`{"cartId":"`+b.Cart(nil, "course")+`","email":"a@b.kr","customer":"`+shops.NewID()+`"}`, "X-API-Key", "sk", "Idempotency-Key",
		paymentbed.Key())
	if answer.Reason() != "validation_failed" {
		t.Errorf("a customer who is not there: %v", answer)
	}
}

func TestBadRequestsChangeNothing(t *testing.T) {
	b := newBed(t, shops.SQLite())
	w := paymentbed.NewWeb(b.Bed)
	cartID := b.Cart(nil, "mug")
	id := b.Checkout("mug").Text("checkout.id")
	urls := func(success string) string {
		return `{"checkoutId":"` + id + `","failUrl":"https://a.example","successUrl":"` + success + `"}`
	}
	for name, c := range map[string]struct {
		path, body, key, reason string
		status                  int
	}{
		"no key":        {"/checkouts", `{"cartId":"` + cartID + `","email":"a@b.kr"}`, "", "idempotency_key_required", 400},
		"a derived key": {"/checkouts", `{"cartId":"` + cartID + `","email":"a@b.kr"}`, "ik_" + cartID, "idempotency_key_derived", 400},
		"an unknown field": {
			"/checkouts", `{"cartId":"` + cartID + `","email":"a@b.kr","price":1}`, paymentbed.Key(), "validation_failed", 400,
		},
		"no cart":  {"/checkouts", `{"email":"a@b.kr"}`, paymentbed.Key(), "validation_failed", 400},
		"no email": {"/checkouts", `{"cartId":"` + cartID + `"}`, paymentbed.Key(), "validation_failed", 400},
		"half an address": {
			"/checkouts", `{"cartId":"` + cartID + `","email":"a@b.kr","shippingAddress":{"postalCode":"06000"}}`, paymentbed.Key(),
			"validation_failed", 400,
		},
		"an old revision": {
			"/checkouts", `{"cartId":"` + cartID + `","email":"a@b.kr","expectedRevision":7}`, paymentbed.Key(), "cart_revision_conflict",
			409,
		},
		"plain http":        {"/payment-sessions", urls("http://a.example"), paymentbed.Key(), "validation_failed", 400},
		"a user in the URL": {"/payment-sessions", urls("https://a@b.example"), paymentbed.Key(), "validation_failed", 400},
		"javascript":        {"/payment-sessions", urls("javascript:alert(1)"), paymentbed.Key(), "validation_failed", 400},
		"a line break":      {"/payment-sessions", urls(`https://a.example/\n`), paymentbed.Key(), "validation_failed", 400},
		"no URL":            {"/payment-sessions", `{"checkoutId":"` + id + `"}`, paymentbed.Key(), "validation_failed", 400},
		"no such connection": {
			"/payment-sessions", strings.Replace(urls("https://a.example"), "{", `{"connectionId":"`+shops.NewID()+`",`, 1),
			paymentbed.Key(), "provider_not_configured", 422,
		},
		"an amount as a text": {
			"/payment-sessions/" + id + "/confirm", `{"paymentKey":"k","orderId":"o","amount":{"amount":"1","currency":"KRW"}}`,
			paymentbed.Key(), "validation_failed", 400,
		},
		"half a won": {
			"/payment-sessions/" + id + "/confirm", `{"paymentKey":"k","orderId":"o","amount":{"amount":0.5,"currency":"KRW"}}`,
			paymentbed.Key(), "validation_failed", 400,
		},
		"a note-less release": {"/payment-sessions/" + id + "/release", `{}`, paymentbed.Key(), "validation_failed", 400},
	} {
		headers := []string{"X-API-Key", "sk"}
		if c.key != "" {
			headers = append(headers, "Idempotency-Key", c.key)
		}
		status, answer := w.Ask("POST", "/server/commerce"+c.path, c.body, headers...)
		if status != c.status || answer.Reason() != c.reason {
			t.Errorf("%s: %d %v", name, status, answer)
		}
	}
	if l := b.Level("mug"); l.Reserved != 0 {
		t.Errorf("%+v", l)
	}
}

// Of many concurrent buyers one makes the stock low: there is one event for the operators.
func TestConcurrentOrdersEmitOneLowStockEvent(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		w := paymentbed.NewWeb(b.Bed)
		variant := b.Get(catalog.Variants, b.Variants["lamp"])
		b.Atomically(func(ctx context.Context, tx ports.Tx) error {
			_, err := (records.InTransaction{Service: b.Records}).Update(ctx, tx, b.Owner(), catalog.Products, variant.Text("product"),
				map[string]any{"lowStockThreshold": collection.JSONNumber("10")})
			return err
		})
		before := b.Get(catalog.Products, variant.Text("product"))
		checkouts := make([]string, 40)
		for i := range checkouts {
			checkouts[i] = b.Checkout("lamp").Text("checkout.id")
		}
		var won atomic.Int64
		shops.Concurrently(len(checkouts), func(i int) {
			pay := `{"checkoutId":"` + checkouts[i] + `","successUrl":"https://shop.example/ok","failUrl":"https://shop.example/no"}`
			switch status, said := w.Ask("POST", "/server/commerce/payment-sessions",
				pay, "X-API-Key", "sk", "Idempotency-Key", paymentbed.Key()); {
			case status == 201:
				won.Add(1)
			case said.Reason() != "out_of_stock":
				t.Errorf("%d %v", status, said)
			}
		})
		after := b.Get(catalog.Products, variant.Text("product"))
		if won.Load() != 30 || after.Sequence() != before.Sequence()+1 || !catalog.LowStock(after, tenant.Test) ||
			catalog.LowStock(after, tenant.Live) || catalog.LowStock(before, tenant.Test) {
			t.Errorf("%d won; it changed %d times, low: %v", won.Load(), after.Sequence()-before.Sequence(), after)
		}
		if got := b.Get(catalog.Variants, variant.ID()); got.Sequence() != variant.Sequence() {
			t.Errorf("the variant has no threshold: %v", got)
		}
	})
}
