package portstest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// PaymentTasksFixture is a store with its queue of payment tasks.
type PaymentTasksFixture struct {
	Store ports.Store
	Queue ports.PaymentTaskQueue
}

// everyTenant is the scope of the background work.
var everyTenant = ports.Scope{System: true}

// PaymentTasks checks ports.PaymentTasks and ports.PaymentTaskQueue of the stores that open makes.
func PaymentTasks(t *testing.T, open func(t *testing.T) PaymentTasksFixture) {
	f := open(t)
	f.testOrder(t)
	f.testClaims(t)
	f.testTenants(t)
}

func (f PaymentTasksFixture) schedule(t *testing.T, tasks ...ports.PaymentTask) {
	t.Helper()
	mustInTx(t, f.Store, tasks[0].Tenant, func(ctx context.Context, tx ports.Tx) error { return tx.PaymentTasks.Schedule(ctx, tasks...) })
}

// claim claims tasks for an hour.
func (f PaymentTasksFixture) claim(t *testing.T, lane string, now time.Time, limit int) []ports.PaymentTask {
	t.Helper()
	claimed, err := f.Queue.Claim(t.Context(), everyTenant, lane, now, now.Add(time.Hour), limit)
	if err != nil {
		t.Fatal(err)
	}
	return claimed
}

func (f PaymentTasksFixture) dueLanes(t *testing.T, after string, now time.Time, limit int) []string {
	t.Helper()
	due, err := f.Queue.DueLanes(t.Context(), everyTenant, after, now, limit)
	if err != nil {
		t.Fatal(err)
	}
	return due
}

// items are the items of tasks, sorted.
func items(tasks []ports.PaymentTask) []string {
	out := make([]string, len(tasks))
	for i, t := range tasks {
		out[i] = t.Item
	}
	slices.Sort(out)
	return out
}

// lookup is a look-up of lane, due a time after day.
func lookup(id tenant.ID, lane, item string, urgency int, due time.Duration) ports.PaymentTask {
	return ports.PaymentTask{
		Kind: ports.TaskLookup, Tenant: id, Item: item, Lane: lane, Urgency: urgency, Since: day, DueAt: day.Add(due),
	}
}

func (f PaymentTasksFixture) testOrder(t *testing.T) {
	t.Run("the most urgent are claimed first, and of those the longest due", func(t *testing.T) {
		id := freshTenant()
		lane := "lane-" + string(id)
		f.schedule(t,
			lookup(id, lane, "old", payment.LeastUrgent, 0), lookup(id, lane, "young", 0, 4*time.Second),
			lookup(id, lane, "younger", 0, 3*time.Second), lookup(id, lane, "later", 0, time.Minute),
			lookup(id, "other-"+lane, "elsewhere", 0, 0))
		now := day.Add(10 * time.Second)
		if got := items(f.claim(t, lane, now, 1)); !slices.Equal(got, []string{"younger"}) {
			t.Errorf("first: %v", got)
		}
		if got := items(f.claim(t, lane, now, 5)); !slices.Equal(got, []string{"old", "young"}) {
			t.Errorf("then: %v", got)
		}
	})
	t.Run("lanes with something due are listed in order", func(t *testing.T) {
		id := freshTenant()
		name := func(i int) string { return fmt.Sprintf("m-%s-%d", id, i) }
		for i := range 5 {
			f.schedule(t, lookup(id, name(i), fmt.Sprint("due", i), i%(payment.LeastUrgent+1), 0),
				lookup(id, name(i), fmt.Sprint("later", i), 0, time.Hour))
		}
		f.schedule(t, lookup(id, name(5), "later", 0, time.Hour))
		if got := f.dueLanes(t, name(0), day, 3); !slices.Equal(got, []string{name(1), name(2), name(3)}) {
			t.Errorf("after the first: %v", got)
		}
		f.claim(t, name(4), day, 1)
		if got := f.dueLanes(t, name(3), day, 1); slices.Contains(got, name(4)) || slices.Contains(got, name(5)) {
			t.Errorf("nothing is due: %v", got)
		}
	})
}

func (f PaymentTasksFixture) testClaims(t *testing.T) {
	f.testClaimsAreExclusive(t)
	f.testOnlyItsClaimDecides(t)
	t.Run("adopting leaves planned tasks alone", func(t *testing.T) {
		id := freshTenant()
		lane := "lane-" + string(id)
		f.schedule(t, lookup(id, lane, "planned", 0, time.Minute))
		if err := f.Queue.Adopt(t.Context(), lookup(id, lane, "planned", 0, 0), lookup(id, lane, "unplanned", 0, 0)); err != nil {
			t.Fatal(err)
		}
		if got := items(f.claim(t, lane, day, 5)); !slices.Equal(got, []string{"unplanned"}) {
			t.Errorf("due: %v", got)
		}
	})
}

func (f PaymentTasksFixture) testClaimsAreExclusive(t *testing.T) {
	t.Run("a claimed task is nobody else's until the claim runs out", func(t *testing.T) {
		id := freshTenant()
		lane := "lane-" + string(id)
		for i := range 20 {
			f.schedule(t, lookup(id, lane, fmt.Sprint("s", i), 0, 0))
		}
		var mu sync.Mutex
		var all []string
		var claimers sync.WaitGroup
		for range 4 {
			claimers.Go(func() {
				for got := f.claim(t, lane, day, 3); len(got) > 0; got = f.claim(t, lane, day, 3) {
					mu.Lock()
					all = append(all, items(got)...)
					mu.Unlock()
				}
			})
		}
		claimers.Wait()
		slices.Sort(all)
		if len(all) != 20 || len(slices.Compact(all)) != 20 {
			t.Errorf("%d claims of 20 tasks: %v", len(all), all)
		}
		if got := f.claim(t, lane, day.Add(time.Hour), 30); len(got) != 20 {
			t.Errorf("after the claims ran out: %v", items(got))
		}
	})
}

func (f PaymentTasksFixture) testOnlyItsClaimDecides(t *testing.T) {
	t.Run("only its claim decides about a task", func(t *testing.T) {
		id := freshTenant()
		lane := "lane-" + string(id)
		f.schedule(t, lookup(id, lane, "s", 0, 0))
		lost := f.claim(t, lane, day, 1)[0]
		f.schedule(t, lookup(id, lane, "s", 0, 0)) // renewed meanwhile
		if err := f.Queue.Finish(t.Context(), lost); err != nil {
			t.Fatal(err)
		}
		lost.DueAt = day.Add(9 * time.Hour)
		if err := f.Queue.Reschedule(t.Context(), lost); err != nil {
			t.Fatal(err)
		}
		held := f.claim(t, lane, day, 1)
		if len(held) != 1 {
			t.Fatalf("the lost claim took it away: %v", held)
		}
		again := held[0]
		again.DueAt, again.Urgency = day.Add(time.Minute), 2
		if err := f.Queue.Reschedule(t.Context(), again); err != nil {
			t.Fatal(err)
		}
		if got := f.claim(t, lane, day.Add(time.Minute-1), 1); len(got) != 0 {
			t.Errorf("too early: %+v", got)
		}
		got := f.claim(t, lane, day.Add(time.Minute), 1)
		if len(got) != 1 || got[0].Urgency != 2 || !got[0].Since.Equal(day) {
			t.Fatalf("planned again: %+v", got)
		}
		if err := f.Queue.Finish(t.Context(), got[0]); err != nil {
			t.Fatal(err)
		}
		if got := f.claim(t, lane, day.AddDate(1, 0, 0), 1); len(got) != 0 {
			t.Errorf("finished, and still there: %+v", got)
		}
	})
}

func (f PaymentTasksFixture) testTenants(t *testing.T) {
	t.Run("a scope holds the tasks of its tenants only", func(t *testing.T) {
		id, other := freshTenant(), freshTenant()
		lane := "lane-" + string(id)
		f.schedule(t, lookup(id, lane, "mine", 0, 0))
		scope := ports.ForTenant(other)
		if due, err := f.Queue.DueLanes(t.Context(), scope, "", day, 1000); err != nil || slices.Contains(due, lane) {
			t.Errorf("another tenant sees %v, %v", due, err)
		}
		if got, err := f.Queue.Claim(t.Context(), scope, lane, day, day.Add(time.Hour), 5); err != nil || len(got) != 0 {
			t.Errorf("another tenant claims %v, %v", got, err)
		}
		err := inTx(t, f.Store, other, func(ctx context.Context, tx ports.Tx) error {
			return tx.PaymentTasks.Schedule(ctx, lookup(id, lane, "mine", 0, time.Hour))
		})
		if err == nil {
			t.Error("another tenant plans it")
		}
		if got := items(f.claim(t, lane, day, 5)); !slices.Equal(got, []string{"mine"}) {
			t.Errorf("due: %v", got)
		}
	})
	t.Run("the same item of another kind or tenant is another task", func(t *testing.T) {
		id, other := freshTenant(), freshTenant()
		lane := "lane-" + string(id)
		refund := lookup(id, lane, "x", 0, 0)
		refund.Kind = ports.TaskRefund
		f.schedule(t, lookup(id, lane, "x", 0, 0), refund)
		f.schedule(t, lookup(other, lane, "x", 0, 0))
		if got := f.claim(t, lane, day, 5); len(got) != 3 {
			t.Errorf("%+v", got)
		}
	})
}
