package orders_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/orders"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// refused is why a call did not succeed, nil if it did.
func refused(a idempotency.Response, err error) error {
	if err == nil && a.Fault != nil {
		return a.Fault
	}
	return err
}

// byReturns are the states of which return requests alone decide.
var byReturns = []order.Status{order.ReturnRequested, order.ReturnProcessing, order.Returned}

func TestTransitionTable(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		for _, from := range order.ImportedStatuses {
			for _, to := range order.Statuses {
				id := b.ordered(from)
				was := b.get(order.Schema, id)
				err := refused(b.step(id, to))
				legal := order.CheckTransition(from, to) == nil && !slices.Contains(byReturns, from) && !slices.Contains(byReturns, to)
				if legal && (err != nil || b.order(id).Status != to) {
					t.Errorf("%s to %s: %v", from, to, err)
				}
				if legal {
					continue
				}
				if f := fault.From(err); !errors.Is(err, order.ErrTransition) || f.Data["from"] != string(from) ||
					f.Data["to"] != string(to) {
					t.Errorf("%s to %s: %v %v", from, to, err, f.Data)
				}
				if now := b.get(order.Schema, id); now.Sequence() != was.Sequence() {
					t.Errorf("%s to %s was refused and told", from, to)
				}
			}
		}
	})
}

func TestManualPaymentIsRecorded(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		id := b.ordered(order.Pending)
		was := b.get(order.Schema, id).Sequence()
		b.wantBooks(0)
		o := b.must(b.Transition(t.Context(), b.key(), id, orders.Transition{To: order.Paid, Note: "By bank transfer"}))
		if o["status"] != "paid" || o["paymentStatus"] != "paid" || o["statusNote"] != "By bank transfer" {
			t.Errorf("%v", o)
		}
		if now := b.get(order.Schema, id).Sequence(); now != was+1 {
			t.Errorf("%d updates of the order", now-was)
		}
		rows := b.all(payment.Transactions)
		if len(rows) != 1 {
			t.Fatalf("%v", rows)
		}
		amount, _ := rows[0].Money("amount")
		if r := rows[0]; r.Text("type") != "payment" || r.Text("status") != "paid" || r.Text("provider") != "custom" ||
			r.Text("note") != "By bank transfer" ||
			r.Text("order") != id || amount.Minor != 5500 || r.Text("environment") != "test" || r["checkout"] != nil ||
			r["paymentSession"] != nil {
			t.Errorf("%v", r)
		}
		b.wantBooks(5500)
		if err := refused(b.step(id, order.Paid)); !errors.Is(err, order.ErrTransition) {
			t.Errorf("paid twice: %v", err)
		}
		if o := b.must(b.step(id, order.Canceled)); o["status"] != "canceled" || o["paymentStatus"] != "refunded" ||
			o["cancelReason"] != "Canceled by an operator." {
			t.Errorf("%v", o)
		}
		b.wantBooks(0)
	})
}

func TestFreeOrderIsPaidWithoutTransaction(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		free := shops.ParseObject(t, `{"lines":[{"title":"Gift","quantity":1,"unitPrice":0}],"shippingAmount":0,"totalAmount":0}`)
		id := b.ordered(order.Pending, free)
		if o := b.must(b.step(id, order.Paid)); o["paymentStatus"] != "paid" || len(b.all(payment.Transactions)) != 0 {
			t.Errorf("%v", o)
		}
		b.wantBooks(0)
	})
}

func TestConcurrentTransitionsConflict(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		paid, sent := b.ordered(order.Pending), b.ordered(order.Paid)
		servers := []*orders.Service{b.Service, b.instance()}
		var done atomic.Int64
		shops.Concurrently(8, func(i int) {
			id, to := paid, order.Paid
			if i%2 == 0 {
				id, to = sent, order.Preparing
			}
			err := refused(servers[i/2%2].Transition(t.Context(), b.key(), id, orders.Transition{To: to}))
			if err == nil {
				done.Add(1)
			} else if !errors.Is(err, order.ErrTransition) {
				t.Error(err)
			}
		})
		if done.Load() != 2 || len(b.all(payment.Transactions)) != 1 {
			t.Errorf("%d steps, %d payments", done.Load(), len(b.all(payment.Transactions)))
		}
		b.wantBooks(5500)
	})
}

func TestFulfillmentFollowsManualTransition(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		id := b.ordered(order.Paid)
		work := func() (all []string) {
			for _, f := range b.all(order.FulfillmentOrders) {
				all = append(all, f.Text("type")+" "+f.Text("status"))
			}
			slices.Sort(all)
			return all
		}
		for _, c := range []struct {
			to   order.Status
			has  string
			work []string
		}{
			{order.Preparing, "none", []string{"manual open", "shipping open"}},
			{order.Shipped, "partial", []string{"manual open", "shipping closed"}},
			{order.Delivered, "fulfilled", []string{"manual closed", "shipping closed"}},
			{order.Confirmed, "fulfilled", []string{"manual closed", "shipping closed"}},
		} {
			was := b.get(order.Schema, id).Sequence()
			if o := b.must(b.step(id, c.to)); o["status"] != string(c.to) || o["fulfillmentStatus"] != c.has ||
				!slices.Equal(work(), c.work) {
				t.Errorf("%s: %v, %v", c.to, o["fulfillmentStatus"], work())
			}
			if now := b.get(order.Schema, id).Sequence(); now != was+1 {
				t.Errorf("%s: %d updates of the order", c.to, now-was)
			}
		}
		if o := b.order(id); !o.DeliveredAt.Equal(start) {
			t.Errorf("it was delivered %v", o.DeliveredAt)
		}
	})
}

func TestTransitionIsIdempotentUnderAKey(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		id := b.ordered(order.Paid)
		c := under(b.key(), newKey(), "preparing")
		first, err := b.Transition(t.Context(), c, id, orders.Transition{To: order.Preparing})
		b.must(first, err)
		again, err := b.instance().Transition(t.Context(), c, id, orders.Transition{To: order.Preparing})
		if err != nil || !again.Replayed || again.Body.String() != first.Body.String() {
			t.Errorf("%s %v", again.Body, err)
		}
		if a, err := b.Transition(t.Context(), under(c, c.Key, "shipped"), id, orders.Transition{To: order.Shipped}); !errors.Is(
			refused(a, err), idempotency.ErrKeyReused) {
			t.Errorf("%v %v", a.Fault, err)
		}
		if a, err := b.Transition(t.Context(), under(c, "step-"+id, "shipped"), id, orders.Transition{To: order.Shipped}); !errors.Is(
			refused(a, err), idempotency.ErrKeyDerived) {
			t.Errorf("%v %v", a.Fault, err)
		}
	})
}

func TestWhoMayTransition(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		user := func(role tenant.Role) func(*tenant.Principal) {
			return func(p *tenant.Principal) { p.Kind, p.Role = tenant.User, role }
		}
		for name, c := range map[string]struct {
			change     func(*tenant.Principal)
			goods, any string // the reason of a step of the goods, and of a payment by hand; "" is none
		}{
			"an admin":            {user(tenant.Admin), "", ""},
			"a platform admin":    {user(tenant.PlatformAdmin), "", ""},
			"an editor":           {user(tenant.Editor), "", "forbidden"},
			"a viewer":            {user(tenant.Viewer), "forbidden", "forbidden"},
			"a key that reads":    {func(p *tenant.Principal) { p.CanWrite = false }, "forbidden", "forbidden"},
			"a customer":          {func(p *tenant.Principal) { p.Kind = tenant.Customer }, "forbidden", "forbidden"},
			"a storefront":        {func(p *tenant.Principal) { p.Kind = tenant.ClientKey }, "forbidden", "forbidden"},
			"nobody":              {func(p *tenant.Principal) { p.Kind = tenant.Anonymous }, "unauthenticated", "unauthenticated"},
			"another shop":        {func(p *tenant.Principal) { p.Tenant.ID = "another" }, "not_found", "not_found"},
			"another environment": {func(p *tenant.Principal) { p.Environment = tenant.Live }, "not_found", "not_found"},
			"a shop that is shut": {func(p *tenant.Principal) { p.Tenant.CommerceEnabled = false }, "feature_disabled", "feature_disabled"},
		} {
			for to, want := range map[order.Status]string{order.Preparing: c.goods, order.Paid: c.any, order.Canceled: c.any} {
				id := b.ordered(map[order.Status]order.Status{
					order.Preparing: order.Paid, order.Paid: order.Pending, order.Canceled: order.Paid,
				}[to])
				call := b.key()
				c.change(&call.Principal)
				err := refused(b.Transition(t.Context(), call, id, orders.Transition{To: to}))
				if got := fault.From(err); err == nil && want != "" || err != nil && got.Reason != want {
					t.Errorf("%s to %s: %v", name, to, err)
				}
			}
		}
	})
}

func TestOrderBeingCanceledCannotTransition(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		id := b.ordered(order.Paid)
		b.rewrite(id, "cancelKey", "k")
		if err := refused(b.step(id, order.Preparing)); !errors.Is(err, order.ErrTransition) ||
			!strings.Contains(fault.From(err).Message, "being canceled") {
			t.Errorf("%v", err)
		}
	})
}

func TestImportedRefundIsNotRefundedAgain(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		id := b.ordered(order.Paid, shops.ParseObject(t, `{"refundedAmount":1500}`))
		b.wantBooks(0)
		if _, err := b.refunds(b.Idempotency).Refund(t.Context(), b.shop.ID, refundOf(id, 4001)); !errors.Is(err, payment.ErrExceedsPaid) {
			t.Errorf("more than is left went back: %v", err)
		}
		if _, err := b.refunds(b.Idempotency).Refund(t.Context(), b.shop.ID, refundOf(id, 1000)); err != nil {
			t.Fatal(err)
		}
		b.wantBooks(3000)
		if o := b.must(b.step(id, order.Canceled)); o["paymentStatus"] != "refunded" {
			t.Errorf("%v", o)
		}
		b.wantBooks(0)
		if err := refused(b.step(id, order.Canceled)); !errors.Is(err, order.ErrTransition) {
			t.Errorf("%v", err)
		}
		if o := b.order(id); o.Refunded.Minor != 5500 {
			t.Errorf("%+v", o)
		}
	})
}

// An order that was sent before it was paid is paid by hand, once, and keeps its status; what was paid can go back.
func TestOrderSentBeforeItWasPaidIsPaidByHand(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		id := b.ordered(order.Delivered, shops.ParseObject(t, `{"paymentStatus":"unpaid"}`))
		b.wantBooks(0)
		if o := b.must(b.step(id, order.Paid)); o["paymentStatus"] != "paid" || o["status"] != "delivered" {
			t.Errorf("%v", o)
		}
		b.wantBooks(5500)
		if err := refused(b.step(id, order.Paid)); !errors.Is(err, order.ErrTransition) {
			t.Errorf("it was paid twice: %v", err)
		}
		if _, err := b.refunds(b.Idempotency).Refund(t.Context(), b.shop.ID, refundOf(id, 1000)); err != nil {
			t.Fatal(err)
		}
		b.wantBooks(4500)
	})
}

func refundOf(id string, minor int64) refunds.Request {
	amount := money.Of(minor, "KRW")
	return refunds.Request{Order: id, Amount: &amount, Reason: "Because", Key: shops.NewID()}
}

// rewrite changes a field of an order behind everybody's back.
func (b *fixture) rewrite(id, field string, value any) {
	b.t.Helper()
	b.within(func(ctx context.Context, tx ports.Tx) error {
		r, err := tx.Records.Lock(ctx, order.Schema, id)
		if err != nil {
			return err
		}
		next := r.Clone()
		next[field] = value
		return tx.Records.Write(ctx, collection.NewChange(order.Schema, r, next, shops.NewID(), b.now()))
	})
}
