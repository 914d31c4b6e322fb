package examplepay_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/examplepay"
	"example.com/examplepay/examplepayfake"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/adapters/payment/paymenttest"
	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The suite of Cartwright for payment providers: what every adapter has to do. It needs to be told how this provider
// writes, and how its people act.
func TestProviderContract(t *testing.T) {
	t.Parallel()
	paymenttest.Provider(t, func(*testing.T) paymenttest.Harness { return harness(examplepayfake.New()) })
}

func harness(f *examplepayfake.ExamplePay) paymenttest.Harness {
	return paymenttest.Harness{
		Handler: f, Adapter: func(base string, c *payment.Client) ports.Provider { return examplepay.New(base, c) },
		Connection: ports.Connection{
			ID: "connection-1", Provider: "examplepay", AccountKey: examplepayfake.Shop, Environment: tenant.Test,
			Credentials: map[string]string{"secretKey": examplepayfake.SecretKey},
		},
		Kind: domain.Hosted, Method: "KAKAO_PAY", Currencies: []money.Currency{"KRW", "USD", "JPY", "KWD"},

		// What people do.
		Approve: func(t *testing.T, p paymenttest.Purchase) string {
			if !f.Pay(p.Request.PaymentID) {
				t.Errorf("%s cannot be paid", p.Request.PaymentID)
			}
			return ""
		},
		Decline:         func(_ *testing.T, p paymenttest.Purchase) { f.Decline(p.Request.PaymentID) },
		DelayNextRefund: func(*testing.T) { f.DelayNextRefund() },
		FinishRefund: func(_ *testing.T, p paymenttest.Purchase, succeeds bool) {
			f.FinishRefunds(p.Request.PaymentID, succeeds)
		},
		ConsoleRefund: func(_ *testing.T, p paymenttest.Purchase, amount int64) {
			f.RefundInConsole(p.Request.PaymentID, amount)
		},
		Ledger: func(_ *testing.T, p paymenttest.Purchase) paymenttest.Ledger { return ledger(f, p.Request.PaymentID) },

		// How the provider writes.
		States: map[string]ports.ProviderState{
			"open": ports.ProviderOpen, "pending": ports.ProviderProcessing, "paid": ports.ProviderPaid,
			"declined": ports.ProviderFailed, "closed": ports.ProviderCanceled, "expired": ports.ProviderExpired,
		},
		SetState:     func(answer map[string]any, word string) { answer["status"] = word },
		FormatAmount: func(m money.Money) json.Number { return json.Number(strconv.FormatInt(m.Minor, 10)) },
		SetAmount:    func(answer map[string]any, number json.Number) { answer["amount"] = number },
		SetOtherIdentity: func(answer map[string]any) paymenttest.Identity {
			answer["reference"], answer["id"], answer["shop"] = "Other12345", "pay_other", "shop-2"
			return paymenttest.Identity{PaymentID: "Other12345", ProviderID: "pay_other", Account: "shop-2"}
		},
		AgainLater:      []paymenttest.Refusal{{Status: http.StatusConflict, Body: `{"code":"PAYMENT_BUSY","message":"no"}`}},           // FACTS.md, 13
		OnePaymentFails: []paymenttest.Refusal{{Status: http.StatusInternalServerError, Body: `{"code":"BANK_FAILED","message":"no"}`}}, // FACTS.md, 14
		ErrorBody:       func(code string) string { return fmt.Sprintf(`{"code":%q,"message":"no"}`, code) },
		Webhook: func(_ *testing.T, p paymenttest.Purchase, secret string) ports.ProviderWebhook {
			return signed("payment.paid", p.Request.PaymentID, secret)
		},
		RefundWebhook: func(_ *testing.T, p paymenttest.Purchase, secret string) ports.ProviderWebhook {
			return signed("refund.done", p.Request.PaymentID, secret)
		},
		Secrets: []string{secretOf("a secret of 24 characters"), secretOf("another one of that size"), secretOf("and an old one, replaced")},
	}
}

// ledger is the provider's own record of a payment, not through the adapter.
func ledger(f *examplepayfake.ExamplePay, reference string) (b paymenttest.Ledger) {
	p, found := f.PaymentOf(reference)
	if !found {
		return b
	}
	c := money.Currency(p.Currency)
	b = paymenttest.Ledger{Created: 1, Requested: money.Of(p.Amount, c), Refunded: money.Of(0, c)}
	if p.Status == "paid" {
		b.Captured = b.Requested
	}
	for _, r := range p.Refunds {
		if r.Status == "done" {
			b.Refunded = b.Refunded.Plus(money.Of(r.Amount, c))
		}
	}
	return b
}

func secretOf(key string) string { return "whsec_" + base64.StdEncoding.EncodeToString([]byte(key)) }

var noon = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

// signed is a webhook, signed by the Standard Webhooks specification. FACTS.md, 12.
func signed(kind, reference, secret string) ports.ProviderWebhook {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		panic(err)
	}
	id, stamp := "evt_"+kind+"_"+reference, strconv.FormatInt(noon.Unix(), 10)
	body := fmt.Sprintf(`{"type":%q,"reference":%q}`, kind, reference)
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + stamp + "." + body))
	return ports.ProviderWebhook{Body: []byte(body), ReceivedAt: noon, Header: map[string][]string{
		"Webhook-Id": {id}, "Webhook-Timestamp": {stamp},
		"Webhook-Signature": {"v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))},
	}}
}
