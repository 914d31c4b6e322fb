package buying_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/rest"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// door knows two credentials of one shop, and a stranger's.
type door struct{ b *bed }

func (d door) Authenticate(_ context.Context, c access.Credentials) (tenant.Principal, error) {
	p := tenant.Principal{Tenant: d.b.shop, Environment: tenant.Test, CanRead: true, CanWrite: true, ID: "k", Kind: tenant.Anonymous}
	switch {
	case c.APIKey == "sk":
		p.Kind = tenant.SecretKey
	case c.APIKey == "sk_stranger":
		p.Kind, p.Tenant.ID = tenant.SecretKey, "stranger"
	case c.APIKey == "sk_live":
		p.Kind, p.Environment = tenant.SecretKey, tenant.Live
	case c.APIKey == "sk_reader":
		p.Kind, p.CanWrite = tenant.SecretKey, false
	case c.Bearer != "":
		p.Kind, p.ID = tenant.Customer, c.Bearer
	case c.ClientKey == "pk":
		p.Kind = tenant.ClientKey
	}
	return p, nil
}

type web struct {
	b   *bed
	app *fiber.App
}

func (w web) do(r *http.Request) (*http.Response, error) { return w.app.Test(r, -1) }

func (w web) ask(method, path, body string, headers ...string) (int, said) {
	w.b.t.Helper()
	status, s := shops.Ask(w.b.t, w.do, method, path, body, headers...)
	return status, said(s)
}

func newWeb(b *bed) web {
	return web{b, rest.New(rest.Options{
		Log: slog.New(slog.DiscardHandler), Access: door{b}, NewID: shops.NewID, Now: b.now,
		Areas: []rest.Area{rest.Operations(slices.Concat(operation.Checkouts(b.Buying), operation.Payments(b.Buying), operation.Returns(returnsOf(b.Buying)))), rest.Webhooks{Hear: b.Hear}},
	})}
}

func TestBuyingOverHTTP(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		w := newWeb(b)
		const public, server = "/commerce", "/server/commerce"
		body := `{"cartId":"` + b.cart(nil, "mug") + `","email":"Kim@Example.com","customer":{"name":"Kim","phone":"010"},"shippingAddress":{"recipientName":"Kim","postalCode":"06000","address1":"Gangnam"},"notes":"ring"}`
		k := key()
		status, opened := w.ask("POST", public+"/checkouts", body, "X-Client-Key", "pk", "X-Cart-Token", "ct_guest", "Idempotency-Key", k)
		if status != 201 || opened.text("checkout.email") != "kim@example.com" || opened.text("checkout.notes") != "ring" || opened.text("checkout.paymentSlot.held") != "false" {
			t.Fatalf("%d %v", status, opened)
		}
		if raw := opened.text("raw"); strings.Contains(raw, "tokenHash") || strings.Contains(raw, "usageLimit") {
			t.Errorf("hidden fields show: %s", raw)
		}
		status, again := w.ask("POST", public+"/checkouts", body, "X-Client-Key", "pk", "X-Cart-Token", "ct_guest", "Idempotency-Key", `"`+k+`"`)
		if status != 201 || again.text("raw") != opened.text("raw") || again.text("replayed") != "true" {
			t.Errorf("a replay: %d %v", status, again)
		}
		id, token := opened.text("checkout.id"), opened.text("checkoutToken")
		shopper := []string{"X-Client-Key", "pk", "X-Checkout-Token", token}
		status, union := w.ask("GET", public+"/checkouts/"+id, "", shopper...)
		if status != 200 || union.text("status") != "open" || union.at("checkoutToken") != nil {
			t.Errorf("%d %v", status, union)
		}

		pay := `{"checkoutId":"` + id + `","successUrl":"https://shop.example/ok?a=1","failUrl":"http://127.0.0.1:3000/no"}`
		status, session := w.ask("POST", public+"/payment-sessions", pay, append(shopper, "Idempotency-Key", key())...)
		if status != 201 || session.text("action.orderId") == "" || session.text("paymentSession.amount.amount") != "15000" {
			t.Fatalf("%d %v", status, session)
		}
		status, union = w.ask("GET", public+"/checkouts/"+id, "", shopper...)
		if status != 200 || union.text("status") != "payment_pending" || union.text("paymentSession.id") != session.text("paymentSession.id") {
			t.Errorf("%d %v", status, union)
		}
		status, held := w.ask("POST", server+"/payment-sessions", pay, "X-API-Key", "sk", "Idempotency-Key", key())
		if status != 200 || held.text("paymentSession.id") != session.text("paymentSession.id") {
			t.Errorf("the same action: %d %v", status, held)
		}
		confirm, _ := json.Marshal(map[string]any{
			"paymentKey": b.approve(session, "approve"), "orderId": session.text("action.orderId"), "amount": map[string]any{"amount": 15000, "currency": "KRW"},
		})
		path := "/payment-sessions/" + session.text("paymentSession.id")
		if status, _ = w.ask("POST", public+path+"/confirm", string(confirm), append(shopper, "Idempotency-Key", key())...); status != 404 && status != 405 {
			t.Errorf("a shopper confirms: %d", status)
		}
		status, done := w.ask("POST", server+path+"/confirm", string(confirm), "X-API-Key", "sk", "Idempotency-Key", key())
		if status != 200 || done.text("order.status") != "paid" || done.text("order.customerSnapshot.name") != "Kim" {
			t.Errorf("%d %v", status, done)
		}
		status, union = w.ask("GET", public+"/checkouts/"+id, "", shopper...)
		if status != 200 || union.text("status") != "completed" || union.text("order.id") != done.text("order.id") {
			t.Errorf("%d %v", status, union)
		}
		status, got := w.ask("GET", public+path, "", shopper...)
		if status != 200 || got.text("paymentSession.status") != "succeeded" {
			t.Errorf("%d %v", status, got)
		}
	})
}

func TestWhoMayBuy(t *testing.T) {
	b := newBed(t, shops.SQLite())
	w := newWeb(b)
	opened := b.checkout("mug")
	id := opened.text("checkout.id")
	session := b.pay(id).text("paymentSession.id")
	_, missing := w.ask("GET", "/server/commerce/checkouts/"+shops.NewID(), "", "X-API-Key", "sk", "X-Request-Id", "r")
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
		status, answer := w.ask(c.method, c.path, body, append(c.headers, "X-Request-Id", "r", "Idempotency-Key", key())...)
		if status != c.status {
			t.Errorf("%s: %d %v", name, status, answer)
		}
		if status == 404 && answer.text("raw") != missing.text("raw") {
			t.Errorf("%s tells more than that nothing is there: %s", name, answer.text("raw"))
		}
	}
}

func TestACustomerBuysWithoutATokenOfTheCart(t *testing.T) {
	b := newBed(t, shops.SQLite())
	w := newWeb(b)
	kim := b.create(identity.Customers, `{"email":"kim@shop.example","name":"Kim Min"}`)
	as := func(id string) []string {
		return []string{"X-Client-Key", "pk", "Authorization", "Bearer " + id, "X-Request-Id", "r", "Idempotency-Key", key()}
	}
	status, opened := w.ask("POST", "/server/commerce/checkouts", `{"cartId":"`+b.cart(nil, "course")+`","customer":"`+kim+`"}`, "X-API-Key", "sk", "Idempotency-Key", key())
	if status != 201 || opened.text("checkout.customer") != kim || opened.text("checkout.email") != "kim@shop.example" || opened.text("checkout.customerSnapshot.name") != "Kim Min" {
		t.Fatalf("%d %v", status, opened)
	}
	path := "/commerce/checkouts/" + opened.text("checkout.id")
	if status, answer := w.ask("GET", path, "", as(kim)...); status != 200 {
		t.Errorf("the owner: %d %v", status, answer)
	}
	if status, answer := w.ask("GET", path, "", as(shops.NewID())...); status != 404 {
		t.Errorf("another customer: %d %v", status, answer)
	}
	status, answer := w.ask("POST", "/commerce/payment-sessions", `{"checkoutId":"`+opened.text("checkout.id")+`","successUrl":"https://a.example","failUrl":"https://a.example"}`, as(kim)...)
	if status != 201 {
		t.Errorf("the owner pays: %d %v", status, answer)
	}
	guests := `{"cartId":"` + b.cart(nil, "course") + `","email":"a@b.kr"}`
	if status, answer = w.ask("POST", "/commerce/checkouts", guests, as(kim)...); status != 404 {
		t.Errorf("a guest's cart without its token: %d %v", status, answer)
	}
	if status, answer = w.ask("POST", "/commerce/checkouts", guests, append(as(kim), "X-Cart-Token", "ct_guest")...); status != 201 || answer.text("checkout.customer") != kim {
		t.Errorf("a guest's cart with its token: %d %v", status, answer)
	}
	_, answer = w.ask("POST", "/server/commerce/checkouts", `{"cartId":"`+b.cart(nil, "course")+`","email":"a@b.kr","customer":"`+shops.NewID()+`"}`, "X-API-Key", "sk", "Idempotency-Key", key())
	if answer.reason() != "validation_failed" {
		t.Errorf("a customer who is not there: %v", answer)
	}
}

func TestBadRequestsChangeNothing(t *testing.T) {
	b := newBed(t, shops.SQLite())
	w := newWeb(b)
	cartID := b.cart(nil, "mug")
	id := b.checkout("mug").text("checkout.id")
	urls := func(success string) string {
		return `{"checkoutId":"` + id + `","failUrl":"https://a.example","successUrl":"` + success + `"}`
	}
	for name, c := range map[string]struct {
		path, body, key, reason string
		status                  int
	}{
		"no key":              {"/checkouts", `{"cartId":"` + cartID + `","email":"a@b.kr"}`, "", "idempotency_key_required", 400},
		"a derived key":       {"/checkouts", `{"cartId":"` + cartID + `","email":"a@b.kr"}`, "ik_" + cartID, "idempotency_key_derived", 400},
		"an unknown field":    {"/checkouts", `{"cartId":"` + cartID + `","email":"a@b.kr","price":1}`, key(), "validation_failed", 400},
		"no cart":             {"/checkouts", `{"email":"a@b.kr"}`, key(), "validation_failed", 400},
		"no email":            {"/checkouts", `{"cartId":"` + cartID + `"}`, key(), "validation_failed", 400},
		"half an address":     {"/checkouts", `{"cartId":"` + cartID + `","email":"a@b.kr","shippingAddress":{"postalCode":"06000"}}`, key(), "validation_failed", 400},
		"an old revision":     {"/checkouts", `{"cartId":"` + cartID + `","email":"a@b.kr","expectedRevision":7}`, key(), "cart_revision_conflict", 409},
		"plain http":          {"/payment-sessions", urls("http://a.example"), key(), "validation_failed", 400},
		"a user in the URL":   {"/payment-sessions", urls("https://a@b.example"), key(), "validation_failed", 400},
		"javascript":          {"/payment-sessions", urls("javascript:alert(1)"), key(), "validation_failed", 400},
		"a line break":        {"/payment-sessions", urls(`https://a.example/\n`), key(), "validation_failed", 400},
		"no URL":              {"/payment-sessions", `{"checkoutId":"` + id + `"}`, key(), "validation_failed", 400},
		"no such connection":  {"/payment-sessions", strings.Replace(urls("https://a.example"), "{", `{"connectionId":"`+shops.NewID()+`",`, 1), key(), "provider_not_configured", 422},
		"an amount as a text": {"/payment-sessions/" + id + "/confirm", `{"paymentKey":"k","orderId":"o","amount":{"amount":"1","currency":"KRW"}}`, key(), "validation_failed", 400},
		"half a won":          {"/payment-sessions/" + id + "/confirm", `{"paymentKey":"k","orderId":"o","amount":{"amount":0.5,"currency":"KRW"}}`, key(), "validation_failed", 400},
		"a note-less release": {"/payment-sessions/" + id + "/release", `{}`, key(), "validation_failed", 400},
	} {
		headers := []string{"X-API-Key", "sk"}
		if c.key != "" {
			headers = append(headers, "Idempotency-Key", c.key)
		}
		status, answer := w.ask("POST", "/server/commerce"+c.path, c.body, headers...)
		if status != c.status || answer.reason() != c.reason {
			t.Errorf("%s: %d %v", name, status, answer)
		}
	}
	if l := b.level("mug"); l.Reserved != 0 {
		t.Errorf("%+v", l)
	}
}

// Of many buyers at once, one makes the stock low: the product changes once, and says so to its operators.
func TestBuyersAtOnceMakeStockLowOnce(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		w := newWeb(b)
		variant := b.get(catalog.Variants, b.variants["lamp"])
		b.atomically(func(ctx context.Context, tx ports.Tx) error {
			_, err := (content.Within{Content: b.content}).Update(ctx, tx, b.owner(), catalog.Products, variant.Text("product"), map[string]any{"lowStockThreshold": collection.Numeral("10")})
			return err
		})
		before := b.get(catalog.Products, variant.Text("product"))
		checkouts := make([]string, 40)
		for i := range checkouts {
			checkouts[i] = b.checkout("lamp").text("checkout.id")
		}
		var won atomic.Int64
		shops.Together(len(checkouts), func(i int) {
			pay := `{"checkoutId":"` + checkouts[i] + `","successUrl":"https://shop.example/ok","failUrl":"https://shop.example/no"}`
			switch status, said := w.ask("POST", "/server/commerce/payment-sessions", pay, "X-API-Key", "sk", "Idempotency-Key", key()); {
			case status == 201:
				won.Add(1)
			case said.reason() != "out_of_stock":
				t.Errorf("%d %v", status, said)
			}
		})
		after := b.get(catalog.Products, variant.Text("product"))
		if won.Load() != 30 || after.Sequence() != before.Sequence()+1 || !catalog.Low(after, tenant.Test) || catalog.Low(after, tenant.Live) || catalog.Low(before, tenant.Test) {
			t.Errorf("%d won; it changed %d times, low: %v", won.Load(), after.Sequence()-before.Sequence(), after)
		}
		if got := b.get(catalog.Variants, variant.ID()); got.Sequence() != variant.Sequence() {
			t.Errorf("the variant has no threshold: %v", got)
		}
	})
}
