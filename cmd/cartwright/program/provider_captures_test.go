package program

import (
	"net/http"

	"github.com/cartwright-dev/cartwright/adapters/payment/stripe/stripefake"
)

// A payment at Stripe is authorized at checkout, and then captured in part, released by a cancel, or released by Stripe.
func (x *providerShop) captureLaterAtStripe() {
	connection := "/provider-connections/" + x.accounts["stripe"]
	x.must("PATCH", connection, object{"capture": "manual"}, x.secret)
	defer x.must("PATCH", connection, object{"capture": "automatic"}, x.secret)
	status, _ := requestJSON(x.T, http.MethodPatch, x.server.BaseURL+"/api/provider-connections/"+x.accounts["portone"],
		`{"capture":"manual"}`, x.secret)
	if status != http.StatusBadRequest {
		x.Errorf("PortOne captures later: %d", status)
	}
	x.authorizeAtStripe()
	path := "/orders/" + textAt(x.orderOfCheckout(), "id")
	done := x.must("POST", path+"/capture", object{"amount": object{"amount": 9000, "currency": "KRW"}}, x.secret, "Idempotency-Key: "+x.key())
	if order, moved := done["order"].(object), done["transaction"].(object); order["status"] != "paid" || order["paymentStatus"] != "partially_paid" ||
		moved["amount"] != 9000.0 || moved["authorizedAmount"] != 15000.0 || moved["status"] != "paid" {
		x.Errorf("captured: %v", done)
	}
	x.must("POST", path+"/cancel", object{"reason": "sold out"}, x.secret, "Idempotency-Key: "+x.key())
	x.wantRefunded("canceled", "refunded", 9000, "9000 refunded")

	page, _ := x.authorizeAtStripe()
	path = "/orders/" + textAt(x.orderOfCheckout(), "id")
	x.must("POST", path+"/cancel", object{"reason": "sold out"}, x.secret, "Idempotency-Key: "+x.key())
	x.wantRefunded("canceled", "unpaid", 0)
	x.stripe.ChangeSession(page, func(c *stripefake.Session) {
		if c.IntentStatus != "canceled" || c.Received != 0 {
			x.Errorf("Stripe has %+v", c)
		}
	})

	page, session := x.authorizeAtStripe()
	x.stripe.Release(page)
	x.must("POST", "/server/commerce/payment-sessions/aggregator/reconcile", object{
		"accountKey": stripefake.Account, "environment": "test", "providerPaymentId": x.paymentID(session),
	}, x.secret, "Idempotency-Key: "+x.key())
	x.wantHold("payment_voided", "unpaid")
}

// authorizeAtStripe is the page and the session of an order whose payment the buyer approved.
func (x *providerShop) authorizeAtStripe() (page string, session object) {
	x.Helper()
	opened := x.open("stripe", object{"mode": "hosted_v2", "method": "CARD_INTERNATIONAL"})
	page = textAt(opened, "paymentSession", "providerSessionId")
	x.stripe.Buy(page, "paid")
	session, order := x.retrieve(opened)
	held, _ := order["authorization"].(object)
	if session["status"] != "authorized" || order["status"] != "authorized" || order["paymentStatus"] != "authorized" || held["amount"] != 15000.0 ||
		held["until"] == nil {
		x.Errorf("authorized: %v, %v", session, order)
	}
	return page, opened["paymentSession"].(object)
}
