package portstest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// DeliveriesFixture is an empty store of DeliverySchemas.
type DeliveriesFixture struct {
	Store      ports.Store
	Deliveries ports.Deliveries
	Number     func(t *testing.T) // as in EventLogFixture
}

// DeliverySchemas are the collections of the suite of deliveries.
func DeliverySchemas() []*collection.Schema {
	return append(EventSchemas(), webhook.Endpoints, webhook.Deliveries)
}

// Deliveries checks ports.Deliveries of the stores that open makes.
func Deliveries(t *testing.T, open func(t *testing.T) DeliveriesFixture) {
	shared := open(t)
	for name, test := range map[string]func(*testing.T, DeliveriesFixture){
		"the cursors are those of tenants with an enabled endpoint":                      deliveryCursors,
		"a fan-out moves the cursor and stores its deliveries once, or neither":          deliveryFanOut,
		"of fan-outs from one number at the same time one is stored":                     deliveryFanOutRace,
		"what is claimed is due, unclaimed, of that endpoint, oldest event first":        deliveryClaim,
		"a delivery waits for the earlier ones of its record":                            deliveryOrder,
		"a lease that ran out leaves the delivery to the next claim":                     deliveryLease,
		"what was finished is stored and no longer due":                                  deliveryFinish,
		"an endpoint fails since its first failure after a success; tests do not count":  deliveryHealth,
		"what an operator asked for during an attempt is kept":                           deliveryRedeliver,
		"what was released is due as before":                                             deliveryRelease,
		"a claim of tests takes tests alone":                                             deliveryTests,
		"workers that claim at the same time share the deliveries without an overlap":    deliveryWorkers,
		"another tenant neither claims nor loses a delivery, even under the same ids":    deliveryTenants,
		"what is pending can be locked and rewritten as a record only by its own tenant": deliveryRecords,
	} {
		t.Run(name, func(t *testing.T) { test(t, shared) })
	}
	// These look at all tenants.
	t.Run("endpoints are listed by how long they have been due", func(t *testing.T) { deliveryDue(t, open(t)) })
	t.Run("old pending deliveries are discarded, up to a limit", func(t *testing.T) { deliveryExpire(t, open(t)) })
	t.Run("old finished deliveries are deleted, up to a limit", func(t *testing.T) { deliveryPrune(t, open(t)) })
	t.Run("the lag counts what is pending and what is undecided", func(t *testing.T) { deliveryLag(t, open(t)) })
}

// delivery is a pending delivery of event n, of a record of its own, due at noon.
func delivery(id tenant.ID, endpoint string, n int) webhook.Delivery {
	return webhook.Delivery{
		ID: fmt.Sprintf("%s-%s-%d", id, endpoint, n), Endpoint: endpointID(id, endpoint), Environment: tenant.Live,
		Event: fmt.Sprintf("%s-e%d", id, n), Sequence: int64(n), Collection: "notes", Operation: collection.Created,
		RecordID: fmt.Sprintf("%s-r%d", id, n), RecordSequence: 1, OccurredAt: noon, Status: webhook.Pending, NextAttemptAt: noon,
	}
}

func endpointID(id tenant.ID, endpoint string) string { return string(id) + "-" + endpoint }

// fanOut stores deliveries of a tenant from the beginning of its log.
func (f DeliveriesFixture) fanOut(t *testing.T, id tenant.ID, all ...webhook.Delivery) {
	t.Helper()
	if err := f.Deliveries.FanOut(t.Context(), id, 0, 100, all); err != nil {
		t.Fatal(err)
	}
}

// claim claims up to limit deliveries of an endpoint at a time, for a minute.
func (f DeliveriesFixture) claim(t *testing.T, id tenant.ID, endpoint string, at time.Time, limit int) []ports.ClaimedDelivery {
	t.Helper()
	claimed, err := f.Deliveries.Claim(t.Context(), id, endpointID(id, endpoint), at, time.Minute, limit)
	if err != nil {
		t.Fatal(err)
	}
	return claimed
}

// wantClaim claims and compares the numbers of the events.
func (f DeliveriesFixture) wantClaim(
	t *testing.T, id tenant.ID, endpoint string, at time.Time, limit int, want ...int64,
) []ports.ClaimedDelivery {
	t.Helper()
	claimed := f.claim(t, id, endpoint, at, limit)
	var got []int64
	for _, c := range claimed {
		if got = append(got, c.Sequence); c.Tenant != id || c.Fence == 0 {
			t.Errorf("claimed %+v", c)
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("claimed the events %v, want %v", got, want)
	}
	return claimed
}

// attempted is c after an attempt at a time that was answered with status.
func attempted(c ports.ClaimedDelivery, at time.Time, status int) ports.ClaimedDelivery {
	c.Delivery = c.AfterAttempt(webhook.Attempt{At: at, Duration: time.Second, Status: status, Response: "body"}, 0, 0)
	return c
}

func (f DeliveriesFixture) finish(t *testing.T, all ...ports.ClaimedDelivery) []ports.FinishedDelivery {
	t.Helper()
	finished, err := f.Deliveries.Finish(t.Context(), all)
	if err != nil || len(finished) != len(all) {
		t.Fatalf("finished %+v, %v", finished, err)
	}
	return finished
}

// stored is a delivery as it is stored.
func (f DeliveriesFixture) stored(t *testing.T, id tenant.ID, delivery string) webhook.Delivery {
	t.Helper()
	r, err := f.Store.Read(ports.ForTenant(id)).Get(t.Context(), webhook.Deliveries, delivery)
	if err != nil {
		t.Fatal(err)
	}
	return webhook.DeliveryFrom(r)
}

// endpoint makes an endpoint that is enabled or not.
func (f DeliveriesFixture) endpoint(t *testing.T, id tenant.ID, name string, enabled bool, since int64) {
	t.Helper()
	r := collection.Record{
		"id": endpointID(id, name), "tenant": string(id), "environment": "live", "url": "https://shop.example", "enabled": enabled,
		"since": since,
	}
	mustInTx(t, f.Store, id, func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(webhook.Endpoints, nil, r, endpointID(id, name)+"-made", noon))
	})
}

func deliveryCursors(t *testing.T, f DeliveriesFixture) {
	on, off, none := freshTenant(), freshTenant(), freshTenant()
	f.endpoint(t, on, "a", true, 0)
	f.endpoint(t, on, "b", false, 0)
	f.endpoint(t, off, "a", false, 0)
	f.fanOut(t, none)
	want := func(number int64) {
		t.Helper()
		got, err := f.Deliveries.Cursors(t.Context())
		maps.DeleteFunc(got, func(id tenant.ID, _ int64) bool { return id != on && id != off && id != none })
		if err != nil || !maps.Equal(got, map[tenant.ID]int64{on: number}) {
			t.Errorf("cursors %v, %v, want %d", got, err, number)
		}
	}
	want(0)
	f.fanOut(t, on)
	want(100)
}

func deliveryFanOut(t *testing.T, f DeliveriesFixture) {
	id := freshTenant()
	f.fanOut(t, id, delivery(id, "a", 1))
	for _, from := range []int64{0, 99, 101} {
		expect(t, f.Deliveries.FanOut(t.Context(), id, from, 200, []webhook.Delivery{delivery(id, "a", 2)}), ports.ErrStale)
	}
	f.finish(t, attempted(f.wantClaim(t, id, "a", noon, 9, 1)[0], noon, 200))
	again := delivery(id, "a", 1)
	again.ID += "-again"
	err := f.Deliveries.FanOut(t.Context(), id, 100, 200, []webhook.Delivery{delivery(id, "a", 1), again, delivery(id, "a", 3)})
	if err != nil {
		t.Fatal(err)
	}
	if got := f.stored(t, id, delivery(id, "a", 1).ID); got.Status != webhook.Succeeded {
		t.Errorf("a row that was there became %+v", got)
	}
	f.wantClaim(t, id, "a", noon, 9, 3)
}

func deliveryFanOutRace(t *testing.T, f DeliveriesFixture) {
	id := freshTenant()
	f.fanOut(t, id)
	var all sync.WaitGroup
	won := make(chan int, 8)
	for i := range 8 {
		all.Go(func() {
			if err := f.Deliveries.FanOut(t.Context(), id, 100, 200, []webhook.Delivery{delivery(id, "a", i+1)}); err == nil {
				won <- i + 1
			} else {
				expect(t, err, ports.ErrStale)
			}
		})
	}
	all.Wait()
	if len(won) != 1 {
		t.Fatalf("%d fan-outs were stored", len(won))
	}
	f.wantClaim(t, id, "a", noon, 9, int64(<-won))
}

func deliveryClaim(t *testing.T, f DeliveriesFixture) {
	id := freshTenant()
	all := []webhook.Delivery{delivery(id, "a", 3), delivery(id, "a", 1), delivery(id, "b", 2), delivery(id, "a", 4), delivery(id, "a", 5)}
	all[4].NextAttemptAt = noon.Add(time.Second)
	f.wantClaim(t, id, "a", noon, 9)
	f.fanOut(t, id, all...)
	f.wantClaim(t, id, "a", noon.Add(-time.Second), 9)
	first := f.wantClaim(t, id, "a", noon, 2, 1, 3)
	want := all[1]
	if got := first[0].Delivery; got.ID != want.ID || got.Event != want.Event || got.RecordID != want.RecordID ||
		!got.OccurredAt.Equal(want.OccurredAt) ||
		got.Collection != want.Collection || got.Operation != want.Operation || got.Environment != want.Environment ||
		len(got.Attempts) != 0 {
		t.Errorf("claimed %+v, want %+v", got, want)
	}
	f.wantClaim(t, id, "a", noon, 9, 4)
	f.wantClaim(t, id, "a", noon, 9)
	f.wantClaim(t, id, "a", noon.Add(time.Second), 9, 5)
	f.wantClaim(t, id, "b", noon, 9, 2)
	f.wantClaim(t, id, "none", noon, 9)
}

func deliveryOrder(t *testing.T, f DeliveriesFixture) {
	id := freshTenant()
	var all []webhook.Delivery
	for n := 1; n <= 3; n++ {
		d := delivery(id, "a", n)
		d.RecordID, d.RecordSequence = string(id)+"-one", int64(n)
		all = append(all, d)
	}
	other := delivery(id, "b", 2) // of another endpoint, which has had the first one
	other.RecordID, other.RecordSequence = string(id)+"-one", 2
	f.fanOut(t, id, append(all, other, delivery(id, "a", 4))...)
	f.wantClaim(t, id, "b", noon, 9, 2)
	first := f.wantClaim(t, id, "a", noon, 9, 1, 4)
	f.wantClaim(t, id, "a", noon, 9)
	failed := attempted(first[0], noon, 500)
	f.finish(t, failed, attempted(first[1], noon, 200))
	f.wantClaim(t, id, "a", noon.Add(time.Second), 9) // the failed one holds the others back
	again := f.wantClaim(t, id, "a", failed.NextAttemptAt, 9, 1)
	delivered := attempted(again[0], failed.NextAttemptAt, 200)
	f.finish(t, delivered)
	second := f.wantClaim(t, id, "a", delivered.EndedAt, 9, 2)
	second[0].Delivery = second[0].Discard(webhook.EventTrimmed, delivered.EndedAt)
	f.finish(t, second...)
	f.wantClaim(t, id, "a", delivered.EndedAt, 9, 3)
}

func deliveryLease(t *testing.T, f DeliveriesFixture) {
	id := freshTenant()
	f.fanOut(t, id, delivery(id, "a", 1), delivery(id, "a", 2))
	old := f.wantClaim(t, id, "a", noon, 9, 1, 2)
	f.wantClaim(t, id, "a", noon.Add(59*time.Second), 9)
	latest := f.wantClaim(t, id, "a", noon.Add(time.Minute), 1, 1)
	if latest[0].Fence == old[0].Fence {
		t.Error("a second claim has the fence of the first")
	}
	late := noon.Add(2 * time.Minute)
	finished := f.finish(t, attempted(old[0], late, 500), attempted(old[1], late, 200))
	if !finished[0].Lost || finished[1].Lost {
		t.Errorf("finished %+v: the first was claimed by another one, the second was not", finished)
	}
	if got := f.stored(t, id, old[0].ID); got.Status != webhook.Pending || len(got.Attempts) != 0 {
		t.Errorf("stored of a lost claim: %+v", got)
	}
	if finished := f.finish(t, attempted(latest[0], late, 200)); finished[0].Lost {
		t.Error("the claim that counts is lost")
	}
	if finished := f.finish(t, attempted(latest[0], late, 500)); !finished[0].Lost {
		t.Error("a claim was finished twice")
	}
	if got := f.stored(t, id, old[0].ID); got.Status != webhook.Succeeded {
		t.Errorf("stored: %+v", got)
	}
}

func deliveryTests(t *testing.T, f DeliveriesFixture) {
	id := freshTenant()
	test := delivery(id, "a", 0)
	test.Test, test.ID = true, string(id)+"-ping"
	f.fanOut(t, id, delivery(id, "a", 1), test)
	for _, want := range []int{1, 0} {
		claimed, err := f.Deliveries.ClaimTests(t.Context(), id, test.Endpoint, noon, time.Minute, 9)
		if err != nil || len(claimed) != want || want == 1 && (!claimed[0].Test || claimed[0].ID != test.ID || claimed[0].Tenant != id) {
			t.Fatalf("claimed %+v, %v", claimed, err)
		}
	}
	f.wantClaim(t, id, "a", noon, 9, 1)
}

func deliveryWorkers(t *testing.T, f DeliveriesFixture) {
	id := freshTenant()
	var all []webhook.Delivery
	for n := range 60 {
		all = append(all, delivery(id, "a", n+1))
	}
	f.fanOut(t, id, all...)
	var mu sync.Mutex
	times := map[string]int{}
	var workers sync.WaitGroup
	for range 6 {
		workers.Go(func() {
			for empty := 0; empty < 2; { // rows that another worker is claiming are skipped: none may be left for a moment
				claimed, err := f.Deliveries.Claim(t.Context(), id, endpointID(id, "a"), noon, time.Minute, 7)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				for _, c := range claimed {
					times[c.ID]++
				}
				mu.Unlock()
				if len(claimed) == 0 {
					empty++
				}
			}
		})
	}
	workers.Wait()
	for _, c := range f.claim(t, id, "a", noon, 100) {
		times[c.ID]++
	}
	for _, d := range all {
		if times[d.ID] != 1 {
			t.Errorf("%s was claimed %d times", d.ID, times[d.ID])
		}
	}
}

func deliveryTenants(t *testing.T, f DeliveriesFixture) {
	id, other := freshTenant(), freshTenant()
	f.fanOut(t, id, delivery(id, "a", 1))
	claimed, err := f.Deliveries.Claim(t.Context(), other, endpointID(id, "a"), noon, time.Minute, 9)
	if err != nil || len(claimed) != 0 {
		t.Errorf("claimed %+v, %v", claimed, err)
	}
	mine := f.wantClaim(t, id, "a", noon, 9, 1)
	theirs := mine[0]
	theirs.Tenant = other
	if err := f.Deliveries.Release(t.Context(), []ports.ClaimedDelivery{theirs}); err != nil {
		t.Fatal(err)
	}
	if finished := f.finish(t, attempted(theirs, noon, 500)); !finished[0].Lost {
		t.Error("finished for another tenant")
	}
	f.wantClaim(t, id, "a", noon, 9)
	if finished := f.finish(t, attempted(mine[0], noon, 200)); finished[0].Lost {
		t.Error("lost to another tenant")
	}
}

func deliveryRecords(t *testing.T, f DeliveriesFixture) {
	id := freshTenant()
	f.fanOut(t, id, delivery(id, "a", 1))
	expect(t, inTx(t, f.Store, freshTenant(), func(ctx context.Context, tx ports.Tx) error {
		_, err := tx.Records.Lock(ctx, webhook.Deliveries, delivery(id, "a", 1).ID)
		return err
	}), ports.ErrNotFound)
	until := noon.Add(time.Minute)
	f.rewrite(t, id, delivery(id, "a", 1).ID, func(d webhook.Delivery) webhook.Delivery { return d.Postpone(until) })
	f.wantClaim(t, id, "a", noon, 9)
	f.wantClaim(t, id, "a", until, 9, 1)
}
