package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment/portone/portonefake"
)

// orderOfCheckout is the order of what the last checkout became.
func (x *providerShop) orderOfCheckout() object {
	x.Helper()
	docs := x.must("GET", "/orders?where[checkout][equals]="+x.id, nil, x.secret)["docs"].([]any)
	if len(docs) != 1 {
		x.Fatalf("%d orders", len(docs))
	}
	return docs[0].(object)
}

// wantRefunded compares what went back of the last order, and what the books show of that: "4000 refunded".
func (x *providerShop) wantRefunded(status, reads string, back float64, refunds ...string) {
	x.Helper()
	o := x.orderOfCheckout()
	if o["status"] != status || o["paymentStatus"] != reads || o["refundedAmount"] != back {
		x.Errorf("the order is %v, %v, with %v back", o["status"], o["paymentStatus"], o["refundedAmount"])
	}
	shown := map[string]int{}
	for _, one := range x.must("GET", "/transactions?limit=100&where[type][equals]=refund&where[order][equals]="+text(o, "id"), nil, x.secret)["docs"].([]any) {
		shown[fmt.Sprint(one.(object)["amount"], " ", one.(object)["status"])]++
	}
	for _, want := range refunds {
		shown[want]--
	}
	for what, n := range shown {
		if n != 0 {
			x.Errorf("refunds of %s: %d more than there should be", what, n)
		}
	}
}

func (x *providerShop) cancelSold() (int, object) {
	x.Helper()
	return ask(x.T, "POST", x.server.BaseURL+"/api/orders/"+text(x.orderOfCheckout(), "id")+"/cancel", `{"reason":"Ordered twice"}`, x.secret, "Idempotency-Key: "+x.key())
}

// signedByPortOne delivers a webhook of PortOne about a payment.
func (x *providerShop) signedByPortOne(kind, paymentID, event string) (int, object) {
	x.Helper()
	stamp := strconv.FormatInt(time.Now().Unix(), 10)
	body := fmt.Sprintf(`{"type":%q,"timestamp":"2026-01-31T09:00:00Z","data":{"storeId":%q,"paymentId":%q,"transactionId":"tx"}}`, kind, portonefake.Store, paymentID)
	mac := hmac.New(sha256.New, []byte(hookSecret))
	_, _ = mac.Write([]byte(event + "." + stamp + "." + body))
	return ask(x.T, "POST", x.server.BaseURL+"/api/providers/"+x.accounts["portone"]+"/webhook", body,
		"Webhook-Id: "+event, "Webhook-Timestamp: "+stamp, "Webhook-Signature: v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
}

// boughtAtPortOne is our id of a payment that was made by a standard action.
func (x *providerShop) boughtAtPortOne() string {
	x.Helper()
	opened := x.open("portone", object{"mode": "standard_v2", "channel": "card"})
	act := opened["action"].(object)
	if !x.portOne.Buy(text(act, "paymentId"), "", act, "PAID") {
		x.Fatal("the buyer could not pay")
	}
	x.wantOrder(opened)
	return text(act, "paymentId")
}

func (x *providerShop) consoleOfPortOne() {
	id := x.boughtAtPortOne()
	kind := x.portOne.ConsoleCancel(id, 4000)
	for range 2 {
		if status, answer := x.signedByPortOne(kind, id, "msg_back_"+id); status != http.StatusOK {
			x.Fatalf("%d %v", status, answer)
		}
	}
	x.wantRefunded("paid", "partially_refunded", 4000, "4000 refunded")
	x.portOne.ConsoleCancel(id, 1000) // nobody tells
	if status, answer := x.cancelSold(); status != http.StatusOK {
		x.Fatalf("%d %v", status, answer)
	}
	x.wantRefunded("canceled", "refunded", 15000, "4000 refunded", "11000 failed", "1000 refunded", "10000 refunded")
	if b := x.portOne.LedgerOf(id); b.Refunded.Amount != 15000 {
		x.Errorf("%+v", b)
	}
	id = x.boughtAtPortOne()
	x.portOne.ConsoleCancel(id, 0)
	if status, answer := x.cancelSold(); status != http.StatusOK {
		x.Fatalf("everything is back: %d %v", status, answer)
	}
	x.wantRefunded("canceled", "refunded", 15000, "15000 failed", "15000 refunded")
}

func (x *providerShop) consoleOfStripe() {
	opened := x.open("stripe", object{"mode": "hosted_v2", "method": "CARD_INTERNATIONAL"})
	page := text(opened["paymentSession"].(object), "providerSessionId")
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
	if status, answer := x.cancelSold(); status != http.StatusOK {
		x.Fatalf("%d %v", status, answer)
	}
	x.wantRefunded("canceled", "refunded", 15000, "4000 refunded", "1000 refunded", "10000 failed", "2000 refunded", "8000 refunded")
}

func (x *tossShop) consoleOfToss() {
	o := x.open()
	p := x.approve(o)
	if status, answer := x.confirm(o, p.PaymentKey, x.key()); status != http.StatusOK {
		x.Fatalf("%d %v", status, answer)
	}
	x.toss.ConsoleCancel(p, "4000")
	x.receiveWebhook(p.StatusChangedWebhook())
	x.wantRefunded("paid", "partially_refunded", 4000, "4000 refunded")
	x.receiveWebhook(p.StatusChangedWebhook())
	x.toss.ConsoleCancel(p, "1000") // nobody tells
	if status, answer := x.cancelSold(); status != http.StatusOK {
		x.Fatalf("%d %v", status, answer)
	}
	x.wantRefunded("canceled", "refunded", 15000, "4000 refunded", "11000 failed", "1000 refunded", "10000 refunded")
	if p.Status != "CANCELED" {
		x.Errorf("at Toss it is %s", p.Status)
	}
}
