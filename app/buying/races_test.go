package buying_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestParallelConfirmsGiveOneOrder(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		instances := []*buying.Buying{b.Buying, b.instance()}
		session := b.pay(b.checkout("2 mug").text("checkout.id"))
		in := confirmation(session, b.approve(session, "approve"))
		orders := make([]string, 20)
		shops.Together(20, func(i int) {
			a, err := instances[i%2].Confirm(t.Context(), b.server(key(), "paymentSessions.confirm", ""), in)
			if err != nil || a.Fault != nil {
				t.Errorf("confirm %d: %v %v", i, err, a.Fault)
				return
			}
			orders[i] = b.read(a.Body).text("order.id")
		})
		for _, id := range orders {
			if id == "" || id != orders[0] {
				t.Fatalf("%v", orders)
			}
		}
		if n := len(b.all(order.Schema)); n != 1 {
			t.Errorf("%d orders", n)
		}
		if n := len(b.all(payment.Transactions)); n != 1 || b.balance(orders[0]) != 27000 || b.level("mug").OnHand != 98 {
			t.Errorf("%d transactions, balance %d, %+v", n, b.balance(orders[0]), b.level("mug"))
		}
	})
}

func TestSettlesOfTwoInstancesRaceWithConfirms(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		other := b.instance()
		session := b.pay(b.checkout("mug").text("checkout.id"))
		in := confirmation(session, b.approve(session, "approve"))
		shops.Together(12, func(i int) {
			var err error
			switch i % 3 {
			case 0:
				_, err = b.Confirm(t.Context(), b.server(key(), "paymentSessions.confirm", ""), in)
			case 1:
				_, err = other.Settle(t.Context(), b.shop.ID, in.Session)
			default:
				b.Sweep(t.Context(), ports.Of(b.shop.ID))
			}
			if err != nil {
				t.Error(err)
			}
		})
		if n := len(b.all(order.Schema)); n != 1 || len(b.all(payment.Transactions)) != 1 {
			t.Errorf("%d orders", n)
		}
	})
}

func TestParallelCompletesGiveOneOrder(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.checkout("gift").text("checkout.id")
		orders := make([]string, 10)
		shops.Together(10, func(i int) {
			a, err := b.Complete(t.Context(), b.server(key(), "checkouts.complete", ""), id)
			if err != nil || a.Fault != nil {
				t.Errorf("complete %d: %v %v", i, err, a.Fault)
				return
			}
			orders[i] = b.read(a.Body).text("order.id")
		})
		for _, id := range orders {
			if id != orders[0] {
				t.Fatalf("%v", orders)
			}
		}
		if l := b.level("gift"); l.OnHand != 4 || l.Reserved != 0 {
			t.Errorf("%+v", l)
		}
	})
}

func TestAHundredBuyersGetThirtyUnits(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		ids := make([]string, 100)
		for i := range ids {
			ids[i] = b.checkout("lamp").text("checkout.id")
		}
		var won, lost atomic.Int64
		shops.Together(100, func(i int) {
			a, err := b.OpenSession(t.Context(), b.server(key(), "paymentSessions.create", ""), session(ids[i]))
			switch {
			case err == nil && a.Fault == nil:
				won.Add(1)
			case a.Fault != nil && errors.Is(a.Fault, ports.ErrShort):
				lost.Add(1)
			default:
				t.Errorf("buyer %d: %v %v", i, err, a.Fault)
			}
		})
		if l := b.level("lamp"); won.Load() != 30 || lost.Load() != 70 || l.Reserved != 30 || l.OnHand != 30 {
			t.Errorf("%d won, %d lost, %+v", won.Load(), lost.Load(), l)
		}
	})
}

func TestACodeForOneUseIsUsedOnce(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		ids := make([]string, 20)
		for i := range ids {
			in := b.newCheckout(b.cart([]string{"ONCE"}, "mug"))
			opened := b.must(b.Create(t.Context(), b.server(key(), "checkouts.create", ""), in))
			if opened.text("checkout.totals.discount") != "1200" {
				t.Fatalf("%v", opened)
			}
			ids[i] = opened.text("checkout.id")
		}
		var sessions sync.Map
		shops.Together(20, func(i int) {
			a, err := b.OpenSession(t.Context(), b.server(key(), "paymentSessions.create", ""), session(ids[i]))
			switch {
			case err == nil && a.Fault == nil:
				sessions.Store(i, b.read(a.Body))
			case a.Fault == nil || !errors.Is(a.Fault, ports.ErrUsedUp) || a.Fault.Data["code"] != "ONCE":
				t.Errorf("buyer %d: %v %v", i, err, a.Fault)
			}
		})
		winners := 0
		sessions.Range(func(_, s any) bool {
			winners++
			b.must(b.confirm(s.(said), b.approve(s.(said), "approve")))
			return true
		})
		if winners != 1 {
			t.Errorf("%d sessions with a code for one use", winners)
		}
		a, err := b.Create(t.Context(), b.server(key(), "checkouts.create", ""), b.newCheckout(b.cart([]string{"ONCE"}, "mug")))
		refused(t, "a used-up code", a, err, ports.ErrUsedUp)
	})
}

func TestACartHasOneOpenCheckout(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		cartID := b.cart(nil, "mug")
		shops.Together(8, func(i int) {
			a, err := b.Create(t.Context(), b.server(key(), "checkouts.create", ""), b.newCheckout(cartID))
			if err != nil || a.Fault != nil {
				t.Errorf("checkout %d: %v %v", i, err, a.Fault)
			}
		})
		open := 0
		for _, r := range b.all(checkout.Schema) {
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

func TestTheSameKeyAnswersTheSame(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		cartID, k := b.cart(nil, "mug"), key()
		instances := []*buying.Buying{b.Buying, b.instance()} // the second one's cache is empty: SQL answers
		bodies := make([]string, 8)
		shops.Together(8, func(i int) {
			for { // a request in progress is asked again, as its Retry-After says
				a, err := instances[i%2].Create(t.Context(), b.server(k, "checkouts.create", "same"), b.newCheckout(cartID))
				if errors.Is(err, once.ErrInProgress) {
					continue
				}
				if err != nil || a.Fault != nil {
					t.Errorf("%v %v", err, a.Fault)
				}
				bodies[i] = string(a.Body)
				return
			}
		})
		for _, body := range bodies {
			if body != bodies[0] || !strings.Contains(body, `"checkoutToken":"co_`) {
				t.Fatalf("%s\n%s", bodies[0], body)
			}
		}
		if n := len(b.all(checkout.Schema)); n != 1 {
			t.Errorf("%d checkouts", n)
		}
		for _, instance := range instances {
			_, err := instance.Create(t.Context(), b.server(k, "checkouts.create", "other"), b.newCheckout(cartID))
			if !errors.Is(err, once.ErrKeyReused) {
				t.Errorf("another body: %v", err)
			}
		}
		opened := b.read([]byte(bodies[0]))
		b.advance(checkout.Lifetime)
		a, err := b.Create(t.Context(), b.server(k, "checkouts.create", "same"), b.newCheckout(cartID))
		if err != nil || !a.Replayed || b.read(a.Body).text("checkout.id") != opened.text("checkout.id") {
			t.Errorf("a replay after expiry: %+v %v", a, err)
		}
	})
}

func TestARefusalIsKept(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id, k := b.checkout("mug").text("checkout.id"), key()
		first, err := b.Complete(t.Context(), b.server(k, "checkouts.complete", ""), id)
		refused(t, "a checkout that costs", first, err, checkout.ErrPaymentRequired)
		again, err := b.instance().Complete(t.Context(), b.server(k, "checkouts.complete", ""), id)
		refused(t, "the same again", again, err, checkout.ErrPaymentRequired)
		if !again.Replayed || again.RequestID != first.RequestID {
			t.Errorf("%+v", again)
		}
	})
}

func TestAnExpiredCheckoutIsWrittenDown(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		opened := b.checkout("mug")
		id := opened.text("checkout.id")
		b.advance(checkout.Lifetime)
		answer, err := b.Retrieve(t.Context(), b.guest("", "", opened.text("checkoutToken")), id)
		if err != nil || b.read(answer).text("status") != "expired" || b.read(answer).text("checkout.status") != "expired" {
			t.Errorf("%v %s", err, answer)
		}
		a, err := b.OpenSession(t.Context(), b.server(key(), "paymentSessions.create", ""), session(id))
		refused(t, "an expired checkout", a, err, checkout.ErrExpired)
		b.Sweep(t.Context(), ports.Of(b.shop.ID))
		page, err := b.store.Read(ports.Of(b.shop.ID)).Find(context.Background(), collection.Query{
			Schema: checkout.Schema, Where: checkout.Schema.Where("status", collection.Equals, "expired"), Limit: 1, Page: 1,
		})
		if err != nil || page.TotalDocs != 1 {
			t.Errorf("%v %v", page, err)
		}
	})
}
