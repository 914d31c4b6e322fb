package buying_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// crash ends a call the way a killed process would: nothing after the point happens.
type crash struct{ point string }

// dying is an instance that dies at point; run its call with died.
func (b *bed) dying(point string) *buying.Buying {
	i := b.instance()
	i.Fail = func(at string) {
		if at == point {
			panic(crash{at})
		}
	}
	return i
}

func died(t *testing.T, call func()) {
	t.Helper()
	defer func() {
		if _, ok := recover().(crash); !ok {
			t.Error("the instance did not reach its point")
		}
	}()
	call()
}

func TestACrashAfterTheProviderCallHeals(t *testing.T) {
	for _, point := range []string{buying.FailConfirmed, buying.FailLookedUp, buying.FailBeforeCommit, buying.FailCommitted} {
		t.Run(point, func(t *testing.T) {
			both(t, func(t *testing.T, b *bed) {
				opened := b.checkout("mug")
				session := b.pay(opened.text("checkout.id"))
				in := confirmation(session, b.approve(session, "approve"))
				died(t, func() {
					_, _ = b.dying(point).Confirm(t.Context(), b.server(key(), "paymentSessions.confirm", ""), in)
				})
				b.Sweep(t.Context(), ports.Of(b.shop.ID))
				r := b.get(checkout.Schema, opened.text("checkout.id"))
				if r.Text("status") != "completed" || len(b.all(order.Schema)) != 1 || b.balance(r.Text("order")) != 15000 || b.level("mug").OnHand != 99 {
					t.Errorf("%v, %d orders, %+v", r.Text("status"), len(b.all(order.Schema)), b.level("mug"))
				}
				done := b.must(b.confirm(session, in.PaymentKey))
				if done.text("order.id") != r.Text("order") {
					t.Errorf("%v", done)
				}
			})
		})
	}
}

func TestACrashDuringPrepareNeverMakesTwoPayments(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.checkout("mug").text("checkout.id")
		died(t, func() {
			_, _ = b.dying(buying.FailPrepared).OpenSession(t.Context(), b.server(key(), "paymentSessions.create", ""), session(id))
		})
		held := b.all(payment.Sessions)
		if len(held) != 1 || held[0].Text("status") != "created" || !held[0].Bool("slotHeld") {
			t.Fatalf("%v", held)
		}
		again := b.pay(id)
		if again.text("paymentSession.id") != held[0].ID() || again.text("action.orderId") != held[0].Text("paymentId") {
			t.Errorf("%v", again)
		}
		b.must(b.confirm(again, b.approve(again, "approve")))
	})
}

func TestAProviderFailureKeepsTheSlotForTheSameKey(t *testing.T) {
	for name, fault := range map[string]string{"fails": `{"failNext":1}`, "loses its answer": `{"dropResponseNext":1}`} {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, b *bed) {
				id, k := b.checkout("mug").text("checkout.id"), key()
				b.faults(fault)
				_, err := b.OpenSession(t.Context(), b.server(k, "paymentSessions.create", ""), session(id))
				if !errors.Is(err, ports.ErrProviderUnavailable) {
					t.Fatal(err)
				}
				if held := b.all(payment.Sessions); len(held) != 1 || held[0].Text("status") != "created" || !held[0].Bool("slotHeld") {
					t.Fatalf("%v", held)
				}
				a, err := b.OpenSession(t.Context(), b.server(k, "paymentSessions.create", ""), session(id))
				if again := b.must(a, err); again.text("paymentSession.status") != "pending" || a.Result != ports.Created || a.Replayed {
					t.Errorf("%+v", a)
				}
			})
		})
	}
}

func TestALostConfirmIsFoundByTheLookUp(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		session := b.pay(b.checkout("mug").text("checkout.id"))
		paymentKey := b.approve(session, "approve")
		b.faults(`{"dropResponseNext":1}`)
		done := b.must(b.confirm(session, paymentKey))
		if done.text("order.status") != "paid" || len(b.all(payment.Transactions)) != 1 {
			t.Errorf("%v", done)
		}
	})
}

func TestADeclineKeepsTheSlotForTheSameAction(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.checkout("mug").text("checkout.id")
		first := b.pay(id)
		b.approve(first, "decline")
		if a, err := b.confirm(first, "no-key"); err == nil && a.Fault == nil {
			t.Fatal("a declined payment was confirmed")
		}
		r := b.get(payment.Sessions, first.text("paymentSession.id"))
		if r.Text("observation") != "failed" || !r.Bool("slotHeld") || r.Text("status") != "pending" {
			t.Errorf("%v", r)
		}
		a, err := b.OpenSession(t.Context(), b.server(key(), "paymentSessions.create", ""), session(id))
		again := b.must(a, err)
		if a.Result != ports.OK || again.text("paymentSession.id") != first.text("paymentSession.id") || again.text("action.orderId") != first.text("action.orderId") {
			t.Errorf("%v", again)
		}
		done := b.must(b.confirm(again, b.approve(again, "approve")))
		if done.text("order.status") != "paid" {
			t.Errorf("%v", done)
		}
	})
}

func TestMoneyForASupersededCheckoutAsksForAPerson(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		cartID := b.cart(nil, "mug")
		old := b.must(b.Create(t.Context(), b.server(key(), "checkouts.create", ""), b.newCheckout(cartID)))
		session := b.pay(old.text("checkout.id"))
		paymentKey := b.approve(session, "approve")
		id := session.text("paymentSession.id")
		b.must(b.Release(t.Context(), b.server(key(), "paymentSessions.release", ""), id, "The shopper called."))
		fresh := b.must(b.Create(t.Context(), b.server(key(), "checkouts.create", ""), b.newCheckout(cartID)))
		if b.get(checkout.Schema, old.text("checkout.id")).Text("supersededBy") != fresh.text("checkout.id") {
			t.Fatal("the old checkout was not superseded")
		}
		a, err := b.confirm(session, paymentKey)
		refused(t, "confirming it", a, err, payment.ErrTerminal)
		b.capture(session, paymentKey) // the provider takes the money all the same
		o, err := b.Settle(t.Context(), b.shop.ID, id)
		if err != nil || o.Session.Status != payment.StatusAttention || o.Session.Reason != payment.ReasonLate {
			t.Errorf("%+v %v", o.Session.State, err)
		}
		r := b.get(checkout.Schema, old.text("checkout.id"))
		if r.Text("status") != "requires_attention" || len(b.all(order.Schema)) != 0 {
			t.Errorf("%v", r)
		}
		if tx := b.all(payment.Transactions); len(tx) != 1 || tx[0].Text("order") != "" || tx[0].Text("note") != payment.ReasonLate {
			t.Errorf("%v", tx)
		}
		if got := b.balance(""); got != 15000 {
			t.Errorf("the books say %d", got)
		}
	})
}

func TestAnotherAmountAsksForAPerson(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		opened := b.checkout("mug")
		session := b.pay(opened.text("checkout.id"))
		paymentKey := b.approve(session, "approve")
		b.faults(`{"wrongAmountNext":1}`)
		a, err := b.confirm(session, paymentKey)
		refused(t, "confirming it", a, err, payment.ErrMismatch)
		answer, err := b.Retrieve(t.Context(), b.server("", "", ""), opened.text("checkout.id"))
		if union := b.read(answer); err != nil || union.text("status") != "requires_attention" || union.text("reason") != payment.ReasonMismatch {
			t.Errorf("%v %s", err, answer)
		}
		if tx := b.all(payment.Transactions); len(tx) != 1 || len(b.all(order.Schema)) != 0 || b.balance("") != 15001 {
			t.Errorf("%v", tx)
		}
	})
}

func TestMoneyWithoutGoodsAsksForAPerson(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		opened := b.checkout("9 lamp")
		session := b.pay(opened.text("checkout.id"))
		paymentKey := b.approve(session, "approve")
		b.advance(2 * time.Hour)
		b.Sweep(t.Context(), ports.Of(b.shop.ID))
		r := b.get(payment.Sessions, session.text("paymentSession.id"))
		if r.Text("observation") != "expired" || !r.Bool("slotHeld") || b.level("lamp").Reserved != 0 {
			t.Fatalf("%v %+v", r, b.level("lamp"))
		}
		for range 3 {
			b.pay(b.checkout("9 lamp").text("checkout.id"))
		}
		a, err := b.confirm(session, paymentKey)
		refused(t, "confirming without goods", a, err, ports.ErrShort)
		b.capture(session, paymentKey)
		o, err := b.Settle(t.Context(), b.shop.ID, r.ID())
		if err != nil || o.Session.Status != payment.StatusAttention || o.Session.Reason != payment.ReasonStock || len(b.all(payment.Transactions)) != 1 {
			t.Errorf("%+v %v", o.Session.State, err)
		}
		if l := b.level("lamp"); l.OnHand != 30 || l.Reserved != 27 {
			t.Errorf("%+v", l)
		}
	})
}

func TestARetryRenewsTheReservation(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.checkout("mug").text("checkout.id")
		first := b.pay(id)
		b.advance(2 * time.Hour)
		b.Sweep(t.Context(), ports.Of(b.shop.ID))
		if b.level("mug").Reserved != 0 {
			t.Fatal("the reservation did not end")
		}
		again := b.pay(id)
		if again.text("action.orderId") != first.text("action.orderId") || b.level("mug").Reserved != 1 {
			t.Errorf("%v %+v", again, b.level("mug"))
		}
		b.must(b.confirm(again, b.approve(again, "approve")))
	})
}

func TestACancelFreesTheSlotWhenTheProviderConfirms(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		opened := b.checkout("mug")
		id := opened.text("checkout.id")
		session := b.pay(id)
		guest := b.guest(key(), "paymentSessions.cancel", opened.text("checkoutToken"))
		ended := b.must(b.Cancel(t.Context(), guest, session.text("paymentSession.id")))
		if ended.text("paymentSession.status") != "canceled" || ended.text("paymentSession.slotHeld") != "false" || b.level("mug").Reserved != 0 {
			t.Errorf("%v", ended)
		}
		a, err := b.Cancel(t.Context(), b.server(key(), "paymentSessions.cancel", ""), session.text("paymentSession.id"))
		refused(t, "canceling again", a, err, payment.ErrTerminal)
		fresh := b.pay(id)
		if fresh.text("paymentSession.id") == session.text("paymentSession.id") {
			t.Error("a canceled session came back")
		}
		b.must(b.confirm(fresh, b.approve(fresh, "approve")))
		a, err = b.Cancel(t.Context(), b.server(key(), "paymentSessions.cancel", ""), fresh.text("paymentSession.id"))
		refused(t, "canceling what is paid", a, err, payment.ErrTerminal)
	})
}

// unaware is the sandbox as a provider that knows nothing of a payment before its money moved, and loses some confirms.
type unaware struct {
	ports.Provider

	loses atomic.Bool
}

func (u *unaware) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	p, err := u.Provider.Lookup(ctx, conn, ref)
	if p.State != ports.ProviderPaid {
		p.State = ports.ProviderAbsent
	}
	return p, err
}

func (u *unaware) Send(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (map[string]string, error) {
	switch {
	case call.Operation == "close":
		return map[string]string{"closed": "true"}, nil
	case call.Operation == "confirm" && u.loses.Load():
		return nil, ports.ErrProviderUnavailable
	}
	return u.Provider.Send(ctx, conn, call)
}

func TestAPaymentThatOnlyAConfirmCouldCaptureIsCanceled(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		b.Providers["sandbox"] = &unaware{Provider: b.Providers["sandbox"]}
		opened := b.checkout("mug")
		session := b.pay(opened.text("checkout.id"))
		paymentKey := b.approve(session, "approve")
		ended := b.must(b.Cancel(t.Context(), b.server(key(), "paymentSessions.cancel", ""), session.text("paymentSession.id")))
		if ended.text("paymentSession.status") != "canceled" || ended.text("paymentSession.slotHeld") != "false" || b.level("mug").Reserved != 0 {
			t.Errorf("%v", ended)
		}
		a, err := b.confirm(session, paymentKey)
		refused(t, "a confirm of what was canceled", a, err, payment.ErrTerminal)
	})
}

func TestAPaymentWithAConfirmUnderWayIsNotCanceled(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		u := &unaware{Provider: b.Providers["sandbox"]}
		b.Providers["sandbox"] = u
		session := b.pay(b.checkout("mug").text("checkout.id"))
		paymentKey := b.approve(session, "approve")
		u.loses.Store(true)
		a, err := b.confirm(session, paymentKey)
		refused(t, "a confirm nobody heard of again", a, err, ports.ErrProviderUnavailable)
		a, err = b.Cancel(t.Context(), b.server(key(), "paymentSessions.cancel", ""), session.text("paymentSession.id"))
		refused(t, "canceling what may be captured", a, err, payment.ErrSlotHeld)
		u.loses.Store(false)
		b.must(b.confirm(session, paymentKey))
	})
}

func TestANewAddressPricesTheWayAgain(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		opened := b.checkout("mug")
		jeju := *home
		jeju.PostalCode = "63000"
		in := buying.CheckoutUpdate{Checkout: opened.text("checkout.id"), Address: &jeju}
		changed := b.must(b.Update(t.Context(), b.server(key(), "checkouts.update", ""), in))
		if changed.text("checkout.totals.shipping") != "6000" || changed.text("checkout.totals.total") != "18000" || changed.text("checkout.shippingAddress.postalCode") != "63000" {
			t.Errorf("%v", changed)
		}
		b.pay(in.Checkout)
		a, err := b.Update(t.Context(), b.server(key(), "checkouts.update", ""), in)
		refused(t, "while it is paid", a, err, payment.ErrSlotHeld)
	})
}

func TestMoneyForAnExpiredCheckoutStillBecomesItsOrder(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		cartID := b.cart(nil, "mug")
		old := b.must(b.Create(t.Context(), b.server(key(), "checkouts.create", ""), b.newCheckout(cartID)))
		session := b.pay(old.text("checkout.id"))
		paymentKey := b.approve(session, "approve")
		b.advance(checkout.Lifetime)
		b.must(b.Release(t.Context(), b.server(key(), "paymentSessions.release", ""), session.text("paymentSession.id"), "Nobody paid."))
		if status := b.get(checkout.Schema, old.text("checkout.id")).Text("status"); status != "expired" {
			t.Fatal(status)
		}
		fresh := b.must(b.Create(t.Context(), b.server(key(), "checkouts.create", ""), b.newCheckout(cartID)))
		b.capture(session, paymentKey)
		o, err := b.Settle(t.Context(), b.shop.ID, session.text("paymentSession.id"))
		if err != nil || o.Session.Status != payment.StatusSucceeded || o.Order == nil {
			t.Fatalf("%+v %v", o.Session.State, err)
		}
		if status := b.get(checkout.Schema, fresh.text("checkout.id")).Text("status"); status != "canceled" || len(b.all(order.Schema)) != 1 {
			t.Errorf("the newer checkout is %s", status)
		}
	})
}

func TestACompletedCartIsNeverBoughtAgain(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		cartID := b.cart(nil, "gift")
		id := b.must(b.Create(t.Context(), b.server(key(), "checkouts.create", ""), b.newCheckout(cartID))).text("checkout.id")
		b.must(b.Complete(t.Context(), b.server(key(), "checkouts.complete", ""), id))
		a, err := b.Create(t.Context(), b.server(key(), "checkouts.create", ""), b.newCheckout(cartID))
		refused(t, "a completed cart", a, err, cart.ErrNotActive)
	})
}
