package portone_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/adapters/payment/paymenttest"
	"github.com/cartwright-dev/cartwright/adapters/payment/portone"
	"github.com/cartwright-dev/cartwright/adapters/payment/portone/portonefake"
	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestProviderContract(t *testing.T) {
	t.Parallel()
	for _, kind := range []domain.Kind{domain.Hosted, domain.Standard} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			paymenttest.Provider(t, func(*testing.T) paymenttest.Harness { return harness(portonefake.New(), kind) })
		})
	}
}

func connection() ports.Connection {
	return ports.Connection{
		ID: "connection-1", Tenant: "tenant-1", Provider: "portone", AccountKey: portonefake.Store, Environment: tenant.Test,
		Credentials: map[string]string{"apiSecret": portonefake.Secret, "channelKey": "channel-key-1", "profileKey": "profile-key-1"},
	}
}

func harness(f *portonefake.PortOne, kind domain.Kind) paymenttest.Harness {
	decide := func(t *testing.T, p paymenttest.Purchase, status string) {
		act, _ := p.Action.(map[string]any)
		if !f.Buy(p.Request.PaymentID, p.Prepared.SessionID, act, status) {
			t.Errorf("the buyer could not pay %s", p.Request.PaymentID)
		}
	}
	if kind == domain.Standard {
		f.Gateway = "INICIS_V2" // which takes no payment of an unknown buyer
	}
	return paymenttest.Harness{
		Handler: f, Adapter: func(base string, c *payment.Client) ports.Provider { return portone.New(base, c) },
		Connection: connection(), PublicCredentials: []string{"channelKey", "profileKey"}, Kind: kind, Method: "PAY_PAL",
		EmptyPrepare: kind == "standard_v2", Currencies: []money.Currency{"KRW", "USD", "JPY", "KWD"},
		Approve: func(t *testing.T, p paymenttest.Purchase) string {
			decide(t, p, "PAID")
			return ""
		},
		Decline: func(t *testing.T, p paymenttest.Purchase) { decide(t, p, "FAILED") },
		RefundAccounts: &paymenttest.RefundAccounts{
			Account: domain.RefundAccount{Bank: "SHINHAN", Account: "110123456789", Holder: "김지우"},
			Unknown: domain.RefundAccount{Bank: "88", Account: "110123456789", Holder: "김지우"},
			RefundedTo: func(t *testing.T, p paymenttest.Purchase) []domain.RefundAccount {
				return refundedTo(t, f, p.Request.PaymentID)
			},
		},
		DelayNextRefund: func(*testing.T) { f.DelayRefunds = true },
		FinishRefund: func(_ *testing.T, p paymenttest.Purchase, succeeds bool) {
			f.DelayRefunds = false
			f.FinishCancellations(p.Request.PaymentID, succeeds)
		},
		ConsoleRefund: func(_ *testing.T, p paymenttest.Purchase, amount int64) { f.ConsoleCancel(p.Request.PaymentID, amount) },
		RefundWebhook: func(_ *testing.T, p paymenttest.Purchase, secret string) ports.ProviderWebhook {
			body := fmt.Sprintf(`{"type":"Transaction.PartialCancelled","timestamp":"2026-01-31T09:00:00Z","data":{"storeId":%q,"paymentId":%q,"transactionId":"tx","cancellationId":"c"}}`,
				portonefake.Store, p.Request.PaymentID)
			return signed("msg_back_"+p.Request.PaymentID, noon, body, secret)
		},
		AwaitDeposit: func(t *testing.T, p paymenttest.Purchase) string {
			decide(t, p, "VIRTUAL_ACCOUNT_ISSUED")
			return ""
		},
		Deposit:  func(t *testing.T, p paymenttest.Purchase) { decide(t, p, "PAID") },
		TakeBack: func(_ *testing.T, p paymenttest.Purchase) { f.TakeBack(p.Request.PaymentID) },
		Dispute: func(_ *testing.T, p paymenttest.Purchase, s domain.DisputeStatus) {
			f.Dispute(p.Request.PaymentID, !s.Open())
		},
		DisputeWebhook: func(_ *testing.T, p paymenttest.Purchase, secret string) ports.ProviderWebhook {
			body := fmt.Sprintf(`{"type":"Transaction.DisputeCreated","timestamp":"2026-01-31T09:00:00Z","data":{"storeId":%q,"paymentId":%q,"transactionId":"tx"}}`,
				portonefake.Store, p.Request.PaymentID)
			return signed("msg_dispute_"+p.Request.PaymentID, noon, body, secret)
		},
		Ledger: func(_ *testing.T, p paymenttest.Purchase) paymenttest.Ledger { return ledger(f, p.Request.PaymentID) },
		States: map[string]ports.ProviderState{
			"READY": ports.ProviderOpen, "PENDING": ports.ProviderProcessing, "PAY_PENDING": ports.ProviderProcessing,
			"VIRTUAL_ACCOUNT_ISSUED": ports.ProviderProcessing, "PAID": ports.ProviderPaid, "FAILED": ports.ProviderFailed,
			"CANCELLED": ports.ProviderCanceled, "PARTIAL_CANCELLED": ports.ProviderUnknown,
		},
		SetState:     func(answer map[string]any, word string) { answer["status"] = word },
		FormatAmount: func(m money.Money) json.Number { return json.Number(strconv.FormatInt(m.Minor, 10)) },
		SetAmount: func(answer map[string]any, number json.Number) {
			if amount, ok := answer["amount"].(map[string]any); ok {
				amount["total"] = number
			}
		},
		SetOtherIdentity: func(answer map[string]any) paymenttest.Identity {
			answer["id"], answer["storeId"] = "Other12345", "store-of-somebody"
			return paymenttest.Identity{PaymentID: "Other12345", ProviderID: "Other12345", Account: "store-of-somebody"}
		},
		ErrorBody: func(code string) string { return fmt.Sprintf(`{"type":%q,"message":"no"}`, code) },
		AgainLater: []paymenttest.Refusal{ // Fact portone-3
			{Status: http.StatusConflict, Body: `{"type":"IDEMPOTENCY_OUTSTANDING_REQUEST","message":"no"}`},
		},
		OnePaymentFails: []paymenttest.Refusal{ // Fact portone-2
			{Status: http.StatusBadGateway, Body: `{"type":"PG_PROVIDER","message":"no","pgCode":"BANK-77","pgMessage":"no"}`},
		},
		Webhook: func(_ *testing.T, p paymenttest.Purchase, secret string) ports.ProviderWebhook {
			body := fmt.Sprintf(
				`{"type":"Transaction.Paid","timestamp":"2026-01-31T09:00:00Z","data":{"storeId":%q,"paymentId":%q,"transactionId":"tx"}}`,
				portonefake.Store, p.Request.PaymentID)
			return signed("msg_"+p.Request.PaymentID, noon, body, secret)
		},
		Secrets: secrets,
	}
}

// ledger is the fake's record.
func ledger(f *portonefake.PortOne, id string) paymenttest.Ledger {
	b := f.LedgerOf(id)
	ours := func(t portonefake.Terms) (m money.Money) {
		if t.Currency != "" {
			m = money.Of(t.Amount, money.Currency(t.Currency))
		}
		return m
	}
	return paymenttest.Ledger{
		Created: b.Created, Requested: ours(b.Requested), Captured: ours(b.Captured), Refunded: ours(b.Refunded),
		TaxFree:         money.Of(b.Captured.TaxFree, money.Currency(b.Captured.Currency)),
		RefundedTaxFree: money.Of(b.Refunded.TaxFree, money.Currency(b.Refunded.Currency)),
	}
}

var (
	noon    = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	secrets = []string{
		"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", base64.StdEncoding.EncodeToString([]byte("another secret of 24 byte")),
		"whsec_" + base64.StdEncoding.EncodeToString([]byte("an old secret of the test")),
	}
)

// signed is a webhook signed by hand as in Standard Webhooks. Fact portone-16.
func signed(id string, at time.Time, body, secret string) ports.ProviderWebhook {
	stamp := strconv.FormatInt(at.Unix(), 10)
	return ports.ProviderWebhook{ReceivedAt: at, Body: []byte(body), Header: map[string][]string{
		"Webhook-Id": {id}, "Webhook-Timestamp": {stamp}, "Webhook-Signature": {signature(id, stamp, body, secret)},
	}}
}

func signature(id, stamp, body, secret string) string {
	key, err := base64.StdEncoding.DecodeString(trimWhsec(secret))
	if err != nil {
		panic(err)
	}
	mac := hmac.New(sha256.New, key)
	_, _ = mac.Write([]byte(id + "." + stamp + "." + body))
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func trimWhsec(secret string) string {
	if len(secret) > 6 && secret[:6] == "whsec_" {
		return secret[6:]
	}
	return secret
}
