// Package paymenttest is the contract suite of ports.Provider, run on every adapter against a stateful fake
// of its provider over HTTP. Rule payments-35, Facts port-1 to port-6.
package paymenttest

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// Harness is an adapter, a fresh fake of its provider, and what the suite needs to know about that provider.
type Harness struct {
	Handler           http.Handler // the provider; the suite intercepts calls between it and the adapter
	Adapter           func(base string, client *payment.Client) ports.Provider
	Connection        ports.Connection // with valid credentials
	PublicCredentials []string         // names of credentials that a browser may see
	Kind              domain.Kind      // of session: a widget is captured by confirm, the others by the buyer
	Method            string           // for hosted sessions
	Currencies        []money.Currency // supported by the provider; KRW and USD at least

	Approve func(t *testing.T, p Purchase) (paymentKey string) // the buyer pays; a key for widgets only
	Decline func(t *testing.T, p Purchase)
	Ledger  func(t *testing.T, p Purchase) Ledger
	// DelayNextRefund makes the provider leave the next refund pending until End decides it; nil where
	// refunds are immediate.
	DelayNextRefund func(t *testing.T)
	FinishRefund    func(t *testing.T, p Purchase, succeeds bool)
	// ConsoleRefund refunds an amount in the provider's console, in minor units; Tells makes the webhook of
	// it, with secret as for Webhook.
	ConsoleRefund func(t *testing.T, p Purchase, amount int64)
	RefundWebhook func(t *testing.T, p Purchase, secret string) ports.ProviderWebhook

	// AwaitDeposit makes the buyer choose a virtual account, Deposit pays to it and TakeBack is the bank that takes the
	// deposit back; nil where the provider has no virtual accounts.
	AwaitDeposit      func(t *testing.T, p Purchase) (paymentKey string)
	Deposit, TakeBack func(t *testing.T, p Purchase)
	// RefundAccounts are where refunds of such a payment go; nil where the adapter describes no method that is refunded to an
	// account of the buyer.
	RefundAccounts *RefundAccounts
	// Release makes the provider release an authorized payment, and ReleaseWebhook is its webhook of that; nil where the
	// adapter describes that it captures at once.
	Release        func(t *testing.T, p Purchase)
	ReleaseWebhook func(t *testing.T, p Purchase, secret string) ports.ProviderWebhook
	// Dispute is a step of a dispute of the whole payment: it is opened, which may take the money, and won or lost; nil
	// where the provider tells of none.
	Dispute        func(t *testing.T, p Purchase, s domain.DisputeStatus)
	DisputeWebhook func(t *testing.T, p Purchase, secret string) ports.ProviderWebhook

	AgainLater      []Refusal // answers that mean "another request is running, try later"; 429 and 503 do at every provider
	OnePaymentFails []Refusal // answers that are about one payment, or its bank, and not about the provider

	// The provider's format. Answers are decoded with json.Number and encoded again; the functions change
	// answers to look-ups.
	States           map[string]ports.ProviderState                                      // the provider's payment states, and ours
	SetState         func(answer map[string]any, word string)                            // sets the state of the payment
	FormatAmount     func(m money.Money) json.Number                                     // formats an amount
	SetAmount        func(answer map[string]any, number json.Number)                     // sets the amount of the payment
	SetOtherIdentity func(answer map[string]any) (ids Identity)                          // makes it a payment of another party, as far as the provider tells
	ErrorBody        func(code string) string                                            // body of a 4xx answer
	EmptyPrepare     bool                                                                // prepare is answered with an empty object
	RefundsByBalance bool                                                                // known by the balances around them: one like a finished one is it
	Webhook          func(t *testing.T, p Purchase, secret string) ports.ProviderWebhook // an event about p, signed with secret; unsigned for ""
	Secrets          []string                                                            // three webhook secrets; none for unsigned webhooks
}

// Identity is the ids and the account of a payment in a look-up.
type Identity struct{ PaymentID, ProviderID, Account string }

// Purchase is one payment in progress.
type Purchase struct {
	Request  ports.PaymentRequest
	Prepared domain.Prepared      // by the provider
	Action   collection.JSONValue // for the buyer's browser
}

// Ref names the payment as the shop knows it after prepare.
func (p Purchase) Ref() ports.PaymentRef {
	return ports.PaymentRef{PaymentID: p.Request.PaymentID, ProviderSessionID: p.Prepared.SessionID}
}

// Ledger is the provider's own record of a payment.
type Ledger struct {
	Created                       int // payments or sessions under this payment id
	Requested, Captured, Refunded money.Money
	TaxFree, RefundedTaxFree      money.Money // the parts of Captured and Refunded without value added tax; 0 where it is not told
}

// Provider checks ports.Provider of the adapters that open makes: each rule opens its own, with its own
// provider.
func Provider(t *testing.T, open func(t *testing.T) Harness) {
	rules := map[string]func(*testing.T, *suite){
		"a request is built from its input alone":                      buildIsPure,
		"a look-up finds a captured payment":                           captureIsFound,
		"a declined payment captures nothing":                          declinedPayment,
		"an unknown payment is absent":                                 absentPayment,
		"amounts are exact in every currency":                          amounts,
		"an amount is reported exactly or not at all":                  unreadableAmounts,
		"every known state is mapped, and others require attention":    stateMapping,
		"a look-up reports whose payment it is":                        identity,
		"one idempotency key makes one payment":                        idempotentPrepare,
		"a call whose answer was lost is repeated with the same bytes": lostResponse,
		"an open payment is closed, a paid one is not":                 closePayment,
		"a refund happens once and never exceeds the balance":          refundOnce,
		"a look-up finds exactly the refund asked for":                 refundLookup,
		"a refund whose answer was lost is found and not repeated":     lostRefundResponse,
		"a delayed refund is followed to its end":                      delayedRefund,
		"a look-up lists every refund, also those of the console":      consoleRefunds,
		"a webhook hints at possible refunds":                          refundWebhooks,
		"a deposit is awaited, paid, taken back and paid again":        depositTakenBack,
		"an authorized payment is captured once":                       captureLater,
		"a capture has its tax-free part":                              captureTaxFree,
		"an authorized payment is voided, or ends":                     voidAuthorization,
		"a dispute is listed with what it takes":                       disputes,
		"a busy provider is asked again, and acts once":                againLater,
		"the failure of one payment stops no other":                    onePaymentFails,
		"a payment is refunded in parts until nothing is left":         refundInParts,
		"the tax-free part of a payment and of its refunds is told":    taxFreeAmounts,
		"a look-up tells the tax-free part of a console's refund":      consoleTaxFree,
		"a tax-free part that is none is not sent":                     wrongTaxFreeAmounts,
		"a cash receipt is told where the adapter says so":             cashReceipts,
		"a webhook comes early, thrice, in any order or never":         webhookTimes,
		"money of a virtual account goes to the buyer's own account":   refundAccounts,
		"a failed look-up of a refund is inconclusive":                 refundLookupFailures,
		"a refusal is final and has its code":                          providerRefusals,
		"every 2xx is a success":                                       accept2xx,
		"an unreliable answer is inconclusive":                         unreliableResponses,
		"bad credentials are refused":                                  badCredentials,
		"a browser action has no secret":                               browserAction,
		"a webhook names the payments to look up":                      webhookHints,
		"a malformed webhook is refused or leads to nothing":           malformedWebhooks,
	}
	if len(open(t).Secrets) > 0 { // other providers do not sign
		rules["a forged webhook is refused"] = forgedWebhooks
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

// useLimits gives the shop an adapter with other limits.
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
		Session: "session-" + n, Kind: s.Kind, PaymentID: "Payment" + strings.Repeat("0", 8-len(n)) + n, Amount: m, OrderName: "Linen shirt and 1 more",
		SuccessURL: "https://shop.example/thanks?step=3", FailURL: "https://shop.example/sorry",
		Buyer: ports.Buyer{Name: "Kim", Email: "kim@shop.example", Phone: "010-1234-5678"},
	}
	if s.Kind == domain.Hosted {
		r.Method = s.Method
	}
	return r
}

var amountKRW = money.Of(15000, "KRW")

// send builds and sends a call; no secret may show in its result.
func (s *suite) send(t *testing.T, key string, r ports.ProviderRequest) (ports.Outcome, error) {
	t.Helper()
	return s.attempt(t, 1, key, r)
}

// attempt is the nth attempt of a call.
func (s *suite) attempt(t *testing.T, n int, key string, r ports.ProviderRequest) (ports.Outcome, error) {
	t.Helper()
	body, err := s.provider.Build(s.Connection, r)
	if err != nil {
		t.Fatalf("build %s: %v", r.Operation(), err)
	}
	s.checkNoSecret(t, body)
	answer, err := s.provider.Do(t.Context(), s.Connection,
		ports.ProviderCall{Operation: r.Operation(), ProviderKey: key, Request: body, Attempt: n})
	s.checkNoSecret(t, answer, err)
	return answer, err
}

func (s *suite) lookup(t *testing.T, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	t.Helper()
	got, err := s.provider.Lookup(t.Context(), s.Connection, ref)
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
	answer, err := s.sendPrepare(t, "prepare-key-of-"+req.PaymentID, req)
	if err != nil {
		t.Fatalf("prepare: %v", err)
	}
	return s.purchaseOf(t, req, answer.Prepared)
}

func (s *suite) sendPrepare(t *testing.T, key string, req ports.PaymentRequest) (ports.Outcome, error) {
	t.Helper()
	return s.send(t, key, ports.PrepareRequest{PaymentRequest: req})
}

func (s *suite) purchaseOf(t *testing.T, req ports.PaymentRequest, prepared domain.Prepared) Purchase {
	t.Helper()
	act, err := s.provider.Action(s.Connection, req, prepared)
	if err != nil {
		t.Fatalf("action: %v", err)
	}
	s.checkNoSecret(t, act)
	return Purchase{req, prepared, act}
}

// pay completes a fresh purchase and returns the payment key, "" where there is none.
func (s *suite) pay(t *testing.T, m money.Money) (p Purchase, key string) {
	t.Helper()
	return s.payFor(t, s.request(m))
}

// payFor completes a purchase.
func (s *suite) payFor(t *testing.T, r ports.PaymentRequest) (p Purchase, key string) {
	t.Helper()
	p = s.prepare(t, r)
	key = s.Approve(t, p)
	if s.Kind == domain.Widget {
		if _, err := s.confirm(t, p, key); err != nil {
			t.Fatalf("confirm: %v", err)
		}
	}
	return p, key
}

// confirm captures an approved payment. What the answer says of it, if anything, is what a look-up says.
func (s *suite) confirm(t *testing.T, p Purchase, paymentKey string) (ports.Outcome, error) {
	t.Helper()
	said, err := s.send(t, "confirm-key-of-"+p.Request.PaymentID, ports.ConfirmRequest{PaymentRequest: p.Request, PaymentKey: paymentKey})
	if err != nil || said.Payment == nil {
		return said, err
	}
	if found, err := s.lookup(t, p.Ref()); err != nil || !reflect.DeepEqual(*said.Payment, found) {
		t.Errorf("the confirm says %+v, the look-up %+v, %v", *said.Payment, found, err)
	}
	return said, nil
}

// checkNoSecret reports a credential that shows in anything an adapter returned.
func (s *suite) checkNoSecret(t *testing.T, values ...any) {
	t.Helper()
	for name, secret := range s.secrets() {
		for _, v := range values {
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
