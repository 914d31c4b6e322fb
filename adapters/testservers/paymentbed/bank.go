package paymentbed

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	providers "github.com/cartwright-dev/cartwright/adapters/payment"

	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox"
	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Wire is the transport to the provider: it records requests, and may answer in the provider's place.
type Wire struct {
	mu       sync.Mutex
	Requests []string                                      // "GET /v1/payments/…"
	Keys     []string                                      // the idempotency keys that were sent
	Instead  func(*http.Request) (status int, body string) // answers unless status is 0
	AfterAct func(answer []byte) []byte                    // changes the answers to POST
}

// RoundTrip implements http.RoundTripper.
func (w *Wire) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	w.Requests = append(w.Requests, r.Method+" "+r.URL.Path)
	for name, k := range r.Header {
		if strings.EqualFold(name, "Idempotency-Key") {
			w.Keys = append(w.Keys, k...)
		}
	}
	instead, after := w.Instead, w.AfterAct
	w.mu.Unlock()
	if instead != nil {
		if status, body := instead(r); status != 0 {
			return &http.Response{
				StatusCode: status, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader([]byte(body))), Request: r,
			}, nil
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

// Calls is how often the provider was called with a method.
func (w *Wire) Calls(method string) (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, a := range w.Requests {
		if len(a) > len(method) && a[:len(method)+1] == method+" " {
			n++
		}
	}
	return n
}

// NewInstanceOver is an instance whose calls to the provider go over w.
func (b *Bed) NewInstanceOver(w *Wire, change ...func(*Settings)) *Instance {
	i := b.NewInstance(change...)
	i.Providers["sandbox"] = sandbox.New(b.BankURL, "",
		providers.NewClient(providers.Limits{CallTimeout: Patience, LookupTimeout: Patience, MaxFailures: 1000}, w))
	return i
}

// RefuseRefundsAtBank makes the provider refuse every refund with this code.
func (b *Bed) RefuseRefundsAtBank(code string) {
	i := b.NewInstanceOver(&Wire{Instead: func(r *http.Request) (int, string) {
		if strings.HasSuffix(r.URL.Path, "/cancel") {
			return http.StatusConflict, `{"code":"` + code + `"}`
		}
		return 0, ""
	}})
	maps.Copy(b.Providers, i.Providers)
}

// BankPayment is the payment of an order as the provider has it, amounts in minor units.
type BankPayment struct {
	Status                    string
	Amount, Refunded, TaxFree int64
	Refunds                   []BankRefund
}

// BankRefund is a refund as the provider has it, amounts in minor units.
type BankRefund struct {
	Status          string
	Amount, TaxFree int64
}

// BankTotals is the paid and the refunded amount of an order at the provider, in minor units.
func (b *Bed) BankTotals(orderID string) (amount, refunded int64) {
	b.T.Helper()
	p := b.BankPayment(orderID)
	return p.Amount, p.Refunded
}

// BankTaxFree is the tax-free part of the payment of an order at the provider and those of its refunds, in minor units.
func (b *Bed) BankTaxFree(orderID string) (parts []int64) {
	b.T.Helper()
	p := b.BankPayment(orderID)
	parts = append(parts, p.TaxFree)
	for _, r := range p.Refunds {
		parts = append(parts, r.TaxFree)
	}
	return parts
}

// BankPayment is the payment of an order at the provider.
func (b *Bed) BankPayment(orderID string) (p BankPayment) {
	b.T.Helper()
	req, _ := http.NewRequestWithContext(b.T.Context(), http.MethodGet, b.BankURL+"/v1/payments/"+b.PaymentID(orderID), nil)
	req.SetBasicAuth(bank.AccountSecret(BankSecret, b.Account), "")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		b.T.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(&p); err != nil {
		b.T.Fatal(err)
	}
	return p
}

// FinishRefundsAtBank finishes the pending refunds of an order at the provider with this outcome, and polls them.
func (b *Bed) FinishRefundsAtBank(orderID, outcome string) {
	b.T.Helper()
	b.PostToBank("/sandbox/refunds", []byte(`{"paymentId":"`+b.PaymentID(orderID)+`","outcome":"`+outcome+`"}`))
	b.Poller.PollOnce(b.T.Context(), ports.ForTenant(b.Shop.ID))
}

// SettleByWebhook settles the refunds of an order as a webhook about its payment does.
func (b *Bed) SettleByWebhook(orderID string) error {
	for _, s := range b.All(payment.Sessions) {
		if s.Text("order") == orderID {
			return b.Refunds.SettleRefunds(b.T.Context(), b.Shop.ID, s.ID())
		}
	}
	return nil
}

// Approve is the buyer's decision at the provider.
func (b *Bed) Approve(session Answer, outcome string) (paymentKey string) {
	b.T.Helper()
	body, _ := json.Marshal(map[string]string{"orderId": session.Text("action.orderId"), "outcome": outcome})
	return b.PostToBank("/sandbox/authorize", body).Text("paymentKey")
}

// PostToBank calls the sandbox's own API.
func (b *Bed) PostToBank(path string, body []byte) Answer {
	b.T.Helper()
	res, err := http.Post(b.BankURL+path, "application/json", bytes.NewReader(body))
	if err != nil {
		b.T.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		b.T.Fatalf("%s: %d %s %v", path, res.StatusCode, answer, err)
	}
	return b.Read(answer)
}

// BankFaults orders failures of the provider, as JSON of bank's faults.
func (b *Bed) BankFaults(body string) {
	b.T.Helper()
	req, _ := http.NewRequestWithContext(b.T.Context(), http.MethodPut, b.BankURL+"/sandbox/faults", strings.NewReader(body))
	req.SetBasicAuth(bank.AccountSecret(BankSecret, b.Account), "")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		b.T.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode >= 300 {
		b.T.Fatal(res.Status)
	}
}

// CaptureAtBank captures a payment at the provider without us, as a late confirm of another system would.
func (b *Bed) CaptureAtBank(session Answer, paymentKey string) {
	b.T.Helper()
	if status := b.TryCaptureAtBank(session, paymentKey); status != http.StatusOK {
		b.T.Fatal(http.StatusText(status))
	}
}

// TryCaptureAtBank is CaptureAtBank for a payment that the provider may refuse; it returns the provider's status.
func (b *Bed) TryCaptureAtBank(session Answer, paymentKey string) (status int) {
	b.T.Helper()
	n, _ := money.Parse(session.Text("action.amount.amount"), "KRW")
	body, _ := json.Marshal(map[string]any{
		"paymentKey": paymentKey, "orderId": session.Text("action.orderId"), "amount": n.Minor, "currency": "KRW",
	})
	req, _ := http.NewRequestWithContext(b.T.Context(), http.MethodPost,
		b.BankURL+"/v1/payments/"+session.Text("action.orderId")+"/confirm", bytes.NewReader(body))
	req.SetBasicAuth(bank.AccountSecret(BankSecret, b.Account), "")
	req.Header.Set("Idempotency-Key", Key())
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		b.T.Fatal(err)
	}
	defer res.Body.Close()
	return res.StatusCode
}

var bankAt = sync.OnceValue(openBank)

// openBank serves the sandbox provider; its clock stands still.
func openBank() (url string) {
	store, err := bank.Open(shops.Suite.Context(), filepath.Join(shops.Suite.Dir, "bank.db"))
	if err != nil {
		shops.Suite.Fatal(err)
	}
	service, err := bank.New(bank.Options{Store: store, Secret: BankSecret, Now: func() time.Time { return Start }})
	if err != nil {
		shops.Suite.Fatal(err)
	}
	server := httptest.NewServer(service)
	shops.Suite.Cleanup(func() {
		server.CloseClientConnections()
		if err := service.Close(); err != nil {
			shops.Suite.Error(err)
		}
		server.Close()
	})
	return server.URL
}

// WebhookOf is a signed webhook of a type about a payment of an account.
func (b *Bed) WebhookOf(kind, event, paymentID, account string) ports.ProviderWebhook {
	body := `{"type":"` + kind + `","data":{"paymentId":"` + paymentID + `"}}`
	stamp := strconv.FormatInt(b.Now().Unix(), 10)
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(bank.WebhookSecret(BankSecret, account), "whsec_"))
	if err != nil {
		b.T.Fatal(err)
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(event + "." + stamp + "." + body))
	return ports.ProviderWebhook{Body: []byte(body), Header: map[string][]string{
		"Webhook-Id": {event}, "Webhook-Timestamp": {stamp}, "Webhook-Signature": {"v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))},
	}}
}

// Unsigned is a provider that does not sign webhooks. It counts lookups, and events that are marked as processed.
type Unsigned struct {
	ports.Provider
	ports.ProcessedWebhooks

	Asked, Kept *atomic.Int64
}

// Hint implements ports.Provider: the body is a payment id, after "back:" for a refund.
func (Unsigned) Hint(_ ports.Connection, _ []string, n ports.ProviderWebhook) (ports.WebhookHint, error) {
	id, back := strings.CutPrefix(string(n.Body), "back:")
	return ports.WebhookHint{Payments: []ports.PaymentRef{{PaymentID: id}}, MayConcernBooked: back}, nil
}

// Lookup implements ports.Provider.
func (u Unsigned) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	u.Asked.Add(1)
	return u.Provider.Lookup(ctx, conn, ref)
}

// Mark implements ports.ProcessedWebhooks.
func (u Unsigned) Mark(ctx context.Context, id tenant.ID, connection, event string, until time.Time) error {
	u.Kept.Add(1)
	return u.ProcessedWebhooks.Mark(ctx, id, connection, event, until)
}

// Unsigned is a provider like the bed's that does not sign webhooks; instances use it by its Install.
func (b *Bed) Unsigned() Unsigned {
	return Unsigned{
		Provider: b.Providers["sandbox"], ProcessedWebhooks: b.settings.Processed, Asked: &atomic.Int64{}, Kept: &atomic.Int64{},
	}
}

// Install makes u the sandbox of an instance.
func (u Unsigned) Install(s *Settings) {
	s.Providers, s.Processed = map[string]ports.Provider{"sandbox": u}, u
}
