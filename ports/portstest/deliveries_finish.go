package portstest

import (
	"context"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

func deliveryFinish(t *testing.T, f DeliveriesFixture) {
	id, other := freshTenant(), freshTenant()
	f.fanOut(t, id, delivery(id, "a", 1), delivery(id, "a", 2))
	f.fanOut(t, other, delivery(other, "a", 1))
	claimed := append(f.wantClaim(t, other, "a", noon, 9, 1), f.wantClaim(t, id, "a", noon, 9, 1, 2)...)
	for i, status := range []int{200, 500, 410} {
		claimed[i] = attempted(claimed[i], noon, status)
	}
	for i, finished := range f.finish(t, claimed...) {
		got, want := f.stored(t, claimed[i].Tenant, claimed[i].ID), claimed[i].Delivery
		if finished.Lost || got.Status != want.Status || got.Reason != want.Reason || got.RoundAttempts != 1 || len(got.Attempts) != 1 ||
			got.Attempts[0].Status != want.Attempts[0].Status ||
			got.Attempts[0].Response != "body" || !got.NextAttemptAt.Equal(want.NextAttemptAt) || !got.EndedAt.Equal(want.EndedAt) {
			t.Errorf("%+v, stored %+v, want %+v", finished, got, want)
		}
	}
	f.wantClaim(t, other, "a", noon.AddDate(0, 0, 1), 9)
	f.wantClaim(t, id, "a", noon, 9)
	f.wantClaim(t, id, "a", claimed[1].NextAttemptAt, 9, 1)
	if finished := f.finish(t); len(finished) != 0 {
		t.Errorf("of none: %+v", finished)
	}
}

func deliveryHealth(t *testing.T, f DeliveriesFixture) {
	id := freshTenant()
	var all []webhook.Delivery
	for n := range 6 {
		all = append(all, delivery(id, "a", n+1))
	}
	test := delivery(id, "a", 0)
	test.Test, test.ID = true, string(id)+"-ping"
	f.fanOut(t, id, append(all, delivery(id, "b", 7), test)...)
	other := f.wantClaim(t, id, "b", noon, 1, 7)
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
	pings, err := f.Deliveries.ClaimTests(t.Context(), id, endpointID(id, "a"), noon, time.Hour, 9)
	if err != nil || len(pings) != 1 {
		t.Fatal(pings, err)
	}
	claimed := f.wantClaim(t, id, "a", noon, 9, 1, 2, 3, 4, 5, 6)
	want := func(what string, finished []ports.FinishedDelivery, since time.Time) {
		t.Helper()
		if got := finished[len(finished)-1]; got.Lost || !got.FailingSince.Equal(since) {
			t.Errorf("%s: %+v, want %s", what, got, since)
		}
	}
	want("a test that failed", f.finish(t, attempted(pings[0], at(1), 500)), time.Time{})
	want("the first failure", f.finish(t, attempted(claimed[0], at(2), 500)), at(2))
	want("the second one", f.finish(t, attempted(claimed[1], at(3), 500)), at(2))
	want("another endpoint", f.finish(t, attempted(other[0], at(3), 200)), time.Time{})
	want("a success", f.finish(t, attempted(claimed[2], at(4), 200)), time.Time{})
	want("a failure after it", f.finish(t, attempted(claimed[3], at(5), 500)), at(5))
	want("a success and a failure together", f.finish(t, attempted(claimed[4], at(6), 200), attempted(claimed[5], at(7), 500)), at(7))
}

func deliveryRedeliver(t *testing.T, f DeliveriesFixture) {
	id := freshTenant()
	f.fanOut(t, id, delivery(id, "a", 1))
	claimed := f.wantClaim(t, id, "a", noon, 9, 1)
	asked := noon.Add(time.Second)
	f.rewrite(t, id, claimed[0].ID, func(d webhook.Delivery) webhook.Delivery {
		return d.Discard(webhook.EndpointDisabled, asked).Redeliver(asked)
	})
	finished := f.finish(t, attempted(claimed[0], noon, 500))
	got := f.stored(t, id, claimed[0].ID)
	if finished[0].Lost || got.Status != webhook.Pending || !got.NextAttemptAt.Equal(asked) || !got.Replayed || len(got.Attempts) != 1 ||
		got.RoundAttempts != 0 {
		t.Errorf("%+v, stored %+v", finished, got)
	}
	f.wantClaim(t, id, "a", asked, 9, 1)
}

// rewrite changes a delivery as an operator does: as a record, locked before.
func (f DeliveriesFixture) rewrite(t *testing.T, id tenant.ID, delivery string, change func(webhook.Delivery) webhook.Delivery) {
	t.Helper()
	mustInTx(t, f.Store, id, func(ctx context.Context, tx ports.Tx) error {
		before, err := tx.Records.Lock(ctx, webhook.Deliveries, delivery)
		if err != nil {
			return err
		}
		after := change(webhook.DeliveryFrom(before)).Record()
		after["tenant"] = string(id)
		return tx.Records.Write(ctx, collection.NewChange(webhook.Deliveries, before, after, "", noon))
	})
}

func deliveryRelease(t *testing.T, f DeliveriesFixture) {
	id := freshTenant()
	f.fanOut(t, id, delivery(id, "a", 1), delivery(id, "a", 2))
	claimed := f.wantClaim(t, id, "a", noon, 9, 1, 2)
	stale := claimed[1]
	stale.Fence++
	if err := f.Deliveries.Release(t.Context(), []ports.ClaimedDelivery{claimed[0], stale}); err != nil {
		t.Fatal(err)
	}
	again := f.wantClaim(t, id, "a", noon, 9, 1) // the second is still claimed: that was not its fence
	if again[0].Fence == claimed[0].Fence || len(again[0].Attempts) != 0 {
		t.Errorf("claimed %+v", again[0])
	}
	if finished := f.finish(t, attempted(claimed[0], noon, 500)); !finished[0].Lost {
		t.Error("a released claim finishes what another one has claimed since")
	}
}
