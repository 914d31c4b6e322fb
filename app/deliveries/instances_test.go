package deliveries_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/ports"
)

// Two instances share the work: each event is delivered once and in order, and again only if an instance
// crashed.
func TestInstancesShareTheWork(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			r := b.create(name)
			for range 4 {
				r = b.rename(r, r.Text("name")+"'")
			}
		}
		b.sequenceEvents()
		other := b.instance(b.net)
		var all sync.WaitGroup
		for range 3 {
			for _, round := range []func(context.Context) error{b.RunOnce, other.RunOnce} {
				all.Go(func() {
					if err := round(t.Context()); err != nil {
						t.Error(err)
					}
				})
			}
		}
		all.Wait()
		b.advance(time.Second)
		b.round()
		got := b.net.receivedAt(url("shop"))
		last := map[any]string{}
		for _, a := range got {
			if before := last[a.Doc["id"]]; a.headers["webhook-sequence"] <= before {
				t.Errorf("%s after %s", a.headers["webhook-sequence"], before)
			}
			last[a.Doc["id"]] = a.headers["webhook-sequence"]
		}
		if len(got) != 25 || len(b.deliveries(id)) != 25 {
			t.Errorf("%d requests for %d deliveries of 25 events", len(got), len(b.deliveries(id)))
		}
	})
}

func TestClaimsOfACrashedInstanceAreTakenOver(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		b.create("nord")
		b.sequenceEvents()
		if _, err := b.FanOut(t.Context()); err != nil {
			t.Fatal(err)
		}
		held, err := b.Deliveries.Claim(t.Context(), b.shop, id, b.now(), time.Minute, 10)
		if err != nil || len(held) != 1 {
			t.Fatalf("claimed %v %v", held, err)
		}
		if b.round(); len(b.net.receivedAt(url("shop"))) != 0 {
			t.Error("two instances have one delivery")
		}
		b.advance(time.Minute + time.Millisecond)
		if b.round(); len(b.net.receivedAt(url("shop"))) != 1 {
			t.Error("nobody took it over")
		}
		if ended, err := b.Deliveries.Finish(t.Context(), held); err != nil || !ended[0].Lost {
			t.Errorf("who lost it wrote all the same: %+v %v", ended, err)
		}
		if got := statuses(b.deliveries(id)); !slices.Equal(got, []string{"succeeded"}) {
			t.Errorf("deliveries %v", got)
		}
	})
}

func TestFanOutRunsOncePerEvent(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.endpoint("shop", "brands")
		b.create("nord")
		b.sequenceEvents()
		cursors, err := b.Deliveries.Cursors(t.Context())
		if err != nil || len(cursors) != 1 || cursors[b.shop] != 0 {
			t.Fatalf("tenants %v %v", cursors, err)
		}
		if _, err := b.FanOut(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, from := range []int64{0, 1, 99} {
			if err := b.Deliveries.FanOut(t.Context(), b.shop, from, 100, nil); !errors.Is(err, ports.ErrStale) {
				t.Errorf("the cursor was moved from %d: %v", from, err)
			}
		}
	})
}
