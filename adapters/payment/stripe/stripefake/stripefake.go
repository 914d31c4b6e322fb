// Package stripefake is a stateful fake of Stripe for tests. It is written from Facts stripe-1 to stripe-9
// and shares no code with the adapter. CHECKS.md lists what it refuses.
package stripefake

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The account of the only key, and one that is connected to it.
const (
	Key              = "sk_test_51FakeOfStripeForTests"
	Account          = "acct_1FakeOfStripe"
	ConnectedAccount = "acct_1ConnectedToFake"
)

// Stripe is the provider: sessions, intents, refunds and the stored answer of each key. Facts stripe-1 to
// stripe-9. Its fields may be accessed directly only while it serves no requests.
type Stripe struct {
	Now                 time.Time // its clock
	Live                bool      // all objects are of live mode
	Sessions            []*Session
	Refunds             []map[string]any
	Mux                 *http.ServeMux // its routes
	FailNext            bool           // the next POST has no effect and is answered 500, which is stored
	FailNextAfterEffect bool           // as FailNext, but with its effect
	DelayNextRefund     bool           // the next refund stays pending

	mu      sync.Mutex
	replies map[string]*reply // by account and idempotency key
	posts   []string          // POST requests with their keys
}

type reply struct {
	request string
	status  int
	body    any
}

// Session is a Checkout Session with its intent and charge.
type Session struct {
	ID, Account                         string
	Payment, Session, Currency, Intent  string // Payment and Session are the shop's
	Status, PaymentStatus, IntentStatus string
	Total, Received, Refunded           int64      // in Stripe's units
	Method                              string     // of the intent; "" is a card
	Form                                url.Values // the request
	Disputes                            []map[string]any
	Expires, Authorized                 time.Time
	Balance                             *Balance // of the charge; nil until Stripe made the balance transaction. Fact stripe-15
}

// New is a Stripe without sessions; its clock shows January 31, 2026.
func New() *Stripe {
	f := &Stripe{Mux: http.NewServeMux(), Now: time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC), replies: map[string]*reply{}}
	f.Mux.HandleFunc("GET /v1/account", f.authenticated(func(r *http.Request) (int, any) {
		return http.StatusOK, map[string]any{"object": "account", "id": accountOf(r)}
	}))
	f.Mux.HandleFunc("GET /v1/checkout/sessions/{id}", f.authenticated(f.show))
	f.Mux.HandleFunc("GET /v1/checkout/sessions", f.authenticated(f.list))
	f.Mux.HandleFunc("GET /v1/disputes", f.authenticated(f.listDisputes))
	f.Mux.HandleFunc("GET /v1/refunds", f.authenticated(f.listRefunds))
	f.Mux.HandleFunc("POST /v1/checkout/sessions", f.authenticated(f.keyed(f.create)))
	f.Mux.HandleFunc("POST /v1/checkout/sessions/{id}/expire", f.authenticated(f.keyed(f.expire)))
	f.Mux.HandleFunc("POST /v1/payment_intents/{id}/capture", f.authenticated(f.keyed(f.capture)))
	f.Mux.HandleFunc("POST /v1/payment_intents/{id}/cancel", f.authenticated(f.keyed(f.cancelIntent)))
	f.Mux.HandleFunc("POST /v1/refunds", f.authenticated(f.keyed(f.refund)))
	f.Mux.HandleFunc("/", f.authenticated(func(*http.Request) (int, any) { return 404, refuse("invalid_request_error", "") }))
	return f
}

// ServeHTTP implements http.Handler.
func (f *Stripe) ServeHTTP(w http.ResponseWriter, r *http.Request) { f.Mux.ServeHTTP(w, r) }

type handler func(r *http.Request) (int, any)

const replayed = 1000 // added to the status of a replayed answer

func (f *Stripe) authenticated(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		defer f.mu.Unlock()
		status, body := 401, refuse("invalid_request_error", "")
		switch account := accountOf(r); {
		case r.Header.Get("Authorization") != "Bearer "+Key || r.ParseForm() != nil:
		case account != Account && account != ConnectedAccount: // Fact stripe-12
			status, body = 403, refuse("invalid_request_error", "account_invalid")
		default:
			status, body = h(r)
		}
		if status > replayed {
			w.Header().Set("Idempotent-Replayed", "true")
			status -= replayed
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body) // a caller who left needs no answer
	}
}

// accountOf is the account that a request acts for. Fact stripe-12.
func accountOf(r *http.Request) string { return cmp.Or(r.Header.Get("Stripe-Account"), Account) }

func refuse(kind, code string) any {
	said := map[string]any{"type": kind, "message": "Something about " + Key[:12] + "****"}
	if code != "" {
		said["code"] = code
	}
	return map[string]any{"error": said}
}

// keyed replays the first answer of a key, its own failures included; requests refused before execution are not stored.
func (f *Stripe) keyed(h handler) handler {
	return func(r *http.Request) (int, any) {
		key, request := r.Header.Get("Idempotency-Key"), r.URL.Path+"?"+r.PostForm.Encode()
		f.posts = append(f.posts, key+" "+request)
		stored := accountOf(r) + " " + key
		if old := f.replies[stored]; old != nil {
			if old.request != request {
				return 400, refuse("idempotency_error", "")
			}
			return replayed + old.status, old.body
		}
		if key == "" || len(key) > 255 {
			return 400, refuse("invalid_request_error", "")
		}
		status, body := refuseForm(r)
		if status != 0 {
			return status, body
		}
		status, body = 500, refuse("api_error", "")
		if !f.FailNext {
			status, body = h(r)
		}
		if f.FailNextAfterEffect {
			status, body = 500, refuse("api_error", "")
		}
		f.FailNext, f.FailNextAfterEffect = false, false
		if status < 400 || status >= 500 {
			f.replies[stored] = &reply{request, status, body}
		}
		return status, body
	}
}

func (f *Stripe) create(r *http.Request) (int, any) {
	g := r.PostForm.Get
	line := "line_items[0][price_data]"
	amount, err := strconv.ParseInt(g(line+"[unit_amount]"), 10, 64)
	currency := g(line + "[currency]")
	switch {
	case g("mode") == "" || currency == "" || g(line+"[product_data][name]") == "" || g("success_url") == "" || g("line_items[0][quantity]") == "":
		return 400, refuse("invalid_request_error", "parameter_missing")
	case err != nil || amount <= 0 || g("line_items[0][quantity]") != "1":
		return 400, refuse("invalid_request_error", "parameter_invalid_integer")
	case currency != strings.ToLower(currency) || len(currency) != 3 || g("mode") != "payment" || !f.takesExpiry(g("expires_at")):
		return 400, refuse("invalid_request_error", "")
	case !strings.Contains(g("success_url"), "://"):
		return 400, refuse("invalid_request_error", "url_invalid")
	case g("customer_email") != "" && !strings.Contains(g("customer_email"), "@"):
		return 400, refuse("invalid_request_error", "email_invalid")
	case slices.Contains([]string{"isk", "ugx"}, currency) &&
		amount%100 != 0, slices.Contains([]string{"kwd", "bhd"}, currency) && amount%10 != 0:
		return 400, refuse("invalid_request_error", "amount_invalid")
	}
	c := &Session{
		ID: fmt.Sprintf("cs_test_%d", len(f.Sessions)+1), Account: accountOf(r), Payment: g("metadata[payment_id]"), Session: g("client_reference_id"),
		Currency: currency, Status: "open", PaymentStatus: "unpaid", Total: amount, Form: r.PostForm, Expires: f.Now.Add(maxPageLife),
	}
	if at, err := strconv.ParseInt(g("expires_at"), 10, 64); err == nil {
		c.Expires = time.Unix(at, 0)
	}
	f.Sessions = append(f.Sessions, c)
	return http.StatusOK, f.sessionJSON(c, false)
}

func (f *Stripe) sessionJSON(c *Session, full bool) map[string]any {
	out := map[string]any{
		"object": "checkout.session", "id": c.ID, "client_reference_id": c.Session, "livemode": f.Live, "status": c.Status,
		"payment_status": c.PaymentStatus, "amount_total": c.Total, "currency": c.Currency, "expires_at": c.Expires.Unix(),
		"metadata": map[string]any{"payment_id": c.Payment}, "url": nil, "payment_intent": nil,
	}
	if c.Status == "open" {
		out["url"] = "https://checkout.stripe.com/c/pay/" + c.ID
	}
	switch {
	case c.Intent == "":
	case !full:
		out["payment_intent"] = c.Intent
	default:
		out["payment_intent"] = f.fullIntent(c)
	}
	return out
}

func (f *Stripe) fullIntent(c *Session) map[string]any {
	kind := cmp.Or(c.Method, "card")
	method := map[string]any{"type": kind}
	intent := map[string]any{
		"object": "payment_intent", "id": c.Intent, "status": c.IntentStatus, "amount": c.Total, "amount_received": c.Received,
		"currency": c.Currency, "capture_method": "automatic_async", "amount_capturable": 0,
		"latest_charge": map[string]any{
			"object": "charge", "id": "ch_" + c.Intent, "amount_refunded": c.Refunded, "captured": c.Received > 0, "disputed": len(c.Disputes) > 0,
			"receipt_url": "https://pay.stripe.com/receipts/" + c.Intent, "payment_method_details": method,
			"balance_transaction": balanceJSON("ch_"+c.Intent, c.Balance),
		},
	}
	if c.manual() {
		intent["capture_method"] = "manual"
	}
	if c.IntentStatus == "requires_capture" {
		intent["amount_capturable"] = c.Total
		method[kind] = map[string]any{"capture_before": c.Authorized.Add(holdsFor).Unix()}
	}
	return intent
}

func (f *Stripe) find(is func(*Session) bool) *Session {
	if i := slices.IndexFunc(f.Sessions, is); i >= 0 {
		return f.Sessions[i]
	}
	return nil
}

func notFound() (int, any) { return 404, refuse("invalid_request_error", "resource_missing") }

func (f *Stripe) show(r *http.Request) (int, any) {
	c := f.find(func(c *Session) bool { return c.ID == r.PathValue("id") && c.Account == accountOf(r) })
	if c == nil {
		return notFound()
	}
	return http.StatusOK, f.sessionJSON(c, slices.Contains(r.Form["expand[]"], "payment_intent.latest_charge.balance_transaction"))
}

func (f *Stripe) list(r *http.Request) (int, any) {
	data := []any{}
	for _, c := range f.Sessions {
		if c.Intent == cmp.Or(r.Form.Get("payment_intent"), "none") && c.Account == accountOf(r) {
			data = append(data, f.sessionJSON(c, slices.Contains(r.Form["expand[]"], "data.payment_intent.latest_charge.balance_transaction")))
		}
	}
	return http.StatusOK, map[string]any{"object": "list", "data": data, "has_more": false}
}

func (f *Stripe) expire(r *http.Request) (int, any) {
	c := f.find(func(c *Session) bool { return c.ID == r.PathValue("id") && c.Account == accountOf(r) })
	switch {
	case c == nil:
		return notFound()
	case c.Status != "open":
		return 400, refuse("invalid_request_error", "")
	}
	c.Status = "expired"
	return http.StatusOK, f.sessionJSON(c, false)
}

// Buy is the buyer's action on the page: "paid", "later" (a method that takes days), or "declined".
func (f *Stripe) Buy(session, how string) {
	f.ChangeSession(session, func(c *Session) {
		if c.Status != "open" || how == "declined" {
			return // the page lets the buyer try again
		}
		c.Intent, c.Status, c.IntentStatus = "pi_"+c.ID, "complete", "processing"
		switch {
		case how == "paid" && c.manual():
			c.IntentStatus, c.Authorized = "requires_capture", f.Now
		case how == "paid":
			c.PaymentStatus, c.Received, c.IntentStatus = "paid", c.Total, "succeeded"
		}
	})
}

// ChangeSession changes a session in ways that no request can.
func (f *Stripe) ChangeSession(session string, how func(*Session)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if c := f.find(func(c *Session) bool { return c.ID == session }); c != nil {
		how(c)
	}
}

// Clock is the time of Stripe's clock.
func (f *Stripe) Clock() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.Now
}

// ForgetKeys drops the oldest stored answers, as Stripe does after a day.
func (f *Stripe) ForgetKeys() {
	f.mu.Lock()
	defer f.mu.Unlock()
	clear(f.replies)
}

// PostedRequests are the POST requests so far, each with its key.
func (f *Stripe) PostedRequests() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.posts)
}

// SessionsOf are the sessions of one of the shop's payments.
func (f *Stripe) SessionsOf(payment string) (all []Session) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range f.Sessions {
		if c.Payment == payment {
			all = append(all, *c)
		}
	}
	return all
}
