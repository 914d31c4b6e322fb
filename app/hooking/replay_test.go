package hooking_test

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

// numbers are those of the events that are on their way, in order.
func (b *bed) numbers() []int64 {
	var out []int64
	for _, d := range b.deliveries() {
		if d.Status == webhook.Pending {
			out = append(out, d.Number)
		}
	}
	slices.Sort(out)
	return out
}

func TestAReplayTellsWhatHappenedBetweenTwoPlaces(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
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
			`{"from":"2020-01-01T00:00:00Z"}`:                                  {first, first + 1, first + 2, first + 3, first + 4, first + 5},
			`{"from":` + text(first+1) + `,"to":` + text(first+2) + `}`:        {first + 1, first + 2},
			`{"from":"` + text(first+4) + `"}`:                                 {first + 4, first + 5},
			`{"from":0,"to":` + text(first) + `}`:                              {first},
			`{"from":` + text(first+3) + `,"to":"2026-01-31T09:04:00Z"}`:       {first + 3, first + 4},
		} {
			id := b.endpoint(`,"collections":["brands"]`).Text("doc.id")
			said := b.must("POST", "/webhook-endpoints/"+id+"/replay", body, owner...)
			if got := b.numbers(); !slices.Equal(got, want) || said.Text("deliveries") != text(int64(len(want))) || said.At("nextSequence") != nil {
				t.Errorf("%s: %v, want %v: %v", body, got, want, said["raw"])
			}
			for _, d := range b.deliveries() {
				if d.Status == webhook.Pending && (d.Endpoint != id || !d.Replayed || d.Collection != "brands" || d.Operation != collection.Created || d.RecordSequence != 1 || d.RecordID == "" || !d.NextAttemptAt.Equal(b.now())) {
					t.Errorf("%+v", d)
				}
				b.outcome(d.Discard(webhook.EndpointLost, b.now()))
			}
		}
	})
}

func text(n int64) string { return strconv.FormatInt(n, 10) }

func TestAReplayTakesWhatTheEndpointHearsOf(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		b.brands(2)
		b.endpoint("", asTest...)
		id := b.endpoint(`,"operations":["create"]`).Text("doc.id")
		b.number()
		b.decided()
		b.must("POST", "/webhook-endpoints/"+id+"/replay", `{"from":1}`, owner...)
		var got []string
		for _, d := range b.deliveries() {
			got = append(got, d.Collection)
		}
		slices.Sort(got)
		if want := []string{"brands", "brands", "tenants", "webhook-endpoints"}; !slices.Equal(got, want) { // its own, not that of test
			t.Errorf("%v", got)
		}
	})
}

func TestAReplayLeavesWhatIsToBeToldForTheFirstTime(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		b.brands(1)
		id := b.endpoint(`,"collections":["brands"]`).Text("doc.id")
		b.brands(2)
		said := b.must("POST", "/webhook-endpoints/"+id+"/replay", `{"from":1}`, owner...)
		if n := len(b.deliveries()); said.Text("deliveries") != "1" || n != 1 {
			t.Errorf("before the deliverer has seen it: %d, %v", n, said["raw"])
		}
		b.decided()
		said = b.must("POST", "/webhook-endpoints/"+id+"/replay", `{"from":1}`, owner...)
		if n := len(b.deliveries()); said.Text("deliveries") != "2" || n != 3 {
			t.Errorf("afterwards: %d, %v", n, said["raw"])
		}
	})
}

func TestAReplayTellsAServerNothingOfUsers(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		b.must("POST", "/users", `{"email":"kim@shop.example","role":"tenant-viewer"}`, admin...)
		b.number()
		servers, admins := b.endpoint("").Text("doc.id"), b.endpoint("", admin...).Text("doc.id")
		for _, id := range []string{servers, admins} {
			b.must("POST", "/webhook-endpoints/"+id+"/replay", `{"from":1}`, owner...)
		}
		told := map[string]int{}
		for _, r := range b.view().All(webhook.Deliveries) {
			if r.Text("collection") == "users" {
				told[r.Text("endpoint")]++
			}
		}
		if told[servers] != 0 || told[admins] != 1 {
			t.Errorf("of users: %d to the server's endpoint, %d to the admin's", told[servers], told[admins])
		}
	})
}

func TestAReplayKeepsIdsAndLeavesAloneWhatIsOnItsWay(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		b.brands(3)
		id := b.endpoint(`,"collections":["brands"]`).Text("doc.id")
		replay := func() string {
			return b.must("POST", "/webhook-endpoints/"+id+"/replay", `{"from":1}`, owner...).Text("deliveries")
		}
		if n := replay(); n != "3" {
			t.Fatalf("%s are on their way", n)
		}
		before := b.deliveries()
		var waiting webhook.Delivery
		for _, d := range before {
			if waiting = d.After(webhook.Attempt{At: b.now(), Status: 500}, 0, 0); d.Number%2 == 0 {
				waiting = d.After(webhook.Attempt{At: b.now(), Status: 200}, 0, 0)
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

func TestReplaysAtOnceMakeEachDeliveryOnce(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		b.brands(5)
		id := b.endpoint(`,"collections":["brands"]`).Text("doc.id")
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

func TestAReplaySaysWhereToGoOn(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		b.brands(5)
		id := b.endpoint(`,"collections":["brands"]`).Text("doc.id")
		b.PerReplay, b.PerPage = 4, 2
		first := b.must("POST", "/webhook-endpoints/"+id+"/replay", `{"from":1}`, owner...)
		if first.Text("deliveries") != "4" || first.Text("nextSequence") == "" {
			t.Fatalf("%v", first["raw"])
		}
		rest := b.must("POST", "/webhook-endpoints/"+id+"/replay", `{"from":`+first.Text("nextSequence")+`}`, owner...)
		if rest.Text("deliveries") != "1" || rest.At("nextSequence") != nil {
			t.Errorf("%v", rest["raw"])
		}
	})
}

func TestTheSameReplayUnderTheSameKeyIsDoneOnce(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		b.brands(2)
		id := b.endpoint(`,"collections":["brands"]`).Text("doc.id")
		k := append(slices.Clone(owner), "Idempotency-Key", key())
		one := b.must("POST", "/webhook-endpoints/"+id+"/replay", `{"from":1}`, k...)
		for _, d := range b.deliveries() {
			b.outcome(d.After(webhook.Attempt{At: b.now(), Status: 200}, 0, 0))
		}
		two := b.must("POST", "/webhook-endpoints/"+id+"/replay", `{"from":1}`, k...)
		if one.Text("raw") != two.Text("raw") || two.Text("replayed") != "true" || len(b.numbers()) != 0 {
			t.Errorf("%v\nafter %v", two["raw"], one["raw"])
		}
	})
}

func TestWhatIsNoSpan(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.endpoint("").Text("doc.id")
		for body, field := range map[string]string{
			`{}`: "from", `{"from":null}`: "from", `{"from":""}`: "from", `{"from":"yesterday"}`: "from", `{"from":-1}`: "from", `{"from":1.5}`: "from", `{"from":true}`: "from",
			`{"from":"2026-01-31"}`: "from", `{"from":1,"to":"soon"}`: "to", `{"from":2,"to":1}`: "to", `{"from":"2026-02-01T00:00:00Z","to":"2026-01-01T00:00:00Z"}`: "to",
			`{"from":1,"until":2}`: "until",
		} {
			status, said := b.ask("POST", "/webhook-endpoints/"+id+"/replay", body, owner...)
			if status != 400 || said.Text("errors.0.data.0.field") != field {
				t.Errorf("%s: %d %v", body, status, said["raw"])
			}
		}
	})
}
