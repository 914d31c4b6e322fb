package sandbox_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// chooseAccount makes the buyer of a new payment choose a virtual account, which is issued.
func (s *shop) chooseAccount(t *testing.T, kind domain.Kind) registered {
	t.Helper()
	p := s.register(t, kind)
	key := s.authorize(t, map[string]any{"orderId": p.PaymentID, "outcome": "virtual_account"}).PaymentKey
	if kind != domain.Widget {
		return p
	}
	s.wantState(t, p, ports.ProviderProcessing)
	if said, err := s.confirm(p, "confirm-"+p.PaymentID, key); err != nil || said.Status != "WAITING_FOR_DEPOSIT" {
		t.Fatalf("confirm says %+v, %v", said, err)
	}
	return p
}

// move makes a deposit, or takes it back, by a script.
func (s *shop) move(t *testing.T, p registered, what, body string) (int, string) {
	t.Helper()
	status, answer := s.call(t, http.MethodPost, "/sandbox/payments/"+p.PaymentID+"/"+what, []byte(body))
	return status, string(answer)
}

func (s *shop) mustMove(t *testing.T, p registered, what string) {
	t.Helper()
	if status, answer := s.move(t, p, what, ""); status != http.StatusOK {
		t.Fatalf("%s: %d %s", what, status, answer)
	}
}

func (s *shop) wantRefused(t *testing.T, p registered, what, body, code string) {
	t.Helper()
	if status, answer := s.move(t, p, what, body); status < 400 || status > 499 || !strings.Contains(answer, code) {
		t.Errorf("%s %s: %d %s, want a refusal with %s", what, body, status, answer, code)
	}
}

func TestVirtualAccountIsPaidReversedAndPaidAgain(t *testing.T) {
	for _, kind := range []domain.Kind{domain.Widget, domain.Hosted, domain.Standard} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			s := open(t)
			p := s.chooseAccount(t, kind)
			todo := s.wantState(t, p, ports.ProviderProcessing)
			i := todo.Instructions
			if i == nil || i.Bank == "" || i.BankCode == "" || i.Account == "" || i.Holder == "" || i.Amount != p.Amount ||
				!i.Due.Equal(s.clock.now().Add(72*time.Hour)) || todo.Method != "VIRTUAL_ACCOUNT" {
				t.Fatalf("the buyer is told %+v of %+v", i, todo)
			}
			s.clock.advance(2 * time.Hour) // the page's own time is over, the account's is not
			if again := s.wantState(t, p, ports.ProviderProcessing); *again.Instructions != *i {
				t.Errorf("later: %+v", again.Instructions)
			}
			for range 2 {
				s.mustMove(t, p, "deposit")
				if paid := s.wantState(t, p, ports.ProviderPaid); paid.Instructions != nil || paid.Amount != p.Amount || paid.ReceiptURL == "" {
					t.Errorf("after the deposit: %+v", paid)
				}
				s.wantRefused(t, p, "deposit", "", "ALREADY_PROCESSED_PAYMENT")
				s.mustMove(t, p, "reverse")
				if back := s.wantState(t, p, ports.ProviderProcessing); back.Instructions == nil || *back.Instructions != *i {
					t.Errorf("after the reversal: %+v", back)
				}
				s.wantRefused(t, p, "reverse", "", "DEPOSIT_NOT_REVERSIBLE")
			}
		})
	}
}

func TestVirtualAccountTakesItsExactAmountUntilItIsDue(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.chooseAccount(t, domain.Hosted)
	s.putFaults(t, `{"wrongAmountNext": 1}`)
	s.wantRefused(t, p, "deposit", `{"amount": 14999}`, "DEPOSIT_AMOUNT_MISMATCH")
	s.wantRefused(t, p, "deposit", `{"amount": "all"}`, "INVALID_REQUEST")
	s.wantRefused(t, p, "reverse", "", "DEPOSIT_NOT_REVERSIBLE")
	other := s.register(t, domain.Hosted)
	s.wantRefused(t, other, "deposit", "", "NO_VIRTUAL_ACCOUNT")
	s.authorize(t, map[string]any{"sessionId": other.Session, "outcome": "virtual_account", "dueInHours": 240})
	if i := s.wantState(t, other, ports.ProviderProcessing).Instructions; !i.Due.Equal(s.clock.now().Add(240 * time.Hour)) {
		t.Errorf("the buyer's own time: %v", i.Due)
	}
	if status, answer := s.move(t, other, "deposit", `{"amount": 15000}`); status != http.StatusOK || !strings.Contains(answer, "PAID") {
		t.Errorf("%d %s", status, answer)
	}
	for _, hours := range []string{"-1", "721", "9223372036854775807"} {
		late := s.register(t, domain.Hosted)
		body := fmt.Sprintf(`{"sessionId": %q, "outcome": "virtual_account", "dueInHours": %s}`, late.Session, hours)
		if status, answer := s.call(t, http.MethodPost, "/sandbox/authorize", []byte(body)); status != http.StatusBadRequest {
			t.Errorf("%s hours: %d %s", hours, status, answer)
		}
	}
	s.clock.advance(72 * time.Hour)
	if over := s.wantState(t, p, ports.ProviderExpired); over.Instructions != nil {
		t.Errorf("when it is due: %+v", over)
	}
	s.wantRefused(t, p, "deposit", "", "PAYMENT_NOT_OPEN")
}

func TestVirtualAccountIsClosedWithItsPayment(t *testing.T) {
	for _, kind := range []domain.Kind{domain.Widget, domain.Hosted, domain.Standard} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			s := open(t)
			p := s.chooseAccount(t, kind)
			if _, err := s.send(t.Context(), "close-"+p.PaymentID, ports.CloseRequest{PaymentRef: p.ref()}); err != nil {
				t.Fatal(err)
			}
			if got := s.wantState(t, p, ports.ProviderCanceled); got.Instructions != nil {
				t.Errorf("%+v", got)
			}
			s.wantRefused(t, p, "deposit", "", "PAYMENT_NOT_OPEN")
		})
	}
}

// What was refunded is not the bank's to take back as well.
func TestRefundedDepositIsNotReversed(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.chooseAccount(t, domain.Hosted)
	s.mustMove(t, p, "deposit")
	if status, answer := s.call(t, http.MethodPost, "/sandbox/refunds",
		fmt.Appendf(nil, `{"paymentId":%q,"outcome":"console","amount":1}`, p.PaymentID)); status != http.StatusOK {
		t.Fatalf("%d %s", status, answer)
	}
	s.wantRefused(t, p, "reverse", "", "DEPOSIT_NOT_REVERSIBLE")
}

func TestWebhooksTellOfDepositsAndReversals(t *testing.T) {
	t.Parallel()
	s := open(t)
	e := listening(t, s)
	p := s.chooseAccount(t, domain.Hosted)
	var types []string
	booked := map[string]bool{}
	hear := func(n int) {
		all, _ := e.wait(t, n)
		for _, w := range all {
			kind, _, payments := s.about(t, w)
			if !slices.Equal(payments, []ports.PaymentRef{p.ref()}) {
				t.Errorf("%s names %+v", kind, payments)
			}
			w.ReceivedAt = s.clock.now()
			hint, err := s.provider.Hint(s.conn, []string{s.webhookSecret()}, w)
			if err != nil {
				t.Fatal(err)
			}
			types, booked[kind] = append(types, kind), hint.MayConcernBooked
		}
	}
	hear(2)
	for _, what := range []string{"deposit", "reverse", "deposit"} {
		s.mustMove(t, p, what)
		hear(1)
	}
	want := []string{
		"Transaction.Ready", "Transaction.VirtualAccountIssued", "Transaction.Paid", "Transaction.DepositReversed", "Transaction.Paid",
	}
	if !slices.Equal(types, want) {
		t.Errorf("sent %v, want %v", types, want)
	}
	if !booked["Transaction.DepositReversed"] || booked["Transaction.Paid"] {
		t.Errorf("booked payments are looked up after %v", booked)
	}
}

func TestPageOffersAVirtualAccount(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.register(t, domain.Hosted)
	res, _ := s.browse(t, p.Session, "virtual_account")
	if res.StatusCode != http.StatusSeeOther || !strings.HasPrefix(res.Header.Get("Location"), "https://shop.example/thanks?") ||
		strings.Contains(res.Header.Get("Location"), "code=") {
		t.Errorf("choosing it leads to %d %s", res.StatusCode, res.Header.Get("Location"))
	}
	i := s.wantState(t, p, ports.ProviderProcessing).Instructions
	_, page := s.browse(t, p.Session, "")
	for _, want := range []string{i.Bank, i.BankCode, i.Account, i.Holder, "KRW 15,000", "3 February 2026, 09:00 UTC", `value="deposit"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not show %q", want)
		}
	}
	if strings.Contains(page, `value="approve"`) {
		t.Error("the page offers another way to pay")
	}
	if res, page = s.browse(t, p.Session, "deposit"); res.StatusCode != http.StatusOK || !strings.Contains(page, "Payment complete") {
		t.Errorf("the deposit: %d %s", res.StatusCode, page)
	}
	s.wantState(t, p, ports.ProviderPaid)
	if res, _ = s.browse(t, p.Session, "deposit"); res.StatusCode != http.StatusConflict {
		t.Errorf("a second deposit: %d", res.StatusCode)
	}
}
