package program

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment/portone/portonefake"
	"github.com/cartwright-dev/cartwright/adapters/payment/stripe/stripefake"
)

// orderOfCheckout is the order of the last checkout.
func (x *providerShop) orderOfCheckout() object {
	x.Helper()
	docs := x.must("GET", "/orders?where[checkout][equals]="+x.id, nil, x.secret)["docs"].([]any)
	if len(docs) != 1 {
		x.Fatalf("%d orders", len(docs))
	}
	return docs[0].(object)
}

// wantRefunded compares the last order and its refunds, such as "4000 refunded".
func (x *providerShop) wantRefunded(status, paymentStatus string, refunded float64, refunds ...string) {
	x.Helper()
	o := x.orderOfCheckout()
	if o["status"] != status || o["paymentStatus"] != paymentStatus || o["refundedAmount"] != refunded {
		x.Errorf("the order is %v, %v, with %v refunded", o["status"], o["paymentStatus"], o["refundedAmount"])
	}
	surplus := map[string]int{}
	for _, one := range x.must("GET", "/transactions?limit=100&where[type][equals]=refund&where[order][equals]="+textAt(o, "id"),
		nil, x.secret)["docs"].([]any) {
		surplus[fmt.Sprint(one.(object)["amount"], " ", one.(object)["status"])]++
	}
	for _, want := range refunds {
		surplus[want]--
	}
	for what, n := range surplus {
		if n != 0 {
			x.Errorf("refunds of %s: %d too many", what, n)
		}
	}
}

func (x *providerShop) cancelOrder() (int, object) {
	x.Helper()
	return requestJSON(x.T, "POST", x.server.BaseURL+"/api/orders/"+textAt(x.orderOfCheckout(), "id")+"/cancel",
		`{"reason":"Ordered twice"}`, x.secret, "Idempotency-Key: "+x.key())
}

// sendPortOneWebhook delivers a signed webhook of PortOne about a payment.
func (x *providerShop) sendPortOneWebhook(kind, paymentID, event string) (int, object) {
	x.Helper()
	stamp := strconv.FormatInt(time.Now().Unix(), 10)
	body := fmt.Sprintf(`{"type":%q,"timestamp":"2026-01-31T09:00:00Z","data":{"storeId":%q,"paymentId":%q,"transactionId":"tx"}}`, kind,
		portonefake.Store, paymentID)
	mac := hmac.New(sha256.New, []byte(hookSecret))
	_, _ = mac.Write([]byte(event + "." + stamp + "." + body))
	return requestJSON(x.T, "POST", x.server.BaseURL+"/api/providers/"+x.accounts["portone"]+"/webhook", body,
		"Webhook-Id: "+event, "Webhook-Timestamp: "+stamp, "Webhook-Signature: v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
}

// payAtPortOne pays with a standard action, and returns the payment's id.
func (x *providerShop) payAtPortOne() string {
	x.Helper()
	opened := x.open("portone", object{"mode": "standard_v2", "channel": "card"})
	act := opened["action"].(object)
	if !x.portOne.Buy(textAt(act, "paymentId"), "", act, "PAID") {
		x.Fatal("the buyer could not pay")
	}
	x.wantOrder(opened)
	return textAt(act, "paymentId")
}

func (x *providerShop) refundInPortOneConsole() {
	id := x.payAtPortOne()
	kind := x.portOne.ConsoleCancel(id, 4000)
	for range 2 {
		if status, answer := x.sendPortOneWebhook(kind, id, "msg_back_"+id); status != http.StatusOK {
			x.Fatalf("%d %v", status, answer)
		}
	}
	x.wantRefunded("paid", "partially_refunded", 4000, "4000 refunded")
	x.portOne.ConsoleCancel(id, 1000) // without a webhook
	if status, answer := x.cancelOrder(); status != http.StatusOK {
		x.Fatalf("%d %v", status, answer)
	}
	x.wantRefunded("canceled", "refunded", 15000, "4000 refunded", "11000 failed", "1000 refunded", "10000 refunded")
	if b := x.portOne.LedgerOf(id); b.Refunded.Amount != 15000 || b.NamedParts != 0 {
		x.Errorf("%+v, want all refunded, and no tax-free part named of a payment without one", b)
	}
	id = x.payAtPortOne()
	x.portOne.ConsoleCancel(id, 0)
	if status, answer := x.cancelOrder(); status != http.StatusOK {
		x.Fatalf("canceling a refunded order: %d %v", status, answer)
	}
	x.wantRefunded("canceled", "refunded", 15000, "15000 failed", "15000 refunded")
}

func (x *providerShop) refundInStripeDashboard() {
	opened := x.open("stripe", object{"mode": "hosted_v2", "method": "CARD_INTERNATIONAL"})
	page := textAt(opened["paymentSession"].(object), "providerSessionId")
	x.stripe.Buy(page, "paid")
	x.wantOrder(opened)
	x.stripe.ConsoleRefund(page, 4000)
	x.stripe.ConsoleRefund(page, 1000)
	body := object{"accountKey": "acct_1FakeOfStripe", "environment": "test", "providerPaymentId": "pi_" + page}
	for range 2 {
		x.must("POST", "/server/commerce/payment-sessions/aggregator/reconcile", body, x.secret)
		x.wantRefunded("paid", "partially_refunded", 5000, "4000 refunded", "1000 refunded")
	}
	x.stripe.ConsoleRefund(page, 2000)
	if status, answer := x.cancelOrder(); status != http.StatusOK {
		x.Fatalf("%d %v", status, answer)
	}
	x.wantRefunded("canceled", "refunded", 15000, "4000 refunded", "1000 refunded", "10000 failed", "2000 refunded", "8000 refunded")
}

// A connection to the sandbox that is made over the API takes payments like the one that the shop began with; the
// account of another shop is refused.
func (x *providerShop) payAtSecondSandboxAccount() {
	account := object{
		"name": "Second", "provider": "sandbox", "accountKey": "second", "environment": "test", "enabledMethods": []string{"CARD_KR"},
	}
	x.accounts["sandbox"] = x.must("POST", "/provider-connections", account, x.secret)["doc"].(object)["id"].(string)
	opened := x.open("sandbox", object{"mode": "hosted_v2", "method": "CARD_KR"})
	approval := `{"outcome": "approve", "sessionId": "` + textAt(opened["paymentSession"].(object), "providerSessionId") + `"}`
	if status, answer := requestJSON(x.T, "POST", x.server.BaseURL+"/sandbox/authorize", approval); status != http.StatusOK {
		x.Fatalf("%d %v", status, answer)
	}
	x.wantOrder(opened)
	account["accountKey"] = "shop-" + strings.Repeat("0", 36)
	body, _ := json.Marshal(account)
	status, answer := requestJSON(x.T, "POST", x.server.BaseURL+"/api/provider-connections", string(body), x.secret)
	x.wantRefusal("validation_failed", status, answer)
}

// What Stripe captured may be more or less than was asked for, or of another currency: it is given back in full.
func (x *providerShop) refundOtherMoneyOfStripe() {
	for name, change := range map[string]func(*stripefake.Session){
		"more":             func(c *stripefake.Session) { c.Received += 500 },
		"less":             func(c *stripefake.Session) { c.Received -= 500 },
		"another currency": func(c *stripefake.Session) { c.Received, c.Currency = 1999, "usd" },
	} {
		opened := x.open("stripe", object{"mode": "hosted_v2", "method": "CARD_INTERNATIONAL"})["paymentSession"].(object)
		page := textAt(opened, "providerSessionId")
		x.stripe.Buy(page, "paid")
		x.stripe.ChangeSession(page, change)
		at := "/server/commerce/payment-sessions/"
		if got := x.must("GET", at+"aggregator/"+textAt(opened, "id"), nil, x.secret); textAt(got, "paymentSession", "status") != "requires_attention" {
			x.Fatalf("%s: %v", name, got)
		}
		got := x.must("POST", at+textAt(opened, "id")+"/resolve", object{"action": "refund", "note": "not our price"}, x.secret)
		if textAt(got, "paymentSession", "resolution") != "refunded" {
			x.Errorf("%s: %v", name, got)
		}
		x.stripe.ChangeSession(page, func(c *stripefake.Session) {
			if c.Refunded != c.Received {
				x.Errorf("%s: %d of %d were given back", name, c.Refunded, c.Received)
			}
		})
	}
}

func (x *tossShop) refundInTossConsole() {
	o := x.open()
	p := x.approve(o)
	if status, answer := x.confirm(o, p.PaymentKey, x.key()); status != http.StatusOK {
		x.Fatalf("%d %v", status, answer)
	}
	x.toss.ConsoleCancel(p, "4000")
	x.receiveWebhook(p.StatusChangedWebhook())
	x.wantRefunded("paid", "partially_refunded", 4000, "4000 refunded")
	x.receiveWebhook(p.StatusChangedWebhook())
	x.toss.ConsoleCancel(p, "1000") // without a webhook
	if status, answer := x.cancelOrder(); status != http.StatusOK {
		x.Fatalf("%d %v", status, answer)
	}
	x.wantRefunded("canceled", "refunded", 15000, "4000 refunded", "11000 failed", "1000 refunded", "10000 refunded")
	if p.Status != "CANCELED" {
		x.Errorf("the payment at Toss is %s", p.Status)
	}
}
