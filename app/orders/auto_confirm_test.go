package orders_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// confirm looks at the bed's shop.
func (b *fixture) confirm(days int64) {
	b.t.Helper()
	shop := b.shop
	shop.AutoConfirmDays = days
	if err := b.confirmations().ConfirmTenant(b.t.Context(), shop); err != nil {
		b.t.Fatal(err)
	}
}

func (b *fixture) wantStatus(when, id string, want order.Status) {
	b.t.Helper()
	if got := b.order(id).Status; got != want {
		b.t.Errorf("%s: it is %s, want %s", when, got, want)
	}
}

func TestDeliveredOrdersAreConfirmed(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		id := b.ordered(order.Shipped)
		b.advance(30 * order.Day)
		b.confirm(7)
		b.wantStatus("on its way", id, order.Shipped)
		b.must(b.step(id, order.Delivered))
		returned := b.ordered(order.ReturnRequested)
		b.advance(7*order.Day - time.Millisecond)
		b.confirm(7)
		b.wantStatus("a moment too early", id, order.Delivered)
		b.confirm(0)
		b.advance(time.Millisecond)
		b.confirm(0)
		b.wantStatus("in a shop that never does", id, order.Delivered)
		b.confirm(8)
		b.wantStatus("in a shop that waits longer", id, order.Delivered)
		was := b.get(order.Schema, id).Sequence()
		b.confirm(7)
		b.confirm(7)
		b.wantStatus("after seven days", id, order.Confirmed)
		b.wantStatus("while it is returned", returned, order.ReturnRequested)
		if now := b.get(order.Schema, id).Sequence(); now != was+1 {
			t.Errorf("%d updates", now-was)
		}
		sooner := b.ordered(order.Delivered)
		b.advance(2 * order.Day)
		b.confirm(7)
		b.wantStatus("before", sooner, order.Delivered)
		b.confirm(2)
		b.wantStatus("after the shop changed its mind", sooner, order.Confirmed)
	})
}

func TestConcurrentInstancesConfirmOnce(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		ids := make([]string, 20)
		for i := range ids {
			ids[i] = b.ordered(order.Delivered)
		}
		b.advance(8 * order.Day)
		shops.Concurrently(4, func(int) {
			if err := b.confirmations().ConfirmTenant(t.Context(), b.shop); err != nil {
				t.Error(err)
			}
		})
		for _, id := range ids {
			if r := b.get(order.Schema, id); r.Text("status") != "confirmed" || r.Sequence() != 2 {
				t.Errorf("%s after %d changes", r.Text("status"), r.Sequence())
			}
		}
	})
}

func TestRoundVisitsEveryTenantAtItsInterval(t *testing.T) {
	bothAlone(t, func(t *testing.T, b *fixture, _ testservers.Inspector) {
		f := b.confirmations()
		round := func() {
			for more := true; more; {
				var err error
				if more, err = f.RunRound(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
		round()
		id := b.ordered(order.Delivered)
		b.advance(7*order.Day + time.Second)
		round()
		b.wantStatus("after a round", id, order.Confirmed)
		late := b.ordered(order.Delivered)
		b.rewrite(late, "deliveredAt", start)
		round()
		b.wantStatus("a round too soon", late, order.Delivered)
		b.advance(10 * time.Minute)
		round()
		b.wantStatus("the next round", late, order.Confirmed)
	})
}

// refusingStore refuses the first change of a tenant.
type refusingStore struct {
	ports.Store

	of      tenant.ID
	refused bool
}

func (s *refusingStore) Atomically(ctx context.Context, in ports.Scope, fn func(context.Context, ports.Tx) error) error {
	if slices.Contains(in.Tenants, s.of) && !s.refused {
		s.refused = true
		return errors.New("this order is poison")
	}
	return s.Store.Atomically(ctx, in, fn)
}

// An order that cannot be changed waits by itself, not with its shop, whose next round comes in time. Rule running-14.
func TestOrderThatFailsKeepsNoOtherOfItsShopFromIt(t *testing.T) {
	bothAlone(t, func(t *testing.T, b *fixture, _ testservers.Inspector) {
		task := background.New(background.Options{Now: b.now}).Task("confirmations")
		f := b.confirmations()
		f.Store, f.Task = &refusingStore{Store: b.store, of: b.shop.ID}, task
		all := []string{b.ordered(order.Delivered), b.ordered(order.Delivered)}
		b.advance(8 * order.Day)
		var failed error
		for more := true; more; {
			var err error
			more, err = f.RunRound(t.Context())
			failed = errors.Join(failed, err)
		}
		waiting := task.Waiting(10)
		if failed == nil || len(waiting) != 1 || waiting[0].Tenant != b.shop.ID || !slices.Contains(all, waiting[0].ID) {
			t.Fatalf("%v; waiting: %v of %v", failed, waiting, all)
		}
		for _, id := range all { // the first one is refused, whichever that is
			b.wantStatus(id, id, map[bool]order.Status{true: order.Delivered, false: order.Confirmed}[id == waiting[0].ID])
		}
	})
}

// A damaged order waits alone, and so does a shop whose record is damaged. Rule running-23.
func TestDamagedRecordsKeepNoOrderFromItsRound(t *testing.T) {
	bothAlone(t, func(t *testing.T, b *fixture, all testservers.Inspector) {
		task := background.New(background.Options{Now: b.now}).Task("confirmations")
		damaged, sound := b.ordered(order.Delivered), b.ordered(order.Delivered)
		other := newFixture(t, b.store)
		late := other.ordered(order.Delivered)
		shut := newFixture(t, b.store)
		all.Damage("orders", damaged)
		all.Damage("tenants", string(shut.shop.ID))
		b.advance(8 * order.Day)
		f := b.confirmations()
		f.Task = task
		more, err := f.RunRound(t.Context())
		if err == nil || more {
			t.Errorf("%v %v", more, err)
		}
		b.wantStatus("beside a damaged order", sound, order.Confirmed)
		other.wantStatus("beside a damaged shop", late, order.Confirmed)
		waiting := task.Waiting(10)
		if len(waiting) != 2 || !slices.Contains(waiting, background.Item{Tenant: b.shop.ID, ID: damaged}) {
			t.Errorf("waiting: %v", waiting)
		}
	})
}
