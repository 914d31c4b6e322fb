package refunds_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/orders"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// captureLater lets the shop's payments be captured in this mode.
func (b *bed) captureLater(mode checkout.CaptureMode) {
	b.T.Helper()
	b.Rewrite(payment.Connections, b.Connection, "capture", string(mode))
}

// capture captures an amount of an order under a key; 0 is all of it.
func (b *bed) capture(i *paymentbed.Instance, key, orderID string, amount int64) (idempotency.Response, error) {
	m := money.Money{}
	if amount > 0 {
		m = paymentbed.KRW(amount)
	}
	return i.Refunds.Capturer.Capture(b.T.Context(), b.Server(key, "orders.capture", fmt.Sprint(orderID, amount)), orderID, refunds.CaptureRequest{Amount: m})
}

// atConsole captures or releases the authorized payment of an order at its provider, without us.
func (b *bed) atConsole(orderID, outcome string, amount int64) {
	b.T.Helper()
	b.PostToBank("/sandbox/payments/"+b.PaymentID(orderID)+"/authorization", fmt.Appendf(nil, `{"outcome":%q,"amount":%d}`, outcome, amount))
}

func (b *bed) poll() { b.Poller.PollOnce(b.T.Context(), ports.ForTenant(b.Shop.ID)) }

// wantOrder asserts the status, payment status, paid amount and hold of an order.
func (b *bed) wantOrder(when, id string, status order.Status, paymentStatus string, paid int64, hold string) {
	b.T.Helper()
	o := b.OrderOf(id)
	if o.Status != status || o.PaymentStatus() != paymentStatus || o.Paid != paymentbed.KRW(paid) || o.Hold != hold {
		b.T.Errorf("%s: %s, %s, %v paid, on hold because of %q; want %s, %s, %d, %q", when, o.Status, o.PaymentStatus(), o.Paid, o.Hold,
			status, paymentStatus, paid, hold)
	}
}

func TestAuthorizedPaymentIsCapturedOnce(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.captureLater(checkout.CaptureByHand)
		id := b.PaidOrder("mug")
		b.wantOrder("authorized", id, order.Authorized, "authorized", 0, "")
		b.WantSums("authorized", 0, 0)
		if s := b.paymentOf(id); s.Status != payment.StatusAuthorized || b.Level("mug").OnHand != 99 {
			t.Errorf("%+v %+v", s.State, b.Level("mug"))
		}
		if _, err := b.Refund(b.Instance, id, "k", 1000); !errors.Is(err, payment.ErrNotPaid) {
			t.Errorf("refunded before it was captured: %v", err)
		}
		a, err := b.capture(b.Instance, paymentbed.Key(), id, 15001)
		paymentbed.Refused(t, "too much", a, err, order.ErrCaptureTooLarge)
		key := paymentbed.Key()
		done := b.Must(b.capture(b.Instance, key, id, 9000))
		if done.Text("order.status") != "paid" || done.Text("order.paymentStatus") != "partially_paid" || done.Text("transaction.status") != "paid" ||
			done.At("transaction.amount") != b.Read([]byte(`{"a":9000}`)).At("a") || done.At("transaction.authorizedAmount") == nil {
			t.Errorf("%v", done)
		}
		if again := b.Must(b.capture(b.Instance, key, id, 9000)); again.Text("transaction.id") != done.Text("transaction.id") {
			t.Errorf("%v", again)
		}
		for _, amount := range []int64{0, 9000, 6000} {
			a, err := b.capture(b.Instance, paymentbed.Key(), id, amount)
			paymentbed.Refused(t, "captured again", a, err, order.ErrNotAuthorized)
		}
		b.wantOrder("captured", id, order.Paid, "partially_paid", 9000, "")
		b.WantSums("captured", 9000, 0)
		if s := b.paymentOf(id); s.Status != payment.StatusSucceeded {
			t.Errorf("%+v", s.State)
		}
		if _, err := b.Refund(b.Instance, id, "k", 10000); !errors.Is(err, payment.ErrExceedsPaid) {
			t.Errorf("more than was captured: %v", err)
		}
		if r, err := b.Refund(b.Instance, id, "k", 4000); err != nil || r.State != payment.RefundSucceeded {
			t.Errorf("%+v %v", r, err)
		}
		b.WantSums("refunded", 5000, 0)
	})
}

func TestOrderIsCapturedOnceItWasShipped(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.captureLater(checkout.CaptureOnShipping)
		id := b.PaidOrder("4 mug")
		first, second := b.pack(id, 1), b.pack(id, 3)
		b.Must(b.ship(first))
		b.Poller.PollDue(t.Context(), ports.ForTenant(b.Shop.ID))
		b.wantOrder("a part was shipped", id, order.Preparing, "authorized", 0, "")
		b.Must(b.ship(second))
		b.Poller.PollDue(t.Context(), ports.ForTenant(b.Shop.ID))
		b.wantOrder("all was shipped", id, order.Shipped, "paid", b.OrderOf(id).Total.Minor, "")
		b.WantSums("captured", b.OrderOf(id).Total.Minor, 0)
		b.poll()
		b.WantSums("polled again", b.OrderOf(id).Total.Minor, 0)
	})
}

func TestCancelReleasesTheAuthorizedPayment(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.captureLater(checkout.CaptureByHand)
		id, key := b.PaidOrder("mug"), paymentbed.Key()
		for range 2 {
			done := b.Must(b.CancelOrder(b.Instance, key, id))
			if done.Text("order.status") != "canceled" || done.Text("order.paymentStatus") != "unpaid" {
				t.Errorf("%v", done)
			}
		}
		if got := b.BankPayment(id).Status; got != "CANCELED" || b.Level("mug").OnHand != 100 {
			t.Errorf("the bank says %s, %+v", got, b.Level("mug"))
		}
		if s := b.paymentOf(id); s.Status != payment.StatusCanceled || s.Resolution != payment.ResolutionVoided {
			t.Errorf("%+v", s.State)
		}
		b.WantSums("canceled", 0, 0)
		a, err := b.capture(b.Instance, paymentbed.Key(), id, 0)
		paymentbed.Refused(t, "captured", a, err, order.ErrNotAuthorized)
	})
}

// Captures and cancels of one order meet at the provider, which does one of them.
func TestCaptureAndCancelAtOnce(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.captureLater(checkout.CaptureByHand)
		for n := range 4 {
			id := b.PaidOrder("mug")
			other := b.NewInstance()
			shops.Concurrently(12, func(i int) {
				instance := []*paymentbed.Instance{b.Instance, other}[i%2]
				switch i % 3 {
				case 0:
					_, _ = b.CancelOrder(instance, paymentbed.Key(), id)
				case 1:
					_, _ = b.capture(instance, paymentbed.Key(), id, 9000)
				default:
					_, _ = b.capture(instance, paymentbed.Key(), id, 0)
				}
			})
			b.poll()
			o, s := b.OrderOf(id), b.paymentOf(id)
			left := o.Paid.Minor - o.Refunded.Minor
			if o.Authorization != nil || o.Status == order.Canceled && left != 0 || s.Status == payment.StatusRequiresAttention {
				t.Errorf("%s, %v of %v; %+v", o.Status, o.Refunded, o.Paid, s.State)
			}
			if _, differences := b.Reconciliation(); len(differences) > 0 {
				t.Errorf("round %d: %v", n, differences)
			}
		}
	})
}

// Whatever a killed server leaves, the next attempt or the poller completes it, once.
func TestCaptureRecoversFromACrash(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.captureLater(checkout.CaptureByHand)
		for _, point := range []string{refunds.FailAuthorizationBegun, refunds.FailAuthorizationSent} {
			id := b.PaidOrder("mug")
			paymentbed.MustCrash(t, func() { _, _ = b.capture(b.NewInstanceFailingAt(point), paymentbed.Key(), id, 9000) })
			a, err := b.capture(b.Instance, paymentbed.Key(), id, 15000)
			paymentbed.Refused(t, "while another may be on its way", a, err, order.ErrCaptureInProgress)
			b.poll()
			if point == refunds.FailAuthorizationSent {
				b.wantOrder("polled", id, order.Paid, "partially_paid", 9000, "")
			} else {
				b.wantOrder("polled", id, order.Authorized, "authorized", 0, "")
				b.Advance(payment.AnswerGrace)
				b.Must(b.capture(b.Instance, paymentbed.Key(), id, 0)) // what did not happen keeps nobody for longer
			}

			id = b.PaidOrder("mug")
			paymentbed.MustCrash(t, func() { _, _ = b.CancelOrder(b.NewInstanceFailingAt(point), paymentbed.Key(), id) })
			b.poll()
			b.wantOrder("a cancel, polled", id, order.Canceled, "unpaid", 0, "")
			if got := b.BankPayment(id).Status; got != "CANCELED" {
				t.Errorf("%s: the bank says %s", point, got)
			}
		}
		if _, differences := b.Reconciliation(); len(differences) > 0 {
			t.Error(differences)
		}
	})
}

// A provider that cannot be reached captures nothing, as far as anybody knows, and is asked again.
func TestCaptureOutlastsAnOutage(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.captureLater(checkout.CaptureByHand)
		for _, faults := range []string{`{"failNext":1}`, `{"dropResponseNext":1}`} {
			id, key := b.PaidOrder("mug"), paymentbed.Key()
			b.BankFaults(faults)
			a, err := b.capture(b.Instance, key, id, 0)
			paymentbed.Refused(t, faults, a, err, ports.ErrProviderUnavailable)
			b.Must(b.capture(b.Instance, key, id, 0))
			b.wantOrder(faults, id, order.Paid, "paid", 15000, "")
			id = b.PaidOrder("mug")
			b.BankFaults(faults)
			a, err = b.CancelOrder(b.Instance, paymentbed.Key(), id)
			paymentbed.Refused(t, faults, a, err, ports.ErrProviderUnavailable)
			b.poll()
			b.wantOrder(faults, id, order.Canceled, "unpaid", 0, "")
		}
		if _, differences := b.Reconciliation(); len(differences) > 0 {
			t.Error(differences)
		}
	})
}

// Money that was authorized and cannot become an order is released by itself, and nobody has to decide.
func TestUnplaceableAuthorizationIsReleased(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.captureLater(checkout.CaptureByHand)
		old, _, session := b.Superseded()
		s := payment.SessionFrom(b.Get(payment.Sessions, session.Text("paymentSession.id")))
		if s.Status != payment.StatusCanceled || s.Resolution != payment.ResolutionVoided || s.Reason != payment.ReasonLate {
			t.Errorf("%+v", s.State)
		}
		b.poll()
		for _, r := range b.All(payment.Transactions) {
			if r.Text("status") != "canceled" {
				t.Errorf("%v", r)
			}
		}
		b.WantSums("released", 0, 0)
		if queue := b.AttentionQueue(payment.Sessions); len(queue) > 0 {
			t.Errorf("somebody has to decide: %v", queue)
		}
		if got := b.Get(checkout.Schema, old.Text("checkout.id")).Text("status"); got == string(checkout.RequiresAttention) {
			t.Errorf("the checkout is %s", got)
		}
	})
}

// A provider may release an authorized payment before it is captured, or somebody captures it at its console.
func TestAuthorizationEndsAtTheProvider(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.captureLater(checkout.CaptureOnShipping)
		kept, sent, taken := b.PaidOrder("mug"), b.PaidOrder("2 mug"), b.PaidOrder("mug")
		b.Must(b.ship(b.pack(sent, 1)))
		parcel := b.pack(sent, 1)
		b.atConsole(kept, "release", 0)
		b.atConsole(sent, "release", 0)
		b.atConsole(taken, "capture", 14000)
		for _, id := range []string{kept, sent, taken, kept, sent, taken} {
			b.told(id)
		}
		b.wantOrder("kept", kept, order.Pending, "unpaid", 0, order.HoldVoided)
		b.wantOrder("sent", sent, order.Preparing, "unpaid", 0, order.HoldVoided)
		b.wantOrder("taken", taken, order.Paid, "partially_paid", 14000, "")
		b.wantReversed("kept", kept, 0, order.HoldVoided, payment.ReasonVoided, checkout.AdviceCancel)
		b.wantReversed("sent", sent, 0, order.HoldVoided, payment.ReasonVoidedShipped, checkout.AdviceCollect)
		a, err := b.ship(parcel)
		paymentbed.Refused(t, "shipped", a, err, order.ErrOnHold)
		if _, err := b.decide(sent, payment.ResolutionDismissed); err != nil {
			t.Error(err)
		}
		b.Must(b.ship(parcel))
		b.wantOrder("dismissed", sent, order.Shipped, "unpaid", 0, "")
		b.Must(b.CancelOrder(b.Instance, paymentbed.Key(), kept))
		b.wantOrder("canceled", kept, order.Canceled, "unpaid", 0, "")
		b.WantSums("in the end", 14000, 0)
	})
}

// An order whose authorized payment ended is paid otherwise, and nobody has to decide any more.
func TestVoidedOrderIsPaidByHand(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.captureLater(checkout.CaptureOnShipping)
		id := b.PaidOrder("mug")
		a, err := b.orders().Transition(t.Context(), b.Server("", "", ""), id, orders.Transition{To: order.Paid, Note: "by transfer"})
		paymentbed.Refused(t, "while it is held", a, err, order.ErrTransition)
		b.atConsole(id, "release", 0)
		b.told(id)
		b.Must(b.orders().Transition(t.Context(), b.Server("", "", ""), id, orders.Transition{To: order.Paid, Note: "by transfer"}))
		b.wantOrder("paid by hand", id, order.Paid, "paid", 15000, "")
		b.wantReversed("paid by hand", id, 0, "", "", "")
		if s := b.paymentOf(id); s.Resolution != payment.ResolutionDismissed || s.Note != "by transfer" {
			t.Errorf("%+v", s)
		}
		b.WantSums("paid by hand", 15000, 0)
	})
}

// misholding is the bed's provider, whose authorized payments end at a time.
type misholding struct {
	ports.Provider

	until time.Time
}

func (p misholding) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	got, err := p.Provider.Lookup(ctx, conn, ref)
	if got.State == ports.ProviderAuthorized {
		got.Until = p.until
	}
	return got, err
}

func (p misholding) Do(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (ports.Outcome, error) {
	said, err := p.Provider.Do(ctx, conn, call)
	said.Payment = nil // that has to be looked up
	return said, err
}

func TestShopIsToldThatAnAuthorizationEnds(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.captureLater(checkout.CaptureByHand)
		b.Providers["sandbox"] = misholding{b.Providers["sandbox"], b.Now().Add(7 * 24 * time.Hour)}
		id := b.PaidOrder("mug")
		b.Advance(5 * 24 * time.Hour)
		b.Poller.PollDue(t.Context(), ports.ForTenant(b.Shop.ID))
		b.wantReversed("after five days", id, 0, "", "", "")
		b.Advance(13 * time.Hour)
		b.Poller.PollDue(t.Context(), ports.ForTenant(b.Shop.ID))
		b.wantReversed("a day and a half before", id, 0, "", payment.ReasonAuthorizationEnds, checkout.AdviceCapture)
		if _, err := b.decide(id, payment.ResolutionRefunded); err == nil {
			t.Error("what was not captured is refunded")
		}
		b.Must(b.capture(b.Instance, paymentbed.Key(), id, 0))
		b.wantReversed("captured", id, 0, "", "", "")
		b.WantSums("captured", 15000, 0)
	})
}
