package buying_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	providers "github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

func hosted(checkoutID string) buying.NewSession {
	return buying.NewSession{Checkout: checkoutID, Action: payment.Action{Kind: payment.Hosted, Method: "CARD_KR", SuccessURL: "https://shop.example/back"}}
}

func standard(checkoutID string) buying.NewSession {
	return buying.NewSession{Checkout: checkoutID, Action: payment.Action{Kind: payment.Standard, Channel: payment.Card, SuccessURL: "https://shop.example/back"}}
}

const opening = "paymentSessions.createAggregator"

// open opens an aggregator's session as the shop's server.
func (b *bed) open(in buying.NewSession) said {
	b.t.Helper()
	return b.must(b.OpenAggregator(b.t.Context(), b.server(key(), opening, ""), in))
}

// decide is the buyer deciding on the provider's page, or by a standard action.
func (b *bed) decide(opened said, outcome string) {
	b.t.Helper()
	named := map[string]string{"outcome": outcome, "webhooks": "never", "sessionId": opened.text("paymentSession.providerSessionId")}
	if id := opened.text("action.paymentId"); id != "" {
		delete(named, "sessionId")
		named["paymentId"] = id
	}
	body, _ := json.Marshal(named)
	b.post("/sandbox/authorize", body)
}

// retrieve looks a session up.
func (b *bed) retrieve(c once.Call, opened said) said {
	b.t.Helper()
	answer, err := b.RetrieveAggregator(b.t.Context(), c, opened.text("paymentSession.id"))
	if err != nil {
		b.t.Fatal(err)
	}
	return b.read(answer)
}

// wire is the road to the provider: it notes what is asked, and may answer in its place.
type wire struct {
	mu       sync.Mutex
	asked    []string // "GET /v1/payments/…"
	keys     []string // of what acts
	instead  func(*http.Request) (status int, body string)
	afterAct func(answer []byte) []byte
}

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	w.asked = append(w.asked, r.Method+" "+r.URL.Path)
	for name, k := range r.Header {
		if strings.EqualFold(name, "Idempotency-Key") {
			w.keys = append(w.keys, k...)
		}
	}
	instead, after := w.instead, w.afterAct
	w.mu.Unlock()
	if instead != nil {
		if status, body := instead(r); status != 0 {
			return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader([]byte(body))), Request: r}, nil
		}
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || after == nil || r.Method != http.MethodPost {
		return res, err
	}
	body, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if err == nil {
		res.Body = io.NopCloser(bytes.NewReader(after(body)))
		res.ContentLength = -1
	}
	return res, err
}

// calls is how often the provider was called with a method.
func (w *wire) calls(method string) (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, a := range w.asked {
		if len(a) > len(method) && a[:len(method)+1] == method+" " {
			n++
		}
	}
	return n
}

// wired is an instance whose calls of the provider go over w.
func (b *bed) wired(w *wire) *buying.Buying {
	i := b.instance()
	i.Providers["sandbox"] = sandbox.New(b.bankURL, "", providers.NewClient(providers.Limits{CallTimeout: 3 * time.Second, LookupTimeout: 3 * time.Second, Failures: 1000}, w))
	return i
}

// journaled is a store that counts the calls written into the journal.
type journaled struct {
	ports.Store

	begun atomic.Int64
}

type countedJournal struct {
	ports.Journal

	begun *atomic.Int64
}

func (j countedJournal) Begin(ctx context.Context, c ports.ProviderCall) (ports.ProviderCall, error) {
	j.begun.Add(1)
	return j.Journal.Begin(ctx, c)
}

func (j *journaled) Atomically(ctx context.Context, scope ports.Scope, fn func(context.Context, ports.Tx) error) error {
	return j.Store.Atomically(ctx, scope, func(ctx context.Context, tx ports.Tx) error {
		tx.Journal = countedJournal{tx.Journal, &j.begun}
		return fn(ctx, tx)
	})
}
