package stripe_test

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

const (
	fakeKey     = "sk_test_51FakeOfStripeForTests"
	fakeAccount = "acct_1FakeOfStripe"
)

// fake is a Stripe that remembers: sessions, intents, refunds and what it answered to each key. Reference payments 3.
type fake struct {
	mux *http.ServeMux

	mu       sync.Mutex
	now      time.Time
	live     bool
	sessions []*checkout
	refunds  []map[string]any
	kept     map[string]*answer // by idempotency key
	posts    []string           // what was asked to act, key and all
	fail     bool               // the next request that acts does nothing and is answered 500, which is kept
	failLate bool               // … acts first
}

type answer struct {
	request string
	status  int
	body    any
}

// checkout is a session with the intent and the charge that come of it.
type checkout struct {
	id, payment, session, currency, intent string
	status, paid, intentStatus             string
	total, received, refunded              int64
	form                                   url.Values
	expires                                time.Time
}

func newFake() *fake {
	f := &fake{mux: http.NewServeMux(), now: time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC), kept: map[string]*answer{}}
	f.mux.HandleFunc("GET /v1/account", f.open(func(*http.Request) (int, any) {
		return http.StatusOK, map[string]any{"object": "account", "id": fakeAccount}
	}))
	f.mux.HandleFunc("GET /v1/checkout/sessions/{id}", f.open(f.show))
	f.mux.HandleFunc("GET /v1/checkout/sessions", f.open(f.list))
	f.mux.HandleFunc("GET /v1/refunds", f.open(f.listRefunds))
	f.mux.HandleFunc("POST /v1/checkout/sessions", f.open(f.keyed(f.create)))
	f.mux.HandleFunc("POST /v1/checkout/sessions/{id}/expire", f.open(f.keyed(f.expire)))
	f.mux.HandleFunc("POST /v1/refunds", f.open(f.keyed(f.refund)))
	return f
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) { f.mux.ServeHTTP(w, r) }

type handler func(r *http.Request) (int, any)

const replayed = 1000 // added to the status of an answer that was kept

func (f *fake) open(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		defer f.mu.Unlock()
		status, body := 401, refuse("invalid_request_error", "")
		if r.Header.Get("Authorization") == "Bearer "+fakeKey && r.ParseForm() == nil {
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

func refuse(kind, code string) any {
	said := map[string]any{"type": kind, "message": "Something about " + fakeKey[:12] + "****"}
	if code != "" {
		said["code"] = code
	}
	return map[string]any{"error": said}
}

// keyed answers a key as it did first, failures of its own included; a request it never began is not kept.
func (f *fake) keyed(h handler) handler {
	return func(r *http.Request) (int, any) {
		key, request := r.Header.Get("Idempotency-Key"), r.URL.Path+"?"+r.PostForm.Encode()
		f.posts = append(f.posts, key+" "+request)
		if old := f.kept[key]; old != nil {
			if old.request != request {
				return 400, refuse("idempotency_error", "")
			}
			return replayed + old.status, old.body
		}
		if key == "" || len(key) > 255 {
			return 400, refuse("invalid_request_error", "")
		}
		status, body := 500, refuse("api_error", "")
		if !f.fail {
			status, body = h(r)
		}
		if f.failLate {
			status, body = 500, refuse("api_error", "")
		}
		f.fail, f.failLate = false, false
		if status < 400 || status >= 500 {
			f.kept[key] = &answer{request, status, body}
		}
		return status, body
	}
}

func (f *fake) create(r *http.Request) (int, any) {
	g := r.PostForm.Get
	line := "line_items[0][price_data]"
	amount, err := strconv.ParseInt(g(line+"[unit_amount]"), 10, 64)
	currency := g(line + "[currency]")
	switch {
	case err != nil || amount <= 0 || g("line_items[0][quantity]") != "1" || g("mode") != "payment":
		return 400, refuse("invalid_request_error", "parameter_invalid_integer")
	case currency != strings.ToLower(currency) || len(currency) != 3:
		return 400, refuse("invalid_request_error", "parameter_invalid")
	case g(line+"[product_data][name]") == "" || g("success_url") == "":
		return 400, refuse("invalid_request_error", "parameter_missing")
	case g("customer_email") != "" && !strings.Contains(g("customer_email"), "@"):
		return 400, refuse("invalid_request_error", "email_invalid")
	case slices.Contains([]string{"isk", "ugx"}, currency) && amount%100 != 0, slices.Contains([]string{"kwd", "bhd"}, currency) && amount%10 != 0:
		return 400, refuse("invalid_request_error", "amount_invalid")
	}
	c := &checkout{
		id: fmt.Sprintf("cs_test_%d", len(f.sessions)+1), payment: g("metadata[payment_id]"), session: g("client_reference_id"), currency: currency,
		status: "open", paid: "unpaid", total: amount, form: r.PostForm, expires: f.now.Add(24 * time.Hour),
	}
	f.sessions = append(f.sessions, c)
	return http.StatusOK, f.told(c, false)
}

func (f *fake) told(c *checkout, full bool) map[string]any {
	out := map[string]any{
		"object": "checkout.session", "id": c.id, "client_reference_id": c.session, "livemode": f.live, "status": c.status, "payment_status": c.paid,
		"amount_total": c.total, "currency": c.currency, "expires_at": c.expires.Unix(), "metadata": map[string]any{"payment_id": c.payment}, "url": nil, "payment_intent": nil,
	}
	if c.status == "open" {
		out["url"] = "https://checkout.stripe.com/c/pay/" + c.id
	}
	switch {
	case c.intent == "":
	case !full:
		out["payment_intent"] = c.intent
	default:
		out["payment_intent"] = map[string]any{
			"object": "payment_intent", "id": c.intent, "status": c.intentStatus, "amount": c.total, "amount_received": c.received, "currency": c.currency,
			"latest_charge": map[string]any{"object": "charge", "id": "ch_" + c.intent, "receipt_url": "https://pay.stripe.com/receipts/" + c.intent, "payment_method_details": map[string]any{"type": "card"}},
		}
	}
	return out
}

func (f *fake) find(is func(*checkout) bool) *checkout {
	if i := slices.IndexFunc(f.sessions, is); i >= 0 {
		return f.sessions[i]
	}
	return nil
}

func missing() (int, any) { return 404, refuse("invalid_request_error", "resource_missing") }

func (f *fake) show(r *http.Request) (int, any) {
	c := f.find(func(c *checkout) bool { return c.id == r.PathValue("id") })
	if c == nil {
		return missing()
	}
	return http.StatusOK, f.told(c, slices.Contains(r.Form["expand[]"], "payment_intent.latest_charge"))
}

func (f *fake) list(r *http.Request) (int, any) {
	data := []any{}
	for _, c := range f.sessions {
		if c.intent == cmp.Or(r.Form.Get("payment_intent"), "none") {
			data = append(data, f.told(c, slices.Contains(r.Form["expand[]"], "data.payment_intent.latest_charge")))
		}
	}
	return http.StatusOK, map[string]any{"object": "list", "data": data, "has_more": false}
}

func (f *fake) expire(r *http.Request) (int, any) {
	c := f.find(func(c *checkout) bool { return c.id == r.PathValue("id") })
	switch {
	case c == nil:
		return missing()
	case c.status != "open":
		return 400, refuse("invalid_request_error", "")
	}
	c.status = "expired"
	return http.StatusOK, f.told(c, false)
}

func (f *fake) refund(r *http.Request) (int, any) {
	intent := r.PostForm.Get("payment_intent")
	c := f.find(func(c *checkout) bool { return c.intent == intent && intent != "" })
	amount, err := strconv.ParseInt(r.PostForm.Get("amount"), 10, 64)
	switch {
	case c == nil:
		return missing()
	case err != nil || amount <= 0:
		return 400, refuse("invalid_request_error", "parameter_invalid_integer")
	case amount > c.received-c.refunded:
		return 400, refuse("invalid_request_error", "charge_already_refunded")
	}
	c.refunded += amount
	metadata := map[string]any{}
	for name := range r.PostForm {
		if inner, ok := strings.CutPrefix(name, "metadata["); ok {
			metadata[strings.TrimSuffix(inner, "]")] = r.PostForm.Get(name)
		}
	}
	made := map[string]any{
		"object": "refund", "id": fmt.Sprintf("re_%d", len(f.refunds)+1), "payment_intent": intent, "amount": amount, "currency": c.currency, "status": "succeeded", "metadata": metadata,
	}
	f.refunds = append(f.refunds, made)
	return http.StatusOK, made
}

// listRefunds pages by two, newest first, as Stripe does by hundreds.
func (f *fake) listRefunds(r *http.Request) (int, any) {
	var of []map[string]any
	for _, one := range slices.Backward(f.refunds) {
		if one["payment_intent"] == r.Form.Get("payment_intent") {
			of = append(of, one)
		}
	}
	if after := r.Form.Get("starting_after"); after != "" {
		of = of[slices.IndexFunc(of, func(one map[string]any) bool { return one["id"] == after })+1:]
	}
	return http.StatusOK, map[string]any{"object": "list", "data": of[:min(2, len(of))], "has_more": len(of) > 2}
}

// buy is what the buyer does on the page: "paid", "later" (a method that takes days), or "declined".
func (f *fake) buy(session, how string) {
	f.change(session, func(c *checkout) {
		if c.status != "open" || how == "declined" {
			return // the page lets the buyer try again
		}
		c.intent, c.status, c.intentStatus = "pi_"+c.id, "complete", "processing"
		if how == "paid" {
			c.paid, c.received, c.intentStatus = "paid", c.total, "succeeded"
		}
	})
}

func (f *fake) change(session string, how func(*checkout)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if c := f.find(func(c *checkout) bool { return c.id == session }); c != nil {
		how(c)
	}
}

func (f *fake) clock() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

// forget drops the oldest answers, as Stripe does after a day.
func (f *fake) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	clear(f.kept)
}

func (f *fake) acted() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.posts)
}
