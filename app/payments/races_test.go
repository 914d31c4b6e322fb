package payments_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestConcurrentConfirmsPlaceOneOrder(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		instances := []*paymentbed.Instance{b.Instance, b.NewInstance()}
		session := b.Pay(b.Checkout("2 mug").Text("checkout.id"))
		in := paymentbed.Confirmation(session, b.Approve(session, "approve"))
		orders := make([]string, 20)
		shops.Concurrently(20, func(i int) {
			a, err := instances[i%2].Payments.Sessions.Confirm(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.confirm", ""), in)
			if err != nil || a.Fault != nil {
				t.Errorf("confirm %d: %v %v", i, err, a.Fault)
				return
			}
			orders[i] = b.Read(a.Body.Bytes()).Text("order.id")
		})
		for _, id := range orders {
			if id == "" || id != orders[0] {
				t.Fatalf("%v", orders)
			}
		}
		if n := len(b.All(order.Schema)); n != 1 {
			t.Errorf("%d orders", n)
		}
		if n := len(b.All(payment.Transactions)); n != 1 || b.Balance(orders[0]) != 27000 || b.Level("mug").OnHand != 98 {
			t.Errorf("%d transactions, balance %d, %+v", n, b.Balance(orders[0]), b.Level("mug"))
		}
	})
}

func TestSettlesOfTwoInstancesRaceConfirms(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		other := b.NewInstance()
		session := b.Pay(b.Checkout("mug").Text("checkout.id"))
		in := paymentbed.Confirmation(session, b.Approve(session, "approve"))
		shops.Concurrently(12, func(i int) {
			var err error
			switch i % 3 {
			case 0:
				_, err = b.Payments.Sessions.Confirm(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.confirm", ""), in)
			case 1:
				_, err = other.Payments.Settler.Settle(t.Context(), b.Shop.ID, in.Session)
			default:
				b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
			}
			if err != nil {
				t.Error(err)
			}
		})
		if n := len(b.All(order.Schema)); n != 1 || len(b.All(payment.Transactions)) != 1 {
			t.Errorf("%d orders", n)
		}
	})
}

func TestConcurrentCompletesPlaceOneOrder(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.Checkout("gift").Text("checkout.id")
		orders := make([]string, 10)
		shops.Concurrently(10, func(i int) {
			a, err := b.Checkouts.CompleteFree(t.Context(), b.Server(paymentbed.Key(), "checkouts.complete", ""), id)
			if err != nil || a.Fault != nil {
				t.Errorf("complete %d: %v %v", i, err, a.Fault)
				return
			}
			orders[i] = b.Read(a.Body.Bytes()).Text("order.id")
		})
		for _, id := range orders {
			if id != orders[0] {
				t.Fatalf("%v", orders)
			}
		}
		if l := b.Level("gift"); l.OnHand != 4 || l.Reserved != 0 {
			t.Errorf("%+v", l)
		}
	})
}

func TestConcurrentBuyersNeverOversell(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		ids := make([]string, 100)
		for i := range ids {
			ids[i] = b.Checkout("lamp").Text("checkout.id")
		}
		var won, lost atomic.Int64
		shops.Concurrently(100, func(i int) {
			a, err := b.Payments.Sessions.Open(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.create", ""),
				paymentbed.WidgetSession(ids[i]))
			switch {
			case err == nil && a.Fault == nil:
				won.Add(1)
			case a.Fault != nil && errors.Is(a.Fault, ports.ErrOutOfStock):
				lost.Add(1)
			default:
				t.Errorf("buyer %d: %v %v", i, err, a.Fault)
			}
		})
		if l := b.Level("lamp"); won.Load() != 30 || lost.Load() != 70 || l.Reserved != 30 || l.OnHand != 30 {
			t.Errorf("%d won, %d lost, %+v", won.Load(), lost.Load(), l)
		}
	})
}

func TestSingleUseCodeIsUsedOnce(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		ids := make([]string, 20)
		for i := range ids {
			in := b.CheckoutInput(b.Cart([]string{"ONCE"}, "mug"))
			opened := b.Must(b.Checkouts.Create(t.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""), in))
			if opened.Text("checkout.totals.discount") != "1200" {
				t.Fatalf("%v", opened)
			}
			ids[i] = opened.Text("checkout.id")
		}
		var sessions sync.Map
		shops.Concurrently(20, func(i int) {
			a, err := b.Payments.Sessions.Open(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.create", ""),
				paymentbed.WidgetSession(ids[i]))
			switch {
			case err == nil && a.Fault == nil:
				sessions.Store(i, b.Read(a.Body.Bytes()))
			case a.Fault == nil || !errors.Is(a.Fault, ports.ErrDiscountUsageLimit) || a.Fault.Data["code"] != "ONCE":
				t.Errorf("buyer %d: %v %v", i, err, a.Fault)
			}
		})
		winners := 0
		sessions.Range(func(_, s any) bool {
			winners++
			b.Must(b.Confirm(s.(paymentbed.Answer), b.Approve(s.(paymentbed.Answer), "approve")))
			return true
		})
		if winners != 1 {
			t.Errorf("%d sessions with a code for one use", winners)
		}
		a, err := b.Checkouts.Create(t.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""),
			b.CheckoutInput(b.Cart([]string{"ONCE"}, "mug")))
		paymentbed.Refused(t, "a used-up code", a, err, ports.ErrDiscountUsageLimit)
	})
}

func TestCartHasOneOpenCheckout(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		cartID := b.Cart(nil, "mug")
		shops.Concurrently(8, func(i int) {
			a, err := b.Checkouts.Create(t.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""), b.CheckoutInput(cartID))
			if err != nil || a.Fault != nil {
				t.Errorf("checkout %d: %v %v", i, err, a.Fault)
			}
		})
		open := 0
		for _, r := range b.All(checkout.Schema) {
			switch r.Text("status") {
			case "open":
				open++
			case "canceled":
				if r.Text("supersededBy") == "" {
					t.Error("a superseded checkout does not say by which")
				}
			}
		}
		if open != 1 {
			t.Errorf("%d open checkouts", open)
		}
	})
}

func TestSameKeyReplaysTheAnswer(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		cartID, k := b.Cart(nil, "mug"), paymentbed.Key()
		instances := []*paymentbed.Instance{b.Instance, b.NewInstance()} // the second one's cache is empty: SQL answers
		bodies := make([]string, 8)
		shops.Concurrently(8, func(i int) {
			for { // a request in progress is asked again, as its Retry-After says
				a, err := instances[i%2].Checkouts.Create(t.Context(), b.Server(k, "checkouts.create", "same"), b.CheckoutInput(cartID))
				if errors.Is(err, idempotency.ErrInProgress) {
					continue
				}
				if err != nil || a.Fault != nil {
					t.Errorf("%v %v", err, a.Fault)
				}
				bodies[i] = a.Body.String()
				return
			}
		})
		for _, body := range bodies {
			if body != bodies[0] || !strings.Contains(body, `"checkoutToken":"co_`) {
				t.Fatalf("%s\n%s", bodies[0], body)
			}
		}
		if n := len(b.All(checkout.Schema)); n != 1 {
			t.Errorf("%d checkouts", n)
		}
		for _, instance := range instances {
			_, err := instance.Checkouts.Create(t.Context(), b.Server(k, "checkouts.create", "other"), b.CheckoutInput(cartID))
			if !errors.Is(err, idempotency.ErrKeyReused) {
				t.Errorf("another body: %v", err)
			}
		}
		opened := b.Read([]byte(bodies[0]))
		b.Advance(checkout.Lifetime)
		a, err := b.Checkouts.Create(t.Context(), b.Server(k, "checkouts.create", "same"), b.CheckoutInput(cartID))
		if err != nil || !a.Replayed || b.Read(a.Body.Bytes()).Text("checkout.id") != opened.Text("checkout.id") {
			t.Errorf("a replay after expiry: %+v %v", a, err)
		}
	})
}

func TestRefusalIsReplayed(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id, k := b.Checkout("mug").Text("checkout.id"), paymentbed.Key()
		first, err := b.Checkouts.CompleteFree(t.Context(), b.Server(k, "checkouts.complete", ""), id)
		paymentbed.Refused(t, "a checkout that costs", first, err, checkout.ErrPaymentRequired)
		again, err := b.NewInstance().Checkouts.CompleteFree(t.Context(), b.Server(k, "checkouts.complete", ""), id)
		paymentbed.Refused(t, "the same again", again, err, checkout.ErrPaymentRequired)
		if !again.Replayed || again.RequestID != first.RequestID {
			t.Errorf("%+v", again)
		}
	})
}

func TestPollerStoresExpiredCheckouts(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		opened := b.Checkout("mug")
		id := opened.Text("checkout.id")
		b.Advance(checkout.Lifetime)
		answer, err := b.Checkouts.Retrieve(t.Context(), b.Guest("", "", opened.Text("checkoutToken")), id)
		if err != nil || b.Read(answer.Bytes()).Text("status") != "expired" || b.Read(answer.Bytes()).Text("checkout.status") != "expired" {
			t.Errorf("%v %s", err, answer)
		}
		a, err := b.Payments.Sessions.Open(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.create", ""),
			paymentbed.WidgetSession(id))
		paymentbed.Refused(t, "an expired checkout", a, err, checkout.ErrExpired)
		b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
		page, err := b.Store.Read(ports.ForTenant(b.Shop.ID)).Find(context.Background(), collection.Query{
			Schema: checkout.Schema, Where: checkout.Schema.Where("status", collection.Equals, "expired"), Limit: 1, Page: 1,
		})
		if err != nil || page.TotalDocs != 1 {
			t.Errorf("%v %v", page, err)
		}
	})
}
