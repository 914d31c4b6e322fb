package main

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment/toss/tossfake"
)

const (
	tossMID    = "tvivarepublica"
	tossSecret = "test_gsk_docs_OaPz8L5KdmQXkzRz3y47BMw6"
)

// tossShop is a shop that takes payments with the widget of Toss, through the whole server.
type tossShop struct {
	*providerShop

	toss *tossfake.Toss
}

// tossSession is a payment session with what the browser got for it.
type tossSession struct{ session, order string }

func TestTossPaymentsEndToEnd(t *testing.T) {
	t.Parallel()
	onBothDatabases(t, newTossShop, map[string]func(*tossShop){
		"a buyer pays": (*tossShop).pays, "a buyer is declined and tries again": (*tossShop).isDeclined, "the answer to a confirm is lost": (*tossShop).losesAnswer,
		"somebody confirmed before": (*tossShop).wasProcessed, "the bank says not now": (*tossShop).retriesTransientRefusal, "a deposit comes later": (*tossShop).deposits,
		"webhooks that lie": (*tossShop).ignoresForgedWebhook, "a canceled account takes no deposit": (*tossShop).cancels,
		"somebody refunds in the console": (*tossShop).refundInTossConsole,
	})
}

func newTossShop(t *testing.T, database string) *tossShop {
	t.Helper()
	x := &tossShop{&providerShop{accounts: map[string]string{}}, tossfake.New(map[string]string{tossSecret: tossMID})}
	c := testDefaults()
	c.Address, c.Data, c.Database = "127.0.0.1:0", t.TempDir(), database
	server := httptest.NewServer(x.toss)
	t.Cleanup(server.Close)
	c.TossURL = server.URL
	x.refusalFixture = &refusalFixture{T: t, server: startServer(t, c, time.Now, slog.New(slog.DiscardHandler))}
	x.secret = "X-API-Key: " + x.server.NewCredentials.TestSecretKey
	x.accounts["toss"] = text(x.must("POST", "/provider-connections", object{
		"name": "Toss", "provider": "toss", "accountKey": tossMID, "environment": "test",
		"credentials": object{"clientKey": "test_gck_docs_Ovk5rk1EwkEbP0W43n07xlzm", "secretKey": tossSecret},
	}, x.secret)["doc"].(object), "id")
	product := text(x.must("POST", "/products", object{"name": "Tea", "status": "published", "price": 15000, "variants": []any{object{"title": "One", "stock": 100, "kind": "digital"}}}, x.secret)["doc"].(object), "id")
	x.variant = text(x.must("GET", "/product-variants?where[product][equals]="+product, nil, x.secret)["docs"].([]any)[0].(object), "id")
	return x
}

// open checks a new cart out and opens the widget.
func (x *tossShop) open() tossSession {
	x.Helper()
	x.checkOut()
	answer := x.must("POST", "/commerce/payment-sessions", object{
		"checkoutId": x.id, "connectionId": x.accounts["toss"], "successUrl": "https://shop.example/ok", "failUrl": "https://shop.example/no",
	}, x.token, "X-Client-Key: "+x.server.NewCredentials.TestClientKey)
	act := answer["action"].(object)
	if act["type"] != "widget" || act["provider"] != "toss" || act["clientKey"] != "test_gck_docs_Ovk5rk1EwkEbP0W43n07xlzm" {
		x.Errorf("%v", act)
	}
	return tossSession{text(answer["paymentSession"].(object), "id"), text(act, "orderId")}
}

// approve is the buyer who approves in the widget.
func (x *tossShop) approve(o tossSession) *tossfake.Payment {
	return x.toss.Approve(tossMID, o.order, "15000", "KRW")
}

// confirm is the shop's server confirming, under a key.
func (x *tossShop) confirm(o tossSession, paymentKey, key string) (int, object) {
	x.Helper()
	body, _ := json.Marshal(object{"paymentKey": paymentKey, "orderId": o.order, "amount": object{"amount": 15000, "currency": "KRW"}})
	return requestJSON(x.T, "POST", x.server.BaseURL+"/api/server/commerce/payment-sessions/"+o.session+"/confirm", string(body), x.secret, "Idempotency-Key: "+key)
}

func (x *tossShop) captures() (n int) {
	x.toss.Locked(func() { n = x.toss.ConfirmCount })
	return n
}

// receiveWebhook delivers a webhook of Toss, which does it again when it came too soon after another one: none of them is signed.
func (x *tossShop) receiveWebhook(body string) {
	x.Helper()
	again := time.NewTicker(100 * time.Millisecond)
	defer again.Stop()
	for began := time.Now(); time.Since(began) < patience; <-again.C {
		status, said := requestJSON(x.T, "POST", x.server.BaseURL+"/api/providers/"+x.accounts["toss"]+"/webhook", body)
		if status == http.StatusOK {
			return
		}
		if status != http.StatusServiceUnavailable {
			x.Fatalf("%d %v", status, said)
		}
	}
	x.Error("it was never heard")
}

// wants asserts what became of the checkout, and that an order, if any, is one and is paid.
func (x *tossShop) wants(status string) {
	x.Helper()
	got := x.must("GET", "/server/commerce/checkouts/"+x.id, nil, x.secret)
	found := x.must("GET", "/orders?where[checkout][equals]="+x.id, nil, x.secret)
	orders := 0.0
	if status == "completed" {
		orders = 1
	}
	if got["status"] != status || found["totalDocs"] != orders {
		x.Errorf("the checkout is %v, with %v orders", got["status"], found["totalDocs"])
	}
	if order, _ := got["order"].(object); orders == 1 && (order["paymentStatus"] != "paid" || order["totalAmount"] != 15000.0) {
		x.Errorf("%v", order)
	}
}

func (x *tossShop) pays() {
	o := x.open()
	p := x.approve(o)
	x.wants("payment_pending")
	status, done := x.confirm(o, p.PaymentKey, x.key())
	if status != http.StatusOK || done["order"].(object)["status"] != "paid" {
		x.Fatalf("%d %v", status, done)
	}
	x.wants("completed")
	before := x.captures()
	if status, _ := x.confirm(o, p.PaymentKey, x.key()); status != http.StatusOK || x.captures() != before {
		x.Errorf("confirmed again: %d", status)
	}
}

func (x *tossShop) isDeclined() {
	o := x.open()
	p := x.approve(o)
	x.toss.SetStatus(p, "ABORTED")
	status, answer := x.confirm(o, p.PaymentKey, x.key())
	x.wantRefusal("provider_rejected", status, answer)
	x.wants("payment_pending")
	again := x.approve(o)
	if status, answer := x.confirm(o, again.PaymentKey, x.key()); status != http.StatusOK {
		x.Errorf("%d %v", status, answer)
	}
	x.wants("completed")
}

func (x *tossShop) losesAnswer() {
	o := x.open()
	p := x.approve(o)
	x.toss.Locked(func() { x.toss.LoseResponses = 1 })
	before := x.captures()
	if status, answer := x.confirm(o, p.PaymentKey, x.key()); status != http.StatusOK || x.captures() != before+1 {
		x.Errorf("%d %v", status, answer)
	}
	x.wants("completed")
}

func (x *tossShop) wasProcessed() {
	o := x.open()
	p := x.approve(o)
	x.toss.SetStatus(p, "DONE")
	before := x.captures()
	if status, answer := x.confirm(o, p.PaymentKey, x.key()); status != http.StatusOK || x.captures() != before {
		x.Errorf("%d %v", status, answer)
	}
	x.wants("completed")
}

// retriesTransientRefusal is a refusal that may pass: the same key asks again, and Toss listens though it repeats its answers.
func (x *tossShop) retriesTransientRefusal() {
	o := x.open()
	p := x.approve(o)
	no := tossfake.ErrorResponse(http.StatusBadRequest, "PROVIDER_ERROR")
	x.toss.Locked(func() { x.toss.NextResponse = &no })
	key := x.key()
	status, answer := x.confirm(o, p.PaymentKey, key)
	x.wantRefusal("provider_unavailable", status, answer)
	x.wants("payment_pending")
	if status, answer := x.confirm(o, p.PaymentKey, key); status != http.StatusOK {
		x.Errorf("%d %v", status, answer)
	}
	x.wants("completed")
}

// deposits is a buyer who gets an account to pay into: there is no order before the money is there, and one after, however
// often and in whatever order Toss tells of it.
func (x *tossShop) deposits() {
	o := x.open()
	p := x.approve(o)
	x.toss.Locked(func() { p.Secret = "ps_secret_of_the_account" })
	status, answer := x.confirm(o, p.PaymentKey, x.key())
	x.wantRefusal("payment_not_completed", status, answer)
	x.receiveWebhook(p.StatusChangedWebhook())
	x.wants("payment_pending")
	x.toss.SetStatus(p, "DONE")
	first, second := p.DepositCallback(), p.StatusChangedWebhook()
	x.receiveWebhook(first)
	x.wants("completed")
	for _, again := range []string{second, first, second} {
		x.receiveWebhook(again)
	}
	x.wants("completed")
	if status, answer := x.confirm(o, p.PaymentKey, x.key()); status != http.StatusOK {
		x.Errorf("confirmed after all: %d %v", status, answer)
	}
	x.toss.SetStatus(p, "ABORTED") // seen in the field 46 ms after it was done
	x.receiveWebhook(p.StatusChangedWebhook())
	x.wants("completed")
}

func (x *tossShop) ignoresForgedWebhook() {
	o := x.open()
	p := x.approve(o)
	lie := *p
	lie.Status, lie.Secret = "DONE", "guessed"
	x.receiveWebhook(lie.StatusChangedWebhook())
	x.receiveWebhook(lie.DepositCallback())
	lie.OrderID = "Nobody12345"
	x.receiveWebhook(lie.StatusChangedWebhook())
	x.wants("payment_pending")
	if status, answer := x.confirm(o, p.PaymentKey, x.key()); status != http.StatusOK {
		x.Errorf("%d %v", status, answer)
	}
}

func (x *tossShop) cancels() {
	o := x.open()
	p := x.approve(o)
	x.toss.Locked(func() { p.Secret = "ps_secret_of_the_account" })
	status, answer := x.confirm(o, p.PaymentKey, x.key())
	x.wantRefusal("payment_not_completed", status, answer)
	ended := x.must("POST", "/server/commerce/payment-sessions/"+o.session+"/cancel", object{}, x.secret)["paymentSession"].(object)
	if ended["status"] != "canceled" || ended["slotHeld"] != false || p.Status != "CANCELED" {
		x.Errorf("%v, at Toss %s", ended, p.Status)
	}
	x.wants("open")
}
