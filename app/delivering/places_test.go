package delivering_test

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

// Engineering 11: a tenant with many endpoints that hang delays no other, and takes no more than its share.
func TestManyHangingEndpointsOfATenantDelayNoOther(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		const places, endpoints, events = 8, 40, 3
		b.InFlight = places
		hang, hanging, arrivals := make(chan struct{}), make(chan struct{}, endpoints*events), make(chan struct{}, 100)
		var flying, most atomic.Int64
		for i := range endpoints {
			name := "hangs" + strconv.Itoa(i)
			b.endpoint(name, "brands")
			b.net.answer(url(name), func(ports.WebhookRequest) ports.WebhookAnswer {
				now := flying.Add(1)
				for before := most.Load(); now > before && !most.CompareAndSwap(before, now); before = most.Load() {
				}
				hanging <- struct{}{}
				<-hang
				flying.Add(-1)
				return ports.WebhookAnswer{Status: 200}
			})
		}
		for range events {
			b.create("nord")
		}
		b.number()
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- b.Run(ctx) }()
		for range places / 2 { // no more than are left for others
			<-hanging
		}
		other := *b
		other.shop = tenant.ID(shops.NewID())
		other.endpoint("works", "brands")
		b.net.answer(url("works"), func(ports.WebhookRequest) ports.WebhookAnswer {
			arrivals <- struct{}{}
			return ports.WebhookAnswer{Status: 200}
		})
		for range 20 {
			other.create("sud")
		}
		other.number()
		for range 20 {
			<-arrivals
		}
		if n := most.Load(); n != places/2 {
			t.Errorf("%d requests of one tenant hung at once", n)
		}
		close(hang)
		for range endpoints*events - places/2 { // nothing is left behind
			<-hanging
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// What has no place is not held: another instance makes it while this one's requests hang.
func TestWhatFindsNoPlaceIsLeftToOtherInstances(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		b.InFlight = 1
		id := b.endpoint("shop", "brands")
		for range 10 {
			b.create("nord")
		}
		hang, hanging := make(chan struct{}), make(chan struct{}, 10)
		b.net.answer(url("shop"), func(ports.WebhookRequest) ports.WebhookAnswer {
			hanging <- struct{}{}
			<-hang
			return ports.WebhookAnswer{Status: 200}
		})
		b.number()
		ended := make(chan error, 1)
		go func() { ended <- b.Round(t.Context()) }()
		<-hanging
		free, err := b.Deliveries.Claim(t.Context(), b.shop, id, b.now(), 0, 10)
		if err != nil || len(free) < 8 { // one hangs, and one is next
			t.Errorf("%d of 10 could be claimed (%v)", len(free), err)
		}
		close(hang)
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	})
}

// An endpoint that works is not kept waiting by those of its tenant that fail.
func TestEndpointsThatFailMakeWayForThoseThatWork(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		b.InFlight = 2
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
			if d := b.deliveries(id); len(d) != 1 || d[0].Tries != 1 {
				t.Errorf("%s: %+v", name, d)
			}
		}
		if d := b.deliveries(works); len(d) != 1 || d[0].Status != webhook.Succeeded {
			t.Errorf("deliveries %+v", d)
		}
	})
}
