package program

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

// tossShop is a shop on a complete server that takes payments with the widget of Toss.
type tossShop struct {
	*providerShop

	toss *tossfake.Toss
}

// tossSession is a payment session, and the order id that its widget uses.
type tossSession struct{ session, order string }

func TestTossPaymentsEndToEnd(t *testing.T) {
	t.Parallel()
	onBothDatabases(t, newTossShop, map[string]func(*tossShop){
		"payment":                  (*tossShop).checkPayment,
		"declined payment":         (*tossShop).checkDecline,
		"lost response":            (*tossShop).checkLostResponse,
		"already confirmed":        (*tossShop).checkAlreadyConfirmed,
		"transient refusal":        (*tossShop).checkTransientRefusal,
		"deposit":                  (*tossShop).checkDeposit,
		"forged webhooks":          (*tossShop).checkForgedWebhooks,
		"canceled virtual account": (*tossShop).checkCancel,
		"refund in the console":    (*tossShop).refundInTossConsole,
	})
}

func newTossShop(t *testing.T, c Config) *tossShop {
	t.Helper()
	x := &tossShop{&providerShop{accounts: map[string]string{}}, tossfake.New(map[string]string{tossSecret: tossMID})}
	server := httptest.NewServer(x.toss)
	t.Cleanup(server.Close)
	c.TossURL = server.URL
	x.refusalFixture = &refusalFixture{T: t, server: startServer(t, c, time.Now, slog.New(slog.DiscardHandler))}
	x.secret = "X-API-Key: " + x.server.NewCredentials.TestSecretKey
	x.accounts["toss"] = textAt(x.must("POST", "/provider-connections", object{
		"name": "Toss", "provider": "toss", "accountKey": tossMID, "environment": "test",
		"credentials": object{"clientKey": "test_gck_docs_Ovk5rk1EwkEbP0W43n07xlzm", "secretKey": tossSecret},
	}, x.secret)["doc"].(object), "id")
	product := textAt(x.must("POST", "/products", object{
		"name": "Tea", "status": "published", "price": 15000, "variants": []any{object{"title": "One", "stock": 100, "kind": "digital"}},
	}, x.secret)["doc"].(object), "id")
	x.variant = textAt(x.must("GET", "/product-variants?where[product][equals]="+product, nil, x.secret)["docs"].([]any)[0].(object), "id")
	return x
}

// open checks a new cart out and opens the widget.
func (x *tossShop) open() tossSession {
	x.Helper()
	x.checkOut()
	answer := x.must("POST", "/commerce/payment-sessions", object{
		"checkoutId": x.id, "connectionId": x.accounts["toss"], "successUrl": "https://shop.example/ok",
		"failUrl": "https://shop.example/no",
	}, x.token, "X-Client-Key: "+x.server.NewCredentials.TestClientKey)
	act := answer["action"].(object)
	if act["type"] != "widget" || act["provider"] != "toss" || act["clientKey"] != "test_gck_docs_Ovk5rk1EwkEbP0W43n07xlzm" {
		x.Errorf("%v", act)
	}
	return tossSession{textAt(answer["paymentSession"].(object), "id"), textAt(act, "orderId")}
}

// approve acts as the buyer who approves in the widget.
func (x *tossShop) approve(o tossSession) *tossfake.Payment {
	return x.toss.Approve(tossMID, o.order, "15000", "KRW")
}

// confirm confirms a payment as the shop's server, with an idempotency key.
func (x *tossShop) confirm(o tossSession, paymentKey, key string) (int, object) {
	x.Helper()
	body, _ := json.Marshal(object{"paymentKey": paymentKey, "orderId": o.order, "amount": object{"amount": 15000, "currency": "KRW"}})
	return requestJSON(x.T, "POST", x.server.BaseURL+"/api/server/commerce/payment-sessions/"+o.session+"/confirm", string(body), x.secret,
		"Idempotency-Key: "+key)
}

func (x *tossShop) captures() (n int) {
	x.toss.Locked(func() { n = x.toss.ConfirmCount })
	return n
}

// receiveWebhook delivers a webhook of Toss, and repeats it while the server answers 503: webhooks of Toss
// are not signed, so the server limits how often it looks a payment up.
func (x *tossShop) receiveWebhook(body string) {
	x.Helper()
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for began := time.Now(); time.Since(began) < patience; <-ticker.C {
		status, body := requestJSON(x.T, "POST", x.server.BaseURL+"/api/providers/"+x.accounts["toss"]+"/webhook", body)
		if status == http.StatusOK {
			return
		}
		if status != http.StatusServiceUnavailable {
			x.Fatalf("%d %v", status, body)
		}
	}
	x.Error("the webhook was never accepted")
}

// wantCheckout checks the status of the checkout; a completed one must have exactly one order, which is paid.
func (x *tossShop) wantCheckout(status string) {
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

func (x *tossShop) checkPayment() {
	o := x.open()
	p := x.approve(o)
	x.wantCheckout("payment_pending")
	status, done := x.confirm(o, p.PaymentKey, x.key())
	if status != http.StatusOK || done["order"].(object)["status"] != "paid" {
		x.Fatalf("%d %v", status, done)
	}
	x.wantCheckout("completed")
	before := x.captures()
	if status, _ := x.confirm(o, p.PaymentKey, x.key()); status != http.StatusOK || x.captures() != before {
		x.Errorf("confirming again: %d", status)
	}
}

func (x *tossShop) checkDecline() {
	o := x.open()
	p := x.approve(o)
	x.toss.SetStatus(p, "ABORTED")
	status, answer := x.confirm(o, p.PaymentKey, x.key())
	x.wantRefusal("provider_rejected", status, answer)
	x.wantCheckout("payment_pending")
	again := x.approve(o)
	if status, answer := x.confirm(o, again.PaymentKey, x.key()); status != http.StatusOK {
		x.Errorf("%d %v", status, answer)
	}
	x.wantCheckout("completed")
}

func (x *tossShop) checkLostResponse() {
	o := x.open()
	p := x.approve(o)
	x.toss.Locked(func() { x.toss.LoseResponses = 1 })
	before := x.captures()
	if status, answer := x.confirm(o, p.PaymentKey, x.key()); status != http.StatusOK || x.captures() != before+1 {
		x.Errorf("%d %v", status, answer)
	}
	x.wantCheckout("completed")
}

func (x *tossShop) checkAlreadyConfirmed() {
	o := x.open()
	p := x.approve(o)
	x.toss.SetStatus(p, "DONE")
	before := x.captures()
	if status, answer := x.confirm(o, p.PaymentKey, x.key()); status != http.StatusOK || x.captures() != before {
		x.Errorf("%d %v", status, answer)
	}
	x.wantCheckout("completed")
}

// checkTransientRefusal repeats a confirmation with the same idempotency key after a transient refusal. It is
// sent to Toss again, although Toss replays its responses to a key.
func (x *tossShop) checkTransientRefusal() {
	o := x.open()
	p := x.approve(o)
	no := tossfake.ErrorResponse(http.StatusBadRequest, "PROVIDER_ERROR")
	x.toss.Locked(func() { x.toss.NextResponse = &no })
	key := x.key()
	status, answer := x.confirm(o, p.PaymentKey, key)
	x.wantRefusal("provider_unavailable", status, answer)
	x.wantCheckout("payment_pending")
	if status, answer := x.confirm(o, p.PaymentKey, key); status != http.StatusOK {
		x.Errorf("%d %v", status, answer)
	}
	x.wantCheckout("completed")
}

// checkDeposit pays into a virtual account: there is no order before the deposit, and one after it, however
// often and in whatever order its webhooks arrive.
func (x *tossShop) checkDeposit() {
	o := x.open()
	p := x.approve(o)
	x.toss.Locked(func() { p.Secret = "ps_secret_of_the_account" })
	key := x.key()
	status, answer := x.confirm(o, p.PaymentKey, key)
	if status != http.StatusOK {
		x.Fatalf("%d %v", status, answer)
	}
	x.wantInstructions(answer, "우리은행", "X6505636518308")
	x.receiveWebhook(p.StatusChangedWebhook())
	x.wantCheckout("payment_pending")
	x.toss.SetStatus(p, "DONE")
	first, second := p.DepositCallback(), p.StatusChangedWebhook()
	x.receiveWebhook(first)
	x.wantCheckout("completed")
	for _, again := range []string{second, first, second} {
		x.receiveWebhook(again)
	}
	x.wantCheckout("completed")
	for _, key := range []string{key, x.key()} {
		if status, answer := x.confirm(o, p.PaymentKey, key); status != http.StatusOK || answer["order"].(object)["status"] != "paid" {
			x.Errorf("confirming after the deposit: %d %v", status, answer)
		}
	}
	x.toss.SetStatus(p, "WAITING_FOR_DEPOSIT") // Fact toss-18: the bank takes it back
	x.receiveWebhook(p.DepositCallback())
	x.wantHold("payment_reversed", "reversed")
	x.toss.SetStatus(p, "DONE")
	x.receiveWebhook(p.DepositCallback())
	x.wantHold("", "paid")
	x.toss.SetStatus(p, "ABORTED") // seen in production 46 ms after DONE
	x.receiveWebhook(p.StatusChangedWebhook())
	x.wantCheckout("completed")
}

func (x *tossShop) checkForgedWebhooks() {
	o := x.open()
	p := x.approve(o)
	forged := *p
	forged.Status, forged.Secret = "DONE", "guessed"
	x.receiveWebhook(forged.StatusChangedWebhook())
	x.receiveWebhook(forged.DepositCallback())
	forged.OrderID = "Nobody12345"
	x.receiveWebhook(forged.StatusChangedWebhook())
	x.wantCheckout("payment_pending")
	if status, answer := x.confirm(o, p.PaymentKey, x.key()); status != http.StatusOK {
		x.Errorf("%d %v", status, answer)
	}
}

func (x *tossShop) checkCancel() {
	o := x.open()
	p := x.approve(o)
	x.toss.Locked(func() { p.Secret = "ps_secret_of_the_account" })
	if status, answer := x.confirm(o, p.PaymentKey, x.key()); status != http.StatusOK || answer["order"] != nil {
		x.Errorf("%d %v", status, answer)
	}
	ended := x.must("POST", "/server/commerce/payment-sessions/"+o.session+"/cancel", object{}, x.secret)["paymentSession"].(object)
	if ended["status"] != "canceled" || ended["slotHeld"] != false || p.Status != "CANCELED" {
		x.Errorf("%v, at Toss %s", ended, p.Status)
	}
	x.wantCheckout("open")
}
