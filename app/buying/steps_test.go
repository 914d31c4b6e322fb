package buying_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
)

var home = &checkout.Address{RecipientName: "Kim", Phone: "010-1", PostalCode: "06000", Address1: "Gangnam 1", Country: "KR"}

func (b *bed) newCheckout(cartID string) buying.NewCheckout {
	return buying.NewCheckout{Cart: cartID, Contact: checkout.Contact{Name: "Kim", Email: "kim@example.com"}, Address: home}
}

// checkout opens a checkout of a new cart and returns its answer.
func (b *bed) checkout(names ...string) said {
	b.t.Helper()
	return b.must(b.Create(b.t.Context(), b.server(key(), "checkouts.create", ""), b.newCheckout(b.cart(nil, names...))))
}

func session(checkoutID string) buying.NewSession {
	return buying.NewSession{Checkout: checkoutID, Action: payment.Action{Kind: payment.Widget, SuccessURL: "https://shop.example/ok", FailURL: "https://shop.example/no"}}
}

func (b *bed) pay(checkoutID string) said {
	b.t.Helper()
	return b.must(b.OpenSession(b.t.Context(), b.server(key(), "paymentSessions.create", ""), session(checkoutID)))
}

// approve is the buyer saying yes at the provider.
func (b *bed) approve(session said, outcome string) (paymentKey string) {
	b.t.Helper()
	body, _ := json.Marshal(map[string]string{"orderId": session.text("action.orderId"), "outcome": outcome})
	return b.post("/sandbox/authorize", body).text("paymentKey")
}

func (b *bed) post(path string, body []byte) said {
	b.t.Helper()
	res, err := http.Post(b.bankURL+path, "application/json", bytes.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		b.t.Fatalf("%s: %d %s %v", path, res.StatusCode, answer, err)
	}
	return b.read(answer)
}

// faults orders failures at the provider.
func (b *bed) faults(body string) {
	b.t.Helper()
	req, _ := http.NewRequestWithContext(b.t.Context(), http.MethodPut, b.bankURL+"/sandbox/faults", strings.NewReader(body))
	req.SetBasicAuth(bank.AccountSecret(bankSecret, b.account), "")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode >= 300 {
		b.t.Fatal(res.Status)
	}
}

func confirmation(session said, paymentKey string) buying.Confirmation {
	n, _ := money.Parse(session.text("action.amount.amount"), "KRW")
	return buying.Confirmation{Session: session.text("paymentSession.id"), PaymentKey: paymentKey, OrderID: session.text("action.orderId"), Amount: n}
}

func (b *bed) confirm(session said, paymentKey string) (once.Answer, error) {
	return b.Confirm(b.t.Context(), b.server(key(), "paymentSessions.confirm", ""), confirmation(session, paymentKey))
}

// capture takes the money at the provider behind our back, as a late confirm of another system would.
func (b *bed) capture(session said, paymentKey string) {
	b.t.Helper()
	n, _ := money.Parse(session.text("action.amount.amount"), "KRW")
	body, _ := json.Marshal(map[string]any{"paymentKey": paymentKey, "orderId": session.text("action.orderId"), "amount": n.Minor, "currency": "KRW"})
	req, _ := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.bankURL+"/v1/payments/"+session.text("action.orderId")+"/confirm", bytes.NewReader(body))
	req.SetBasicAuth(bank.AccountSecret(bankSecret, b.account), "")
	req.Header.Set("Idempotency-Key", key())
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		b.t.Fatal(res.Status)
	}
}
