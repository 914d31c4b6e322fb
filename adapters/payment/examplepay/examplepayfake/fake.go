// Package examplepayfake is ExamplePay for tests: an HTTP server with state, written from FACTS.md and not from the
// adapter, with which it shares no code. It refuses what ExamplePay would refuse, so that a request that only the
// adapter believes in fails here. The numbers in comments are those of FACTS.md.
package examplepayfake

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// The only shop.
const (
	Shop      = "shop-1"
	SecretKey = "test_sk_of_the_fake_of_examplepay" //nolint:gosec // a secret of this fake only
)

// Payment is a payment and the JSON of it. FACTS.md, 4 and 9.
type Payment struct {
	ID         string    `json:"id"`
	Reference  string    `json:"reference"`
	Shop       string    `json:"shop"`
	Mode       string    `json:"mode"`
	Status     string    `json:"status"`
	Amount     int64     `json:"amount"`
	Currency   string    `json:"currency"`
	Method     string    `json:"method"`
	PageURL    string    `json:"pageUrl,omitempty"`
	ReceiptURL string    `json:"receiptUrl,omitempty"`
	Refunds    []*Refund `json:"refunds"`
}

// Refund is a refund of a payment. FACTS.md, 9.
type Refund struct {
	ID     string `json:"id"`
	Key    string `json:"key,omitempty"`
	Amount int64  `json:"amount"`
	Status string `json:"status"`
}

// ExamplePay is the provider.
type ExamplePay struct {
	mu       sync.Mutex
	payments map[string]*Payment // by reference
	replies  map[string]reply    // successes by idempotency key
	delay    bool                // the next refund stays pending
}

type reply struct {
	request string
	status  int
	body    []byte
}

// New is an ExamplePay without payments.
func New() *ExamplePay {
	return &ExamplePay{payments: map[string]*Payment{}, replies: map[string]reply{}}
}

// refusal is an error of ExamplePay. Its message repeats the secret, which must get nowhere. FACTS.md, 2.
type refusal struct {
	status  int
	Code    string `json:"code"`
	Message string `json:"message"`
}

func refuse(status int, code string) *refusal {
	return &refusal{status, code, "about a request with " + SecretKey}
}

var (
	errUnauthorized = refuse(http.StatusUnauthorized, "UNAUTHORIZED")
	errInvalid      = refuse(http.StatusBadRequest, "INVALID_REQUEST")
	errUnknown      = refuse(http.StatusNotFound, "UNKNOWN_PAYMENT")
)

// ServeHTTP implements http.Handler.
func (f *ExamplePay) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	status, body := f.serve(r)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) //nolint:gosec // JSON, and a caller who left needs no answer
}

func (f *ExamplePay) serve(r *http.Request) (int, []byte) {
	key, password, basic := r.BasicAuth()
	if !basic || key != SecretKey || password != "" { // fact 1
		return encode(0, nil, errUnauthorized)
	}
	path, found := strings.CutPrefix(r.URL.Path, "/payments")
	switch parts := strings.Split(strings.TrimPrefix(path, "/"), "/"); {
	case !found || len(parts) > 2:
	case r.Method == http.MethodGet && len(parts) == 1 && parts[0] != "":
		return f.show(parts[0])
	case r.Method == http.MethodPost && path == "":
		return f.keyed(r, func(body []byte, _ string) (any, *refusal) { return f.create(body) })
	case r.Method == http.MethodPost && len(parts) == 2 && parts[1] == "close":
		return f.keyed(r, func([]byte, string) (any, *refusal) { return f.close(parts[0]) })
	case r.Method == http.MethodPost && len(parts) == 2 && parts[1] == "refunds":
		return f.keyed(r, func(body []byte, key string) (any, *refusal) { return f.refund(parts[0], body, key) })
	}
	return encode(0, nil, refuse(http.StatusNotFound, "NO_SUCH_ADDRESS"))
}

func encode(status int, answer any, no *refusal) (int, []byte) {
	if no != nil {
		status, answer = no.status, no
	}
	body, err := json.Marshal(answer)
	if err != nil {
		panic(err)
	}
	return status, body
}

// keyed runs a request that changes something, or repeats its success. FACTS.md, 10 and 11.
func (f *ExamplePay) keyed(r *http.Request, run func(body []byte, key string) (any, *refusal)) (int, []byte) {
	body, err := io.ReadAll(r.Body)
	key := r.Header.Get("Idempotency-Key")
	if err != nil || key == "" || len(key) > 255 || r.Header.Get("Content-Type") != "application/json" {
		return encode(0, nil, errInvalid)
	}
	request := r.URL.Path + " " + string(body)
	if before, replayed := f.replies[key]; replayed {
		if before.request != request {
			return encode(0, nil, refuse(http.StatusConflict, "KEY_REUSED"))
		}
		return before.status, before.body
	}
	answer, no := run(body, key)
	status, out := encode(http.StatusCreated, answer, no)
	if no == nil {
		f.replies[key] = reply{request, status, out}
	}
	return status, out
}

// decode reads a body strictly. FACTS.md, 11.
func decode(body []byte, into any) *refusal {
	strict := json.NewDecoder(bytes.NewReader(body))
	strict.DisallowUnknownFields()
	if strict.Decode(into) != nil {
		return errInvalid
	}
	return nil
}

var (
	referencePattern = regexp.MustCompile(`^[A-Za-z0-9]{6,40}$`)
	currencyPattern  = regexp.MustCompile(`^[A-Z]{3}$`)
)

// create opens a payment page. FACTS.md, 3.
func (f *ExamplePay) create(body []byte) (any, *refusal) {
	var in struct {
		Reference, Currency, Title, Method, ReturnURL, BuyerEmail string
		Amount                                                    int64
		ExpiresAt                                                 *time.Time
	}
	if no := decode(body, &in); no != nil {
		return nil, no
	}
	titleLength := utf8.RuneCountInString(in.Title)
	switch {
	case !referencePattern.MatchString(in.Reference), !currencyPattern.MatchString(in.Currency), in.Amount <= 0,
		titleLength < 1, titleLength > 80, !slices.Contains([]string{"card", "wallet"}, in.Method),
		!strings.HasPrefix(in.ReturnURL, "https://"), in.BuyerEmail != "" && !strings.Contains(in.BuyerEmail, "@"):
		return nil, errInvalid
	case f.payments[in.Reference] != nil:
		return nil, refuse(http.StatusConflict, "REFERENCE_TAKEN")
	}
	id := fmt.Sprintf("pay_%d", len(f.payments)+1)
	p := &Payment{
		ID: id, Reference: in.Reference, Shop: Shop, Mode: "test", Status: "open", Amount: in.Amount, Currency: in.Currency,
		Method: in.Method, PageURL: "https://pay.examplepay.example/" + id, Refunds: []*Refund{},
	}
	f.payments[in.Reference] = p
	return p, nil
}

// show is fact 6.
func (f *ExamplePay) show(reference string) (int, []byte) {
	p := f.payments[reference]
	if p == nil {
		return encode(0, nil, errUnknown)
	}
	return encode(http.StatusOK, p, nil)
}

// close is fact 7.
func (f *ExamplePay) close(reference string) (any, *refusal) {
	p := f.payments[reference]
	switch {
	case p == nil:
		return nil, errUnknown
	case p.Status != "open" && p.Status != "declined":
		return nil, refuse(http.StatusConflict, "NOT_OPEN")
	}
	p.Status, p.PageURL = "closed", ""
	return p, nil
}

// refund is fact 8.
func (f *ExamplePay) refund(reference string, body []byte, key string) (any, *refusal) {
	var in struct {
		Amount, Balance int64
		Reason          string
	}
	if no := decode(body, &in); no != nil {
		return nil, no
	}
	p := f.payments[reference]
	switch reason := utf8.RuneCountInString(in.Reason); {
	case p == nil:
		return nil, errUnknown
	case in.Amount <= 0, reason < 1, reason > 200:
		return nil, errInvalid
	case p.Status != "paid":
		return nil, refuse(http.StatusConflict, "NOT_PAID")
	case in.Balance != p.balance():
		return nil, refuse(http.StatusConflict, "BALANCE_CHANGED")
	case in.Amount > p.balance():
		return nil, refuse(http.StatusConflict, "AMOUNT_TOO_HIGH")
	}
	p.addRefund(key, in.Amount, f.delay)
	f.delay = false
	return p, nil
}

func (p *Payment) addRefund(key string, amount int64, pending bool) {
	r := &Refund{ID: fmt.Sprintf("ref_%s_%d", p.ID, len(p.Refunds)+1), Key: key, Amount: amount, Status: "done"}
	if pending {
		r.Status = "pending"
	}
	p.Refunds = append(p.Refunds, r)
}

// balance is what is left of a payment: a failed refund takes nothing off. FACTS.md, 9.
func (p *Payment) balance() int64 {
	left := p.Amount
	for _, r := range p.Refunds {
		if r.Status != "failed" {
			left -= r.Amount
		}
	}
	return left
}
