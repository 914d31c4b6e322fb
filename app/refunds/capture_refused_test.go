package refunds_test

import (
	"maps"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// refusing lets the provider refuse captures and voids, which it counts, while the flag is set.
func (b *bed) refusing() (on *atomic.Bool, calls *atomic.Int64) {
	on, calls = &atomic.Bool{}, &atomic.Int64{}
	i := b.NewInstanceOver(&paymentbed.Wire{Instead: func(r *http.Request) (int, string) {
		if !strings.HasSuffix(r.URL.Path, "/capture") && !strings.HasSuffix(r.URL.Path, "/void") {
			return 0, ""
		}
		calls.Add(1)
		if on.Load() {
			return http.StatusConflict, `{"code":"NOT_NOW"}`
		}
		return 0, ""
	}})
	maps.Copy(b.Providers, i.Providers)
	return on, calls
}

// pollFor lets time pass in steps, and runs what is due after each.
func (b *bed) pollFor(d, step time.Duration) {
	for ; d > 0; d -= step {
		b.Advance(step)
		b.Poller.PollDue(b.T.Context(), ports.ForTenant(b.Shop.ID))
	}
}

// A refused capture is tried again a few times a day, and whoever dismissed it is not asked again.
func TestRefusedCaptureWaitsForAnOperator(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.captureLater(checkout.CaptureOnShipping)
		id := b.PaidOrder("mug")
		on, calls := b.refusing()
		on.Store(true)
		b.Must(b.ship(b.pack(id, 1)))
		b.pollFor(5*time.Hour, 10*time.Minute)
		if n := calls.Load(); n != 1 {
			t.Errorf("%d captures in five hours", n)
		}
		b.wantReversed("refused", id, 0, "", payment.ReasonCaptureRefused, checkout.AdviceLook)
		if s := b.paymentOf(id); s.Note != "NOT_NOW" {
			t.Errorf("the note says %q", s.Note)
		}
		if _, err := b.decide(id, payment.ResolutionDismissed); err != nil {
			t.Fatal(err)
		}
		b.pollFor(8*time.Hour, 10*time.Minute)
		if n := calls.Load(); n != 2 && n != 3 {
			t.Errorf("%d captures in thirteen hours", n)
		}
		b.wantReversed("dismissed", id, 0, "", "", "")
		on.Store(false)
		b.pollFor(7*time.Hour, 10*time.Minute)
		b.wantOrder("at last", id, order.Shipped, "paid", 15000, "")
		b.WantSums("at last", 15000, 0)
	})
}

// A void that the provider refuses calls the cancel off; the order goes on as it was.
func TestRefusedVoidCallsTheCancelOff(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.captureLater(checkout.CaptureByHand)
		id := b.PaidOrder("mug")
		on, _ := b.refusing()
		on.Store(true)
		a, err := b.CancelOrder(b.Instance, paymentbed.Key(), id)
		paymentbed.Refused(t, "canceled", a, err, ports.ErrProviderRejected)
		if o := b.OrderOf(id); o.Canceling() || o.Status != order.Authorized {
			t.Errorf("%+v", o)
		}
		on.Store(false)
		b.Must(b.CancelOrder(b.Instance, paymentbed.Key(), id))
		b.wantOrder("canceled", id, order.Canceled, "unpaid", 0, "")
	})
}

// An operator's capture whose answer was lost is not overtaken by the capture on shipping, and answers under its own key.
func TestLostCaptureIsNotOvertaken(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.captureLater(checkout.CaptureOnShipping)
		for point, paid := range map[string]int64{refunds.FailAuthorizationSent: 9000, refunds.FailAuthorizationBegun: 15000} {
			id := b.PaidOrder("mug")
			paymentbed.MustCrash(t, func() { _, _ = b.capture(b.NewInstanceFailingAt(point), paymentbed.Key(), id, 9000) })
			b.Must(b.ship(b.pack(id, 1)))
			b.pollFor(10*time.Second, 5*time.Second)
			if o := b.OrderOf(id); point == refunds.FailAuthorizationBegun && o.Authorization == nil {
				t.Errorf("%s: captured while another capture may be on its way", point)
			}
			b.pollFor(time.Minute, 10*time.Second)
			status := "paid"
			if paid == 9000 {
				status = "partially_paid"
			}
			b.wantOrder(point, id, order.Shipped, status, paid, "")
		}
		id, key := b.PaidOrder("mug"), paymentbed.Key()
		b.BankFaults(`{"dropResponseNext":1}`)
		a, err := b.capture(b.Instance, key, id, 9000)
		paymentbed.Refused(t, "lost", a, err, ports.ErrProviderUnavailable)
		b.Must(b.ship(b.pack(id, 1)))
		b.pollFor(time.Minute, 10*time.Second)
		if done := b.Must(b.capture(b.Instance, key, id, 9000)); done.Text("order.paymentStatus") != "partially_paid" {
			t.Errorf("the same key: %v", done)
		}
		if _, differences := b.Reconciliation(); len(differences) > 0 {
			t.Error(differences)
		}
	})
}

// Who captures and refunds in the provider's console is heard, although one webhook is all that arrives.
func TestConsoleRefundOfAConsoleCapture(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.captureLater(checkout.CaptureByHand)
		told, polled := b.PaidOrder("mug"), b.PaidOrder("mug")
		for _, id := range []string{told, polled} {
			b.atConsole(id, "capture", 14000)
			b.refundInConsole(id, 4000)
		}
		b.told(told)
		b.pollFor(7*time.Hour, time.Hour)
		for _, id := range []string{told, polled} {
			b.wantRefunds(id, "4000 refunded elsewhere")
			b.wantOrder("captured and refunded", id, order.Paid, "partially_refunded", 14000, "")
		}
		b.WantSums("in the end", 20000, 0)
	})
}
