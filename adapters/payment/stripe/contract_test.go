package stripe_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v85/webhook"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/adapters/payment/paymenttest"
	"github.com/cartwright-dev/cartwright/adapters/payment/stripe"
	"github.com/cartwright-dev/cartwright/adapters/payment/stripe/stripefake"
	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func connection() ports.Connection {
	return ports.Connection{
		ID: "connection-1", Provider: "stripe", AccountKey: stripefake.Account, Environment: tenant.Test,
		Credentials: map[string]string{"secretKey": stripefake.Key},
	}
}

func TestProviderContract(t *testing.T) {
	t.Parallel()
	paymenttest.Provider(t, func(*testing.T) paymenttest.Harness { return harness(stripefake.New()) })
}

// hundredfold are currencies without fractions that Stripe counts in hundredths. Listed again here, so that
// the table under test is not compared with itself.
func hundredfold(m money.Money) int64 {
	if m.Currency == "ISK" || m.Currency == "UGX" {
		return m.Minor * 100
	}
	return m.Minor
}

func harness(f *stripefake.Stripe) paymenttest.Harness {
	return paymenttest.Harness{
		Handler:    f,
		Adapter:    func(base string, c *payment.Client) ports.Provider { return stripe.New(base, c, f.Clock) },
		Connection: connection(), Kind: domain.Hosted, Method: "CARD_INTERNATIONAL",
		Currencies: []money.Currency{"KRW", "USD", "JPY", "ISK", "UGX", "EUR", "HUF", "TWD"},
		Approve: func(_ *testing.T, p paymenttest.Purchase) string {
			f.Buy(p.Prepared.SessionID, "paid")
			return ""
		},
		Decline: func(_ *testing.T, p paymenttest.Purchase) { f.Buy(p.Prepared.SessionID, "declined") },
		Ledger:  func(_ *testing.T, p paymenttest.Purchase) paymenttest.Ledger { return ledger(f, p) },
		ConsoleRefund: func(_ *testing.T, p paymenttest.Purchase, amount int64) {
			f.ConsoleRefund(p.Prepared.SessionID, amount) // won have the same units at Stripe
		},
		RefundWebhook: func(_ *testing.T, p paymenttest.Purchase, secret string) ports.ProviderWebhook {
			return notice(f, secret, "charge.refunded",
				fmt.Sprintf(`{"object":"charge","id":"ch_1","payment_intent":%q}`, "pi_"+p.Prepared.SessionID))
		},
		Release: func(_ *testing.T, p paymenttest.Purchase) { f.Release(p.Prepared.SessionID) },
		ReleaseWebhook: func(_ *testing.T, p paymenttest.Purchase, secret string) ports.ProviderWebhook {
			return notice(f, secret, "payment_intent.canceled", fmt.Sprintf(`{"object":"payment_intent","id":%q}`, "pi_"+p.Prepared.SessionID))
		},
		Dispute: func(_ *testing.T, p paymenttest.Purchase, s domain.DisputeStatus) {
			f.Dispute(p.Prepared.SessionID, string(s))
		},
		DisputeWebhook: func(_ *testing.T, p paymenttest.Purchase, secret string) ports.ProviderWebhook {
			return notice(f, secret, "charge.dispute.created",
				fmt.Sprintf(`{"object":"dispute","id":"dp_1","payment_intent":%q}`, "pi_"+p.Prepared.SessionID))
		},
		DelayNextRefund: func(*testing.T) { f.DelayNextRefund = true },
		FinishRefund: func(_ *testing.T, p paymenttest.Purchase, succeeds bool) {
			f.FinishRefunds(p.Prepared.SessionID, succeeds)
		},
		States: map[string]ports.ProviderState{
			"open unpaid": ports.ProviderOpen, "complete paid": ports.ProviderPaid, "complete unpaid processing": ports.ProviderProcessing,
			"complete unpaid requires_action": ports.ProviderProcessing, "complete unpaid requires_payment_method": ports.ProviderFailed,
			"complete unpaid canceled": ports.ProviderFailed, "expired unpaid": ports.ProviderCanceled,
			"complete no_payment_required": ports.ProviderUnknown, "open paid": ports.ProviderUnknown,
			"complete maybe": ports.ProviderUnknown,
		},
		SetState:     reword,
		FormatAmount: func(m money.Money) json.Number { return json.Number(strconv.FormatInt(hundredfold(m), 10)) },
		SetAmount: func(answer map[string]any, number json.Number) {
			answer["amount_total"] = number
			if intent, ok := answer["payment_intent"].(map[string]any); ok {
				intent["amount_received"] = number
			}
		},
		SetOtherIdentity: func(answer map[string]any) paymenttest.Identity {
			answer["metadata"].(map[string]any)["payment_id"] = "SomebodyElses1"
			answer["payment_intent"].(map[string]any)["id"] = "pi_elsewhere"
			return paymenttest.Identity{PaymentID: "SomebodyElses1", ProviderID: "pi_elsewhere", Account: stripefake.Account}
		},
		AgainLater: []paymenttest.Refusal{ // Fact stripe-8
			{Status: http.StatusConflict, Body: `{"error":{"type":"idempotency_error","message":"Another request runs."}}`},
		},
		OnePaymentFails: []paymenttest.Refusal{ // Fact stripe-8
			{
				Status: http.StatusInternalServerError, Body: `{"error":{"type":"api_error","message":"No."}}`,
				Header: map[string]string{"Idempotent-Replayed": "true"},
			},
		},
		ErrorBody: func(code string) string {
			return fmt.Sprintf(`{"error":{"type":"card_error","code":%q,"message":"No."}}`, code)
		},
		Webhook: func(_ *testing.T, p paymenttest.Purchase, secret string) ports.ProviderWebhook {
			return notice(f, secret, "checkout.session.completed",
				fmt.Sprintf(`{"object":"checkout.session","id":%q,"metadata":{"payment_id":%q}}`,
					p.Prepared.SessionID, p.Request.PaymentID))
		},
		Secrets: []string{"whsec_newest0000", "whsec_between000", "whsec_oldest0000"},
	}
}

func reword(answer map[string]any, word string) {
	words := append(strings.Fields(word), "", "", "")
	answer["status"] = words[0]
	if words[1] != "" {
		answer["payment_status"] = words[1]
	}
	if intent, ok := answer["payment_intent"].(map[string]any); ok && words[2] != "" {
		intent["status"] = words[2]
	}
}

func ledger(f *stripefake.Stripe, p paymenttest.Purchase) (b paymenttest.Ledger) {
	c := p.Request.Amount.Currency
	ours := func(units int64) money.Money {
		if hundredfold(money.Of(1, c)) == 100 {
			units /= 100
		}
		return money.Of(units, c)
	}
	for _, s := range f.SessionsOf(p.Request.PaymentID) {
		b = paymenttest.Ledger{Created: b.Created + 1, Requested: ours(s.Total), Captured: ours(s.Received), Refunded: ours(s.Refunded)}
	}
	return b
}

// notice is an event signed now, also with another secret and with an older scheme, as while secrets are
// rotated.
func notice(f *stripefake.Stripe, secret, kind, object string) ports.ProviderWebhook {
	return noticeOf(f, "", secret, kind, object)
}

// noticeOf is a notice of a connected account, as its platform's endpoint gets it.
func noticeOf(f *stripefake.Stripe, account, secret, kind, object string) ports.ProviderWebhook {
	at, of := f.Clock(), ""
	if account != "" {
		of = fmt.Sprintf(`"account":%q,`, account)
	}
	body := fmt.Appendf(nil, `{"object":"event","id":"evt_%x",%s"type":%q,"livemode":false,"data":{"object":%s}}`, object, of, kind, object)
	header := fmt.Sprintf("t=%d,v1=%x,v1=%x,v0=%x", at.Unix(), webhook.ComputeSignature(at, body, "whsec_somebody_elses"),
		webhook.ComputeSignature(at, body, secret), "6ffbb59b")
	return ports.ProviderWebhook{Header: map[string][]string{"Stripe-Signature": {header}}, Body: body, ReceivedAt: at.Add(time.Second)}
}

func TestOnlyCurrentSignatureScheme(t *testing.T) {
	t.Parallel()
	f := stripefake.New()
	p := stripe.New("http://127.0.0.1", payment.NewClient(payment.Limits{}, nil), f.Clock)
	n := notice(f, "whsec_1", "checkout.session.expired", `{"object":"checkout.session","id":"cs_1"}`)
	good := n.Header["Stripe-Signature"][0]
	for name, header := range map[string]string{
		"an old scheme": strings.ReplaceAll(good, "v1=", "v0="), "no time": good[strings.Index(good, ",")+1:], "two times": good + ",t=1",
		"nonsense": "t=x,v1=y", "an hour more": strings.Replace(good, "t=", "t=1", 1),
	} {
		n.Header = map[string][]string{"Stripe-Signature": {header}}
		if hint, err := p.Hint(connection(), []string{"whsec_1"}, n); !errors.Is(err, ports.ErrWebhookSignature) {
			t.Errorf("%s: %+v %v", name, hint, err)
		}
	}
	n.Header = map[string][]string{"Stripe-Signature": {good, good}}
	if _, err := p.Hint(connection(), []string{"whsec_1"}, n); !errors.Is(err, ports.ErrWebhookSignature) {
		t.Errorf("two headers: %v", err)
	}
}

func TestEventReferences(t *testing.T) {
	t.Parallel()
	f := stripefake.New()
	p := stripe.New("http://127.0.0.1", payment.NewClient(payment.Limits{}, nil), f.Clock)
	for name, rule := range map[string]struct {
		object string
		want   []ports.PaymentRef
	}{
		"a session": {
			`{"object":"checkout.session","id":"cs_1","payment_intent":"pi_1","metadata":{"payment_id":"Payment1"}}`,
			[]ports.PaymentRef{{PaymentID: "Payment1", ProviderSessionID: "cs_1", ProviderPaymentID: "pi_1"}},
		},
		"an intent": {
			`{"object":"payment_intent","id":"pi_1","metadata":{"payment_id":"Payment1"}}`,
			[]ports.PaymentRef{{PaymentID: "Payment1", ProviderPaymentID: "pi_1"}},
		},
		"a charge": {
			`{"object":"charge","id":"ch_1","payment_intent":{"object":"payment_intent","id":"pi_1"}}`,
			[]ports.PaymentRef{{ProviderPaymentID: "pi_1"}},
		},
		"a refund": {
			`{"object":"refund","id":"re_1","payment_intent":"pi_1"}`, []ports.PaymentRef{{ProviderPaymentID: "pi_1"}},
		},
		"a refund without an intent":      {`{"object":"refund","id":"re_1","payment_intent":null}`, nil},
		"an object that is not a payment": {`{"object":"customer","id":"cus_1"}`, nil},
	} {
		hint, err := p.Hint(connection(), []string{"whsec_1"}, notice(f, "whsec_1", "any", rule.object))
		if err != nil || !slices.Equal(hint.Payments, rule.want) {
			t.Errorf("%s: %+v %v", name, hint, err)
		}
	}
	elsewhere := connection()
	elsewhere.Environment = tenant.Live
	hint, err := p.Hint(elsewhere, []string{"whsec_1"}, notice(f, "whsec_1", "any", `{"object":"checkout.session","id":"cs_1"}`))
	if err != nil || len(hint.Payments) > 0 {
		t.Errorf("a test event at a live connection: %+v %v", hint, err)
	}
}
