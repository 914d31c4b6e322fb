package webhooks_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/webhooks"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
)

func TestTestDelivery(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		id := b.endpoint(`,"collections":["orders"],"enabled":false`).TextAt("doc.id")
		said := b.must("POST", "/webhook-endpoints/"+id+"/test", "", owner...)
		for path, want := range map[string]string{
			"delivery.endpoint": id, "delivery.status": "pending", "delivery.collection": "webhook-endpoints",
			"delivery.operation": "update", "delivery.test": "true",
			"delivery.environment": "live", "delivery.sequence": "", "delivery.nextAttemptAt": "2026-01-31T09:00:00.000Z",
		} {
			if got := said.TextAt(path); got != want {
				t.Errorf("%s is %q", path, got)
			}
		}
		if b.woken.Load() != 1 {
			t.Error("the deliverer is not told")
		}
		body := string(webhooks.TestDeliveryBody(b.view().Get(webhook.Endpoints, id)))
		if !strings.HasPrefix(body, `{"collection":"webhook-endpoints","operation":"update","data":{},"doc":{"id":"`+id) ||
			!strings.Contains(body, `,"previousDoc":{"id":"`) || strings.Contains(body, "sealed") {
			t.Errorf("it tells %s", body)
		}
		k := append(slices.Clone(owner), "Idempotency-Key", key())
		one, two := b.must("POST", "/webhook-endpoints/"+id+"/test", "", k...), b.must("POST", "/webhook-endpoints/"+id+"/test", "", k...)
		if one.TextAt("raw") != two.TextAt("raw") || len(b.deliveries()) != 2 {
			t.Errorf("the same key twice: %v\nafter %v", two["raw"], one["raw"])
		}
	})
}

// Deliveries emit no events, which would themselves be delivered, without end.
func TestDeliveriesEmitNoEvents(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		id := b.endpoint("").TextAt("doc.id")
		b.number()
		before, err := b.Log.Newest(t.Context(), []tenant.ID{b.shop.ID})
		if err != nil {
			t.Fatal(err)
		}
		b.must("POST", "/webhook-endpoints/"+id+"/test", "", owner...)
		for _, d := range b.deliveries() {
			b.outcome(d.AfterAttempt(webhook.Attempt{At: b.now(), Status: 200, Response: "ok"}, 0, 0))
		}
		b.brands(1)
		after, err := b.Log.Newest(t.Context(), []tenant.ID{b.shop.ID})
		if err != nil || after[b.shop.ID] != before[b.shop.ID]+1 {
			t.Errorf("%d events after %d: %v", after[b.shop.ID], before[b.shop.ID], err)
		}
	})
}

func TestDeliveryShowsAttempts(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		id := b.endpoint("").TextAt("doc.id")
		made := b.must("POST", "/webhook-endpoints/"+id+"/test", "", owner...).TextAt("delivery.id")
		if n := b.must("GET", "/webhook-deliveries?where[status][equals]=dead", "", owner...).TextAt("totalDocs"); n != "0" {
			t.Errorf("%s are dead before it was tried", n)
		}
		for _, d := range b.deliveries() {
			b.outcome(d.AfterAttempt(webhook.Attempt{
				At: b.now(), Duration: 1500 * time.Millisecond, Status: 500, Response: "out of order",
			}, 0, 0))
		}
		said := b.must("GET", "/webhook-deliveries?where[endpoint][equals]="+id+"&where[status][equals]=dead", "", owner...)
		for path, want := range map[string]string{
			"totalDocs": "1", "docs.0.id": made, "docs.0.status": "dead", "docs.0.reason": "test_failed", "docs.0.responseStatus": "500",
			"docs.0.attempts.0.status": "500", "docs.0.attempts.0.durationMs": "1500", "docs.0.attempts.0.response": "out of order",
			"docs.0.endedAt": "2026-01-31T09:00:01.500Z",
		} {
			if got := said.TextAt(path); got != want {
				t.Errorf("%s is %q: %v", path, got, said["raw"])
			}
		}
		if n := b.must("GET", "/webhook-deliveries", "", asTest...).TextAt("totalDocs"); n != "0" {
			t.Errorf("a test key sees %s of live", n)
		}
		if status, _ := b.ask("GET", "/webhook-deliveries/"+made, "", "X-API-Key", "sk_stranger"); status != 404 {
			t.Errorf("an outsider sees it: %d", status)
		}
	})
}

// given creates an endpoint with a delivery of one event that failed permanently.
func (b *fixture) given() (endpoint string, dead webhook.Delivery) {
	b.t.Helper()
	b.brands(1)
	endpoint = b.endpoint(`,"collections":["brands"]`).TextAt("doc.id")
	b.must("POST", "/webhook-endpoints/"+endpoint+"/replay", `{"from":1}`, owner...)
	for _, dead = range b.deliveries() {
		for dead.Status == webhook.Pending {
			dead = dead.AfterAttempt(webhook.Attempt{At: b.now(), Status: 500}, 0, 0)
		}
		b.outcome(dead)
	}
	return endpoint, dead
}

func TestFailedDeliveryIsRedelivered(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		_, dead := b.given()
		b.pass(time.Hour)
		said := b.must("POST", "/webhook-deliveries/"+dead.ID+"/redeliver", "", owner...)
		if said.TextAt("delivery.id") != dead.ID || said.TextAt("delivery.status") != "pending" ||
			said.TextAt("delivery.attempts.9.status") != "500" || said.Path("delivery.reason") != nil {
			t.Errorf("%v", said["raw"])
		}
		got := b.deliveries()[dead.Event]
		if got.RoundAttempts != 0 || !got.NextAttemptAt.Equal(b.now()) || !got.Replayed {
			t.Errorf("%+v", got)
		}
		b.outcome(got.AfterAttempt(webhook.Attempt{At: b.now(), Status: 503}, time.Hour, 0))
		b.must("POST", "/webhook-deliveries/"+dead.ID+"/redeliver", "", owner...)
		if got := b.deliveries()[dead.Event]; got.RoundAttempts != 1 || !got.NextAttemptAt.Equal(b.now()) {
			t.Errorf("one that waits: %+v", got)
		}
	})
}

func TestRedeliveryRefusals(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		endpoint, dead := b.given()
		refused := func(want string) {
			t.Helper()
			status, said := b.ask("POST", "/webhook-deliveries/"+dead.ID+"/redeliver", "", owner...)
			if status != 409 || said.Reason() != want {
				t.Errorf("%s: %d %v", want, status, said["raw"])
			}
		}
		b.must("PATCH", "/webhook-endpoints/"+endpoint, `{"enabled":false}`, owner...)
		refused("webhook_endpoint_disabled")
		if status, said := b.ask("POST", "/webhook-endpoints/"+endpoint+"/replay", `{"from":1}`, owner...); status != 409 ||
			said.Reason() != "webhook_endpoint_disabled" {
			t.Errorf("a replay to it: %d %v", status, said["raw"])
		}
		gone := dead
		gone.Sequence += 1000
		b.outcome(gone)
		refused("webhook_event_gone")
		b.outcome(dead)
		b.must("DELETE", "/webhook-endpoints/"+endpoint, "", owner...)
		refused("webhook_endpoint_deleted")
		for _, path := range []string{
			"/webhook-deliveries/00000000-0000-7000-8000-000000000000/redeliver", "/webhook-endpoints/" + endpoint + "/test",
		} {
			if status, said := b.ask("POST", path, "", owner...); status != 404 {
				t.Errorf("%s: %d %v", path, status, said["raw"])
			}
		}
	})
}
