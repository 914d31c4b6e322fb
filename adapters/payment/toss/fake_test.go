package toss_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/big"
	"net/http"
	"strings"
	"sync"
)

// fake is Toss Payments as reference payments 2 describes it: its status codes, its errors, and its idempotency, which
// looks at key, API key, method and URL, but not at the body.
type fake struct {
	mu       sync.Mutex
	accounts map[string]string // MID by secret key
	payments map[string]*paid  // by payment key
	answers  map[string]answer // by idempotency identity
	confirms int               // that were carried out
	refuse   *answer           // in place of the next POST that is not a replay
}

type answer struct {
	status int
	body   any
}

// paid is a payment; amounts are in major units.
type paid struct {
	mID, paymentKey, orderID, status, currency, method, secret string
	total, balance                                             *big.Rat
	cancels                                                    []map[string]any
}

func newFake(accounts map[string]string) *fake {
	return &fake{accounts: accounts, payments: map[string]*paid{}, answers: map[string]answer{}}
}

func no(status int, code string) answer {
	return answer{status, map[string]string{"code": code, "message": "요청을 처리할 수 없습니다."}}
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	f.mu.Lock()
	a := f.serve(r, body)
	f.mu.Unlock()
	w.Header().Set("Content-Type", "application/json;charset=UTF-8")
	w.WriteHeader(a.status)
	_ = json.NewEncoder(w).Encode(a.body)
}

func (f *fake) serve(r *http.Request, body []byte) answer {
	secret, password, basic := r.BasicAuth()
	mID, known := f.accounts[secret]
	switch {
	case !basic || !known || password != "" || strings.Contains(secret, ":"):
		return no(http.StatusUnauthorized, "UNAUTHORIZED_KEY")
	case r.Method == http.MethodGet:
		return f.find(mID, strings.TrimPrefix(r.URL.Path, "/v1/payments/"))
	case r.Method != http.MethodPost:
		return no(http.StatusMethodNotAllowed, "INVALID_REQUEST")
	}
	key := r.Header.Get("Idempotency-Key")
	if len(key) > 300 {
		return no(http.StatusBadRequest, "INVALID_IDEMPOTENCY_KEY")
	}
	id := strings.Join([]string{key, secret, r.Method, r.URL.Path}, "\x00")
	if before, replayed := f.answers[id]; replayed && key != "" {
		return before
	}
	a := f.post(mID, strings.TrimPrefix(r.URL.Path, "/v1/payments/"), body)
	f.answers[id] = a
	return a
}

func (f *fake) find(mID, path string) answer {
	orderID, byOrder := strings.CutPrefix(path, "orders/")
	for key, p := range f.payments {
		if p.mID == mID && (byOrder && p.orderID == orderID || !byOrder && key == path) {
			return answer{http.StatusOK, p.told()}
		}
	}
	return no(http.StatusNotFound, "NOT_FOUND_PAYMENT")
}

func (f *fake) post(mID, path string, body []byte) answer {
	if a := f.refuse; a != nil {
		f.refuse = nil
		return *a
	}
	var in struct {
		PaymentKey       string
		OrderID          string `json:"orderId"`
		Amount           json.Number
		CancelReason     string
		CancelAmount     json.Number
		RefundableAmount json.Number
	}
	strict := json.NewDecoder(strings.NewReader(string(body)))
	strict.DisallowUnknownFields()
	if strict.Decode(&in) != nil {
		return no(http.StatusBadRequest, "INVALID_REQUEST")
	}
	if path == "confirm" {
		return f.confirm(mID, in.PaymentKey, in.OrderID, in.Amount)
	}
	key, isCancel := strings.CutSuffix(path, "/cancel")
	p := f.payments[key]
	switch {
	case !isCancel || p == nil || p.mID != mID:
		return no(http.StatusNotFound, "NOT_FOUND_PAYMENT")
	case in.CancelReason == "":
		return no(http.StatusBadRequest, "INVALID_REQUEST")
	}
	return p.cancel(in.CancelAmount, in.RefundableAmount)
}

func (f *fake) confirm(mID, key, orderID string, amount json.Number) answer {
	p := f.payments[key]
	asked, isNumber := new(big.Rat).SetString(string(amount))
	switch {
	case p == nil || p.mID != mID:
		return no(http.StatusNotFound, "NOT_FOUND_PAYMENT_SESSION")
	case p.status == "EXPIRED":
		return no(http.StatusBadRequest, "EXPIRED_PAYMENT")
	case p.status != "IN_PROGRESS":
		return no(http.StatusBadRequest, "ALREADY_PROCESSED_PAYMENT")
	case !isNumber || p.orderID != orderID || p.total.Cmp(asked) != 0:
		return no(http.StatusBadRequest, "INVALID_REQUEST")
	}
	f.confirms++
	p.status = "DONE"
	if p.secret != "" {
		p.status = "WAITING_FOR_DEPOSIT"
	}
	return answer{http.StatusOK, p.told()}
}

func (p *paid) cancel(amount, refundable json.Number) answer {
	switch p.status {
	case "WAITING_FOR_DEPOSIT":
		p.status, p.balance = "CANCELED", new(big.Rat)
		return answer{http.StatusOK, p.told()}
	case "DONE", "PARTIAL_CANCELED":
	default:
		return no(http.StatusForbidden, "NOT_CANCELABLE_PAYMENT")
	}
	back := p.balance
	if amount != "" {
		back, _ = new(big.Rat).SetString(string(amount))
	}
	guard := p.balance
	if refundable != "" {
		guard, _ = new(big.Rat).SetString(string(refundable))
	}
	if guard.Cmp(p.balance) != 0 || back.Sign() <= 0 || back.Cmp(p.balance) > 0 {
		return no(http.StatusForbidden, "NOT_CANCELABLE_AMOUNT")
	}
	p.balance = new(big.Rat).Sub(p.balance, back)
	p.cancels = append(p.cancels, map[string]any{ // 2.2
		"transactionKey": fmt.Sprintf("cancel_%s_%d", p.paymentKey, len(p.cancels)+1), "cancelAmount": number(back), "cancelReason": "asked for",
		"refundableAmount": number(p.balance), "canceledAt": "2026-01-31T18:00:00+09:00", "cancelStatus": "DONE", "receiptKey": nil,
	})
	p.status = "PARTIAL_CANCELED"
	if p.balance.Sign() == 0 {
		p.status = "CANCELED"
	}
	return answer{http.StatusOK, p.told()}
}

// told is the Payment object, with the fields that real answers have besides those we read.
func (p *paid) told() map[string]any {
	all := map[string]any{
		"mId": p.mID, "version": "2022-11-16", "lastTransactionKey": "txn_" + p.paymentKey, "paymentKey": p.paymentKey, "orderId": p.orderID,
		"orderName": "Linen shirt", "status": p.status, "method": p.method, "currency": p.currency, "type": "NORMAL", "country": "KR",
		"totalAmount": number(p.total), "balanceAmount": number(p.balance), "useEscrow": false, "card": nil, "failure": nil, "cancels": p.cancels,
		"receipt": map[string]any{"url": "https://receipts.example/" + p.paymentKey},
	}
	if p.secret != "" {
		maps.Copy(all, map[string]any{"secret": p.secret, "virtualAccount": map[string]any{"accountNumber": "X6505636518308", "bankCode": "20"}})
	}
	return all
}

// number writes as many digits as it takes.
func number(r *big.Rat) json.Number {
	digits, exact := r.FloatPrec()
	if !exact {
		panic("no decimal number")
	}
	return json.Number(r.FloatString(digits))
}

// buyer approves in the widget: there is a payment from then on.
func (f *fake) buyer(mID, orderID, amount, currency string) *paid {
	f.mu.Lock()
	defer f.mu.Unlock()
	total, ok := new(big.Rat).SetString(amount)
	if !ok {
		panic(amount)
	}
	p := &paid{
		mID: mID, paymentKey: fmt.Sprintf("tgen_%s_%d", orderID, len(f.payments)), orderID: orderID, status: "IN_PROGRESS", currency: currency,
		method: "카드", total: total, balance: total,
	}
	f.payments[p.paymentKey] = p
	return p
}

// is puts a payment into a state that time, a bank or somebody at Toss brought about.
func (f *fake) is(p *paid, status string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p.status = status
}
