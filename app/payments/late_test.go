package payments_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// moved is a checkout whose total changed after its session was released: 18 000 instead of 15 000.
func (b *bed) moved() (x, s paymentbed.Answer, paymentKey string) {
	b.T.Helper()
	x = b.Checkout("mug")
	s = b.Pay(x.Text("checkout.id"))
	paymentKey = b.Approve(s, "approve")
	b.Release(s)
	jeju := *paymentbed.Home
	jeju.PostalCode = "63000"
	b.Must(b.Checkouts.Update(b.T.Context(), b.Server(paymentbed.Key(), "checkouts.update", ""),
		checkouts.UpdateInput{Checkout: x.Text("checkout.id"), Address: &jeju}))
	return x, s, paymentKey
}

func TestPaymentOfADifferentAmountPlacesNoOrder(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		_, s, paymentKey := b.moved()
		b.CaptureAtBank(s, paymentKey)
		if got := settled(t, b, s); got.Status != payment.StatusRequiresAttention || got.Reason != payment.ReasonMismatch {
			t.Errorf("%+v", got.State)
		}
		if tx := b.All(payment.Transactions); len(tx) != 1 || len(b.All(order.Schema)) != 0 || b.Balance("") != 15000 {
			t.Errorf("%v", tx)
		}
		a, err := b.Resolve(s, payment.ResolutionPlaced)
		paymentbed.Refused(t, "placing it all the same", a, err, payment.ErrPaymentMismatch)
	})
}

func TestLatePaymentIsPlacedOnlyForItsAmount(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		x, s, paymentKey := b.moved()
		second := b.Pay(x.Text("checkout.id"))
		b.CaptureAtBank(s, paymentKey)
		if got := settled(t, b, s); got.Reason != payment.ReasonMismatch {
			t.Fatalf("%+v", got.State)
		}
		b.Must(b.Payments.Sessions.Cancel(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.cancel", ""),
			second.Text("paymentSession.id")))
		a, err := b.Resolve(s, payment.ResolutionPlaced)
		paymentbed.Refused(t, "placing it for the new price", a, err, payment.ErrPaymentMismatch)
		if len(b.All(order.Schema)) != 0 {
			t.Error("it was placed")
		}
		b.Must(b.Resolve(s, payment.ResolutionRefunded))
	})
}

// interposedProvider is the sandbox with something else happening before each call.
type interposedProvider struct {
	ports.Provider

	happens func(call ports.ProviderCall) error
}

func (p *interposedProvider) Do(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (ports.Outcome, error) {
	if err := p.happens(call); err != nil {
		return ports.Outcome{}, err
	}
	return p.Provider.Do(ctx, conn, call)
}

func (b *bed) interpose(happens func(call ports.ProviderCall) error) {
	b.Providers["sandbox"] = &interposedProvider{b.Providers["sandbox"], happens}
}

func TestReservationHoldsDuringCapture(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		s := b.Pay(b.Checkout("9 lamp").Text("checkout.id"))
		paymentKey := b.Approve(s, "approve")
		b.Advance(59 * time.Minute)
		b.interpose(func(call ports.ProviderCall) error {
			if call.Operation == "confirm" {
				b.Advance(2 * time.Minute)
				b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
				if got := b.Level("lamp").Reserved; got != 9 {
					t.Errorf("%d are reserved during the capture", got)
				}
			}
			return nil
		})
		b.Must(b.Confirm(s, paymentKey))
	})
}

func TestCaptureIsRefusedForAnOrderedCart(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		cartID := b.Cart(nil, "mug")
		first := b.Pay(b.CheckoutOf(cartID).Text("checkout.id"))
		paymentKey := b.Approve(first, "approve")
		b.Release(first)
		b.AssumeClosed(first)
		newer := b.CheckoutOf(cartID).Text("checkout.id")
		second := b.Pay(newer)
		b.CaptureAtBank(first, paymentKey)
		if got := settled(t, b, first); got.Status != payment.StatusRequiresAttention {
			t.Fatalf("%+v", got.State)
		}
		b.Must(b.Resolve(first, payment.ResolutionPlaced))
		a, err := b.Confirm(second, b.Approve(second, "approve"))
		paymentbed.Refused(t, "taking money for it", a, err, payment.ErrSessionTerminal)
		a, err = b.Payments.Sessions.Open(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.create", ""),
			paymentbed.WidgetSession(newer))
		paymentbed.Refused(t, "handing the page out again", a, err, checkout.ErrNotOpen)
		if tx := b.All(payment.Transactions); len(tx) != 1 || len(b.All(order.Schema)) != 1 {
			t.Errorf("%v", tx)
		}
	})
}

func TestResolvedPaymentIsNotRefundedToo(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		_, _, s := b.Superseded()
		b.Must(b.Resolve(s, payment.ResolutionDismissed))
		// another operator who saw it in the queue before
		_, err := b.Refunds.Refund(t.Context(), b.Shop.ID, refunds.Request{
			Session: s.Text("paymentSession.id"), Reason: "Called the buyer.", Key: "resolve",
		})
		if !errors.Is(err, payment.ErrAttentionNotRequired) || b.Balance("") != 15000 || len(b.All(payment.Transactions)) != 1 {
			t.Errorf("%v, %d", err, b.Balance(""))
		}
	})
}

func TestUnknownProviderStateCanBeDismissed(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.scriptProvider().script(func(p *ports.ProviderPayment) { p.State = ports.ProviderUnknown })
		s := b.Pay(b.Checkout("mug").Text("checkout.id"))
		settled(t, b, s)
		b.Must(b.Resolve(s, payment.ResolutionDismissed))
		b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
		if got := settled(t, b, s); got.Status != payment.StatusCanceled ||
			len(b.AttentionQueue(payment.Sessions))+len(b.AttentionQueue(checkout.Schema)) != 0 {
			t.Errorf("%+v, requiring attention: %v %v", got.State, b.AttentionQueue(payment.Sessions), b.AttentionQueue(checkout.Schema))
		}
	})
}

func TestReleasedSessionsArePolledAtAnyAge(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		s := b.Pay(b.Checkout("mug").Text("checkout.id"))
		paymentKey := b.Approve(s, "approve")
		b.Advance(8 * 24 * time.Hour)
		b.Release(s)
		b.CaptureAtBank(s, paymentKey)
		b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
		b.bought(s)
	})
}

// counting is the store with something else happening before each transaction.
type counting struct {
	ports.Store

	before func()
}

func (s counting) Atomically(ctx context.Context, scope ports.Scope, fn func(ctx context.Context, tx ports.Tx) error) error {
	s.before()
	return s.Store.Atomically(ctx, scope, fn)
}

// A page that is handed out while its session is being canceled keeps its slot, whatever the cancel observed
// before.
func TestConcurrentlyPreparedPageKeepsItsSlot(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		var refuses atomic.Bool
		refuses.Store(true)
		b.interpose(func(call ports.ProviderCall) error {
			if refuses.Load() || call.Operation == "close" {
				return ports.ErrProviderRejected
			}
			return nil
		})
		x := b.Checkout("mug").Text("checkout.id")
		a, err := b.Payments.Sessions.Open(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.create", ""),
			paymentbed.WidgetSession(x))
		paymentbed.Refused(t, "a prepare", a, err, ports.ErrProviderRejected)
		s := b.All(payment.Sessions)[0]
		refuses.Store(false)
		looked := b.scriptProvider()
		written := 0
		operator := b.NewInstance(func(s *paymentbed.Settings) {
			s.Providers = b.Providers
			s.Database = counting{b.Store, func() {
				if looked.asked.Load() == 0 {
					return
				}
				if written++; written == 2 { // the lookup's observation is written first
					b.Pay(x)
				}
			}}
		})
		a, err = operator.Payments.Sessions.Cancel(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.cancel", ""), s.ID())
		paymentbed.Refused(t, "the cancel", a, err, payment.ErrSlotHeld)
		if r := b.Get(payment.Sessions, s.ID()); !r.Bool("slotHeld") || r.Text("status") != "pending" {
			t.Errorf("%v", r)
		}
	})
}

func TestRefundedPaymentPlacesNoOrder(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		s := b.captured()
		b.scriptProvider().script(func(p *ports.ProviderPayment) { p.Refunded = paymentbed.KRW(400) })
		if got := settled(t, b, s); got.Status != payment.StatusRequiresAttention || got.Reason != payment.ReasonUnknown ||
			len(b.All(order.Schema)) != 0 {
			t.Errorf("%+v", got.State)
		}
	})
}

func TestUnsentConfirmDoesNotHoldTheSlot(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.Providers["sandbox"] = &forgetfulProvider{Provider: b.Providers["sandbox"]}
		b.interpose(func(call ports.ProviderCall) error {
			if call.Operation == "confirm" {
				return ports.ErrProviderUnavailable.WithCause(ports.ErrNotSent)
			}
			return nil
		})
		s := b.Pay(b.Checkout("mug").Text("checkout.id"))
		a, err := b.Confirm(s, b.Approve(s, "approve"))
		paymentbed.Refused(t, "a confirm behind an open circuit", a, err, ports.ErrProviderUnavailable)
		ended := b.Must(b.Payments.Sessions.Cancel(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.cancel", ""),
			s.Text("paymentSession.id")))
		if ended.Text("paymentSession.status") != "canceled" || b.Level("mug").Reserved != 0 {
			t.Errorf("%v", ended)
		}
	})
}
