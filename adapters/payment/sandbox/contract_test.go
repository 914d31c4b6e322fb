package sandbox_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/adapters/payment/paymenttest"
	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox"
	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestProviderContract(t *testing.T) {
	t.Parallel()
	for _, kind := range []domain.Kind{domain.Widget, domain.Hosted, domain.Standard} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			paymenttest.Provider(t, func(t *testing.T) paymenttest.Harness { return harness(open(t), kind) })
		})
	}
}

func harness(s *shop, kind domain.Kind) paymenttest.Harness {
	buyer := func(outcome string) func(*testing.T, paymenttest.Purchase) string {
		return func(t *testing.T, p paymenttest.Purchase) string {
			return s.authorize(t, map[string]any{"orderId": p.Request.PaymentID, "outcome": outcome, "webhooks": "never"}).PaymentKey
		}
	}
	var refundedTo []domain.RefundAccount
	return paymenttest.Harness{
		Handler: recordingAccounts(s.bank, &refundedTo), Adapter: func(base string, c *payment.Client) ports.Provider { return sandbox.New(base, "", c) },
		Connection: s.conn, Kind: kind, Method: "KAKAO_PAY", Currencies: []money.Currency{"KRW", "USD", "JPY", "KWD"},
		Approve: buyer("approve"),
		Decline: func(t *testing.T, p paymenttest.Purchase) { buyer("decline")(t, p) },
		ConsoleRefund: func(t *testing.T, p paymenttest.Purchase, amount int64) {
			if status, body := s.call(t, http.MethodPost, "/sandbox/refunds", fmt.Appendf(nil,
				`{"paymentId":%q,"outcome":"console","amount":%d}`, p.Request.PaymentID, amount)); status != http.StatusOK {
				t.Fatalf("%d %s", status, body)
			}
		},
		AwaitDeposit: buyer("virtual_account"),
		Deposit:      func(t *testing.T, p paymenttest.Purchase) { s.script(t, p, "deposit", `{}`) },
		TakeBack:     func(t *testing.T, p paymenttest.Purchase) { s.script(t, p, "reverse", `{}`) },
		Release:      func(t *testing.T, p paymenttest.Purchase) { s.script(t, p, "authorization", `{"outcome":"release"}`) },
		ReleaseWebhook: func(t *testing.T, p paymenttest.Purchase, secret string) ports.ProviderWebhook {
			body := fmt.Sprintf(`{"type":"Transaction.AuthorizationReleased","data":{"paymentId":%q}}`, p.Request.PaymentID)
			return signed(t, "evt_release_of_"+p.Request.PaymentID, body, secret, s.clock.now())
		},
		Dispute: func(t *testing.T, p paymenttest.Purchase, status domain.DisputeStatus) {
			outcome := string(status)
			if status.Open() {
				outcome = "open"
			}
			s.script(t, p, "dispute", fmt.Sprintf(`{"outcome":%q,"reason":"never arrived"}`, outcome))
		},
		DisputeWebhook: func(t *testing.T, p paymenttest.Purchase, secret string) ports.ProviderWebhook {
			body := fmt.Sprintf(`{"type":"Transaction.DisputeCreated","data":{"paymentId":%q}}`, p.Request.PaymentID)
			return signed(t, "evt_dispute_of_"+p.Request.PaymentID, body, secret, s.clock.now())
		},
		RefundAccounts: &paymenttest.RefundAccounts{
			Account:    domain.RefundAccount{Bank: "088", Account: "110123456789", Holder: "김지우"},
			Unknown:    domain.RefundAccount{Account: "110123456789", Holder: "김지우"},
			RefundedTo: func(*testing.T, paymenttest.Purchase) []domain.RefundAccount { return refundedTo },
		},
		Ledger:          s.bankLedger,
		DelayNextRefund: func(t *testing.T) { s.call(t, http.MethodPut, "/sandbox/faults", []byte(`{"asyncRefundNext":1}`)) },
		FinishRefund: func(t *testing.T, p paymenttest.Purchase, succeeds bool) {
			outcome := map[bool]string{true: "succeed", false: "fail"}[succeeds]
			if status, body := s.call(t, http.MethodPost, "/sandbox/refunds",
				fmt.Appendf(nil, `{"paymentId":%q,"outcome":%q}`, p.Request.PaymentID, outcome)); status != http.StatusOK {
				t.Fatalf("%d %s", status, body)
			}
		},
		States: map[string]ports.ProviderState{
			"READY": ports.ProviderOpen, "IN_PROGRESS": ports.ProviderProcessing, "PAID": ports.ProviderPaid,
			"FAILED": ports.ProviderFailed, "EXPIRED": ports.ProviderExpired, "CANCELED": ports.ProviderCanceled,
			"REFUNDED": ports.ProviderUnknown, "PARTIAL_REFUNDED": ports.ProviderUnknown, "WAITING_FOR_DEPOSIT": ports.ProviderProcessing,
			"AUTHORIZED": ports.ProviderAuthorized,
		},
		SetState:     func(answer map[string]any, word string) { answer["status"] = word },
		FormatAmount: func(m money.Money) json.Number { return json.Number(strconv.FormatInt(m.Minor, 10)) },
		SetAmount:    func(answer map[string]any, number json.Number) { answer["amount"] = number },
		SetOtherIdentity: func(answer map[string]any) paymenttest.Identity {
			answer["id"], answer["paymentKey"], answer["account"] = "Other12345", "sbx_other", "someone-else"
			if answer["mode"] == "widget" {
				return paymenttest.Identity{PaymentID: "Other12345", ProviderID: "sbx_other", Account: "someone-else"}
			}
			return paymenttest.Identity{PaymentID: "Other12345", ProviderID: "Other12345", Account: "someone-else"}
		},
		ErrorBody: func(code string) string { return fmt.Sprintf(`{"code":%q,"message":"no"}`, code) },
		Secrets: []string{
			bank.WebhookSecret(sharedSecret, "a"), bank.WebhookSecret(sharedSecret, "b"), bank.WebhookSecret(sharedSecret, "c"),
		},
		Webhook: func(t *testing.T, p paymenttest.Purchase, secret string) ports.ProviderWebhook {
			body := fmt.Sprintf(`{"type":"Transaction.Paid","data":{"paymentId":%q},"later":true}`, p.Request.PaymentID)
			return signed(t, "evt_of_"+p.Request.PaymentID, body, secret, s.clock.now())
		},
		RefundWebhook: func(t *testing.T, p paymenttest.Purchase, secret string) ports.ProviderWebhook {
			body := fmt.Sprintf(`{"type":"Transaction.PartialCancelled","data":{"paymentId":%q}}`, p.Request.PaymentID)
			return signed(t, "evt_back_of_"+p.Request.PaymentID, body, secret, s.clock.now())
		},
	}
}

// script moves money of a payment at the bank, or its dispute.
func (s *shop) script(t *testing.T, p paymenttest.Purchase, step, body string) {
	t.Helper()
	if status, answer := s.call(t, http.MethodPost, "/sandbox/payments/"+p.Request.PaymentID+"/"+step, []byte(body)); status != http.StatusOK {
		t.Fatalf("%s: %d %s", step, status, answer)
	}
}

// recordingAccounts records the accounts of refunds that the bank accepts; it keeps none itself.
func recordingAccounts(bank http.Handler, to *[]domain.RefundAccount) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		answer := httptest.NewRecorder()
		bank.ServeHTTP(answer, r)
		var in struct {
			RefundAccount *struct{ Bank, AccountNumber, Holder string }
		}
		if json.Unmarshal(body, &in) == nil && in.RefundAccount != nil && answer.Code == http.StatusOK {
			a := in.RefundAccount
			*to = append(*to, domain.RefundAccount{Bank: a.Bank, Account: a.AccountNumber, Holder: a.Holder})
		}
		maps.Copy(w.Header(), answer.Header())
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
	})
}

// bankLedger asks the bank without the adapter.
func (s *shop) bankLedger(t *testing.T, p paymenttest.Purchase) (b paymenttest.Ledger) {
	status, body := s.call(t, http.MethodGet, "/v1/payments/"+p.Request.PaymentID, nil)
	var stored struct {
		Amount, Refunded, TaxFree int64
		Currency, Status          string
		Refunds                   []struct {
			TaxFree int64
			Status  string
		}
	}
	if status != http.StatusOK {
		return b
	}
	if err := json.Unmarshal(body, &stored); err != nil {
		t.Fatal(err)
	}
	b.Created, b.Requested, b.Refunded = 1, money.Of(stored.Amount, money.Currency(stored.Currency)), money.Of(stored.Refunded,
		money.Currency(stored.Currency))
	b.TaxFree, b.RefundedTaxFree = money.Of(stored.TaxFree, b.Requested.Currency), money.Of(0, b.Requested.Currency)
	for _, r := range stored.Refunds {
		if r.Status == "DONE" {
			b.RefundedTaxFree.Minor += r.TaxFree
		}
	}
	switch stored.Status {
	case "PAID", "PARTIAL_REFUNDED", "REFUNDED":
		b.Captured = b.Requested
	}
	return b
}

// signed is a webhook signed by the Standard Webhooks specification.
func signed(t *testing.T, id, body, secret string, at time.Time) ports.ProviderWebhook {
	t.Helper()
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		t.Fatal(err)
	}
	stamp := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + stamp + "." + body))
	return ports.ProviderWebhook{Body: []byte(body), ReceivedAt: at, Header: map[string][]string{
		"Webhook-Id": {id}, "Webhook-Timestamp": {stamp}, "Webhook-Signature": {"v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))},
	}}
}
