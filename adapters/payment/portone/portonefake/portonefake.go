// Package portonefake is a PortOne V2 that remembers, for tests. It is written from Reference payments 1, each answer naming
// its section there, and shares nothing with the adapter.
package portonefake

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The one account there is.
const (
	Secret = "portone-api-secret-of-the-test-9f2c" //nolint:gosec // it opens this fake alone
	Store  = "store-4ff4af41"
)

// PortOne is the provider. Its switches and books may be read and changed while it serves nothing.
type PortOne struct {
	At      time.Time         // its clock
	Channel string            // of payments: TEST or LIVE
	Async   bool              // cancellations are done later
	Bank    string            // what the bank behind it says to the next cancellation, "" for yes
	Replies map[string]*Reply // by idempotency key, quotes and all
	Public  bool              // a page was asked for with a secret
	Calls   []string          // "GET /payments/Payment1", in their order

	mu       sync.Mutex
	payments map[string]*payment
	pages    map[string]*page
	amounts  map[string]Terms // pre-registered
}

// Terms are what is to be paid, in minor units.
type Terms struct {
	Amount   int64
	Currency string
}

type payment struct {
	Terms

	status        string
	cancelled     int64
	cancellations []map[string]any
}

type page struct {
	Terms

	payment string
	ends    time.Time
	closed  bool
}

// Reply is what a key is answered with. One that is not done runs still.
type Reply struct {
	Done   bool
	At     time.Time
	Status int
	Body   string
}

// New is a PortOne without payments, on the last morning of January 2026.
func New() *PortOne {
	return &PortOne{
		At: time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC), Channel: "TEST",
		payments: map[string]*payment{}, pages: map[string]*page{}, amounts: map[string]Terms{}, Replies: map[string]*Reply{},
	}
}

// refused is an error body. 1.1: {type, message}.
type refused struct {
	status int
	Type   string `json:"type"`
	Text   string `json:"message"`
	PgCode string `json:"pgCode,omitempty"`
}

func no(status int, kind string) refused {
	return refused{status: status, Type: kind, Text: "message for " + Secret + " and Kim"} // which nobody must repeat
}

var keyForm = regexp.MustCompile(`^"[!#-\[\]-~]{16,256}"$`) // 1.1: in double quotes, 16 to 256 ASCII characters

// ServeHTTP implements http.Handler.
func (f *PortOne) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Calls = append(f.Calls, r.Method+" "+r.URL.Path)
	key := r.Header.Get("Idempotency-Key")
	if r.Method == http.MethodPost && key != "" { // 1.1: ignored on GET
		if !keyForm.MatchString(key) {
			write(w, no(http.StatusBadRequest, "INVALID_REQUEST"))
			return
		}
		known := f.Replies[key]
		if known != nil && f.At.Sub(known.At) < 3*time.Hour { // 1.1: guaranteed for 3 hours
			if !known.Done {
				write(w, no(http.StatusConflict, "IDEMPOTENCY_OUTSTANDING_REQUEST"))
				return
			}
			w.WriteHeader(known.Status)
			_, _ = io.WriteString(w, known.Body)
			return
		}
	}
	status, answer := f.answer(r, body)
	raw, _ := json.Marshal(answer) //nolint:errchkjson // texts, numbers and times always encode
	if r.Method == http.MethodPost && key != "" && status != http.StatusUnauthorized {
		f.Replies[key] = &Reply{true, f.At, status, string(raw)}
	}
	w.WriteHeader(status)
	_, _ = w.Write(raw)
}

func write(w http.ResponseWriter, what refused) {
	w.WriteHeader(what.status)
	_ = json.NewEncoder(w).Encode(what) //nolint:errchkjson // who asked may be gone
}

func (f *PortOne) answer(r *http.Request, body []byte) (int, any) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	if r.Method == http.MethodGet && len(parts) == 2 && parts[0] == "payment-sessions" { // 1.3: needs no authentication
		f.Public = f.Public || r.Header.Get("Authorization") != ""
		return told(f.page(parts[1]))
	}
	if r.Header.Get("Authorization") != "PortOne "+Secret { // 1.1
		return told(nil, no(http.StatusUnauthorized, "UNAUTHORIZED"))
	}
	var in map[string]any
	if len(body) > 0 {
		numbers := json.NewDecoder(strings.NewReader(string(body)))
		numbers.UseNumber()
		if numbers.Decode(&in) != nil || r.Header.Get("Content-Type") != "application/json" {
			return told(nil, no(http.StatusBadRequest, "INVALID_REQUEST"))
		}
	}
	switch at := strings.Join(append([]string{r.Method}, parts...), " "); {
	case at == "POST payment-sessions":
		return told(f.open(in))
	case len(parts) == 3 && parts[0] == "payment-sessions" && parts[2] == "close":
		return told(f.shut(parts[1]))
	case r.Method == http.MethodGet && len(parts) == 2 && parts[0] == "payments":
		return told(f.payment(parts[1], r.URL.Query().Get("storeId")))
	case len(parts) == 3 && parts[2] == "pre-register":
		return told(f.register(parts[1], in))
	case len(parts) == 3 && parts[2] == "cancel":
		return told(f.cancel(parts[1], in))
	}
	return told(nil, no(http.StatusNotFound, "NOT_FOUND"))
}

func told(answer any, problem ...refused) (int, any) {
	if len(problem) > 0 && problem[0].status != 0 {
		return problem[0].status, problem[0]
	}
	return http.StatusOK, answer
}

func whole(v any) int64 {
	n, _ := v.(json.Number)
	i, err := n.Int64()
	if err != nil {
		return -1
	}
	return i
}

// open makes a page. 1.3.
func (f *PortOne) open(in map[string]any) (any, refused) {
	for _, field := range []string{"storeId", "paymentId", "profileKey", "country", "currency", "orderName"} {
		if v, _ := in[field].(string); v == "" {
			return nil, no(http.StatusBadRequest, "INVALID_REQUEST")
		}
	}
	t := Terms{whole(in["totalAmount"]), in["currency"].(string)}
	switch {
	case in["storeId"] != Store:
		return nil, no(http.StatusForbidden, "FORBIDDEN")
	case t.Amount <= 0, in["customerName"] != nil, in["customerEmail"] != nil: // 1.3: anybody can read a session
		return nil, no(http.StatusBadRequest, "INVALID_REQUEST")
	case whole(in["ttlSeconds"]) > 3*60*60:
		return nil, no(http.StatusBadRequest, "MAX_TTL_EXCEEDED")
	}
	id := "session-" + strconv.Itoa(len(f.pages)+1)
	f.pages[id] = &page{Terms: t, payment: in["paymentId"].(string), ends: f.At.Add(time.Duration(whole(in["ttlSeconds"])) * time.Second)}
	return map[string]any{"sessionId": id, "url": "https://checkout.portone.example/" + id, "expiresAt": f.pages[id].ends}, refused{}
}

// page shows a page, or that it cannot be reached any more. 1.3.
func (f *PortOne) page(id string) (any, refused) {
	p := f.pages[id]
	switch {
	case p == nil:
		return nil, no(http.StatusNotFound, "SESSION_NOT_FOUND")
	case p.closed, f.At.After(p.ends):
		return nil, no(http.StatusGone, "SESSION_EXPIRED")
	}
	return map[string]any{"sessionId": id, "paymentId": p.payment}, refused{}
}

func (f *PortOne) shut(id string) (any, refused) {
	if _, gone := f.page(id); gone.status != 0 {
		return nil, gone
	}
	f.pages[id].closed = true
	return map[string]any{"closedAt": f.At}, refused{}
}

// register keeps the amount of a payment before its browser action is used. 1.2: 409 when it is paid.
func (f *PortOne) register(id string, in map[string]any) (any, refused) {
	t := Terms{whole(in["totalAmount"]), ""}
	t.Currency, _ = in["currency"].(string)
	switch p := f.payments[id]; {
	case in["storeId"] != Store:
		return nil, no(http.StatusForbidden, "FORBIDDEN")
	case t.Amount <= 0 || len(t.Currency) != 3: // 1.2: REST says KRW
		return nil, no(http.StatusBadRequest, "INVALID_REQUEST")
	case p != nil && p.status == "PAID":
		return nil, no(http.StatusConflict, "ALREADY_PAID")
	}
	f.amounts[id] = t
	return map[string]any{}, refused{}
}

// payment is a payment as it is read. 1.4.
func (f *PortOne) payment(id, of string) (any, refused) {
	p := f.payments[id]
	if p == nil || of != Store {
		return nil, no(http.StatusNotFound, "PAYMENT_NOT_FOUND")
	}
	return map[string]any{
		"status": p.status, "id": id, "transactionId": "tx-" + id, "merchantId": "merchant-1", "storeId": Store, "version": "V2",
		"channel": map[string]any{"type": f.Channel, "key": "channel-key-1", "pgProvider": "TOSSPAYMENTS"},
		"amount":  map[string]any{"total": p.Amount, "taxFree": 0, "discount": 500, "paid": p.Amount - 500, "cancelled": p.cancelled},
		"method":  map[string]any{"type": "PaymentMethodEasyPay", "provider": "KAKAOPAY"}, "currency": p.Currency, "orderName": "Linen shirt",
		"cancellations": p.cancellations, "receiptUrl": "https://receipts.portone.example/" + id, "aNewField": []int{1},
	}, refused{}
}

// cancel gives money back. 1.4.
func (f *PortOne) cancel(id string, in map[string]any) (any, refused) {
	p, amount, left := f.payments[id], whole(in["amount"]), whole(in["currentCancellableAmount"])
	switch reason, _ := in["reason"].(string); {
	case p == nil || in["storeId"] != Store:
		return nil, no(http.StatusNotFound, "PAYMENT_NOT_FOUND")
	case reason == "" || amount <= 0:
		return nil, no(http.StatusBadRequest, "INVALID_REQUEST")
	case p.status == "CANCELLED":
		return nil, no(http.StatusConflict, "PAYMENT_ALREADY_CANCELLED")
	case p.status != "PAID" && p.status != "PARTIAL_CANCELLED":
		return nil, no(http.StatusConflict, "PAYMENT_NOT_PAID")
	case left != p.Amount-p.cancelled: // the guard that must always be sent
		return nil, no(http.StatusConflict, "CANCELLABLE_AMOUNT_CONSISTENCY_BROKEN")
	case amount > p.Amount-p.cancelled:
		return nil, no(http.StatusConflict, "CANCEL_AMOUNT_EXCEEDS_CANCELLABLE_AMOUNT")
	case f.Bank != "": // 1.1: the bank's failure is a 502
		broken := no(http.StatusBadGateway, "PG_PROVIDER")
		broken.PgCode, f.Bank = f.Bank, ""
		return nil, broken
	}
	c := map[string]any{"status": "SUCCEEDED", "id": "cancellation-" + id + "-" + strconv.Itoa(len(p.cancellations)+1), "totalAmount": amount, "reason": in["reason"]}
	if f.Async {
		c["status"] = "REQUESTED"
	} else {
		p.cancelled += amount
		p.status = "PARTIAL_CANCELLED"
		if p.cancelled == p.Amount {
			p.status = "CANCELLED"
		}
	}
	p.cancellations = append(p.cancellations, c)
	return map[string]any{"cancellation": c}, refused{}
}

// Console is a person who cancels a part of a payment in PortOne's console, or all that is left for 0, and the type of the
// webhook that tells of it. 1.4, 1.5.
func (f *PortOne) Console(id string, amount int64) (event string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.payments[id]
	left := p.Amount - p.cancelled
	if amount == 0 {
		amount = left
	}
	number := func(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }
	if _, problem := f.cancel(id, map[string]any{"storeId": Store, "reason": "in the console", "amount": number(amount), "currentCancellableAmount": number(left)}); problem.status != 0 {
		panic(problem.Type)
	}
	return map[string]string{"CANCELLED": "Transaction.Cancelled"}[p.status] + map[string]string{"PARTIAL_CANCELLED": "Transaction.PartialCancelled", "PAID": "Transaction.CancelPending"}[p.status]
}

// End is the bank behind PortOne doing a requested cancellation, or failing to. 1.4.
func (f *PortOne) End(id string, succeeds bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.payments[id]
	for _, c := range p.cancellations {
		switch {
		case c["status"] != "REQUESTED":
		case succeeds:
			c["status"], p.status = "SUCCEEDED", "PARTIAL_CANCELLED"
			p.cancelled += c["totalAmount"].(int64)
		default:
			c["status"] = "FAILED"
		}
	}
}

// Buy has the buyer pay, or try to, in the browser: on a page that can be reached, or by an action of the amount. 1.2: an
// amount other than the one registered before is refused. It reports whether there was anything to decide.
func (f *PortOne) Buy(paymentID, session string, action map[string]any, status string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	var t Terms
	if session != "" {
		if _, gone := f.page(session); gone.status != 0 {
			return false
		}
		t = f.pages[session].Terms
	} else {
		currency, sdk := strings.CutPrefix(action["currency"].(string), "CURRENCY_") // 1.2: the SDK says CURRENCY_KRW
		amount, _ := strconv.ParseInt(fmt.Sprint(action["totalAmount"]), 10, 64)
		t = Terms{amount, currency}
		if known, ok := f.amounts[paymentID]; !sdk || ok && known != t {
			return false
		}
	}
	if p := f.payments[paymentID]; p != nil && p.status == "PAID" { // 1.2: at most one attempt can succeed
		return false
	}
	f.payments[paymentID] = &payment{Terms: t, status: status}
	return true
}

// Books is what became of one payment. Amounts are minor units.
type Books struct {
	Made            int   // how many pages and registered amounts it has
	Asked           Terms // what the last of them asks for
	Taken, Returned Terms
}

// Books tells what was written down about a payment.
func (f *PortOne) Books(id string) (b Books) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if t, ok := f.amounts[id]; ok {
		b.Made, b.Asked = 1, t
	}
	for _, p := range f.pages {
		if p.payment == id {
			b.Made, b.Asked = b.Made+1, p.Terms
		}
	}
	if p := f.payments[id]; p != nil && p.status != "FAILED" {
		b.Taken, b.Returned = p.Terms, Terms{p.cancelled, p.Currency}
	}
	return b
}

// Asked is how often PortOne was called.
func (f *PortOne) Asked() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.Calls)
}
