package buying_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// moved has a checkout cost another amount than the payment session that it released: 18 000 instead of 15 000.
func (b *bed) moved() (x, s said, paymentKey string) {
	b.t.Helper()
	x = b.checkout("mug")
	s = b.pay(x.text("checkout.id"))
	paymentKey = b.approve(s, "approve")
	b.release(s)
	jeju := *home
	jeju.PostalCode = "63000"
	b.must(b.Update(b.t.Context(), b.server(key(), "checkouts.update", ""), buying.CheckoutUpdate{Checkout: x.text("checkout.id"), Address: &jeju}))
	return x, s, paymentKey
}

func TestMoneyForAnotherPriceMakesNoOrder(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		_, s, paymentKey := b.moved()
		b.capture(s, paymentKey)
		if got := settled(t, b, s); got.Status != payment.StatusAttention || got.Reason != payment.ReasonMismatch {
			t.Errorf("%+v", got.State)
		}
		if tx := b.all(payment.Transactions); len(tx) != 1 || len(b.all(order.Schema)) != 0 || b.balance("") != 15000 {
			t.Errorf("%v", tx)
		}
		a, err := b.resolve(s, payment.Placed)
		refused(t, "placing it all the same", a, err, payment.ErrMismatch)
	})
}

func TestLateMoneyIsPlacedForItsOwnPriceOnly(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		x, s, paymentKey := b.moved()
		second := b.pay(x.text("checkout.id"))
		b.capture(s, paymentKey)
		if got := settled(t, b, s); got.Reason != payment.ReasonLate {
			t.Fatalf("%+v", got.State)
		}
		b.must(b.Cancel(t.Context(), b.server(key(), "paymentSessions.cancel", ""), second.text("paymentSession.id")))
		a, err := b.resolve(s, payment.Placed)
		refused(t, "placing it for the new price", a, err, payment.ErrMismatch)
		if len(b.all(order.Schema)) != 0 {
			t.Error("it was placed")
		}
		b.must(b.resolve(s, payment.Refunded))
	})
}

// between is the sandbox as a provider that has something else happen before it is sent a call.
type between struct {
	ports.Provider

	happens func(call ports.ProviderCall) error
}

func (p *between) Send(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (map[string]string, error) {
	if err := p.happens(call); err != nil {
		return nil, err
	}
	return p.Provider.Send(ctx, conn, call)
}

func (b *bed) between(happens func(call ports.ProviderCall) error) {
	b.Providers["sandbox"] = &between{b.Providers["sandbox"], happens}
}

func TestGoodsStayPromisedWhileTheirMoneyIsTaken(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		s := b.pay(b.checkout("9 lamp").text("checkout.id"))
		paymentKey := b.approve(s, "approve")
		b.advance(59 * time.Minute)
		b.between(func(call ports.ProviderCall) error {
			if call.Operation == "confirm" {
				b.advance(2 * time.Minute)
				b.Sweep(t.Context(), ports.Of(b.shop.ID))
				if got := b.level("lamp").Reserved; got != 9 {
					t.Errorf("%d are promised while the money is taken", got)
				}
			}
			return nil
		})
		b.must(b.confirm(s, paymentKey))
	})
}

func TestNoMoneyIsTakenForACartThatWasOrdered(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		cartID := b.cart(nil, "mug")
		first := b.pay(b.of(cartID).text("checkout.id"))
		paymentKey := b.approve(first, "approve")
		b.release(first)
		newer := b.of(cartID).text("checkout.id")
		second := b.pay(newer)
		b.capture(first, paymentKey)
		if got := settled(t, b, first); got.Status != payment.StatusAttention {
			t.Fatalf("%+v", got.State)
		}
		b.must(b.resolve(first, payment.Placed))
		a, err := b.confirm(second, b.approve(second, "approve"))
		refused(t, "taking money for it", a, err, checkout.ErrNotOpen)
		a, err = b.OpenSession(t.Context(), b.server(key(), "paymentSessions.create", ""), session(newer))
		refused(t, "handing the page out again", a, err, checkout.ErrNotOpen)
		if tx := b.all(payment.Transactions); len(tx) != 1 || len(b.all(order.Schema)) != 1 {
			t.Errorf("%v", tx)
		}
	})
}

func TestMoneyDealtWithMeanwhileDoesNotGoBackAsWell(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		_, _, s := b.superseded()
		b.must(b.resolve(s, payment.Dismissed))
		// another operator, who found it in the queue before that
		_, err := b.Refund(t.Context(), b.shop.ID, buying.RefundRequest{Session: s.text("paymentSession.id"), Reason: "Called the buyer.", Key: "resolve"})
		if !errors.Is(err, payment.ErrNoAttention) || b.balance("") != 15000 || len(b.all(payment.Transactions)) != 1 {
			t.Errorf("%v, %d", err, b.balance(""))
		}
	})
}

func TestAnAnswerNobodyUnderstandsIsDismissedForGood(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		b.telling().says(func(p *ports.ProviderPayment) { p.State = ports.ProviderUnknown })
		s := b.pay(b.checkout("mug").text("checkout.id"))
		settled(t, b, s)
		b.must(b.resolve(s, payment.Dismissed))
		b.Sweep(t.Context(), ports.Of(b.shop.ID))
		if got := settled(t, b, s); got.Status != payment.StatusCanceled || len(b.queue(payment.Sessions))+len(b.queue(checkout.Schema)) != 0 {
			t.Errorf("%+v, in the queue: %v %v", got.State, b.queue(payment.Sessions), b.queue(checkout.Schema))
		}
	})
}

func TestAReleaseIsFollowedHoweverOldTheSessionIs(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		s := b.pay(b.checkout("mug").text("checkout.id"))
		paymentKey := b.approve(s, "approve")
		b.advance(8 * 24 * time.Hour)
		b.release(s)
		b.capture(s, paymentKey)
		b.Sweep(t.Context(), ports.Of(b.shop.ID))
		b.bought(s)
	})
}

// counting is the store as one that has something else happen before a transaction.
type counting struct {
	ports.Store

	before func()
}

func (s counting) Atomically(ctx context.Context, scope ports.Scope, fn func(ctx context.Context, tx ports.Tx) error) error {
	s.before()
	return s.Store.Atomically(ctx, scope, fn)
}

// A page that was handed out while its session was canceled keeps its slot, whatever the cancel saw before.
func TestAPageHandedOutMeanwhileKeepsItsSlot(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		var refuses atomic.Bool
		refuses.Store(true)
		b.between(func(call ports.ProviderCall) error {
			if refuses.Load() || call.Operation == "close" {
				return ports.ErrProviderRejected
			}
			return nil
		})
		x := b.checkout("mug").text("checkout.id")
		a, err := b.OpenSession(t.Context(), b.server(key(), "paymentSessions.create", ""), session(x))
		refused(t, "a prepare", a, err, ports.ErrProviderRejected)
		s := b.all(payment.Sessions)[0]
		refuses.Store(false)
		looked := b.telling()
		operator := b.instance()
		operator.Providers = b.Providers
		written := 0
		operator.Store = counting{b.store, func() {
			if looked.asked.Load() == 0 {
				return
			}
			if written++; written == 2 { // what the look-up showed is written first
				b.pay(x)
			}
		}}
		a, err = operator.Cancel(t.Context(), b.server(key(), "paymentSessions.cancel", ""), s.ID())
		refused(t, "the cancel", a, err, payment.ErrSlotHeld)
		if r := b.get(payment.Sessions, s.ID()); !r.Bool("slotHeld") || r.Text("status") != "pending" {
			t.Errorf("%v", r)
		}
	})
}

func TestMoneyThatWentBackAtTheProviderMakesNoOrder(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		s := b.captured()
		b.telling().says(func(p *ports.ProviderPayment) { p.Refunded = krw(400) })
		if got := settled(t, b, s); got.Status != payment.StatusAttention || got.Reason != payment.ReasonUnknown || len(b.all(order.Schema)) != 0 {
			t.Errorf("%+v", got.State)
		}
	})
}

func TestAConfirmThatWasNeverSentKeepsNoSlot(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		b.Providers["sandbox"] = &unaware{Provider: b.Providers["sandbox"]}
		b.between(func(call ports.ProviderCall) error {
			if call.Operation == "confirm" {
				return ports.ErrProviderUnavailable.Because(ports.ErrNotSent)
			}
			return nil
		})
		s := b.pay(b.checkout("mug").text("checkout.id"))
		a, err := b.confirm(s, b.approve(s, "approve"))
		refused(t, "a confirm behind an open circuit", a, err, ports.ErrProviderUnavailable)
		ended := b.must(b.Cancel(t.Context(), b.server(key(), "paymentSessions.cancel", ""), s.text("paymentSession.id")))
		if ended.text("paymentSession.status") != "canceled" || b.level("mug").Reserved != 0 {
			t.Errorf("%v", ended)
		}
	})
}

// forget deletes the shop's connection the way an operator does.
func (b *bed) forget() error {
	_, err := b.content.Delete(b.t.Context(), once.Call{Principal: b.owner()}, payment.Connections, b.connection, content.Show{})
	return err
}

func TestAConnectionThatPaymentsWereMadeByStays(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		b.pay(b.checkout("mug").text("checkout.id"))
		if err := b.forget(); !errors.Is(err, payment.ErrConnectionUsed) {
			t.Error(err)
		}
	})
}

// Of a delete and of payments at the same time, either is refused.
func TestAConnectionIsNotForgottenWhileAPaymentBegins(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		var opened atomic.Int64
		var all sync.WaitGroup
		for range 8 {
			x := b.checkout("mug").text("checkout.id")
			all.Go(func() {
				_, err := b.OpenSession(t.Context(), b.server(key(), "paymentSessions.create", ""), session(x))
				if err == nil {
					opened.Add(1)
				}
			})
		}
		var err error
		all.Go(func() { err = b.forget() })
		all.Wait()
		if forgotten := err == nil; forgotten && len(b.all(payment.Sessions)) > 0 || !forgotten && opened.Load() == 0 {
			t.Errorf("forgotten: %v, %d sessions", err, len(b.all(payment.Sessions)))
		}
	})
}
