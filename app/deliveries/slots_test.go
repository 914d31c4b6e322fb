package deliveries_test

import (
	"context"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// Rule webhooks-8: a tenant with many hanging endpoints delays no other tenant, and uses no more than its
// share.
func TestHangingEndpointsDelayNoOtherTenant(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		const places, endpoints, events = 8, 40, 3
		b.MaxInFlight = places
		hang, hanging, arrivals := make(chan struct{}), make(chan struct{}, endpoints*events), make(chan struct{}, 100)
		var flying, most atomic.Int64
		for i := range endpoints {
			name := "hangs" + strconv.Itoa(i)
			b.endpoint(name, "brands")
			b.net.answer(url(name), func(ports.WebhookRequest) ports.WebhookResponse {
				now := flying.Add(1)
				for before := most.Load(); now > before && !most.CompareAndSwap(before, now); before = most.Load() {
				}
				hanging <- struct{}{}
				<-hang
				flying.Add(-1)
				return ports.WebhookResponse{Status: 200}
			})
		}
		for range events {
			b.create("nord")
		}
		b.sequenceEvents()
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- b.Run(ctx) }()
		for range places / 2 { // as many as are left for others
			<-hanging
		}
		other := *b
		other.shop = tenant.ID(shops.NewID())
		other.endpoint("works", "brands")
		b.net.answer(url("works"), func(ports.WebhookRequest) ports.WebhookResponse {
			arrivals <- struct{}{}
			return ports.WebhookResponse{Status: 200}
		})
		for range 20 {
			other.create("sud")
		}
		other.sequenceEvents()
		for range 20 {
			<-arrivals
		}
		if n := most.Load(); n != places/2 {
			t.Errorf("%d requests of one tenant hung at once", n)
		}
		close(hang)
		for range endpoints*events - places/2 { // all slots are released
			<-hanging
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// A delivery without a slot is not claimed: another instance makes it while the requests of this one hang.
func TestDeliveriesWithoutASlotAreLeftToOtherInstances(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.MaxInFlight = 1
		id := b.endpoint("shop", "brands")
		for range 10 {
			b.create("nord")
		}
		hang, hanging := make(chan struct{}), make(chan struct{}, 10)
		b.net.answer(url("shop"), func(ports.WebhookRequest) ports.WebhookResponse {
			hanging <- struct{}{}
			<-hang
			return ports.WebhookResponse{Status: 200}
		})
		b.sequenceEvents()
		ended := make(chan error, 1)
		go func() { ended <- b.RunOnce(t.Context()) }()
		<-hanging
		free, err := b.Deliveries.Claim(t.Context(), b.shop, id, b.now(), 0, 10)
		if err != nil || len(free) < 8 { // one hangs, and one is queued
			t.Errorf("%d of 10 could be claimed (%v)", len(free), err)
		}
		close(hang)
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	})
}

// A healthy endpoint is not delayed by failing ones of its tenant.
func TestFailingEndpointsYieldSlotsToHealthyOnes(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.MaxInFlight = 2
		ids := map[string]string{}
		for i := range 6 {
			name := "fails" + strconv.Itoa(i)
			ids[name] = b.endpoint(name, "brands")
			b.net.answer(url(name), status(500))
		}
		works := b.endpoint("works", "brands")
		b.create("nord")
		b.round()
		for name, id := range ids {
			if d := b.deliveries(id); len(d) != 1 || d[0].RoundAttempts != 1 {
				t.Errorf("%s: %+v", name, d)
			}
		}
		if d := b.deliveries(works); len(d) != 1 || d[0].Status != webhook.Succeeded {
			t.Errorf("deliveries %+v", d)
		}
	})
}
