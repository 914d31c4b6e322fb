package toss_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/adapters/payment/paymenttest"
	"github.com/cartwright-dev/cartwright/adapters/payment/toss"
	"github.com/cartwright-dev/cartwright/adapters/payment/toss/tossfake"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func connection() ports.Connection {
	return ports.Connection{
		ID: "connection-1", Provider: "toss", AccountKey: "tosspayments", Environment: tenant.Test,
		Credentials: map[string]string{
			"clientKey": "test_gck_docs_Ovk5rk1EwkEbP0W43n07xlzm", "secretKey": "test_gsk_docs_OaPz8L5KdmQXkzRz3y47BMw6",
		},
	}
}

func bank() *tossfake.Toss {
	return tossfake.New(map[string]string{connection().Credentials["secretKey"]: "tosspayments", "test_gsk_of_another": "another"})
}

func TestProviderContract(t *testing.T) {
	t.Parallel()
	paymenttest.Provider(t, func(*testing.T) paymenttest.Harness { return harness(bank()) })
}

// digits is the number of minor units in a major unit, in which Toss counts.
var digits = map[money.Currency]int64{"KRW": 1, "JPY": 1, "USD": 100}

func harness(f *tossfake.Toss) paymenttest.Harness {
	minor := func(major *big.Rat, currency string) money.Money {
		m := new(big.Rat).Mul(major, big.NewRat(digits[money.Currency(currency)], 1))
		return money.Of(m.Num().Int64(), money.Currency(currency))
	}
	approve := func(t *testing.T, p paymenttest.Purchase) *tossfake.Payment {
		t.Helper()
		act := p.Action.(map[string]any)
		text, err := json.Marshal(act["amount"])
		var asked struct {
			Amount   json.Number
			Currency string
		}
		if err != nil || json.Unmarshal(text, &asked) != nil {
			t.Fatalf("the widget cannot read %s", text)
		}
		taxFree, told := act["taxFreeAmount"]
		if !told {
			taxFree = 0
		}
		return f.ApproveMixed("tosspayments", act["orderId"].(string), string(asked.Amount), fmt.Sprint(taxFree), asked.Currency)
	}
	accounts := &paymenttest.RefundAccounts{
		Account: domain.RefundAccount{Bank: "88", Account: "110123456789", Holder: "김지우"},
		Unknown: domain.RefundAccount{Bank: "SHINHAN", Account: "110123456789", Holder: "김지우"},
		RefundedTo: func(_ *testing.T, p paymenttest.Purchase) (all []domain.RefundAccount) {
			for _, a := range f.NewestPayment(p.Request.PaymentID).RefundedTo {
				all = append(all, domain.RefundAccount{Bank: a.Bank, Account: a.Number, Holder: a.Holder})
			}
			return all
		},
	}
	return paymenttest.Harness{
		RefundAccounts: accounts,
		Handler:        f, Adapter: func(base string, c *payment.Client) ports.Provider { return toss.New(base, c) }, Connection: connection(),
		PublicCredentials: []string{"clientKey"}, RefundsByBalance: true, Kind: "widget", Currencies: []money.Currency{"KRW", "USD", "JPY"},
		Approve: func(t *testing.T, p paymenttest.Purchase) string { return approve(t, p).PaymentKey },
		Decline: func(t *testing.T, p paymenttest.Purchase) { f.SetStatus(approve(t, p), "ABORTED") },
		Ledger: func(_ *testing.T, p paymenttest.Purchase) (b paymenttest.Ledger) {
			for _, of := range f.PaymentsOf(p.Request.PaymentID) {
				b.Created++
				b.Requested = minor(of.Total, of.Currency)
				if of.Status == "DONE" || of.Status == "PARTIAL_CANCELED" || of.Status == "CANCELED" {
					b.Captured, b.Refunded = b.Requested, minor(new(big.Rat).Sub(of.Total, of.Balance), of.Currency)
					b.TaxFree, b.RefundedTaxFree = minor(of.TaxFree, of.Currency), minor(new(big.Rat).Sub(of.TaxFree, of.TaxFreeLeft), of.Currency)
				}
			}
			return b
		},
		States: map[string]ports.ProviderState{
			"READY": ports.ProviderOpen, "IN_PROGRESS": ports.ProviderProcessing, "WAITING_FOR_DEPOSIT": ports.ProviderProcessing,
			"DONE": ports.ProviderPaid, "CANCELED": ports.ProviderCanceled, "PARTIAL_CANCELED": ports.ProviderUnknown,
			"ABORTED": ports.ProviderFailed, "EXPIRED": ports.ProviderExpired,
		},
		SetState:     func(answer map[string]any, word string) { answer["status"] = word },
		FormatAmount: func(m money.Money) json.Number { return tossfake.FormatNumber(big.NewRat(m.Minor, digits[m.Currency])) },
		SetAmount:    func(answer map[string]any, number json.Number) { answer["totalAmount"] = number },
		SetOtherIdentity: func(answer map[string]any) paymenttest.Identity {
			answer["orderId"], answer["paymentKey"], answer["mId"] = "Other12345", "tgen_other", "another"
			return paymenttest.Identity{PaymentID: "Other12345", ProviderID: "tgen_other", Account: "another"}
		},
		ErrorBody: func(code string) string { return fmt.Sprintf(`{"code":%q,"message":"no"}`, code) },
		AgainLater: []paymenttest.Refusal{ // Facts toss-7, toss-14
			said(http.StatusForbidden, "FORBIDDEN_CONSECUTIVE_REQUEST"), said(http.StatusBadRequest, "ALREADY_PROCESSING_REQUEST"),
			said(http.StatusBadRequest, "PROVIDER_ERROR"), said(http.StatusConflict, "IDEMPOTENT_REQUEST_PROCESSING"),
		},
		OnePaymentFails: []paymenttest.Refusal{ // Fact toss-15
			said(http.StatusInternalServerError, "FAILED_REFUND_PROCESS"), said(http.StatusInternalServerError, "FAILED_PARTIAL_REFUND"),
			said(http.StatusInternalServerError, "[ES12] 은행 시스템 점검"),
		},
		AwaitDeposit: func(t *testing.T, p paymenttest.Purchase) string {
			of := approve(t, p)
			f.Locked(func() { of.Secret = "ps_secret_of_the_account" })
			return of.PaymentKey
		},
		Deposit: func(_ *testing.T, p paymenttest.Purchase) { f.SetStatus(f.NewestPayment(p.Request.PaymentID), "DONE") },
		TakeBack: func(_ *testing.T, p paymenttest.Purchase) {
			f.SetStatus(f.NewestPayment(p.Request.PaymentID), "WAITING_FOR_DEPOSIT")
		},
		ConsoleRefund: func(_ *testing.T, p paymenttest.Purchase, amount int64) {
			f.ConsoleCancel(f.NewestPayment(p.Request.PaymentID), strconv.FormatInt(amount, 10))
		},
		RefundWebhook: func(_ *testing.T, p paymenttest.Purchase, _ string) ports.ProviderWebhook {
			return ports.ProviderWebhook{Body: []byte(f.NewestPayment(p.Request.PaymentID).StatusChangedWebhook())}
		},
		Webhook: func(_ *testing.T, p paymenttest.Purchase, _ string) ports.ProviderWebhook {
			return ports.ProviderWebhook{
				Body: []byte(`{"eventType":"PAYMENT_STATUS_CHANGED","createdAt":"2026-01-31T09:00:00.000000","data":{"orderId":"` +
					p.Request.PaymentID + `","status":"DONE"}}`),
			}
		},
	}
}

// said is an answer of Toss.
func said(status int, code string) paymenttest.Refusal {
	return paymenttest.Refusal{Status: status, Body: fmt.Sprintf(`{"code":%q,"message":"no"}`, code)}
}

// shop calls a fake Toss through the adapter.
type shop struct {
	*testing.T

	fake     *tossfake.Toss
	client   *payment.Client
	provider *toss.Provider
	conn     ports.Connection
}

func open(t *testing.T) *shop {
	t.Parallel()
	f := bank()
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	client := payment.NewClient(payment.Limits{}, nil)
	return &shop{t, f, client, toss.New(server.URL, client), connection()}
}

func request(id string) ports.PaymentRequest {
	return ports.PaymentRequest{PaymentID: id, Kind: domain.Widget, Amount: money.Of(15000, "KRW"), OrderName: "Linen shirt"}
}

func (s *shop) buyer(id string) *tossfake.Payment {
	return s.fake.Approve("tosspayments", id, "15000", "KRW")
}

// send makes a call that was logged with the rest of call.
func (s *shop) send(r ports.ProviderRequest, call ports.ProviderCall) (ports.Outcome, error) {
	s.Helper()
	var err error
	if call.Request, err = s.provider.Build(s.conn, r); err != nil {
		s.Fatal(err)
	}
	call.Operation = r.Operation()
	return s.provider.Do(s.Context(), s.conn, call)
}

// attempt is the next attempt of a logged confirm, under the same key.
func (s *shop) attempt(n int, p *tossfake.Payment) (ports.Outcome, error) {
	s.Helper()
	return s.send(confirmation(p.OrderID, p.PaymentKey), ports.ProviderCall{ProviderKey: "key-1", Attempt: n})
}

func (s *shop) confirm(key string, p *tossfake.Payment) (ports.Outcome, error) {
	s.Helper()
	return s.send(confirmation(p.OrderID, p.PaymentKey), ports.ProviderCall{ProviderKey: key})
}

func confirmation(id, paymentKey string) ports.ConfirmRequest {
	return ports.ConfirmRequest{PaymentRequest: request(id), PaymentKey: paymentKey}
}

func (s *shop) want(id string, want ports.ProviderState) {
	s.Helper()
	if got, err := s.provider.Lookup(s.Context(), s.conn, ports.PaymentRef{PaymentID: id}); err != nil || got.State != want {
		s.Errorf("%s: %+v, %v, want %q", id, got, err, want)
	}
}

func (s *shop) refused(err error, code string) {
	s.Helper()
	if got := fault.From(err).Data["providerCode"]; !errors.Is(err, ports.ErrProviderRejected) || got != code {
		s.Errorf("got %v with %v, want a refusal with %s", err, got, code)
	}
}

func TestForeignReplayIsRefused(t *testing.T) {
	s := open(t)
	first, second := s.buyer("First12345"), s.buyer("Second12345")
	if _, err := s.confirm("one key for both", first); err != nil {
		t.Fatal(err)
	}
	_, err := s.confirm("one key for both", second)
	s.refused(err, "IDEMPOTENT_ANSWER_OF_ANOTHER_PAYMENT")
	s.want("First12345", ports.ProviderPaid)
	s.want("Second12345", ports.ProviderProcessing)
}

func TestConfirmAfterKeyExpiryIsFound(t *testing.T) {
	s := open(t)
	p := s.buyer("Payment12345")
	for _, key := range []string{"key-1", "key-2"} { // keys expire after 15 days
		if got, err := s.confirm(key, p); err != nil || got.Status != "DONE" {
			t.Errorf("%s: %v, %v", key, got, err)
		}
	}
	if s.fake.ConfirmCount != 1 {
		t.Errorf("%d captures", s.fake.ConfirmCount)
	}
	s.fake.SetStatus(p, "ABORTED")
	other := s.buyer("Payment99999")
	s.fake.SetStatus(other, "DONE")
	_, err := s.send(confirmation("Payment99999", p.PaymentKey), ports.ProviderCall{ProviderKey: "key-3"})
	s.refused(err, "ALREADY_PROCESSED_PAYMENT")
}

// Toss stores its answer to a key; the next attempt nevertheless gets a new answer.
func TestTransientErrorIsUnavailable(t *testing.T) {
	s := open(t)
	p := s.buyer("Payment12345")
	for i, said := range []tossfake.Response{
		tossfake.ErrorResponse(http.StatusBadRequest, "PROVIDER_ERROR"),
		tossfake.ErrorResponse(http.StatusConflict, "IDEMPOTENT_REQUEST_PROCESSING"),
		tossfake.ErrorResponse(http.StatusBadRequest, "ALREADY_PROCESSING_REQUEST"),
	} {
		s.fake.NextResponse = &said
		if _, err := s.attempt(i+1, p); !errors.Is(err, ports.ErrProviderUnavailable) {
			t.Errorf("%v: %v", said.Body, err)
		}
		s.want(p.OrderID, ports.ProviderProcessing)
	}
	if _, err := s.attempt(4, p); err != nil {
		t.Error(err)
	}
	s.fake.LoseResponses = 1
	if _, err := s.attempt(5, p); !errors.Is(err, ports.ErrProviderUnavailable) {
		t.Errorf("a lost answer: %v", err)
	}
	if got, err := s.attempt(6, p); err != nil || got.Status != "DONE" || s.fake.ConfirmCount != 1 {
		t.Errorf("%v %v, %d captures", got, err, s.fake.ConfirmCount)
	}
}

func TestDeclinedConfirmIsRefused(t *testing.T) {
	for _, status := range []string{"ABORTED", "CANCELED"} {
		t.Run(status, func(t *testing.T) {
			s := open(t)
			p := s.buyer("Payment12345")
			s.fake.SetStatus(p, status)
			_, err := s.confirm("key-1", p)
			s.refused(err, "ALREADY_PROCESSED_PAYMENT")
		})
	}
}

// A buyer may try several times with one order: the captured attempt is the payment.
func TestOrderWithSeveralAttempts(t *testing.T) {
	s := open(t)
	declined, approved := s.buyer("Payment12345"), s.buyer("Payment12345")
	s.fake.SetStatus(declined, "ABORTED")
	if _, err := s.confirm("key-1", declined); !errors.Is(err, ports.ErrProviderRejected) {
		t.Errorf("a declined attempt: %v", err)
	}
	s.want("Payment12345", ports.ProviderProcessing)
	if _, err := s.confirm("key-2", approved); err != nil {
		t.Fatal(err)
	}
	third := s.buyer("Payment12345")
	s.fake.SetStatus(third, "ABORTED")
	s.want("Payment12345", ports.ProviderPaid)
	again := s.buyer("Payment12345")
	_, err := s.confirm("key-3", again)
	s.refused(err, "DUPLICATED_ORDER_ID")
	if s.fake.ConfirmCount != 1 {
		t.Errorf("%d captures", s.fake.ConfirmCount)
	}
}

func TestCloseOnlyUncapturable(t *testing.T) {
	for status, want := range map[string]string{
		"": "", "READY": "", "ABORTED": "", "EXPIRED": "", "CANCELED": "", "WAITING_FOR_DEPOSIT": "",
		"IN_PROGRESS": "PAYMENT_APPROVED", "DONE": "ALREADY_PROCESSED_PAYMENT", "PARTIAL_CANCELED": "ALREADY_PROCESSED_PAYMENT",
		"NEW_WORD": "ALREADY_PROCESSED_PAYMENT",
	} {
		t.Run(status, func(t *testing.T) {
			s := open(t)
			p := &tossfake.Payment{Status: status}
			if status != "" {
				p = s.buyer("Payment12345")
				s.fake.SetStatus(p, status)
			}
			said, err := s.send(ports.CloseRequest{PaymentRef: ports.PaymentRef{PaymentID: "Payment12345"}}, ports.ProviderCall{ProviderKey: "key-1"})
			switch {
			case want != "":
				s.refused(err, want)
			case err != nil:
				t.Error(err)
			case status == "WAITING_FOR_DEPOSIT":
				s.want("Payment12345", ports.ProviderCanceled)
			case !said.Closed || p.Status != status:
				t.Errorf("said %v, now %s", said, p.Status)
			}
		})
	}
}

func TestKeysMatchEnvironment(t *testing.T) {
	s := open(t)
	for name, change := range map[string]func(){
		"a test key at a live connection": func() { s.conn.Environment = tenant.Live },
		"a browser's key is live":         func() { s.conn.Credentials["clientKey"] = "live_gck_1" },
		"a browser has no key":            func() { delete(s.conn.Credentials, "clientKey") },
		"a key without environment":       func() { s.conn.Credentials["secretKey"] = "OaPz8L5KdmQXkzRz3y47BMw6" },
	} {
		s.conn = connection()
		change()
		_, err := s.send(ports.PrepareRequest{PaymentRequest: request("Payment12345")}, ports.ProviderCall{ProviderKey: "key-1"})
		s.refused(err, "INVALID_API_KEY")
		if _, err := s.provider.Lookup(t.Context(), s.conn, ports.PaymentRef{PaymentID: "Payment12345"}); !errors.Is(err,
			ports.ErrProviderRejected) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAccountsSeeOnlyTheirOwnPayments(t *testing.T) {
	s := open(t)
	p := s.buyer("Payment12345")
	s.conn.Credentials["secretKey"] = "test_gsk_of_another"
	s.want(p.OrderID, ports.ProviderAbsent)
	_, err := s.confirm("key-1", p)
	s.refused(err, "NOT_FOUND_PAYMENT_SESSION")
}

// Fact toss-20.
func TestActionHasTheArgumentOfSetAmount(t *testing.T) {
	t.Parallel()
	r := request("Payment12345")
	r.Amount = money.Of(1999, "USD")
	act, err := toss.New("", nil).Action(connection(), r, domain.Prepared{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(act.(map[string]any)["setAmount"])
	if err != nil || string(got) != `{"currency":"USD","value":19.99}` {
		t.Errorf("%s %v", got, err)
	}
}
