package portstest

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

func deliveryDue(t *testing.T, f DeliveriesFixture) {
	id, other := freshTenant(), freshTenant()
	at := func(seconds int) time.Time { return noon.Add(time.Duration(seconds) * time.Second) }
	due := func(d webhook.Delivery, seconds int) webhook.Delivery {
		d.NextAttemptAt = at(seconds)
		return d
	}
	const none = -1
	want := func(now, limit, next int, want ...ports.DueEndpoint) {
		t.Helper()
		got, then, err := f.Deliveries.Due(t.Context(), at(now), limit)
		if then.IsZero() != (next == none) || next != none && !then.Equal(at(next)) {
			t.Errorf("at %d the next is due at %v, want %d", now, then, next)
		}
		same := func(a, b ports.DueEndpoint) bool {
			return a.Tenant == b.Tenant && a.Endpoint == b.Endpoint && a.Since.Equal(b.Since)
		}
		if err != nil || !slices.EqualFunc(got, want, same) {
			t.Errorf("due at %d: %+v, %v, want %+v", now, got, err, want)
		}
	}
	want(100, 9, none)
	f.fanOut(t, id, due(delivery(id, "a", 1), 30), due(delivery(id, "a", 2), 20), due(delivery(id, "b", 1), 10))
	f.fanOut(t, other, due(delivery(other, "a", 1), 15))
	all := []ports.DueEndpoint{
		{Tenant: id, Endpoint: endpointID(id, "b"), Since: at(10)}, {Tenant: other, Endpoint: endpointID(other, "a"), Since: at(15)},
		{Tenant: id, Endpoint: endpointID(id, "a"), Since: at(20)},
	}
	want(9, 9, 10)
	want(10, 9, 15, all[:1]...)
	want(15, 1, 20, all[:1]...)
	want(20, 9, none, all...)
	want(100, 2, none, all[:2]...)
	f.finish(t, attempted(f.wantClaim(t, id, "b", at(10), 9, 1)[0], at(10), 200))
	want(100, 9, none, all[1:]...)
}

func deliveryExpire(t *testing.T, f DeliveriesFixture) {
	id, other := freshTenant(), freshTenant()
	aged := func(d webhook.Delivery, hours int) webhook.Delivery {
		d.OccurredAt = noon.Add(-time.Duration(hours) * time.Hour)
		return d
	}
	f.fanOut(t, id, aged(delivery(id, "a", 1), 5), aged(delivery(id, "a", 2), 4), aged(delivery(id, "a", 3), 1),
		aged(delivery(id, "b", 4), 5))
	f.fanOut(t, other, aged(delivery(other, "a", 1), 3))
	delivered := attempted(f.wantClaim(t, id, "b", noon, 9, 4)[0], noon, 200)
	f.finish(t, delivered)
	for _, want := range []int{2, 1, 0} {
		if n, err := f.Deliveries.Expire(t.Context(), noon.Add(-time.Hour), noon, 2); n != want || err != nil {
			t.Fatalf("expired %d, %v, want %d", n, err, want)
		}
	}
	for owner, d := range map[tenant.ID]webhook.Delivery{id: delivery(id, "a", 1), other: delivery(other, "a", 1)} {
		if got := f.stored(t, owner, d.ID); got.Status != webhook.Discarded || got.Reason != webhook.TooOld || !got.EndedAt.Equal(noon) {
			t.Errorf("expired: %+v", got)
		}
	}
	if got := f.stored(t, id, delivered.ID); got.Status != webhook.Succeeded {
		t.Errorf("a delivered one became %+v", got)
	}
	f.wantClaim(t, id, "a", noon, 9, 3)
}

func deliveryPrune(t *testing.T, f DeliveriesFixture) {
	id := freshTenant()
	var all []webhook.Delivery
	for n := range 5 {
		all = append(all, delivery(id, "a", n+1))
	}
	f.fanOut(t, id, all...)
	for i, c := range f.wantClaim(t, id, "a", noon, 4, 1, 2, 3, 4) {
		f.finish(t, attempted(c, noon.Add(time.Duration(i)*time.Minute), 200)) // each ends a second later
	}
	before := noon.Add(2*time.Minute + time.Second) // when the third ended
	for _, want := range []int{1, 1, 0} {
		if n, err := f.Deliveries.Prune(t.Context(), before, 1); n != want || err != nil {
			t.Fatalf("pruned %d, %v, want %d", n, err, want)
		}
	}
	page, err := f.Store.Read(ports.ForTenant(id)).Find(t.Context(), collection.Query{Schema: webhook.Deliveries, Limit: 10, Page: 1})
	if err != nil || page.TotalDocs != 3 {
		t.Errorf("%d are left, %v", page.TotalDocs, err)
	}
	f.wantClaim(t, id, "a", noon, 9, 5)
}

func deliveryLag(t *testing.T, f DeliveriesFixture) {
	want := func(what string, want ports.DeliveryLag) {
		t.Helper()
		got, err := f.Deliveries.Lag(t.Context())
		if oldest := got.Oldest.IsZero(); err != nil || got.Pending != want.Pending || got.EventsBehind != want.EventsBehind ||
			oldest != (want.Pending == 0) {
			t.Errorf("%s: %+v, %v, want %+v", what, got, err, want)
		}
	}
	want("an empty store", ports.DeliveryLag{})
	id, off := freshTenant(), freshTenant()
	f.endpoint(t, id, "a", true, 1)
	f.endpoint(t, off, "a", false, 0)
	w := newEventWriter(t, f.Store)
	w.id = id
	for second, name := range []string{"one", "two", "three"} {
		w.write(w.change(notes, "n0", name, second))
	}
	mustInTx(t, f.Store, off, func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx,
			collection.NewChange(notes, nil, collection.Record{"id": "n", "tenant": string(off)}, string(off)+"-e", noon))
	})
	if f.Number != nil {
		f.Number(t)
	}
	want("before the first fan-out", ports.DeliveryLag{EventsBehind: 3}) // of four, its own among them: the endpoint begins after the first
	if err := f.Deliveries.FanOut(t.Context(), id, 0, 2, []webhook.Delivery{delivery(id, "a", 1), delivery(id, "a", 2)}); err != nil {
		t.Fatal(err)
	}
	want("after it", ports.DeliveryLag{Pending: 2, EventsBehind: 2})
	for _, c := range f.wantClaim(t, id, "a", noon, 9, 1, 2) {
		f.finish(t, attempted(c, noon, 200))
	}
	want("once all are delivered", ports.DeliveryLag{EventsBehind: 2})
}
