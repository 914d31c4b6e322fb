package portone_test

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

const (
	goodSecret = "portone-api-secret-of-the-test-9f2c"
	store      = "store-4ff4af41"
)

// portOne is a copy of PortOne V2 with a state, made from Reference payments 1; each answer names its section there. It
// shares nothing with the adapter.
type portOne struct {
	mu       sync.Mutex
	at       time.Time
	payments map[string]*paid
	pages    map[string]*page
	amounts  map[string]terms // pre-registered
	replies  map[string]*reply
	channel  string // of payments: TEST or LIVE
	async    bool   // cancellations are done later
	bank     string // what the bank behind it says to the next cancellation, "" for yes
	public   bool   // a page was asked for with a secret
	calls    []string
}

type terms struct {
	Amount   int64
	Currency string
}

type paid struct {
	terms

	Status        string
	Cancelled     int64
	Cancellations []map[string]any
}

type page struct {
	terms

	Payment string
	Ends    time.Time
	Closed  bool
}

type reply struct {
	done   bool
	at     time.Time
	status int
	body   string
}

func newPortOne() *portOne {
	return &portOne{
		at: time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC), channel: "TEST",
		payments: map[string]*paid{}, pages: map[string]*page{}, amounts: map[string]terms{}, replies: map[string]*reply{},
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
	return refused{status: status, Type: kind, Text: "message for " + goodSecret + " and Kim"} // which nobody must repeat
}

var keyForm = regexp.MustCompile(`^"[!#-\[\]-~]{16,256}"$`) // 1.1: in double quotes, 16 to 256 ASCII characters

func (f *portOne) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, r.Method+" "+r.URL.Path)
	key := r.Header.Get("Idempotency-Key")
	if r.Method == http.MethodPost && key != "" { // 1.1: ignored on GET
		if !keyForm.MatchString(key) {
			write(w, no(http.StatusBadRequest, "INVALID_REQUEST"))
			return
		}
		known := f.replies[key]
		if known != nil && f.at.Sub(known.at) < 3*time.Hour { // 1.1: guaranteed for 3 hours
			if !known.done {
				write(w, no(http.StatusConflict, "IDEMPOTENCY_OUTSTANDING_REQUEST"))
				return
			}
			w.WriteHeader(known.status)
			_, _ = io.WriteString(w, known.body)
			return
		}
	}
	status, answer := f.answer(r, body)
	raw, _ := json.Marshal(answer)
	if r.Method == http.MethodPost && key != "" && status != http.StatusUnauthorized {
		f.replies[key] = &reply{true, f.at, status, string(raw)}
	}
	w.WriteHeader(status)
	_, _ = w.Write(raw)
}

func write(w http.ResponseWriter, what refused) {
	w.WriteHeader(what.status)
	_ = json.NewEncoder(w).Encode(what)
}

func (f *portOne) answer(r *http.Request, body []byte) (int, any) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	if r.Method == http.MethodGet && len(parts) == 2 && parts[0] == "payment-sessions" { // 1.3: needs no authentication
		f.public = f.public || r.Header.Get("Authorization") != ""
		return told(f.page(parts[1]))
	}
	if r.Header.Get("Authorization") != "PortOne "+goodSecret { // 1.1
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
func (f *portOne) open(in map[string]any) (any, refused) {
	for _, field := range []string{"storeId", "paymentId", "profileKey", "country", "currency", "orderName"} {
		if v, _ := in[field].(string); v == "" {
			return nil, no(http.StatusBadRequest, "INVALID_REQUEST")
		}
	}
	t := terms{whole(in["totalAmount"]), in["currency"].(string)}
	switch {
	case in["storeId"] != store:
		return nil, no(http.StatusForbidden, "FORBIDDEN")
	case t.Amount <= 0, in["customerName"] != nil, in["customerEmail"] != nil: // 1.3: anybody can read a session
		return nil, no(http.StatusBadRequest, "INVALID_REQUEST")
	case whole(in["ttlSeconds"]) > 3*60*60:
		return nil, no(http.StatusBadRequest, "MAX_TTL_EXCEEDED")
	}
	id := "session-" + strconv.Itoa(len(f.pages)+1)
	f.pages[id] = &page{terms: t, Payment: in["paymentId"].(string), Ends: f.at.Add(time.Duration(whole(in["ttlSeconds"])) * time.Second)}
	return map[string]any{"sessionId": id, "url": "https://checkout.portone.example/" + id, "expiresAt": f.pages[id].Ends}, refused{}
}

// page shows a page, or that it cannot be reached any more. 1.3.
func (f *portOne) page(id string) (any, refused) {
	p := f.pages[id]
	switch {
	case p == nil:
		return nil, no(http.StatusNotFound, "SESSION_NOT_FOUND")
	case p.Closed, f.at.After(p.Ends):
		return nil, no(http.StatusGone, "SESSION_EXPIRED")
	}
	return map[string]any{"sessionId": id, "paymentId": p.Payment}, refused{}
}

func (f *portOne) shut(id string) (any, refused) {
	if _, gone := f.page(id); gone.status != 0 {
		return nil, gone
	}
	f.pages[id].Closed = true
	return map[string]any{"closedAt": f.at}, refused{}
}

// register keeps the amount of a payment before its browser action is used. 1.2: 409 when it is paid.
func (f *portOne) register(id string, in map[string]any) (any, refused) {
	t := terms{whole(in["totalAmount"]), ""}
	t.Currency, _ = in["currency"].(string)
	switch p := f.payments[id]; {
	case in["storeId"] != store:
		return nil, no(http.StatusForbidden, "FORBIDDEN")
	case t.Amount <= 0 || len(t.Currency) != 3: // 1.2: REST says KRW
		return nil, no(http.StatusBadRequest, "INVALID_REQUEST")
	case p != nil && p.Status == "PAID":
		return nil, no(http.StatusConflict, "ALREADY_PAID")
	}
	f.amounts[id] = t
	return map[string]any{}, refused{}
}

// payment is a payment as it is read. 1.4.
func (f *portOne) payment(id, of string) (any, refused) {
	p := f.payments[id]
	if p == nil || of != store {
		return nil, no(http.StatusNotFound, "PAYMENT_NOT_FOUND")
	}
	return map[string]any{
		"status": p.Status, "id": id, "transactionId": "tx-" + id, "merchantId": "merchant-1", "storeId": store, "version": "V2",
		"channel": map[string]any{"type": f.channel, "key": "channel-key-1", "pgProvider": "TOSSPAYMENTS"},
		"amount":  map[string]any{"total": p.Amount, "taxFree": 0, "discount": 500, "paid": p.Amount - 500, "cancelled": p.Cancelled},
		"method":  map[string]any{"type": "PaymentMethodEasyPay", "provider": "KAKAOPAY"}, "currency": p.Currency, "orderName": "Linen shirt",
		"cancellations": p.Cancellations, "receiptUrl": "https://receipts.portone.example/" + id, "aNewField": []int{1},
	}, refused{}
}

// cancel gives money back. 1.4.
func (f *portOne) cancel(id string, in map[string]any) (any, refused) {
	p, amount, left := f.payments[id], whole(in["amount"]), whole(in["currentCancellableAmount"])
	switch reason, _ := in["reason"].(string); {
	case p == nil || in["storeId"] != store:
		return nil, no(http.StatusNotFound, "PAYMENT_NOT_FOUND")
	case reason == "" || amount <= 0:
		return nil, no(http.StatusBadRequest, "INVALID_REQUEST")
	case p.Status == "CANCELLED":
		return nil, no(http.StatusConflict, "PAYMENT_ALREADY_CANCELLED")
	case p.Status != "PAID" && p.Status != "PARTIAL_CANCELLED":
		return nil, no(http.StatusConflict, "PAYMENT_NOT_PAID")
	case left != p.Amount-p.Cancelled: // the guard that must always be sent
		return nil, no(http.StatusConflict, "CANCELLABLE_AMOUNT_CONSISTENCY_BROKEN")
	case amount > p.Amount-p.Cancelled:
		return nil, no(http.StatusConflict, "CANCEL_AMOUNT_EXCEEDS_CANCELLABLE_AMOUNT")
	case f.bank != "": // 1.1: the bank's failure is a 502
		broken := no(http.StatusBadGateway, "PG_PROVIDER")
		broken.PgCode, f.bank = f.bank, ""
		return nil, broken
	}
	c := map[string]any{"status": "SUCCEEDED", "id": "cancellation-" + strconv.Itoa(len(p.Cancellations)+1), "totalAmount": amount, "reason": in["reason"]}
	if f.async {
		c["status"] = "REQUESTED"
	} else {
		p.Cancelled += amount
		p.Status = "PARTIAL_CANCELLED"
		if p.Cancelled == p.Amount {
			p.Status = "CANCELLED"
		}
	}
	p.Cancellations = append(p.Cancellations, c)
	return map[string]any{"cancellation": c}, refused{}
}

// buy has the buyer pay, or try to, in the browser: on a page that can be reached, or by an action of the amount. 1.2: an
// amount other than the one registered before is refused. It reports whether there was anything to decide.
func (f *portOne) buy(paymentID, session string, action map[string]any, status string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	var t terms
	if session != "" {
		if _, gone := f.page(session); gone.status != 0 {
			return false
		}
		t = f.pages[session].terms
	} else {
		currency, sdk := strings.CutPrefix(action["currency"].(string), "CURRENCY_") // 1.2: the SDK says CURRENCY_KRW
		amount, _ := strconv.ParseInt(fmt.Sprint(action["totalAmount"]), 10, 64)
		t = terms{amount, currency}
		if known, ok := f.amounts[paymentID]; !sdk || ok && known != t {
			return false
		}
	}
	if p := f.payments[paymentID]; p != nil && p.Status == "PAID" { // 1.2: at most one attempt can succeed
		return false
	}
	f.payments[paymentID] = &paid{terms: t, Status: status}
	return true
}
