package sandbox_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox"
	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

const sharedSecret = "a secret of the sandbox only"

// clock stands still until a test moves it.
type clock struct{ at atomic.Int64 }

func (c *clock) now() time.Time          { return time.Unix(0, c.at.Load()).UTC() }
func (c *clock) advance(d time.Duration) { c.at.Add(int64(d)) }

// shop is a bank on a store and an adapter that calls it over HTTP.
type shop struct {
	clock    *clock
	store    func() (*bank.Store, error)
	bank     *bank.Server
	server   *httptest.Server
	stopOnce *sync.Once
	client   *payment.Client
	dials    *atomic.Int64
	provider *sandbox.Provider
	conn     ports.Connection
}

func open(t *testing.T) *shop {
	path := filepath.Join(testservers.TempDir(t), "a bank?.db")
	s := &shop{clock: &clock{}, store: func() (*bank.Store, error) { return bank.Open(context.Background(), path) }}
	s.clock.at.Store(time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC).UnixNano())
	s.start(t, payment.Limits{})
	return s
}

// another is a second instance of the same bank with its own adapter.
func (s *shop) another(t *testing.T) *shop {
	other := &shop{clock: s.clock, store: s.store}
	other.start(t, payment.Limits{})
	return other
}

func (s *shop) start(t *testing.T, limits payment.Limits) {
	t.Helper()
	store, err := s.store()
	if err != nil {
		t.Fatal(err)
	}
	s.bank, err = bank.New(bank.Options{Store: store, Secret: sharedSecret, Now: s.clock.now})
	if err != nil {
		t.Fatal(err)
	}
	s.server = httptest.NewServer(s.bank)
	s.stopOnce = &sync.Once{}
	t.Cleanup(func() { s.stop(t) })
	s.connect(limits)
	s.conn = s.account("tenant-1")
}

// connect gives the shop a new adapter and counts its dials.
func (s *shop) connect(limits payment.Limits) {
	s.dials = &atomic.Int64{}
	transport := &http.Transport{
		DisableKeepAlives: true, DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			s.dials.Add(1)
			return (&net.Dialer{}).DialContext(ctx, network, address)
		},
	}
	s.client = payment.NewClient(limits, transport)
	s.provider = sandbox.New(s.server.URL, "", s.client)
}

func (s *shop) stop(t *testing.T) {
	s.stopOnce.Do(func() {
		s.server.CloseClientConnections()
		if err := s.bank.Close(); err != nil {
			t.Error(err)
		}
		s.server.Close()
	})
}

func (s *shop) account(key string) ports.Connection {
	return ports.Connection{
		ID: "connection-of-" + key, Provider: "sandbox", AccountKey: key, Environment: tenant.Test,
		Credentials: map[string]string{"secretKey": bank.AccountSecret(sharedSecret, key)},
	}
}

func request(id string) ports.PaymentRequest {
	return ports.PaymentRequest{
		PaymentID: id, Kind: domain.Widget, Amount: money.Of(15000, "KRW"), OrderName: "Linen shirt and 1 more",
		SuccessURL: "https://shop.example/thanks?step=3", FailURL: "https://shop.example/sorry",
		Buyer:     ports.Buyer{Name: "Kim", Email: "kim@shop.example", Phone: "010-1234-5678"},
		ExpiresAt: time.Date(2026, 1, 31, 10, 0, 0, 0, time.UTC),
	}
}

// registered is a payment that the provider knows.
type registered struct {
	ports.PaymentRequest

	Session, URL string
}

var counter atomic.Int64

func (s *shop) register(t *testing.T, kind domain.Kind) registered {
	t.Helper()
	p := registered{PaymentRequest: request("Payment" + strconv.FormatInt(counter.Add(1), 10))}
	p.Kind = kind
	if kind == domain.Hosted {
		p.Method = "KAKAO_PAY"
	}
	got, err := s.send(t.Context(), "key-"+p.PaymentID, p.prepare())
	if err != nil {
		t.Fatal(err)
	}
	p.Session, p.URL = got.Prepared.SessionID, got.Prepared.CheckoutURL
	return p
}

// approved is a widget payment approved by its buyer, and its payment key.
func (s *shop) approved(t *testing.T) (registered, string) {
	t.Helper()
	p := s.register(t, "widget")
	return p, s.authorize(t, map[string]any{"orderId": p.PaymentID, "outcome": "approve"}).PaymentKey
}

// prepare is the request that registered p.
func (p registered) prepare() ports.PrepareRequest {
	return ports.PrepareRequest{PaymentRequest: p.PaymentRequest}
}

// ref names p to the provider.
func (p registered) ref() ports.PaymentRef { return ports.PaymentRef{PaymentID: p.PaymentID} }

// send makes any call.
func (s *shop) send(ctx context.Context, key string, r ports.ProviderRequest) (ports.Outcome, error) {
	body, err := s.provider.Build(s.conn, r)
	if err != nil {
		return ports.Outcome{}, err
	}
	return s.provider.Do(ctx, s.conn, ports.ProviderCall{Operation: r.Operation(), ProviderKey: key, Request: body})
}

func (s *shop) confirm(p registered, key, paymentKey string) (ports.Outcome, error) {
	return s.send(context.Background(), key, ports.ConfirmRequest{PaymentRequest: p.PaymentRequest, PaymentKey: paymentKey})
}

func (s *shop) wantState(t *testing.T, p registered, want ports.ProviderState) ports.ProviderPayment {
	t.Helper()
	got, err := s.provider.Lookup(t.Context(), s.conn, ports.PaymentRef{PaymentID: p.PaymentID})
	if err != nil {
		t.Fatal(err)
	}
	if got.State != want {
		t.Errorf("state %q, want %q", got.State, want)
	}
	return got
}

type decision struct{ PaymentKey, RedirectURL string }

func (s *shop) authorize(t *testing.T, body map[string]any) (d decision) {
	t.Helper()
	raw, _ := json.Marshal(body)
	status, answer := s.call(t, http.MethodPost, "/sandbox/authorize", raw)
	if status != http.StatusOK || json.Unmarshal(answer, &d) != nil {
		t.Fatalf("authorize: %d %s", status, answer)
	}
	return d
}

func (s *shop) putFaults(t *testing.T, body string) int {
	t.Helper()
	status, _ := s.call(t, http.MethodPut, "/sandbox/faults", []byte(body))
	return status
}

type hook struct {
	ID, Type string
	DueAt    time.Time
}

func (s *shop) webhooks(t *testing.T, p registered) []hook {
	t.Helper()
	_, answer := s.call(t, http.MethodGet, "/v1/payments/"+p.PaymentID, nil)
	var answered struct{ Webhooks []hook }
	if err := json.Unmarshal(answer, &answered); err != nil {
		t.Fatal(err)
	}
	return answered.Webhooks
}

// call calls the bank without the adapter.
func (s *shop) call(t *testing.T, method, path string, body []byte) (int, []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.server.URL+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.conn.Credentials["secretKey"])
	res, err := s.server.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, answer
}

func wantCode(t *testing.T, err error, code string) {
	t.Helper()
	var f *fault.Error
	if !errors.As(err, &f) || !errors.Is(err, ports.ErrProviderRejected) || f.Data["providerCode"] != code {
		t.Errorf("got %v, want a rejection with %s", err, code)
	}
}
