package portone_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment/portone/portonefake"
	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// refund is the first refund of a payment.
func refund(amount int64) ports.RefundRequest {
	won := request("Payment1").Amount
	return ports.RefundRequest{
		PaymentRef: ports.PaymentRef{PaymentID: "Payment1"}, Captured: won, Amount: money.Of(amount, "KRW"), Remaining: won, Reason: "one returned",
	}
}

func TestBankErrorKeepsCircuitClosed(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.paid(t, "Payment1")
	d.fake.NextBankError = "BANK-77"
	_, err := d.send(t, key, refund(5000), 0)
	wantCode(t, err, ports.ErrProviderUnavailable, "PG_PROVIDER")
	if d.client.CircuitOpen(d.conn.ID) {
		t.Error("the circuit opened")
	}
}

// PortOne keeps answers to a key for hours, also failures: the next attempt gets a new answer, and a later
// one finds the completed refund.
func TestBankErrorIsRetriedUnderNewKey(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.paid(t, "Payment1")
	d.fake.NextBankError = "BANK-77"
	for n, want := range []string{"", "SUCCEEDED", "SUCCEEDED"} {
		got, err := d.attempt(t, n+1, key, refund(5000), time.Duration(n)*10*time.Minute)
		if got.Status != want || (want == "") != errors.Is(err, ports.ErrProviderUnavailable) {
			t.Errorf("attempt %d: %v, %v", n+1, got, err)
		}
	}
	if b := d.fake.LedgerOf("Payment1"); b.Refunded.Amount != 5000 {
		t.Errorf("%d was refunded", b.Refunded.Amount)
	}
}

func TestDelayedRefundIsPending(t *testing.T) {
	t.Parallel()
	d := open(t)
	ref := d.paid(t, "Payment1")
	d.fake.DelayRefunds = true
	got, err := d.send(t, key, refund(5000), 0)
	if err != nil || got.Status != "REQUESTED" {
		t.Errorf("got %v, %v", got, err)
	}
	d.want(t, ref, ports.ProviderPaid)
	// The next attempt has another key, and PortOne's own check ignores requested cancellations.
	if again, err := d.attempt(t, 2, key, refund(5000), time.Minute); err != nil ||
		again != got {
		t.Errorf("again: %v, %v, first %v", again, err, got)
	}
	_, err = d.attempt(t, 3, key, refund(4000), time.Minute)
	wantCode(t, err, ports.ErrProviderRejected, "CANCELLABLE_AMOUNT_CONSISTENCY_BROKEN")
	if n := d.count("POST /payments/Payment1/cancel"); n != 1 {
		t.Errorf("%d cancellations were requested", n)
	}
}

func (d *fixture) count(call string) (n int) {
	for _, c := range d.fake.Calls {
		if c == call {
			n++
		}
	}
	return n
}

func TestRefundOfWrongAmountIsUnavailable(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.paid(t, "Payment1")
	for code, body := range map[string]string{
		"another amount":   `{"cancellation":{"status":"SUCCEEDED","id":"c","totalAmount":4999}}`,
		"a fraction":       `{"cancellation":{"status":"SUCCEEDED","id":"c","totalAmount":5000.5}}`,
		"an unknown state": `{"cancellation":{"status":"HALF_DONE","id":"c","totalAmount":5000}}`, "nothing": `{}`,
	} {
		d.fake.Replies[`"`+key+`"`] = &portonefake.Reply{Done: true, At: d.fake.Now, Status: 200, Body: body}
		if got, err := d.send(t, key, refund(5000), 0); !errors.Is(err, ports.ErrProviderUnavailable) {
			t.Errorf("%s: %v, %v", code, got, err)
		}
	}
	d.fake.Replies[`"`+key+`"`] = &portonefake.Reply{
		Done: true, At: d.fake.Now, Status: 200, Body: `{"cancellation":{"status":"FAILED","id":"c","totalAmount":5000}}`,
	}
	_, err := d.send(t, key, refund(5000), 0)
	wantCode(t, err, ports.ErrProviderRejected, "CANCELLATION_FAILED")
}

func TestNewKeyChecksEarlierAttempts(t *testing.T) {
	t.Parallel()
	for _, kind := range []domain.Kind{domain.Hosted, domain.Standard} {
		prepare := func(id string) ports.ProviderRequest {
			r := prepare(id)
			r.Kind = kind
			return r
		}
		d := open(t)
		d.paid(t, "Payment1")
		before := len(d.fake.Calls)
		_, err := d.send(t, key, prepare("Payment1"), 2*time.Hour)
		wantCode(t, err, ports.ErrProviderRejected, "ALREADY_PAID")
		if calls := d.fake.Calls[before:]; !slices.Equal(calls, []string{"GET /payments/Payment1"}) {
			t.Errorf("%s: calls %v", kind, calls)
		}
		before = len(d.fake.Calls)
		if _, err := d.send(t, key+"2", prepare("Payment2"), 2*time.Hour); err != nil {
			t.Errorf("%s of an unknown payment: %v", kind, err)
		}
		if n := len(d.fake.Calls) - before; n != 2 {
			t.Errorf("%s: %d calls", kind, n)
		}
		before = len(d.fake.Calls)
		if _, err := d.send(t, key+"3", prepare("Payment3"), 2*time.Hour-time.Second); err != nil ||
			len(d.fake.Calls)-before != 1 {
			t.Errorf("%s within the lifetime of keys: %v, %d calls", kind, err, len(d.fake.Calls)-before)
		}
	}
	d := open(t)
	d.paid(t, "Payment1")
	if _, err := d.attempt(t, 2, key, refund(5000), 4*time.Hour); err != nil {
		t.Errorf("a refund that never happened: %v", err)
	}
}
