// Package portonefake is a stateful fake of PortOne V2 for tests. It is written from Facts portone-1 to
// portone-31, each answer with its fact, and shares no code with the adapter. CHECKS.md lists what it refuses.
package portonefake

import (
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The only account.
const (
	Secret = "portone-api-secret-of-the-test-9f2c" //nolint:gosec // a secret of this fake only
	Store  = "store-4ff4af41"
)

// PortOne is the provider. Its switches and records may be accessed directly only while it serves no
// requests.
type PortOne struct {
	Now                 time.Time         // its clock
	Channel             string            // of payments: TEST or LIVE
	Gateway             string            // behind the channel, as PortOne names it
	CashReceipt, Escrow map[string]any    // of payments. Fact portone-28
	DelayRefunds        bool              // cancellations stay requested
	NextBankError       string            // error of the bank behind it for the next cancellation, "" for none
	Replies             map[string]*Reply // by idempotency key, quotes included
	PageAskedWithSecret bool              // a page was looked up with a secret
	Calls               []string          // "GET /payments/Payment1", in order

	mu       sync.Mutex
	payments map[string]*payment
	pages    map[string]*page
	amounts  map[string]Terms // pre-registered
}

// Terms are the amount to pay, in minor units, and the part of it without value added tax.
type Terms struct {
	Amount   int64
	Currency string
	TaxFree  int64
}

type payment struct {
	Terms

	status        string
	byAccount     bool  // a virtual account was made for it
	vat           int64 // in Amount
	cancelled     int64
	cancelledTax  taxParts // of cancelled
	namedParts    int      // cancels by the API that named a part
	cancellations []map[string]any
	disputes      []map[string]any
	refundedTo    []any // the account of each cancellation
}

type page struct {
	Terms

	payment   string
	expiresAt time.Time
	closed    bool
}

// Reply is the stored answer to a key; it is not done while the request is running.
type Reply struct {
	Done   bool
	At     time.Time
	Status int
	Body   string
}

// New is a PortOne without payments; its clock shows January 31, 2026.
func New() *PortOne {
	return &PortOne{
		Now: time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC), Channel: "TEST", Gateway: "TOSSPAYMENTS",
		payments: map[string]*payment{}, pages: map[string]*page{}, amounts: map[string]Terms{}, Replies: map[string]*Reply{},
	}
}

// errorResponse is an error body, {type, message}. Fact portone-2.
type errorResponse struct {
	status int
	Type   string `json:"type"`
	Text   string `json:"message"`
	PgCode string `json:"pgCode,omitempty"`
	PgText string `json:"pgMessage,omitempty"`
}

func newError(status int, kind string) errorResponse {
	return errorResponse{status: status, Type: kind, Text: "message for " + Secret + " and Kim"} // which must not leak
}

var keyPattern = regexp.MustCompile(`^"[!#-\[\]-~]{16,256}"$`) // Fact portone-3: in double quotes

// ServeHTTP implements http.Handler.
func (f *PortOne) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Calls = append(f.Calls, r.Method+" "+r.URL.Path)
	key := r.Header.Get("Idempotency-Key")
	if r.Method == http.MethodPost && key != "" { // Fact portone-3: ignored on GET
		if !keyPattern.MatchString(key) {
			write(w, newError(http.StatusBadRequest, "INVALID_REQUEST"))
			return
		}
		known := f.Replies[key]
		if known != nil && f.Now.Sub(known.At) < 3*time.Hour { // Fact portone-3: guaranteed for 3 hours
			if !known.Done {
				write(w, newError(http.StatusConflict, "IDEMPOTENCY_OUTSTANDING_REQUEST"))
				return
			}
			w.WriteHeader(known.Status)
			_, _ = io.WriteString(w, known.Body)
			return
		}
	}
	status, answer := f.route(r, body)
	raw, _ := json.Marshal(answer) //nolint:errchkjson // always encodes
	if r.Method == http.MethodPost && key != "" && status != http.StatusUnauthorized {
		f.Replies[key] = &Reply{true, f.Now, status, string(raw)}
	}
	w.WriteHeader(status)
	_, _ = w.Write(raw)
}

func write(w http.ResponseWriter, what errorResponse) {
	w.WriteHeader(what.status)
	_ = json.NewEncoder(w).Encode(what) //nolint:errchkjson // the caller may have gone
}

func (f *PortOne) route(r *http.Request, body []byte) (int, any) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	if r.Method == http.MethodGet && len(parts) == 2 && parts[0] == "payment-sessions" { // Fact portone-10
		f.PageAskedWithSecret = f.PageAskedWithSecret || r.Header.Get("Authorization") != ""
		return respond(f.page(parts[1]))
	}
	if r.Header.Get("Authorization") != "PortOne "+Secret { // Fact portone-1
		return respond(nil, newError(http.StatusUnauthorized, "UNAUTHORIZED"))
	}
	in := map[string]any{}
	if r.Method == http.MethodPost {
		if refused := checkForm(r, body); refused.status != 0 {
			return respond(nil, refused)
		}
		numbers := json.NewDecoder(strings.NewReader(string(body)))
		numbers.UseNumber()
		_ = numbers.Decode(&in) // checkForm has; there may be no body
	}
	switch at := strings.Join(append([]string{r.Method}, parts...), " "); {
	case at == "POST payment-sessions":
		return respond(f.openPage(in))
	case r.Method == http.MethodPost && len(parts) == 3 && parts[0] == "payment-sessions" && parts[2] == "close":
		return respond(f.closePage(parts[1]))
	case r.Method == http.MethodGet && len(parts) == 2 && parts[0] == "payments":
		return respond(f.payment(parts[1], r.URL.Query().Get("storeId")))
	case r.Method == http.MethodPost && len(parts) == 3 && parts[2] == "pre-register":
		return respond(f.register(parts[1], in))
	case r.Method == http.MethodPost && len(parts) == 3 && parts[2] == "cancel":
		return respond(f.cancel(parts[1], in))
	}
	return respond(nil, newError(http.StatusNotFound, "NOT_FOUND"))
}

func respond(answer any, problem ...errorResponse) (int, any) {
	if len(problem) > 0 && problem[0].status != 0 {
		return problem[0].status, problem[0]
	}
	return http.StatusOK, answer
}

func toInt(v any) int64 {
	n, _ := v.(json.Number)
	i, err := n.Int64()
	if err != nil {
		return -1
	}
	return i
}

// openPage opens a page. Fact portone-9.
func (f *PortOne) openPage(in map[string]any) (any, errorResponse) {
	t := Terms{Amount: toInt(in["totalAmount"]), Currency: in["currency"].(string)} // all of it taxed. Fact portone-29
	switch {
	case in["storeId"] != Store:
		return nil, newError(http.StatusForbidden, "FORBIDDEN")
	case t.Amount <= 0:
		return nil, newError(http.StatusBadRequest, "INVALID_REQUEST")
	case toInt(in["ttlSeconds"]) > 3*60*60:
		return nil, newError(http.StatusBadRequest, "MAX_TTL_EXCEEDED")
	}
	id := "session-" + strconv.Itoa(len(f.pages)+1)
	f.pages[id] = &page{
		Terms: t, payment: in["paymentId"].(string), expiresAt: f.Now.Add(time.Duration(toInt(in["ttlSeconds"])) * time.Second),
	}
	return map[string]any{"sessionId": id, "url": "https://checkout.portone.example/" + id, "expiresAt": f.pages[id].expiresAt},
		errorResponse{}
}

// page answers with a page, or with the error of an unavailable one. Facts portone-10, portone-11.
func (f *PortOne) page(id string) (any, errorResponse) {
	p := f.pages[id]
	switch {
	case p == nil:
		return nil, newError(http.StatusNotFound, "SESSION_NOT_FOUND")
	case p.closed, f.Now.After(p.expiresAt):
		return nil, newError(http.StatusGone, "SESSION_EXPIRED")
	}
	return map[string]any{"sessionId": id, "paymentId": p.payment}, errorResponse{}
}

func (f *PortOne) closePage(id string) (any, errorResponse) {
	if _, gone := f.page(id); gone.status != 0 { // a close is never 410
		return nil, newError(http.StatusNotFound, "SESSION_NOT_FOUND")
	}
	f.pages[id].closed = true
	return map[string]any{"closedAt": f.Now}, errorResponse{}
}

// register stores the amount of a payment before its browser action is used. Fact portone-8: 409 when it is
// paid.
func (f *PortOne) register(id string, in map[string]any) (any, errorResponse) {
	currency, _ := in["currency"].(string)
	t := Terms{Amount: toInt(in["totalAmount"]), Currency: currency, TaxFree: max(0, toInt(in["taxFreeAmount"]))}
	switch p := f.payments[id]; {
	case in["storeId"] != nil && in["storeId"] != Store:
		return nil, newError(http.StatusForbidden, "FORBIDDEN")
	case in["totalAmount"] != nil && (t.Amount <= 0 || t.TaxFree > t.Amount):
		return nil, newError(http.StatusBadRequest, "INVALID_REQUEST")
	case p != nil && p.status == "PAID":
		return nil, newError(http.StatusConflict, "ALREADY_PAID")
	case in["totalAmount"] == nil || currency == "": // fixes nothing
		return map[string]any{}, errorResponse{}
	}
	f.amounts[id] = t
	return map[string]any{}, errorResponse{}
}

// payment answers with a payment. Facts portone-13, portone-14.
func (f *PortOne) payment(id, of string) (any, errorResponse) {
	p := f.payments[id]
	if p == nil || of != "" && of != Store { // without a store it is the secret's
		return nil, newError(http.StatusNotFound, "PAYMENT_NOT_FOUND")
	}
	method := map[string]any{"type": "PaymentMethodEasyPay", "provider": "KAKAOPAY"}
	if p.byAccount { // Fact portone-19
		method = map[string]any{
			"type": "PaymentMethodVirtualAccount", "bank": "SHINHAN", "accountNumber": "56211102345678", "accountType": "NORMAL",
			"remitteeName": "Shop Inc.", "remitterName": "Kim", "expiredAt": "2026-02-07T14:59:59Z", "issuedAt": "2026-01-31T09:00:00Z",
		}
	}
	return complete(map[string]any{
		"disputes": append([]map[string]any{}, p.disputes...),
		"status":   p.status, "id": id, "transactionId": "tx-" + id, "merchantId": "merchant-1", "storeId": Store, "version": "V2",
		"channel": map[string]any{"type": f.Channel, "key": "channel-key-1", "pgProvider": f.Gateway, "pgMerchantId": "merchant-1"},
		"amount": map[string]any{
			"total": p.Amount, "taxFree": p.TaxFree, "vat": p.vat, "supply": p.Amount - p.TaxFree - p.vat, "discount": 500, "paid": p.Amount - 500,
			"cancelled": p.cancelled, "cancelledTaxFree": p.cancelledTax.taxFree,
		},
		"method": method, "currency": p.Currency,
		"orderName": "Linen shirt", "cashReceipt": f.CashReceipt, "escrow": f.Escrow,
		"receiptUrl": "https://receipts.portone.example/" + id, "aNewField": []int{1},
	}, p.cancellations), errorResponse{}
}

// cancel refunds. Fact portone-15.
func (f *PortOne) cancel(id string, in map[string]any) (any, errorResponse) {
	p := f.payments[id]
	if p == nil || in["storeId"] != nil && in["storeId"] != Store {
		return nil, newError(http.StatusNotFound, "PAYMENT_NOT_FOUND")
	}
	amount, left := p.Amount-p.cancelled, p.Amount-p.cancelled
	if in["amount"] != nil {
		amount = toInt(in["amount"])
	}
	if in["currentCancellableAmount"] != nil {
		left = toInt(in["currentCancellableAmount"])
	}
	parts := p.partsOf(in, amount)
	if refused := f.refusedCancel(p, in, amount, left, parts); refused.status != 0 {
		return nil, refused
	}
	if in["reason"] != inConsole && (in["taxFreeAmount"] != nil || in["vatAmount"] != nil) {
		p.namedParts++
	}
	c := map[string]any{
		"status": "SUCCEEDED", "id": "cancellation-" + id + "-" + strconv.Itoa(len(p.cancellations)+1), "totalAmount": amount,
		"taxFreeAmount": parts.taxFree, "vatAmount": parts.vat, "reason": in["reason"],
	}
	if f.DelayRefunds {
		c["status"] = "REQUESTED"
	} else {
		p.book(c)
		if p.cancelled == p.Amount {
			p.status = "CANCELLED"
		}
	}
	p.cancellations, p.refundedTo = append(p.cancellations, c), append(p.refundedTo, in["refundAccount"])
	return map[string]any{"cancellation": c}, errorResponse{}
}

// ConsoleCancel cancels a part of a payment in PortOne's console, or everything left for 0; event is the type
// of the webhook about it. Facts portone-15, portone-16.
func (f *PortOne) ConsoleCancel(id string, amount int64) (event string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.payments[id]
	left := p.Amount - p.cancelled
	if amount == 0 {
		amount = left
	}
	number := func(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }
	if _, problem := f.cancel(id, map[string]any{
		"storeId": Store, "reason": inConsole, "amount": number(amount), "currentCancellableAmount": number(left),
		"taxFreeAmount": number(max(0, amount-p.taxedLeft())),
	}); problem.status != 0 {
		panic(problem.Type)
	}
	return map[string]string{"CANCELLED": "Transaction.Cancelled"}[p.status] +
		map[string]string{"PARTIAL_CANCELLED": "Transaction.PartialCancelled", "PAID": "Transaction.CancelPending"}[p.status]
}

// FinishCancellations finishes or fails the requested cancellations, as the bank behind PortOne does. Fact
// portone-15.
func (f *PortOne) FinishCancellations(id string, succeeds bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.payments[id]
	for _, c := range p.cancellations {
		switch {
		case c["status"] != "REQUESTED":
		case succeeds:
			c["status"] = "SUCCEEDED"
			p.book(c)
		default:
			c["status"] = "FAILED"
		}
	}
}
