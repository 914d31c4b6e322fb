// Package paymenttest is the contract suite of ports.Provider, run on every adapter against a stateful copy of its
// provider that answers over HTTP. Rule payments-35, Facts port-1 to port-6.
package paymenttest

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/ports"
)

// Harness is an adapter, a fresh copy of its provider, and what its test knows about that provider.
type Harness struct {
	Handler           http.Handler // the provider; the suite stands between it and the adapter and spoils what it wants spoilt
	Adapter           func(base string, client *payment.Client) ports.Provider
	Connection        ports.Connection // with good credentials
	PublicCredentials []string         // names of credentials that a browser may see
	Kind              string           // of session: "widget" is captured by confirm, the others by the buyer
	Method            string           // for hosted sessions
	Currencies        []money.Currency // that the provider takes; KRW and USD at least

	Approve func(t *testing.T, p Purchase) (paymentKey string) // the buyer pays; a key for widgets only
	Decline func(t *testing.T, p Purchase)
	Ledger  func(t *testing.T, p Purchase) Ledger
	// DelayNextRefund has the provider do the coming refund later, and End decides about it then; nil where refunds are done at once.
	DelayNextRefund func(t *testing.T)
	FinishRefund    func(t *testing.T, p Purchase, succeeds bool)
	// ConsoleRefund is a person who refunds an amount in the provider's console, in minor units; Tells is the webhook of that, and
	// secret as with Webhook.
	ConsoleRefund func(t *testing.T, p Purchase, amount int64)
	RefundWebhook func(t *testing.T, p Purchase, secret string) ports.ProviderWebhook

	// How the provider writes. Answers are decoded with numbers kept as json.Number and written again; the functions
	// change every answer to a look-up.
	States           map[string]ports.ProviderState                                      // every word for a payment's state, and ours for it
	SetState         func(answer map[string]any, word string)                            // has the payment be in that state
	FormatAmount     func(m money.Money) json.Number                                     // an amount
	SetAmount        func(answer map[string]any, number json.Number)                     // has the payment be of that amount
	SetOtherIdentity func(answer map[string]any) (ids Identity)                          // has the payment be somebody else's: all that its provider tells
	ErrorBody        func(code string) string                                            // body of a 4xx answer
	EmptyPrepare     bool                                                                // prepare is answered with an empty object
	IgnoresRemaining bool                                                                // refunds do not compare what is left
	Webhook          func(t *testing.T, p Purchase, secret string) ports.ProviderWebhook // one event about p, with the headers that prove it; secret is "" where nothing is signed
	Secrets          []string                                                            // three that could sign webhooks; none where nothing is signed
}

// Identity is whose payment a look-up shows.
type Identity struct{ PaymentID, ProviderID, Account string }

// Purchase is one payment on its way.
type Purchase struct {
	Request  ports.PaymentRequest
	Prepared map[string]string    // what the adapter said to prepare
	Action   collection.JSONValue // what the buyer's browser got
}

// Ref names the payment as the shop knows it after prepare.
func (p Purchase) Ref() ports.PaymentRef {
	return ports.PaymentRef{PaymentID: p.Request.PaymentID, ProviderSessionID: p.Prepared["providerSessionId"]}
}

// Ledger is what the provider itself has written down about a payment.
type Ledger struct {
	Created                       int // payments or sessions under this payment id
	Requested, Captured, Refunded money.Money
}

// Provider checks ports.Provider of the adapters that open makes: each rule opens its own, with a provider of its own.
func Provider(t *testing.T, open func(t *testing.T) Harness) {
	rules := map[string]func(*testing.T, *suite){
		"a request is made of its facts alone":                             buildIsPure,
		"a buyer's money is found by a look-up":                            captureIsFound,
		"a buyer who was declined has paid nothing":                        declinedPayment,
		"a payment nobody made is absent":                                  absentPayment,
		"amounts are exact in every currency":                              amounts,
		"an amount is told as it is, or not at all":                        unreadableAmounts,
		"every word has its state, and others are for a person":            stateMapping,
		"whose payment it is, the provider says":                           identity,
		"one key makes one thing":                                          idempotentPrepare,
		"a lost answer is had again with the same bytes":                   lostResponse,
		"a closed payment is not open any more, a paid one is not closed":  closePayment,
		"a refund happens once and never beyond what is left":              refundOnce,
		"a refund is found by a look-up, and no other":                     refundLookup,
		"a refund whose answer was lost is found, and not made again":      lostRefundResponse,
		"a refund that is done later is followed to its end":               delayedRefund,
		"a look-up tells of every refund, whoever made it":                 consoleRefunds,
		"a webhook says when money may have gone back":                     refundWebhooks,
		"a refund can be looked up in trouble only without being believed": refundLookupFailures,
		"a refusal is final and names its code":                            providerRefusals,
		"every success is one, whatever its number":                        accept2xx,
		"what cannot be believed is no answer":                             unreliableResponses,
		"bad credentials are refused":                                      badCredentials,
		"a browser gets no secret":                                         browserAction,
		"a webhook says which payments to look up":                         webhookHints,
		"a webhook that cannot be read is refused or says nothing":         malformedWebhooks,
	}
	if len(open(t).Secrets) > 0 { // others sign nothing
		rules["a webhook somebody else wrote is refused"] = forgedWebhooks
	}
	for name, rule := range rules {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rule(t, newSuite(t, open(t)))
		})
	}
}

// suite calls the provider through the adapter.
type suite struct {
	Harness

	interceptor *interceptor
	url         string
	provider    ports.Provider
}

func newSuite(t *testing.T, r Harness) *suite {
	s := &suite{Harness: r, interceptor: &interceptor{next: r.Handler}}
	server := httptest.NewServer(s.interceptor)
	t.Cleanup(server.Close)
	s.url = server.URL
	s.useLimits(payment.Limits{})
	return s
}

// useLimits gives the shop an adapter of other limits, whose circuit stays closed unless they say otherwise.
func (s *suite) useLimits(l payment.Limits) {
	if l.MaxFailures == 0 {
		l.MaxFailures = 1 << 20
	}
	s.provider = s.Adapter(s.url, payment.NewClient(l, nil))
}

var serial atomic.Int64

// request is a fresh purchase of an amount.
func (s *suite) request(m money.Money) ports.PaymentRequest {
	n := strconv.FormatInt(serial.Add(1), 10)
	r := ports.PaymentRequest{
		Session: "session-" + n, PaymentID: "Payment" + strings.Repeat("0", 8-len(n)) + n, Amount: m, OrderName: "Linen shirt and 1 more",
		SuccessURL: "https://shop.example/thanks?step=3", FailURL: "https://shop.example/sorry", CustomerName: "Kim", Email: "kim@shop.example",
	}
	if s.Kind == "hosted_v2" {
		r.Method = s.Method
	}
	return r
}

var amountKRW = money.Of(15000, "KRW")

// send builds and sends; secrets must show nowhere in what comes of it.
func (s *suite) send(t *testing.T, operation, key string, req ports.PaymentRequest, args map[string]string) (map[string]string, error) {
	t.Helper()
	return s.attempt(t, 1, operation, key, req, args)
}

// attempt is any attempt of a call.
func (s *suite) attempt(t *testing.T, n int, operation, key string, req ports.PaymentRequest, args map[string]string) (map[string]string, error) {
	t.Helper()
	body, err := s.provider.BuildRequest(s.Connection, operation, req, args)
	if err != nil {
		t.Fatalf("build %s: %v", operation, err)
	}
	s.checkNoSecret(t, body)
	answer, err := s.provider.Send(t.Context(), s.Connection, ports.ProviderCall{Operation: operation, ProviderKey: key, Request: body, Attempt: n})
	s.checkNoSecret(t, answer, err)
	return answer, err
}

func (s *suite) lookup(t *testing.T, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	t.Helper()
	got, err := s.provider.LookupPayment(t.Context(), s.Connection, ref)
	s.checkNoSecret(t, got, err)
	return got, err
}

func (s *suite) wantState(t *testing.T, p Purchase, want ports.ProviderState) ports.ProviderPayment {
	t.Helper()
	got, err := s.lookup(t, p.Ref())
	if err != nil || got.State != want {
		t.Fatalf("the look-up says %+v, %v, want %q", got, err, want)
	}
	return got
}

func (s *suite) prepare(t *testing.T, req ports.PaymentRequest) Purchase {
	t.Helper()
	prepared, err := s.send(t, "prepare", "prepare-key-of-"+req.PaymentID, req, map[string]string{"kind": s.Kind})
	if err != nil {
		t.Fatalf("prepare: %v", err)
	}
	return s.purchaseOf(t, req, prepared)
}

func (s *suite) purchaseOf(t *testing.T, req ports.PaymentRequest, prepared map[string]string) Purchase {
	t.Helper()
	act, err := s.provider.NextAction(s.Connection, s.Kind, req, prepared)
	if err != nil {
		t.Fatalf("action: %v", err)
	}
	s.checkNoSecret(t, act)
	return Purchase{req, prepared, act}
}

// pay goes all the way for a fresh purchase and returns the payment key, "" where there is none.
func (s *suite) pay(t *testing.T, m money.Money) (p Purchase, key string) {
	t.Helper()
	p = s.prepare(t, s.request(m))
	key = s.Approve(t, p)
	if s.Kind == "widget" {
		if _, err := s.confirm(t, p, key); err != nil {
			t.Fatalf("confirm: %v", err)
		}
	}
	return p, key
}

func (s *suite) confirm(t *testing.T, p Purchase, paymentKey string) (map[string]string, error) {
	t.Helper()
	return s.send(t, "confirm", "confirm-key-of-"+p.Request.PaymentID, p.Request, map[string]string{"paymentKey": paymentKey})
}

// checkNoSecret reports a credential that shows in anything an adapter gave away.
func (s *suite) checkNoSecret(t *testing.T, told ...any) {
	t.Helper()
	for name, secret := range s.secrets() {
		for _, v := range told {
			if strings.Contains(readableText(v), secret) {
				t.Errorf("the credential %s shows in %s", name, readableText(v))
			}
		}
	}
}

func (s *suite) secrets() map[string]string {
	all := maps.Clone(s.Connection.Credentials)
	for _, name := range s.PublicCredentials {
		delete(all, name)
	}
	maps.DeleteFunc(all, func(_, v string) bool { return v == "" })
	return all
}

const shortTimeout = 100 * time.Millisecond
