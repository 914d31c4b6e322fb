package deliveries_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// Rule webhooks-7: a slow request delays only the later events of its own record, not other deliveries to the
// endpoint.
func TestSlowRequestDelaysNoOtherRecord(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.endpoint("shop", "brands")
		slow := b.create("slow")
		hang, arrivals := make(chan struct{}), make(chan struct{}, 1000)
		b.net.answer(url("shop"), func(r ports.WebhookRequest) ports.WebhookResponse {
			if strings.Contains(string(r.Body), slow.ID()) {
				<-hang
			}
			arrivals <- struct{}{}
			return ports.WebhookResponse{Status: 200}
		})
		slow = b.rename(slow, "slower")
		const others = 60 // more than one claim takes
		for range others {
			b.create("quick")
		}
		b.sequenceEvents()
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- b.Run(ctx) }()
		for range others {
			<-arrivals
		}
		if len(arrivals) != 0 {
			t.Error("what follows in the record was sent before what hangs was answered")
		}
		close(hang)
		<-arrivals
		<-arrivals
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// An endpoint that keeps failing gets a backoff, and then a single request.
func TestFailingEndpointBacksOff(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.endpoint("shop", "brands")
		b.net.answer(url("shop"), status(500))
		const events = 30
		for range events {
			b.create("nord")
		}
		b.round()
		if n := len(b.net.receivedAt(url("shop"))); n < 5 || n > 9 { // four requests were allowed when the fifth failed
			t.Fatalf("%d requests to an endpoint that fails", n)
		}
		b.advance(9 * time.Second)
		if b.round(); len(b.net.receivedAt(url("shop"))) != 0 {
			t.Error("it was not left alone")
		}
		b.advance(time.Second)
		if b.round(); len(b.net.receivedAt(url("shop"))) != 1 {
			t.Error("it was not tried with a single request")
		}
		b.advance(10 * time.Second)
		if b.round(); len(b.net.receivedAt(url("shop"))) != 0 {
			t.Error("it is left alone no longer than before")
		}
		b.net.answer(url("shop"), nil)
		b.advance(time.Minute)
		for range 3 {
			b.round()
			b.advance(time.Minute)
		}
		if n := len(b.net.receivedAt(url("shop"))); n != events {
			t.Errorf("%d of %d events arrived when it was well again", n, events)
		}
	})
}

// Rule webhooks-9: two signatures during a rotation of 24 h.
func TestBothSecretsSignDuringRotation(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		const newer = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
		id := b.endpoint("shop", "brands")
		before := b.view().Get(webhook.Endpoints, id)
		sealed, err := b.vault.Seal("webhook-endpoints/"+id+"/secret", []byte(newer))
		if err != nil {
			t.Fatal(err)
		}
		after := before.Clone()
		webhook.RotateSecret(after, sealed, b.now())
		b.write(webhook.Endpoints, before, after)
		for _, c := range []struct {
			later time.Duration
			both  bool
		}{{0, true}, {24*time.Hour - time.Second, true}, {2 * time.Second, false}} {
			b.advance(c.later)
			b.create("nord")
			b.round()
			got := b.net.receivedAt(url("shop"))
			if len(got) != 1 {
				t.Fatalf("%d requests", len(got))
			}
			header := http.Header{}
			for name, value := range got[0].headers {
				header.Set(name, value)
			}
			for of, valid := range map[string]bool{secret: c.both, newer: true} {
				hook, err := standardwebhooks.NewWebhook(of)
				if err != nil {
					t.Fatal(err)
				}
				if err := hook.VerifyIgnoringTimestamp([]byte(got[0].raw), header); (err == nil) != valid {
					t.Errorf("after %s, with %s: %v", c.later, of, err)
				}
			}
		}
	})
}

// Rule webhooks-5: an operator can redeliver a dead letter, under its id.
func TestDeadLetterCanBeRedelivered(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		b.net.answer(url("shop"), status(500))
		b.create("nord")
		b.round()
		for _, wait := range webhook.Schedule() {
			b.advance(wait + 6*time.Minute)
			b.round()
		}
		first := b.net.receivedAt(url("shop"))[0]
		b.net.answer(url("shop"), nil)
		b.advance(6 * time.Minute)
		for _, r := range b.view().All(webhook.Deliveries) {
			after := webhook.DeliveryFrom(r).Redeliver(b.now()).Record()
			after["tenant"] = string(b.shop)
			b.write(webhook.Deliveries, r, after)
		}
		b.round()
		got, d := b.net.receivedAt(url("shop")), b.deliveries(id)[0]
		if len(got) != 1 || got[0].headers["webhook-id"] != first.headers["webhook-id"] || got[0].raw != first.raw ||
			d.Status != webhook.Succeeded || !d.Replayed || len(d.Attempts) != 11 {
			t.Errorf("arrived %+v, delivery %+v", got, d)
		}
	})
}

// A redelivery requested during an attempt is made after it.
func TestRedeliveryDuringAnAttemptIsNotLost(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		asked := false
		b.net.answer(url("shop"), func(ports.WebhookRequest) ports.WebhookResponse {
			if asked {
				return ports.WebhookResponse{Status: 200}
			}
			asked = true
			for _, r := range b.view().All(webhook.Deliveries) {
				after := webhook.DeliveryFrom(r).Redeliver(b.now()).Record()
				after["tenant"] = string(b.shop)
				b.write(webhook.Deliveries, r, after)
			}
			return ports.WebhookResponse{Status: 500}
		})
		b.create("nord")
		b.round()
		b.round()
		if d := b.deliveries(id)[0]; len(b.net.receivedAt(url("shop"))) != 2 || d.Status != webhook.Succeeded || len(d.Attempts) != 2 {
			t.Errorf("delivery %+v", d)
		}
	})
}

// Rule webhooks-4: a random delay is added to scheduled retries.
func TestRetriesAreJittered(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		b.net.answer(url("shop"), status(500))
		b.Jitter = func() float64 { return 0.5 }
		b.create("nord")
		b.round()
		if d := b.deliveries(id)[0]; !d.NextAttemptAt.Equal(b.now().Add(5500 * time.Millisecond)) {
			t.Errorf("tried next after %s", d.NextAttemptAt.Sub(b.now()))
		}
	})
}

// The delivery of a trimmed event is discarded.
func TestDeliveryOfATrimmedEventIsDiscarded(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		r := b.create("nord")
		b.rename(r, "north")
		b.sequenceEvents()
		if _, err := b.FanOut(t.Context()); err != nil {
			t.Fatal(err)
		}
		other := b.instance(b.net) // with an empty event cache
		for more := true; more; {
			var err error
			if more, err = b.store.EventLog().Trim(t.Context(), b.shop, b.now().Add(time.Second)); err != nil {
				t.Fatal(err)
			}
		}
		if err := other.RunOnce(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, d := range b.deliveries(id) {
			if d.Status != webhook.Discarded || d.Reason != webhook.EventTrimmed {
				t.Errorf("delivery %+v", d)
			}
		}
		if n := len(b.net.receivedAt(url("shop"))); n != 0 || other.Stats().Discarded != 2 {
			t.Errorf("%d requests, stats %+v", n, other.Stats())
		}
	})
}

// Due deliveries to a disabled endpoint are discarded at once, regardless of its concurrency. A test delivery
// is still made.
func TestDeliveriesOfADisabledEndpointAreDiscarded(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		for range 300 {
			b.create("nord")
		}
		b.sequenceEvents()
		for more := true; more; {
			var err error
			if more, err = b.FanOut(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		before := b.view().Get(webhook.Endpoints, id)
		after := before.Clone()
		webhook.SetEnabled(after, false, webhook.DisabledByOperator, 0, b.now())
		b.write(webhook.Endpoints, before, after)
		ping := webhook.Delivery{
			ID: "ping", Endpoint: id, Environment: "live", Event: "ping", Collection: "webhook-endpoints", Operation: "update",
			RecordID: id, OccurredAt: b.now(), Status: webhook.Pending, NextAttemptAt: b.now(), Test: true,
		}.Record()
		ping["tenant"] = string(b.shop)
		b.write(webhook.Deliveries, nil, ping)
		b.round()
		if got := b.net.receivedAt(url("shop")); len(got) != 1 || got[0].headers["webhook-test"] != "true" {
			t.Errorf("%d requests", len(got))
		}
		for _, d := range b.deliveries(id) {
			if !d.Test && (d.Status != webhook.Discarded || d.Reason != webhook.EndpointDisabled) ||
				d.Test && d.Status != webhook.Succeeded {
				t.Fatalf("delivery %+v", d)
			}
		}
	})
}
