package program

import (
	"bytes"
	"database/sql"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/payment/toss/tossfake"
)

// TestRefundAccountsAreNeverExposed refunds to accounts of buyers in every way and with every outcome, over REST and
// GraphQL. Then it searches responses, events, logs at all levels and the database for what the accounts consist of:
// nothing but their provider gets them, and the database has them sealed, and only as long as they are needed.
func TestRefundAccountsAreNeverExposed(t *testing.T) {
	t.Parallel()
	s := newSecretRecorder(t)
	words := map[string]string{"the number": "110987654321", "the number as written": "110-987-654321", "the holder": "Gildong Hong-Fernandez"}
	account := object{"bank": "88", "account": words["the number as written"], "holder": words["the holder"]}
	sealed := func(want int) {
		t.Helper()
		if n := s.sealedCalls(); n != want {
			t.Errorf("%d calls are sealed, want %d", n, want)
		}
		s.searchDatabase(words)
	}

	order, _ := s.orderByTransfer()
	s.request("POST", "/orders/"+order+"/cancel", object{"reason": "no account"}, s.secret...)
	s.request("POST", "/orders/"+order+"/cancel", object{"reason": "a wrong one", "refundAccount": object{
		"bank": "신한", "account": words["the number as written"] + "x", "holder": words["the holder"] + "\n",
	}}, s.secret...)
	echo := tossfake.Response{Status: http.StatusBadRequest, Body: object{"code": words["the number"], "message": words["the holder"]}}
	for _, said := range []tossfake.Response{echo, tossfake.ErrorResponse(http.StatusBadRequest, "INVALID_REFUND_ACCOUNT_INFO")} {
		s.toss.Locked(func() { s.toss.NextResponse = &said })
		if status, a := s.request("POST", "/orders/"+order+"/cancel", object{"reason": "refused", "refundAccount": account}, s.secret...); status < 400 {
			t.Errorf("refused: %d %v", status, a)
		}
		sealed(0) // refused for good
	}
	busy := tossfake.Response{Status: http.StatusForbidden, Body: object{"code": "FORBIDDEN_CONSECUTIVE_REQUEST", "message": words["the number"]}}
	s.toss.Locked(func() { s.toss.NextResponse = &busy })
	status, a := s.request("POST", "/orders/"+order+"/cancel", object{"reason": "unanswered", "refundAccount": account}, s.secret...)
	if status != http.StatusServiceUnavailable {
		t.Errorf("unanswered: %d %v", status, a)
	}
	sealed(1) // it is sent again
	s.toss.Locked(func() { s.toss.ForgetKeys() })
	s.must("POST", "/orders/"+order+"/cancel", object{"reason": "again", "refundAccount": account}, s.secret...)
	sealed(0)

	order, _ = s.orderByTransfer()
	s.must("POST", "/graphql", object{"query": fmt.Sprintf(
		`mutation { orderCancel(orderId: %q, idempotencyKey: "ik_of_a_mutation_0123456789", input: {reason: "in the document",
			refundAccount: {bank: "88", account: %q, holder: %q}}) { order { status } } }`, order, account["account"], account["holder"]),
	}, s.secret...)
	if got := s.must("GET", "/orders/"+order, nil, s.secret...); got["status"] != "canceled" {
		t.Errorf("over GraphQL: %v", got["status"])
	}
	s.returnByTransfer(account)
	sealed(0)

	sent := 0
	s.sentToProviders.each(func(_, text string) {
		if strings.Contains(text, words["the number"]) {
			sent++
		}
	})
	if sent < 5 {
		t.Errorf("only %d requests to the provider name the account: nothing was kept secret", sent)
	}
	s.answers.each(func(about, text string) { search(t, words, about, text) })
	s.log.each(func(about, text string) { search(t, words, about, text) })
	for _, event := range s.allEvents() {
		search(t, words, "an event", event)
	}
}

// returnByTransfer returns an order whose buyer names the account with the request; all may read the request before and
// after its refund.
func (s *secretRecorder) returnByTransfer(account object) {
	s.Helper()
	order, line := s.orderByTransfer()
	for _, to := range []string{"preparing", "shipped", "delivered"} {
		s.must("POST", "/orders/"+order+"/transitions", object{"to": to}, s.secret...)
	}
	asked := s.must("POST", "/return-requests", object{
		"order": order, "lines": []any{object{"orderLine": line, "quantity": 1}}, "refundAccount": account,
	}, s.secret...)["returnRequest"].(object)
	path := "/return-requests/" + asked["id"].(string)
	if asked["refundAccountEnding"] != "4321" {
		s.Errorf("the account ends in %v", asked["refundAccountEnding"])
	}
	read := func() {
		s.Helper()
		for _, headers := range [][]string{s.admin, s.secret, s.client} {
			for _, query := range []string{"", "?depth=10", "?select[refundAccount]=true"} {
				s.request("GET", path+query, nil, headers...)
			}
			s.request("GET", "/return-requests?where[refundAccount][exists]=true&sort=refundAccount", nil, headers...)
			s.request("POST", "/graphql", object{"query": "{ ReturnRequests { docs { refundAccount } } }"}, headers...)
		}
	}
	read()
	s.searchDatabase(map[string]string{"the number": account["account"].(string), "the holder": account["holder"].(string)})
	s.must("POST", path+"/approve", object{}, s.secret...)
	s.must("POST", path+"/refund", object{}, s.secret...)
	read()
	if kept := s.count(`SELECT count(*) FROM return_requests WHERE doc LIKE '%refundAccount"%'`); kept != 0 {
		s.Errorf("%d accounts are kept after the refund", kept)
	}
}

// orderByTransfer is an order that was paid at Toss by virtual account, and its line.
func (s *secretRecorder) orderByTransfer() (order, line string) {
	s.Helper()
	id, token := s.checkOut()
	const back = "https://shop.example/back"
	opened := s.must("POST", "/commerce/payment-sessions", object{
		"checkoutId": id, "connectionId": s.accounts["toss"], "successUrl": back, "failUrl": back,
	}, append(slices.Clone(s.client), "X-Checkout-Token: "+token)...)
	act := opened["action"].(object)
	amount := act["amount"].(object)
	p := s.toss.Approve(tossMID, act["orderId"].(string), fmt.Sprint(amount["amount"]), amount["currency"].(string))
	s.toss.Locked(func() { p.Secret = "ps_secret_of_the_account" })
	path := "/server/commerce/payment-sessions/" + opened["paymentSession"].(object)["id"].(string) + "/confirm"
	in := object{"paymentKey": p.PaymentKey, "orderId": act["orderId"], "amount": amount}
	s.must("POST", path, in, s.secret...)
	s.toss.SetStatus(p, "DONE")
	placed := s.must("POST", path, in, s.secret...)["order"].(object)
	return placed["id"].(string), placed["lines"].([]any)[0].(object)["id"].(string)
}

// sealedCalls is how many calls to providers are kept sealed.
func (s *secretRecorder) sealedCalls() int {
	s.Helper()
	return s.count("SELECT count(DISTINCT operation) FROM provider_calls WHERE CAST(request AS TEXT) LIKE 'sealed:%'")
}

func (s *secretRecorder) count(query string) (n int) {
	s.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(s.data, "cartwright.db")+"?mode=ro")
	if err != nil {
		s.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRowContext(s.Context(), query).Scan(&n); err != nil {
		s.Fatal(err)
	}
	return n
}

// searchDatabase reports the words that the files of the database contain.
func (s *secretRecorder) searchDatabase(words map[string]string) {
	s.Helper()
	for name, content := range s.files() {
		for what, word := range words {
			if bytes.Contains(content, []byte(word)) {
				s.Errorf("%s contains %s", name, what)
			}
		}
	}
}
