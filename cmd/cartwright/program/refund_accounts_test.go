package program

import (
	"encoding/json"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/payment/toss/tossfake"
)

// Payments by virtual account are refunded to an account of the buyer, wherever a refund comes from.
func TestRefundsToAccountsOfBuyers(t *testing.T) {
	t.Parallel()
	onBothDatabases(t, newTossShop, map[string]func(*tossShop){
		"a cancel":                         (*tossShop).cancelToAccount,
		"a transition":                     (*tossShop).transitionToAccount,
		"a return":                         (*tossShop).returnToAccount,
		"a return whose buyer was asked":   (*tossShop).returnToAccountOfRequest,
		"an attention case":                (*tossShop).resolveToAccount,
		"an account that there is not":     (*tossShop).refuseUnknownAccount,
		"an answer that was lost":          (*tossShop).repeatToSameAccount,
		"a payment that needs no account":  (*tossShop).cancelCardPayment,
		"an account that is none":          (*tossShop).refuseMalformedAccounts,
		"another account of the same call": (*tossShop).refuseOtherAccountOfSameKey,
	})
}

// kimsAccount as people write it, and as Toss takes it.
var (
	kimsAccount = object{"bank": "88", "account": "110-123 456789", "holder": " 김지우 "}
	kimsRefund  = tossfake.RefundAccount{Bank: "88", Number: "110123456789", Holder: "김지우"}
)

// post sends a request of the shop's server, with an idempotency key of its own.
func (x *tossShop) post(path string, body object) (int, object) {
	x.Helper()
	return x.postAs(x.key(), path, body)
}

func (x *tossShop) postAs(key, path string, body object) (int, object) {
	x.Helper()
	raw, _ := json.Marshal(body)
	return requestJSON(x.T, "POST", x.server.BaseURL+"/api"+path, string(raw), x.secret, "Idempotency-Key: "+key)
}

// transfer pays an order by virtual account.
func (x *tossShop) transfer() (order string, p *tossfake.Payment) {
	x.Helper()
	o := x.open()
	p = x.approve(o)
	x.toss.Locked(func() { p.Secret = "ps_secret_of_the_account" })
	if status, answer := x.confirm(o, p.PaymentKey, x.key()); status != http.StatusOK {
		x.Fatalf("%d %v", status, answer)
	}
	x.toss.SetStatus(p, "DONE")
	x.receiveWebhook(p.StatusChangedWebhook())
	return textAt(x.orderOfCheckout(), "id"), p
}

// wantRefundedTo compares where the money of a payment went.
func (x *tossShop) wantRefundedTo(p *tossfake.Payment, want ...tossfake.RefundAccount) {
	x.Helper()
	var got []tossfake.RefundAccount
	x.toss.Locked(func() { got = p.RefundedTo })
	if len(got) != len(want) {
		x.Fatalf("%d refunds to accounts, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			x.Errorf("refunded to another account than the buyer's: refund %d", i)
		}
	}
}

// wantAccountRequired: a request is refused for want of an account, names the payment, and changes nothing.
func (x *tossShop) wantAccountRequired(p *tossfake.Payment, status int, answer object) {
	x.Helper()
	x.wantRefusal("refund_account_required", status, answer)
	said, _ := answer["errors"].([]any)[0].(object)["data"].(object)
	if status != http.StatusUnprocessableEntity || textAt(said, "transactionId") == "" || textAt(said, "paymentSessionId") == "" {
		x.Errorf("%d %v", status, answer)
	}
	x.wantRefundedTo(p)
	if found := x.must("GET", "/transactions?where[type][equals]=refund&where[paymentSession][equals]="+textAt(said, "paymentSessionId"),
		nil, x.secret); found["totalDocs"] != 0.0 {
		x.Errorf("%v refunds are recorded", found["totalDocs"])
	}
}

func (x *tossShop) cancelToAccount() {
	order, p := x.transfer()
	key := x.key()
	status, answer := x.postAs(key, "/orders/"+order+"/cancel", object{"reason": "Ordered twice"})
	x.wantAccountRequired(p, status, answer)
	x.wantRefunded("paid", "paid", 0)
	// The refusal is not kept: the same key may name the account.
	status, answer = x.postAs(key, "/orders/"+order+"/cancel", object{"reason": "Ordered twice", "refundAccount": kimsAccount})
	if status != http.StatusOK || answer["order"].(object)["status"] != "canceled" {
		x.Fatalf("%d %v", status, answer)
	}
	x.wantRefundedTo(p, kimsRefund)
	x.wantRefunded("canceled", "refunded", 15000, "15000 refunded")
}

func (x *tossShop) transitionToAccount() {
	order, p := x.transfer()
	status, answer := x.post("/orders/"+order+"/transitions", object{"to": "canceled"})
	x.wantAccountRequired(p, status, answer)
	if status, answer = x.post("/orders/"+order+"/transitions", object{"to": "canceled", "refundAccount": kimsAccount}); status != http.StatusOK {
		x.Fatalf("%d %v", status, answer)
	}
	x.wantRefundedTo(p, kimsRefund)
	x.wantRefunded("canceled", "refunded", 15000, "15000 refunded")
}

// requestReturn requests the return of a delivered order that was paid by virtual account, and approves it.
func (x *tossShop) requestReturn(more object) (path string, p *tossfake.Payment) {
	x.Helper()
	order, p := x.transfer()
	for _, to := range []string{"preparing", "shipped", "delivered"} {
		if status, answer := x.post("/orders/"+order+"/transitions", object{"to": to}); status != http.StatusOK {
			x.Fatalf("%s: %d %v", to, status, answer)
		}
	}
	line := textAt(x.orderOfCheckout()["lines"].([]any)[0].(object), "id")
	in := object{"order": order, "lines": []any{object{"orderLine": line, "quantity": 1}}}
	maps.Copy(in, more)
	status, answer := x.post("/return-requests", in)
	if status != http.StatusCreated {
		x.Fatalf("%d %v", status, answer)
	}
	path = "/return-requests/" + textAt(answer["returnRequest"].(object), "id")
	if status, answer := x.post(path+"/approve", object{}); status != http.StatusOK {
		x.Fatalf("%d %v", status, answer)
	}
	return path, p
}

func (x *tossShop) returnToAccount() {
	path, p := x.requestReturn(nil)
	status, answer := x.post(path+"/refund", object{})
	x.wantAccountRequired(p, status, answer)
	if status, answer = x.post(path+"/refund", object{"refundAccount": kimsAccount}); status != http.StatusOK {
		x.Fatalf("%d %v", status, answer)
	}
	x.wantRefundedTo(p, kimsRefund)
}

// The account may come with the request for the return; until the money is on its way, its last digits are shown.
func (x *tossShop) returnToAccountOfRequest() {
	path, p := x.requestReturn(object{"refundAccount": kimsAccount})
	ending := func(want any) {
		x.Helper()
		shown := x.must("GET", path, nil, x.secret)
		if _, leaks := shown["refundAccount"]; leaks || shown["refundAccountEnding"] != want {
			x.Errorf("%v, want the ending %v", shown, want)
		}
	}
	ending("6789")
	if status, answer := x.post(path+"/refund", object{}); status != http.StatusOK {
		x.Fatalf("%d %v", status, answer)
	}
	ending(nil)
	x.wantRefundedTo(p, kimsRefund)

	path, p = x.requestReturn(object{"refundAccount": kimsAccount})
	other := object{"bank": "20", "account": "1002000333444", "holder": "김지우"}
	if status, answer := x.post(path+"/refund", object{"refundAccount": other}); status != http.StatusOK {
		x.Fatalf("%d %v", status, answer)
	}
	ending(nil)
	x.wantRefundedTo(p, tossfake.RefundAccount{Bank: "20", Number: "1002000333444", Holder: "김지우"})

	path, _ = x.requestReturn(object{"refundAccount": kimsAccount})
	if status, answer := x.post(path+"/cancel", object{}); status != http.StatusOK {
		x.Fatalf("%d %v", status, answer)
	}
	ending(nil)
}

// Money that does not fit its order is refunded to an account too.
func (x *tossShop) resolveToAccount() {
	o := x.open()
	p := x.toss.Approve(tossMID, o.order, "15000", "KRW")
	x.toss.Locked(func() { p.Secret = "ps_secret_of_the_account" })
	if status, answer := x.confirm(o, p.PaymentKey, x.key()); status != http.StatusOK {
		x.Fatalf("%d %v", status, answer)
	}
	x.toss.ChangeTotal(p, "14000")
	x.toss.SetStatus(p, "DONE")
	x.receiveWebhook(p.StatusChangedWebhook())
	path := "/server/commerce/payment-sessions/" + o.session + "/resolve"
	status, answer := x.post(path, object{"action": "refund", "note": "Another amount"})
	x.wantAccountRequired(p, status, answer)
	if status, answer = x.post(path, object{"action": "refund", "note": "Another amount", "refundAccount": kimsAccount}); status != http.StatusOK {
		x.Fatalf("%d %v", status, answer)
	}
	x.wantRefundedTo(p, kimsRefund)
}

// An account that the bank does not know leaves the order as it was; the refund is made to the right one.
func (x *tossShop) refuseUnknownAccount() {
	order, p := x.transfer()
	unknown := object{"bank": "88", "account": "110123000000", "holder": "김지우"}
	status, answer := x.post("/orders/"+order+"/cancel", object{"reason": "Ordered twice", "refundAccount": unknown})
	x.wantRefusal("provider_rejected", status, answer)
	if text := errorText(answer); !strings.Contains(text, "INVALID_REFUND_ACCOUNT_NUMBER") || strings.Contains(text, "110123000000") {
		x.Error(text)
	}
	x.wantRefunded("paid", "paid", 0, "15000 failed")
	status, answer = x.post("/orders/"+order+"/cancel", object{"reason": "Ordered twice", "refundAccount": kimsAccount})
	if status != http.StatusOK {
		x.Fatalf("%d %v", status, answer)
	}
	x.wantRefundedTo(p, kimsRefund)
}

// errorText is an answer as text.
func errorText(answer object) string {
	raw, _ := json.Marshal(answer) // plain values
	return string(raw)
}

// A refund whose answer was lost is asked for again with the same bytes, whatever account a later request names.
func (x *tossShop) repeatToSameAccount() {
	order, p := x.transfer()
	busy := tossfake.ErrorResponse(http.StatusForbidden, "FORBIDDEN_CONSECUTIVE_REQUEST")
	x.toss.Locked(func() { x.toss.NextResponse = &busy })
	status, answer := x.post("/orders/"+order+"/cancel", object{"reason": "Ordered twice", "refundAccount": kimsAccount})
	x.wantRefusal("provider_unavailable", status, answer)
	other := object{"bank": "20", "account": "1002000333444", "holder": "김지우"}
	x.toss.Locked(func() { x.toss.ForgetKeys() })
	status, answer = x.post("/orders/"+order+"/cancel", object{"reason": "Ordered twice", "refundAccount": other})
	if status != http.StatusOK {
		x.Fatalf("%d %v", status, answer)
	}
	x.wantRefundedTo(p, kimsRefund)
	x.wantRefunded("canceled", "refunded", 15000, "15000 refunded")
}

// Other payments go back to where they came from, with or without an account.
func (x *tossShop) cancelCardPayment() {
	for _, more := range []object{{}, {"refundAccount": kimsAccount}} {
		o := x.open()
		p := x.approve(o)
		if status, answer := x.confirm(o, p.PaymentKey, x.key()); status != http.StatusOK {
			x.Fatalf("%d %v", status, answer)
		}
		more["reason"] = "Ordered twice"
		if status, answer := x.post("/orders/"+textAt(x.orderOfCheckout(), "id")+"/cancel", more); status != http.StatusOK {
			x.Fatalf("%d %v", status, answer)
		}
		x.wantRefunded("canceled", "refunded", 15000, "15000 refunded")
		x.wantRefundedTo(p)
	}
}

func (x *tossShop) refuseMalformedAccounts() {
	order, p := x.transfer()
	for name, c := range map[string]struct {
		account any
		fields  string
	}{
		"a text":        {"110-123", "refundAccount"},
		"no account":    {object{"bank": "88", "holder": "Kim"}, "refundAccount.account"},
		"no digits":     {object{"bank": "88", "account": "--", "holder": "Kim"}, "refundAccount.account"},
		"letters":       {object{"bank": "88", "account": "11O", "holder": "Kim"}, "refundAccount.account"},
		"a long number": {object{"bank": "88", "account": strings.Repeat("1", 21), "holder": "Kim"}, "refundAccount.account"},
		"everything":    {object{"bank": "신한", "account": "x", "holder": ""}, "refundAccount.bank refundAccount.account refundAccount.holder"},
		"more":          {object{"bank": "88", "account": "1", "holder": "Kim", "branch": "1"}, "refundAccount.branch"},
	} {
		status, answer := x.post("/orders/"+order+"/cancel", object{"reason": "Ordered twice", "refundAccount": c.account})
		text := errorText(answer)
		for field := range strings.FieldsSeq(c.fields) {
			if status != http.StatusBadRequest || !strings.Contains(text, `"`+field+`"`) {
				x.Errorf("%s: %d %s", name, status, text)
			}
		}
	}
	x.wantRefundedTo(p)
	x.wantRefunded("paid", "paid", 0)
}

func (x *tossShop) refuseOtherAccountOfSameKey() {
	order, _ := x.transfer()
	key, path := x.key(), "/orders/"+order+"/cancel"
	in := object{"reason": "Ordered twice", "refundAccount": kimsAccount}
	for range 2 {
		if status, answer := x.postAs(key, path, in); status != http.StatusOK {
			x.Fatalf("%d %v", status, answer)
		}
	}
	for _, other := range []any{nil, object{"bank": "88", "account": "110-123-456780", "holder": "김지우"}} {
		status, answer := x.postAs(key, path, object{"reason": "Ordered twice", "refundAccount": other})
		x.wantRefusal("idempotency_key_reused", status, answer)
	}
}
