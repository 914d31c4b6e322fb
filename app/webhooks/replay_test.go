package webhooks_test

import (
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// numbers are the sequence numbers of the events of pending deliveries, in order.
func (b *fixture) numbers() []int64 {
	var out []int64
	for _, d := range b.deliveries() {
		if d.Status == webhook.Pending {
			out = append(out, d.Sequence)
		}
	}
	slices.Sort(out)
	return out
}

func TestReplayRange(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		b.brands(6) // at 9:00, 9:01 … 9:05
		page, err := b.Log.Events(t.Context(), ports.EventQuery{Tenant: b.shop.ID, Collections: []string{"brands"}, Limit: 100})
		if err != nil || len(page.Events) != 6 {
			t.Fatalf("%d events %v", len(page.Events), err)
		}
		first := page.Events[0].Sequence
		for body, want := range map[string][]int64{
			`{"from":"2026-01-31T09:02:00Z","to":"2026-01-31T09:04:00Z"}`:      {first + 2, first + 3, first + 4},
			`{"from":"2026-01-31T18:02:00+09:00","to":"2026-01-31T09:02:00Z"}`: {first + 2},
			`{"from":"2026-01-31T09:05:00Z"}`:                                  {first + 5},
			`{"from":"2026-01-31T10:00:00Z"}`:                                  nil,
			`{"from":"2020-01-01T00:00:00Z"}`: {
				first, first + 1, first + 2, first + 3, first + 4, first + 5,
			},
			`{"from":` + text(first+1) + `,"to":` + text(first+2) + `}`:  {first + 1, first + 2},
			`{"from":"` + text(first+4) + `"}`:                           {first + 4, first + 5},
			`{"from":0,"to":` + text(first) + `}`:                        {first},
			`{"from":` + text(first+3) + `,"to":"2026-01-31T09:04:00Z"}`: {first + 3, first + 4},
		} {
			id := b.endpoint(`,"collections":["brands"]`).TextAt("doc.id")
			said := b.must("POST", "/webhook-endpoints/"+id+"/replay", body, owner...)
			if got := b.numbers(); !slices.Equal(got, want) || said.TextAt("deliveries") != text(int64(len(want))) ||
				said.Path("nextSequence") != nil {
				t.Errorf("%s: %v, want %v: %v", body, got, want, said["raw"])
			}
			for _, d := range b.deliveries() {
				if d.Status == webhook.Pending && (d.Endpoint != id || !d.Replayed || d.Collection != "brands" ||
					d.Operation != collection.Created || d.RecordSequence != 1 || d.RecordID == "" || !d.NextAttemptAt.Equal(b.now())) {
					t.Errorf("%+v", d)
				}
				b.outcome(d.Discard(webhook.EndpointDeleted, b.now()))
			}
		}
	})
}

func text(n int64) string { return strconv.FormatInt(n, 10) }

func TestReplayRespectsEndpointFilter(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		b.brands(2)
		b.endpoint("", asTest...)
		id := b.endpoint(`,"operations":["create"]`).TextAt("doc.id")
		b.number()
		b.decided()
		b.must("POST", "/webhook-endpoints/"+id+"/replay", `{"from":1}`, owner...)
		var got []string
		for _, d := range b.deliveries() {
			got = append(got, d.Collection)
		}
		slices.Sort(got)
		// its own environment's, not those of test
		if want := []string{"brands", "brands", "tenants", "webhook-endpoints"}; !slices.Equal(got, want) {
			t.Errorf("%v", got)
		}
	})
}

func TestReplaySkipsEventsNotFannedOut(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		b.brands(1)
		id := b.endpoint(`,"collections":["brands"]`).TextAt("doc.id")
		b.brands(2)
		said := b.must("POST", "/webhook-endpoints/"+id+"/replay", `{"from":1}`, owner...)
		if n := len(b.deliveries()); said.TextAt("deliveries") != "1" || n != 1 {
			t.Errorf("before the deliverer has seen it: %d, %v", n, said["raw"])
		}
		b.decided()
		said = b.must("POST", "/webhook-endpoints/"+id+"/replay", `{"from":1}`, owner...)
		if n := len(b.deliveries()); said.TextAt("deliveries") != "2" || n != 3 {
			t.Errorf("afterwards: %d, %v", n, said["raw"])
		}
	})
}

func TestReplayRespectsAudience(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		b.must("POST", "/tags", `{"name":"Sale"}`, admin...)
		b.number()
		servers, admins := b.endpoint("").TextAt("doc.id"), b.endpoint("", admin...).TextAt("doc.id")
		for _, id := range []string{servers, admins} {
			b.must("POST", "/webhook-endpoints/"+id+"/replay", `{"from":1}`, owner...)
		}
		told := map[string]int{}
		for _, r := range b.view().All(webhook.Deliveries) {
			if r.Text("collection") == closed {
				told[r.Text("endpoint")]++
			}
		}
		if told[servers] != 0 || told[admins] != 1 {
			t.Errorf("of what keys may not read: %d to the server's endpoint, %d to the admin's", told[servers], told[admins])
		}
	})
}

func TestReplayKeepsIDsAndPendingDeliveries(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		b.brands(3)
		id := b.endpoint(`,"collections":["brands"]`).TextAt("doc.id")
		replay := func() string {
			return b.must("POST", "/webhook-endpoints/"+id+"/replay", `{"from":1}`, owner...).TextAt("deliveries")
		}
		if n := replay(); n != "3" {
			t.Fatalf("%s are on their way", n)
		}
		before := b.deliveries()
		var waiting webhook.Delivery
		for _, d := range before {
			if waiting = d.AfterAttempt(webhook.Attempt{At: b.now(), Status: 500}, 0, 0); d.Sequence%2 == 0 {
				waiting = d.AfterAttempt(webhook.Attempt{At: b.now(), Status: 200}, 0, 0)
			}
			b.outcome(waiting)
		}
		done := 0
		for _, d := range b.deliveries() {
			if d.Status == webhook.Succeeded {
				done++
			}
		}
		b.pass(time.Hour)
		if n := replay(); n != text(int64(done)) {
			t.Errorf("%s are newly on their way, %d were done", n, done)
		}
		for event, d := range b.deliveries() {
			if d.ID != before[event].ID || d.Status != webhook.Pending || len(d.Attempts) != 1 {
				t.Errorf("%+v", d)
			}
		}
	})
}

func TestConcurrentReplaysDeliverOnce(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		b.brands(5)
		id := b.endpoint(`,"collections":["brands"]`).TextAt("doc.id")
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if status, said := b.ask("POST", "/webhook-endpoints/"+id+"/replay", `{"from":1}`, owner...); status != 200 {
					t.Errorf("%d %v", status, said["raw"])
				}
			})
		}
		all.Wait()
		if n := len(b.view().All(webhook.Deliveries)); n != 5 {
			t.Errorf("%d deliveries", n)
		}
	})
}

func TestReplayReturnsNextSequence(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		b.brands(5)
		id := b.endpoint(`,"collections":["brands"]`).TextAt("doc.id")
		b.ReplayLimit, b.ReplayPageSize = 4, 2
		first := b.must("POST", "/webhook-endpoints/"+id+"/replay", `{"from":1}`, owner...)
		if first.TextAt("deliveries") != "4" || first.TextAt("nextSequence") == "" {
			t.Fatalf("%v", first["raw"])
		}
		rest := b.must("POST", "/webhook-endpoints/"+id+"/replay", `{"from":`+first.TextAt("nextSequence")+`}`, owner...)
		if rest.TextAt("deliveries") != "1" || rest.Path("nextSequence") != nil {
			t.Errorf("%v", rest["raw"])
		}
	})
}

func TestReplayIsIdempotent(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		b.brands(2)
		id := b.endpoint(`,"collections":["brands"]`).TextAt("doc.id")
		k := append(slices.Clone(owner), "Idempotency-Key", key())
		one := b.must("POST", "/webhook-endpoints/"+id+"/replay", `{"from":1}`, k...)
		for _, d := range b.deliveries() {
			b.outcome(d.AfterAttempt(webhook.Attempt{At: b.now(), Status: 200}, 0, 0))
		}
		two := b.must("POST", "/webhook-endpoints/"+id+"/replay", `{"from":1}`, k...)
		if one.TextAt("raw") != two.TextAt("raw") || two.TextAt("replayed") != "true" || len(b.numbers()) != 0 {
			t.Errorf("%v\nafter %v", two["raw"], one["raw"])
		}
	})
}

func TestInvalidReplayRange(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		id := b.endpoint("").TextAt("doc.id")
		for body, field := range map[string]string{
			`{}`: "from", `{"from":null}`: "from", `{"from":""}`: "from", `{"from":"yesterday"}`: "from", `{"from":-1}`: "from",
			`{"from":1.5}`: "from", `{"from":true}`: "from", `{"from":"2026-01-31"}`: "from", `{"from":1,"to":"soon"}`: "to",
			`{"from":2,"to":1}`: "to", `{"from":"2026-02-01T00:00:00Z","to":"2026-01-01T00:00:00Z"}`: "to", `{"from":1,"until":2}`: "until",
		} {
			status, said := b.ask("POST", "/webhook-endpoints/"+id+"/replay", body, owner...)
			if status != 400 || said.TextAt("errors.0.data.0.field") != field {
				t.Errorf("%s: %d %v", body, status, said["raw"])
			}
		}
	})
}
