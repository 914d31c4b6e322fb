package payments_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestProviderCallRecoversFromACrash(t *testing.T) {
	for _, point := range []string{payments.FailConfirmed, payments.FailLookedUp, payments.FailBeforeCommit, payments.FailCommitted} {
		t.Run(point, func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				opened := b.Checkout("mug")
				session := b.Pay(opened.Text("checkout.id"))
				in := paymentbed.Confirmation(session, b.Approve(session, "approve"))
				paymentbed.MustCrash(t, func() {
					_, _ = b.NewInstanceFailingAt(point).Payments.Sessions.Confirm(t.Context(),
						b.Server(paymentbed.Key(), "paymentSessions.confirm", ""), in)
				})
				b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
				r := b.Get(checkout.Schema, opened.Text("checkout.id"))
				if r.Text("status") != "completed" || len(b.All(order.Schema)) != 1 || b.Balance(r.Text("order")) != 15000 ||
					b.Level("mug").OnHand != 99 {
					t.Errorf("%v, %d orders, %+v", r.Text("status"), len(b.All(order.Schema)), b.Level("mug"))
				}
				done := b.Must(b.Confirm(session, in.PaymentKey))
				if done.Text("order.id") != r.Text("order") {
					t.Errorf("%v", done)
				}
			})
		})
	}
}

func TestCrashDuringPrepareMakesOnePayment(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.Checkout("mug").Text("checkout.id")
		paymentbed.MustCrash(t, func() {
			_, _ = b.NewInstanceFailingAt(payments.FailPrepared).Payments.Sessions.Open(t.Context(),
				b.Server(paymentbed.Key(), "paymentSessions.create", ""), paymentbed.WidgetSession(id))
		})
		held := b.All(payment.Sessions)
		if len(held) != 1 || held[0].Text("status") != "created" || !held[0].Bool("slotHeld") {
			t.Fatalf("%v", held)
		}
		again := b.Pay(id)
		if again.Text("paymentSession.id") != held[0].ID() || again.Text("action.orderId") != held[0].Text("paymentId") {
			t.Errorf("%v", again)
		}
		b.Must(b.Confirm(again, b.Approve(again, "approve")))
	})
}

func TestFailedProviderKeepsTheSlotForTheSameKey(t *testing.T) {
	for name, fault := range map[string]string{"fails": `{"failNext":1}`, "loses its answer": `{"dropResponseNext":1}`} {
		t.Run(name, func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				id, k := b.Checkout("mug").Text("checkout.id"), paymentbed.Key()
				b.BankFaults(fault)
				_, err := b.Payments.Sessions.Open(t.Context(), b.Server(k, "paymentSessions.create", ""), paymentbed.WidgetSession(id))
				if !errors.Is(err, ports.ErrProviderUnavailable) {
					t.Fatal(err)
				}
				if held := b.All(payment.Sessions); len(held) != 1 || held[0].Text("status") != "created" || !held[0].Bool("slotHeld") {
					t.Fatalf("%v", held)
				}
				a, err := b.Payments.Sessions.Open(t.Context(), b.Server(k, "paymentSessions.create", ""), paymentbed.WidgetSession(id))
				if again := b.Must(a, err); again.Text("paymentSession.status") != "pending" ||
					a.Result != ports.ReceiptCreated || a.Replayed {
					t.Errorf("%+v", a)
				}
			})
		})
	}
}

func TestLookupFindsALostConfirm(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		session := b.Pay(b.Checkout("mug").Text("checkout.id"))
		paymentKey := b.Approve(session, "approve")
		b.BankFaults(`{"dropResponseNext":1}`)
		done := b.Must(b.Confirm(session, paymentKey))
		if done.Text("order.status") != "paid" || len(b.All(payment.Transactions)) != 1 {
			t.Errorf("%v", done)
		}
	})
}

func TestDeclineKeepsTheSlotForTheSameAction(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.Checkout("mug").Text("checkout.id")
		first := b.Pay(id)
		b.Approve(first, "decline")
		if a, err := b.Confirm(first, "no-key"); err == nil && a.Fault == nil {
			t.Fatal("a declined payment was confirmed")
		}
		r := b.Get(payment.Sessions, first.Text("paymentSession.id"))
		if r.Text("observation") != "failed" || !r.Bool("slotHeld") || r.Text("status") != "pending" {
			t.Errorf("%v", r)
		}
		a, err := b.Payments.Sessions.Open(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.create", ""),
			paymentbed.WidgetSession(id))
		again := b.Must(a, err)
		if a.Result != ports.ReceiptOK || again.Text("paymentSession.id") != first.Text("paymentSession.id") ||
			again.Text("action.orderId") != first.Text("action.orderId") {
			t.Errorf("%v", again)
		}
		done := b.Must(b.Confirm(again, b.Approve(again, "approve")))
		if done.Text("order.status") != "paid" {
			t.Errorf("%v", done)
		}
	})
}

func TestPaymentForASupersededCheckoutRequiresAttention(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		cartID := b.Cart(nil, "mug")
		old := b.Must(b.Checkouts.Create(t.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""), b.CheckoutInput(cartID)))
		session := b.Pay(old.Text("checkout.id"))
		paymentKey := b.Approve(session, "approve")
		id := session.Text("paymentSession.id")
		b.Must(b.Payments.Sessions.Release(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.release", ""), id,
			payments.ReleaseRequest{Note: "The shopper called."}))
		b.AssumeClosed(session)
		fresh := b.Must(b.Checkouts.Create(t.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""), b.CheckoutInput(cartID)))
		if b.Get(checkout.Schema, old.Text("checkout.id")).Text("supersededBy") != fresh.Text("checkout.id") {
			t.Fatal("the old checkout was not superseded")
		}
		a, err := b.Confirm(session, paymentKey)
		paymentbed.Refused(t, "confirming it", a, err, payment.ErrSessionTerminal)
		b.CaptureAtBank(session, paymentKey) // the provider takes the money all the same
		o, err := b.Payments.Settler.Settle(t.Context(), b.Shop.ID, id)
		if err != nil || o.Session.Status != payment.StatusRequiresAttention || o.Session.Reason != payment.ReasonLate {
			t.Errorf("%+v %v", o.Session.State, err)
		}
		r := b.Get(checkout.Schema, old.Text("checkout.id"))
		if r.Text("status") != "requires_attention" || len(b.All(order.Schema)) != 0 {
			t.Errorf("%v", r)
		}
		if tx := b.All(payment.Transactions); len(tx) != 1 || tx[0].Text("order") != "" || tx[0].Text("note") != payment.ReasonLate {
			t.Errorf("%v", tx)
		}
		if got := b.Balance(""); got != 15000 {
			t.Errorf("the ledger has %d", got)
		}
	})
}

func TestMismatchedAmountRequiresAttention(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		opened := b.Checkout("mug")
		session := b.Pay(opened.Text("checkout.id"))
		paymentKey := b.Approve(session, "approve")
		b.BankFaults(`{"wrongAmountNext":1}`)
		a, err := b.Confirm(session, paymentKey)
		paymentbed.Refused(t, "confirming it", a, err, payment.ErrPaymentMismatch)
		answer, err := b.Checkouts.Retrieve(t.Context(), b.Server("", "", ""), opened.Text("checkout.id"))
		if union := b.Read(answer.Bytes()); err != nil || union.Text("status") != "requires_attention" ||
			union.Text("reason") != payment.ReasonMismatch {
			t.Errorf("%v %s", err, answer)
		}
		if tx := b.All(payment.Transactions); len(tx) != 1 || len(b.All(order.Schema)) != 0 || b.Balance("") != 15001 {
			t.Errorf("%v", tx)
		}
	})
}

func TestPaymentWithoutStockRequiresAttention(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		opened := b.Checkout("9 lamp")
		session := b.Pay(opened.Text("checkout.id"))
		paymentKey := b.Approve(session, "approve")
		b.Advance(2 * time.Hour)
		b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
		r := b.Get(payment.Sessions, session.Text("paymentSession.id"))
		if r.Text("observation") != "expired" || !r.Bool("slotHeld") || b.Level("lamp").Reserved != 0 {
			t.Fatalf("%v %+v", r, b.Level("lamp"))
		}
		for range 3 {
			b.Pay(b.Checkout("9 lamp").Text("checkout.id"))
		}
		a, err := b.Confirm(session, paymentKey)
		paymentbed.Refused(t, "confirming without goods", a, err, ports.ErrOutOfStock)
		b.CaptureAtBank(session, paymentKey)
		o, err := b.Payments.Settler.Settle(t.Context(), b.Shop.ID, r.ID())
		if err != nil || o.Session.Status != payment.StatusRequiresAttention || o.Session.Reason != payment.ReasonStock ||
			len(b.All(payment.Transactions)) != 1 {
			t.Errorf("%+v %v", o.Session.State, err)
		}
		if l := b.Level("lamp"); l.OnHand != 30 || l.Reserved != 27 {
			t.Errorf("%+v", l)
		}
	})
}

func TestRetryRenewsTheReservation(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.Checkout("mug").Text("checkout.id")
		first := b.Pay(id)
		b.Advance(2 * time.Hour)
		b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
		if b.Level("mug").Reserved != 0 {
			t.Fatal("the reservation did not end")
		}
		again := b.Pay(id)
		if again.Text("action.orderId") != first.Text("action.orderId") || b.Level("mug").Reserved != 1 {
			t.Errorf("%v %+v", again, b.Level("mug"))
		}
		b.Must(b.Confirm(again, b.Approve(again, "approve")))
	})
}

func TestCancelFreesTheSlotWhenTheProviderConfirms(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		opened := b.Checkout("mug")
		id := opened.Text("checkout.id")
		session := b.Pay(id)
		guest := b.Guest(paymentbed.Key(), "paymentSessions.cancel", opened.Text("checkoutToken"))
		ended := b.Must(b.Payments.Sessions.Cancel(t.Context(), guest, session.Text("paymentSession.id")))
		if ended.Text("paymentSession.status") != "canceled" || ended.Text("paymentSession.slotHeld") != "false" ||
			b.Level("mug").Reserved != 0 {
			t.Errorf("%v", ended)
		}
		a, err := b.Payments.Sessions.Cancel(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.cancel", ""),
			session.Text("paymentSession.id"))
		paymentbed.Refused(t, "canceling again", a, err, payment.ErrSessionTerminal)
		fresh := b.Pay(id)
		if fresh.Text("paymentSession.id") == session.Text("paymentSession.id") {
			t.Error("a canceled session came back")
		}
		b.Must(b.Confirm(fresh, b.Approve(fresh, "approve")))
		a, err = b.Payments.Sessions.Cancel(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.cancel", ""),
			fresh.Text("paymentSession.id"))
		paymentbed.Refused(t, "canceling what is paid", a, err, payment.ErrSessionTerminal)
	})
}

// forgetfulProvider is the sandbox as a provider that does not know a payment before it is captured, and
// loses some confirms.
type forgetfulProvider struct {
	ports.Provider

	loses atomic.Bool
}

func (u *forgetfulProvider) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	p, err := u.Provider.Lookup(ctx, conn, ref)
	if p.State != ports.ProviderPaid {
		p.State = ports.ProviderAbsent
	}
	return p, err
}

func (u *forgetfulProvider) Do(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (ports.Outcome, error) {
	switch {
	case call.Operation == "close":
		return ports.Outcome{Closed: true}, nil
	case call.Operation == "confirm" && u.loses.Load():
		return ports.Outcome{}, ports.ErrProviderUnavailable
	}
	return u.Provider.Do(ctx, conn, call)
}

func TestUnconfirmedPaymentCanBeCanceled(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.Providers["sandbox"] = &forgetfulProvider{Provider: b.Providers["sandbox"]}
		opened := b.Checkout("mug")
		session := b.Pay(opened.Text("checkout.id"))
		paymentKey := b.Approve(session, "approve")
		ended := b.Must(b.Payments.Sessions.Cancel(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.cancel", ""),
			session.Text("paymentSession.id")))
		if ended.Text("paymentSession.status") != "canceled" || ended.Text("paymentSession.slotHeld") != "false" ||
			b.Level("mug").Reserved != 0 {
			t.Errorf("%v", ended)
		}
		a, err := b.Confirm(session, paymentKey)
		paymentbed.Refused(t, "a confirm of what was canceled", a, err, payment.ErrSessionTerminal)
	})
}

func TestPaymentBeingConfirmedCannotBeCanceled(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		u := &forgetfulProvider{Provider: b.Providers["sandbox"]}
		b.Providers["sandbox"] = u
		session := b.Pay(b.Checkout("mug").Text("checkout.id"))
		paymentKey := b.Approve(session, "approve")
		u.loses.Store(true)
		a, err := b.Confirm(session, paymentKey)
		paymentbed.Refused(t, "a confirm whose outcome is unknown again", a, err, ports.ErrProviderUnavailable)
		a, err = b.Payments.Sessions.Cancel(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.cancel", ""),
			session.Text("paymentSession.id"))
		paymentbed.Refused(t, "canceling what may be captured", a, err, payment.ErrSlotHeld)
		u.loses.Store(false)
		b.Must(b.Confirm(session, paymentKey))
	})
}

func TestNewAddressRepricesShipping(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		opened := b.Checkout("mug")
		jeju := *paymentbed.Home
		jeju.PostalCode = "63000"
		in := checkouts.UpdateInput{Checkout: opened.Text("checkout.id"), Address: &jeju}
		changed := b.Must(b.Checkouts.Update(t.Context(), b.Server(paymentbed.Key(), "checkouts.update", ""), in))
		if changed.Text("checkout.totals.shipping") != "6000" || changed.Text("checkout.totals.total") != "18000" ||
			changed.Text("checkout.shippingAddress.postalCode") != "63000" {
			t.Errorf("%v", changed)
		}
		b.Pay(in.Checkout)
		a, err := b.Checkouts.Update(t.Context(), b.Server(paymentbed.Key(), "checkouts.update", ""), in)
		paymentbed.Refused(t, "while it is paid", a, err, payment.ErrSlotHeld)
	})
}

func TestPaymentForAnExpiredCheckoutPlacesItsOrder(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		cartID := b.Cart(nil, "mug")
		old := b.Must(b.Checkouts.Create(t.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""), b.CheckoutInput(cartID)))
		session := b.Pay(old.Text("checkout.id"))
		paymentKey := b.Approve(session, "approve")
		b.Advance(checkout.Lifetime)
		b.Must(b.Payments.Sessions.Release(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.release", ""),
			session.Text("paymentSession.id"), payments.ReleaseRequest{Note: "Nobody paid."}))
		if status := b.Get(checkout.Schema, old.Text("checkout.id")).Text("status"); status != "expired" {
			t.Fatal(status)
		}
		b.AssumeClosed(session)
		fresh := b.Must(b.Checkouts.Create(t.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""), b.CheckoutInput(cartID)))
		b.CaptureAtBank(session, paymentKey)
		o, err := b.Payments.Settler.Settle(t.Context(), b.Shop.ID, session.Text("paymentSession.id"))
		if err != nil || o.Session.Status != payment.StatusSucceeded || o.Order == nil {
			t.Fatalf("%+v %v", o.Session.State, err)
		}
		if status := b.Get(checkout.Schema, fresh.Text("checkout.id")).Text("status"); status != "canceled" ||
			len(b.All(order.Schema)) != 1 {
			t.Errorf("the newer checkout is %s", status)
		}
	})
}

func TestCompletedCartCannotBeOrderedAgain(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		cartID := b.Cart(nil, "gift")
		id := b.Must(b.Checkouts.Create(t.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""), b.CheckoutInput(cartID))).
			Text("checkout.id")
		b.Must(b.Checkouts.CompleteFree(t.Context(), b.Server(paymentbed.Key(), "checkouts.complete", ""), id))
		a, err := b.Checkouts.Create(t.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""), b.CheckoutInput(cartID))
		paymentbed.Refused(t, "a completed cart", a, err, cart.ErrNotActive)
	})
}

// Rule running-23.
func TestDamagedCheckoutKeepsNoOtherFromExpiring(t *testing.T) {
	onOwnServers(t, func(t *testing.T, b *bed, all testservers.Inspector) {
		damaged, sound := b.Checkout("mug").Text("checkout.id"), b.Checkout("lamp").Text("checkout.id")
		all.Damage("checkouts", damaged)
		b.Advance(25 * time.Hour)
		b.Poller.PollOnce(t.Context(), ports.Scope{System: true})
		if status := b.Get(checkout.Schema, sound).Text("status"); status != "expired" {
			t.Errorf("the other checkout is %s", status)
		}
	})
}
