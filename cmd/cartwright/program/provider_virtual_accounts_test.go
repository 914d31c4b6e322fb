package program

import (
	"net/http"

	"github.com/cartwright-dev/cartwright/adapters/payment/stripe/stripefake"
)

// A buyer who chose a virtual account on PortOne's page is told where to pay.
func (x *providerShop) payToPortOneAccount() {
	opened := x.open("portone", object{"mode": "hosted_v2", "method": "CARD_KR"})
	session := opened["paymentSession"].(object)
	page := textAt(session, "providerSessionId")
	if !x.portOne.Buy(x.paymentID(session), page, nil, "VIRTUAL_ACCOUNT_ISSUED") {
		x.Fatal("the buyer got no account")
	}
	x.wantInstructions(x.must("GET", "/server/commerce/payment-sessions/aggregator/"+textAt(session, "id"), nil, x.secret),
		"신한은행", "56211102345678")
	if !x.portOne.Buy(x.paymentID(session), page, nil, "PAID") {
		x.Fatal("the deposit does not arrive")
	}
	x.wantOrder(opened)
	x.portOne.TakeBack(x.paymentID(session))
	x.tellPortOneEvent("Transaction.VirtualAccountIssued", x.paymentID(session), "msg_taken_back")
	x.wantHold("payment_reversed", "reversed")
	if !x.portOne.Buy(x.paymentID(session), page, nil, "PAID") {
		x.Fatal("the second deposit does not arrive")
	}
	x.tellPortOneEvent("Transaction.Paid", x.paymentID(session), "msg_paid_again")
	x.wantHold("", "paid")
}

// A dispute at Stripe takes the money until it is decided; one at PortOne asks for an answer.
func (x *providerShop) disputeAtBothProviders() {
	opened := x.open("stripe", object{"mode": "hosted_v2", "method": "CARD_INTERNATIONAL"})
	page := textAt(opened, "paymentSession", "providerSessionId")
	x.stripe.Buy(page, "paid")
	x.wantOrder(opened)
	for _, step := range []struct{ dispute, hold, payment string }{
		{"needs_response", "payment_disputed", "reversed"}, {"won", "", "paid"},
	} {
		x.stripe.Dispute(page, step.dispute)
		x.must("POST", "/server/commerce/payment-sessions/aggregator/reconcile", object{
			"accountKey": stripefake.Account, "environment": "test", "providerPaymentId": x.paymentID(opened["paymentSession"].(object)),
		}, x.secret, "Idempotency-Key: "+x.key())
		x.wantHold(step.hold, step.payment)
	}
	id := x.payAtPortOne()
	x.portOne.Dispute(id, false)
	x.tellPortOneEvent("Transaction.DisputeCreated", id, "msg_disputed")
	x.wantHold("payment_disputed", "paid")
	x.portOne.Dispute(id, true)
	x.tellPortOneEvent("Transaction.DisputeResolved", id, "msg_resolved")
	x.wantHold("", "paid")
}

func (x *providerShop) tellPortOneEvent(kind, paymentID, event string) {
	x.Helper()
	if status, answer := x.sendPortOneWebhook(kind, paymentID, event); status != http.StatusOK {
		x.Errorf("%s: %d %v", kind, status, answer)
	}
}

// wantHold compares why the last order is on hold, "" for not, and whether it is paid.
func (x *providerShop) wantHold(hold, payment string) {
	x.Helper()
	o := x.orderOfCheckout()
	if got, _ := o["hold"].(string); got != hold || o["paymentStatus"] != payment {
		x.Errorf("the order is on hold because of %q and %v; want %q and %s", got, o["paymentStatus"], hold, payment)
	}
}

// wantInstructions: the answer, and what the shopper reads, say where to pay, and there is no order.
func (x *providerShop) wantInstructions(answer object, bank, account string) {
	x.Helper()
	id := textAt(answer, "paymentSession", "id")
	shown := x.must("GET", "/commerce/payment-sessions/"+id, nil, x.token, "X-Client-Key: "+x.server.NewCredentials.TestClientKey)
	for name, a := range map[string]object{"the answer": answer, "the shopper's own": shown} {
		got := a["paymentSession"].(object)
		todo, _ := got["instructions"].(object)
		if got["status"] != "processing" || todo["bank"] != bank || todo["account"] != account || todo["amount"] != 15000.0 ||
			todo["currency"] != "KRW" || textAt(todo, "due") == "" || got["expiresAt"] == nil {
			x.Errorf("%s: %v", name, got)
		}
	}
	if answer["order"] != nil {
		x.Errorf("an order before the deposit: %v", answer["order"])
	}
}
