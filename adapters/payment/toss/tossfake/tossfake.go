// Package tossfake is a stateful fake of Toss Payments for tests. It is written from Facts toss-1 to toss-24:
// status codes, errors, and idempotency, which compares key, API key, method and URL, but not the body. CHECKS.md
// lists what it refuses. It shares no code with the adapter.
package tossfake

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/big"
	"net/http"
	"strings"
	"sync"
)

// Toss is the provider. Its switches and records may be accessed directly only while it serves no requests,
// else within Locked.
type Toss struct {
	NextResponse  *Response // answers the next POST that is not a replay, and from then on its key
	LoseResponses int       // how many POSTs take effect and lose their answer
	ConfirmCount  int       // executed confirms

	mu       sync.Mutex
	accounts map[string]string   // MID by secret key
	payments []*Payment          // oldest first
	replies  map[string]Response // by idempotency identity
}

// Response is a status and a body.
type Response struct {
	Status int
	Body   any
}

// Payment is a payment; amounts are in major units. One with a Secret is by virtual account: it waits for a
// deposit once it is confirmed, and the webhook about the deposit has that secret.
type Payment struct {
	MID, PaymentKey, OrderID, Status, Currency, Method, Secret string
	Total, Balance                                             *big.Rat
	TaxFree, TaxFreeLeft                                       *big.Rat // the part of Total and of Balance without value added tax
	FullCancelOnly                                             bool
	RefundedTo                                                 []RefundAccount // of each cancel by the API after a deposit

	cancels []map[string]any
}

// New is a Toss without payments, with the secret keys of accounts by MID.
func New(accounts map[string]string) *Toss {
	return &Toss{accounts: accounts, replies: map[string]Response{}}
}

// Locked runs change while no request is served.
func (f *Toss) Locked(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

// ErrorResponse is an error of Toss.
func ErrorResponse(status int, code string) Response {
	return Response{status, map[string]string{"code": code, "message": "요청을 처리할 수 없습니다."}}
}

func (f *Toss) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	f.mu.Lock()
	a := f.serve(r, body)
	lost := r.Method == http.MethodPost && f.LoseResponses > 0
	if lost {
		f.LoseResponses--
	}
	f.mu.Unlock()
	if lost {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Content-Type", "application/json;charset=UTF-8")
	w.WriteHeader(a.Status)
	_ = json.NewEncoder(w).Encode(a.Body) //nolint:errchkjson // the caller may have gone
}

func (f *Toss) serve(r *http.Request, body []byte) Response {
	secret, password, basic := r.BasicAuth()
	mID, known := f.accounts[secret]
	switch {
	case !basic && strings.HasPrefix(r.Header.Get("Authorization"), "Basic "): // without the colon
		return ErrorResponse(http.StatusForbidden, "INCORRECT_BASIC_AUTH_FORMAT")
	case !basic || !known || password != "" || strings.Contains(secret, ":"):
		return ErrorResponse(http.StatusUnauthorized, "UNAUTHORIZED_KEY")
	case r.Method == http.MethodGet:
		return f.find(mID, strings.TrimPrefix(r.URL.Path, "/v1/payments/"))
	case r.Method != http.MethodPost:
		return ErrorResponse(http.StatusMethodNotAllowed, "INVALID_REQUEST")
	}
	key := r.Header.Get("Idempotency-Key")
	if len(key) > 300 {
		return ErrorResponse(http.StatusBadRequest, "INVALID_IDEMPOTENCY_KEY")
	}
	id := strings.Join([]string{key, secret, r.Method, r.URL.Path}, "\x00")
	if before, replayed := f.replies[id]; replayed && key != "" {
		return before
	}
	path := strings.TrimPrefix(r.URL.Path, "/v1/payments/")
	if refused := refusedForm(r, path, body); refused != nil {
		return *refused
	}
	a := f.post(mID, path, body)
	f.replies[id] = a
	return a
}

// find is a payment by its key, or by its order: of several attempts the captured one, else the newest.
func (f *Toss) find(mID, path string) Response {
	orderID, byOrder := strings.CutPrefix(path, "orders/")
	var found *Payment
	for _, p := range f.payments {
		if p.MID == mID && (byOrder && p.OrderID == orderID || !byOrder && p.PaymentKey == path) && (found == nil || !found.captured()) {
			found = p
		}
	}
	if found == nil {
		return ErrorResponse(http.StatusNotFound, "NOT_FOUND_PAYMENT")
	}
	return Response{http.StatusOK, found.toJSON()}
}

// captured reports whether p was confirmed.
func (p *Payment) captured() bool {
	return p.Status == "DONE" || p.Status == "WAITING_FOR_DEPOSIT" || p.Status == "CANCELED" || p.Status == "PARTIAL_CANCELED"
}

// byKey is a payment of an account; nil if there is none.
func (f *Toss) byKey(mID, key string) *Payment {
	for _, p := range f.payments {
		if p.MID == mID && p.PaymentKey == key {
			return p
		}
	}
	return nil
}

func (f *Toss) post(mID, path string, body []byte) Response {
	if a := f.NextResponse; a != nil {
		f.NextResponse = nil
		return *a
	}
	var in struct {
		PaymentKey   string      `json:"paymentKey"`
		OrderID      string      `json:"orderId"`
		Amount       json.Number `json:"amount"`
		CancelAmount json.Number `json:"cancelAmount"`
		TaxFree      json.Number `json:"taxFreeAmount"`
		Currency     string      `json:"currency"`

		RefundReceiveAccount *RefundAccount `json:"refundReceiveAccount"`
	}
	if err := json.Unmarshal(body, &in); err != nil { // refusedForm has checked it
		panic(err)
	}
	if path == "confirm" {
		return f.confirm(mID, in.PaymentKey, in.OrderID, in.Amount)
	}
	p := f.byKey(mID, strings.TrimSuffix(path, "/cancel"))
	switch {
	case p == nil:
		return ErrorResponse(http.StatusNotFound, "NOT_FOUND_PAYMENT")
	case in.CancelAmount != "" && p.Currency != "KRW" && in.Currency != strings.TrimPrefix(p.Currency, "M"): // Fact toss-13
		return ErrorResponse(http.StatusBadRequest, "INVALID_REQUEST")
	}
	if p.Secret != "" && (p.Status == "DONE" || p.Status == "PARTIAL_CANCELED") { // Fact toss-19
		if code := in.RefundReceiveAccount.refusal(); code != "" {
			return ErrorResponse(http.StatusBadRequest, code)
		}
		p.RefundedTo = append(p.RefundedTo, *in.RefundReceiveAccount)
	}
	return p.cancel(in.CancelAmount, in.TaxFree)
}

func (f *Toss) confirm(mID, key, orderID string, amount json.Number) Response {
	p := f.byKey(mID, key)
	asked, isNumber := new(big.Rat).SetString(string(amount))
	switch {
	case p == nil:
		return ErrorResponse(http.StatusNotFound, "NOT_FOUND_PAYMENT_SESSION")
	case p.Status == "EXPIRED":
		return ErrorResponse(http.StatusBadRequest, "EXPIRED_PAYMENT")
	case p.Status != "IN_PROGRESS":
		return ErrorResponse(http.StatusBadRequest, "ALREADY_PROCESSED_PAYMENT")
	case !isNumber || p.OrderID != orderID || p.Total.Cmp(asked) != 0:
		return ErrorResponse(http.StatusBadRequest, "INVALID_REQUEST")
	}
	for _, other := range f.payments {
		if other != p && other.MID == mID && other.OrderID == orderID && other.captured() {
			return ErrorResponse(http.StatusBadRequest, "DUPLICATED_ORDER_ID")
		}
	}
	f.ConfirmCount++
	p.Status = "DONE"
	if p.Secret != "" {
		p.Status = "WAITING_FOR_DEPOSIT"
	}
	return Response{http.StatusOK, p.toJSON()}
}

// cancel compares no balance with refundableAmount, which Toss has deprecated: adapters must not depend on it.
func (p *Payment) cancel(amount, taxFree json.Number) Response {
	switch p.Status {
	case "WAITING_FOR_DEPOSIT":
		p.Status, p.Balance, p.TaxFreeLeft = "CANCELED", new(big.Rat), new(big.Rat)
		return Response{http.StatusOK, p.toJSON()}
	case "DONE", "PARTIAL_CANCELED":
	case "CANCELED":
		return ErrorResponse(http.StatusBadRequest, "ALREADY_CANCELED_PAYMENT")
	default:
		return ErrorResponse(http.StatusForbidden, "NOT_CANCELABLE_PAYMENT")
	}
	back, free := p.Balance, p.TaxFreeLeft // without an amount, all that is left
	if amount != "" {
		back, _ = new(big.Rat).SetString(string(amount))
		free, _ = new(big.Rat).SetString(cmp.Or(string(taxFree), "0")) // Fact toss-24
	}
	switch {
	case back.Sign() <= 0 || back.Cmp(p.Balance) > 0:
		return ErrorResponse(http.StatusForbidden, "NOT_CANCELABLE_AMOUNT")
	case free.Cmp(back) > 0:
		return ErrorResponse(http.StatusBadRequest, "INVALID_REQUEST")
	case free.Cmp(p.TaxFreeLeft) > 0 || minus(back, free).Cmp(minus(p.Balance, p.TaxFreeLeft)) > 0:
		return ErrorResponse(http.StatusForbidden, "NOT_CANCELABLE_AMOUNT")
	case p.FullCancelOnly && back.Cmp(p.Balance) < 0: // Fact toss-22
		return ErrorResponse(http.StatusForbidden, "NOT_ALLOWED_PARTIAL_REFUND")
	}
	p.Balance, p.TaxFreeLeft = minus(p.Balance, back), minus(p.TaxFreeLeft, free)
	p.cancels = append(p.cancels, map[string]any{ // Fact toss-6
		"transactionKey": fmt.Sprintf("cancel_%s_%d", p.PaymentKey, len(p.cancels)+1), "cancelAmount": FormatNumber(back),
		"cancelReason": "asked for", "taxFreeAmount": FormatNumber(free),
		"refundableAmount": FormatNumber(p.Balance), "canceledAt": "2026-01-31T18:00:00+09:00", "cancelStatus": "DONE", "receiptKey": nil,
	})
	p.Status = "PARTIAL_CANCELED"
	if p.Balance.Sign() == 0 {
		p.Status = "CANCELED"
	}
	return Response{http.StatusOK, p.toJSON()}
}

// toJSON is the Payment object, including fields of real answers that we do not read.
func (p *Payment) toJSON() map[string]any {
	all := map[string]any{
		"mId": p.MID, "version": "2022-11-16", "lastTransactionKey": "txn_" + p.PaymentKey, "paymentKey": p.PaymentKey,
		"orderId": p.OrderID, "orderName": "Linen shirt", "status": p.Status, "method": p.Method, "currency": p.Currency, "type": "NORMAL",
		"country": "KR", "totalAmount": FormatNumber(p.Total), "balanceAmount": FormatNumber(p.Balance), "useEscrow": false, "card": nil,
		"taxFreeAmount": FormatNumber(p.TaxFreeLeft), "vat": FormatNumber(p.vat()), "suppliedAmount": FormatNumber(p.supplied()), // Fact toss-24
		"isPartialCancelable": !p.FullCancelOnly, "cashReceipt": nil, // Facts toss-21, toss-22
		"failure": nil, "receipt": map[string]any{"url": "https://receipts.example/" + p.PaymentKey},
	}
	if p.Secret != "" {
		maps.Copy(all, map[string]any{
			"secret": p.Secret, "method": "가상계좌", "virtualAccount": map[string]any{ // Fact toss-16
				"accountType": "일반", "accountNumber": "X6505636518308", "bankCode": "20", "customerName": "김지우",
				"dueDate": "2026-02-07T23:59:59+09:00", "refundStatus": "NONE", "expired": false, "settlementStatus": "INCOMPLETED",
			},
		})
		if p.Status == "DONE" {
			all["cashReceipt"], all["useEscrow"] = map[string]any{
				"type": "소득공제", "receiptKey": "receipt_" + p.PaymentKey, "issueNumber": "123456789", "amount": FormatNumber(p.Total),
				"taxFreeAmount": FormatNumber(p.TaxFree), "receiptUrl": "https://receipts.example/cash/" + p.PaymentKey,
			}, true
		}
	}
	return complete(all, p.cancels)
}

// FormatNumber formats a number with as many digits as needed.
func FormatNumber(r *big.Rat) json.Number {
	digits, exact := r.FloatPrec()
	if !exact {
		panic("not a decimal number")
	}
	return json.Number(r.FloatString(digits))
}

// Approve is the buyer's approval in the widget, from which the payment exists.
func (f *Toss) Approve(mID, orderID, amount, currency string) *Payment {
	return f.ApproveMixed(mID, orderID, amount, "0", currency)
}

// ConsoleCancel cancels a part of a payment in Toss's console, or everything left for "". Its operator takes no more from
// the tax-free part than needed.
func (f *Toss) ConsoleCancel(p *Payment, amount string) {
	f.Locked(func() {
		if a := p.cancel(json.Number(amount), p.taxFreeOf(amount)); a.Status != http.StatusOK {
			panic(a.Body)
		}
	})
}

// ForgetKeys drops the stored answers, as Toss does after 15 days. Call it within Locked.
func (f *Toss) ForgetKeys() { clear(f.replies) }

// ChangeTotal has another amount paid than was confirmed.
func (f *Toss) ChangeTotal(p *Payment, amount string) {
	f.Locked(func() {
		total, ok := new(big.Rat).SetString(amount)
		if !ok {
			panic(amount)
		}
		p.Total, p.Balance, p.TaxFree, p.TaxFreeLeft = total, total, new(big.Rat), new(big.Rat)
	})
}

// SetStatus sets the status of a payment, as a timeout, a bank or Toss would.
func (f *Toss) SetStatus(p *Payment, status string) {
	f.Locked(func() { p.Status = status })
}

// NewestPayment is the last payment of an order.
func (f *Toss) NewestPayment(orderID string) (last *Payment) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range f.payments {
		if p.OrderID == orderID {
			last = p
		}
	}
	return last
}

// PaymentsOf is the payments of an order, oldest first.
func (f *Toss) PaymentsOf(orderID string) (all []Payment) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range f.payments {
		if p.OrderID == orderID {
			all = append(all, *p)
		}
	}
	return all
}

// DepositCallback is the flat body about a deposit, with the secret of its account. Fact toss-10.
func (p *Payment) DepositCallback() string {
	return fmt.Sprintf(`{"createdAt":"2026-01-31T18:00:00.000000","secret":%q,"status":%q,"transactionKey":"txn_%s","orderId":%q}`,
		p.Secret, p.Status, p.PaymentKey, p.OrderID)
}

// StatusChangedWebhook is the body about any new status. Fact toss-10.
func (p *Payment) StatusChangedWebhook() string {
	data, err := json.Marshal(p.toJSON())
	if err != nil {
		panic(err)
	}
	return `{"eventType":"PAYMENT_STATUS_CHANGED","createdAt":"2026-01-31T18:00:00.000000","data":` + string(data) + `}`
}
