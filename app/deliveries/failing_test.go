package deliveries_test

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestGoneAnswerDisablesTheEndpoint(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		b.endpoint("log", "webhook-endpoints")
		b.net.answer(url("shop"), status(410))
		nord := b.create("nord")
		b.rename(nord, "north")
		b.round()
		b.round()
		r := b.view().Get(webhook.Endpoints, id)
		if r.Bool("enabled") || r.Text("disabledReason") != string(webhook.DisabledGone) || r["disabledAt"] == nil {
			t.Errorf("the endpoint is %v", r)
		}
		told := b.net.receivedAt(url("log"))
		if last := told[len(told)-1]; last.Operation != "update" || last.Data["enabled"] != false || last.PreviousDoc["enabled"] != true {
			t.Errorf("the event of that: %+v", last)
		}
		if n := len(b.net.receivedAt(url("shop"))); n != 1 {
			t.Errorf("%d requests", n)
		}
		ds := b.deliveries(id)
		if ds[0].Status != webhook.Dead || ds[0].Reason != webhook.EndpointGone || ds[1].Status != webhook.Discarded ||
			ds[1].Reason != webhook.EndpointDisabled {
			t.Errorf("deliveries %+v", ds)
		}
	})
}

// Rule webhooks-6.
func TestThreeDaysOfFailuresDisableTheEndpoint(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		b.net.answer(url("shop"), status(500))
		for day := range 4 {
			if !b.view().Get(webhook.Endpoints, id).Bool("enabled") {
				t.Fatalf("switched off on day %d", day)
			}
			b.create("brand " + string(rune('a'+day)))
			b.round()
			b.advance(24 * time.Hour)
		}
		if r := b.view().Get(webhook.Endpoints, id); r.Bool("enabled") || r.Text("disabledReason") != string(webhook.DisabledFailing) {
			t.Errorf("the endpoint is %v", r)
		}
	})
}

func TestSuccessResetsTheFailurePeriod(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		for day := range 6 {
			b.net.answer(url("shop"), status(500))
			if day == 2 {
				b.net.answer(url("shop"), nil)
			}
			b.create("brand " + string(rune('a'+day)))
			b.round()
			b.advance(20 * time.Hour)
		}
		if !b.view().Get(webhook.Endpoints, id).Bool("enabled") {
			t.Error("switched off, though something got through")
		}
	})
}

// Rule webhooks-16: the backlog is bounded, and discarded deliveries are visible.
func TestStaleDeliveriesAreDiscarded(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		b.net.answer(url("shop"), status(500))
		b.create("nord")
		b.round()
		if lag, err := b.Lag(t.Context()); err != nil || lag.Pending != 1 || lag.EventsBehind != 0 || lag.Oldest.IsZero() {
			t.Errorf("lag %+v %v", lag, err)
		}
		b.advance(webhook.MaxEventAge + time.Second)
		if _, err := b.CleanUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		if d := b.deliveries(id)[0]; d.Status != webhook.Discarded || d.Reason != webhook.TooOld || d.EndedAt.IsZero() {
			t.Errorf("delivery %+v", d)
		}
		b.advance(31 * 24 * time.Hour)
		if _, err := b.CleanUp(t.Context()); err != nil || len(b.deliveries(id)) != 0 {
			t.Errorf("%d deliveries are kept for good (%v)", len(b.deliveries(id)), err)
		}
	})
}

// Rule running-23.
func TestDamagedDeliveryDelaysNoOther(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		b.net.answer(url("shop"), status(500))
		for _, name := range []string{"nord", "south", "west"} {
			b.create(name)
		}
		b.round()
		all := b.deliveries(id)
		b.rows.Damage("webhook_deliveries", all[0].ID)
		b.net.receivedAt(url("shop"))
		b.net.answer(url("shop"), nil)
		b.advance(time.Hour)
		b.round()
		if n := len(b.net.receivedAt(url("shop"))); n != 2 {
			t.Errorf("%d of 2 others were sent", n)
		}
		b.net.answer(url("shop"), status(500))
		b.create("north")
		b.round()
		b.advance(webhook.MaxEventAge + time.Second)
		if _, err := b.CleanUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n, err := strconv.Atoi(b.rows.Rows("SELECT count(*) FROM webhook_deliveries WHERE status = 'discarded'")[0]); n != 1 || err != nil {
			t.Errorf("%d of 1 other ended when it was too old (%v)", n, err)
		}
	})
}

// A hanging endpoint delays no other: the others finish while it hangs.
func TestHangingEndpointDelaysNoOtherEndpoint(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		hang, hanging := make(chan struct{}), make(chan struct{}, 1000)
		b.endpoint("hangs", "brands")
		b.endpoint("works", "brands")
		arrivals := make(chan struct{}, 1000)
		b.net.answer(url("hangs"), func(ports.WebhookRequest) ports.WebhookResponse {
			hanging <- struct{}{}
			<-hang
			return ports.WebhookResponse{Failure: webhook.Timeout}
		})
		b.net.answer(url("works"), func(ports.WebhookRequest) ports.WebhookResponse {
			arrivals <- struct{}{}
			return ports.WebhookResponse{Status: 200}
		})
		for i := range 20 {
			b.create("brand " + string(rune('a'+i)))
		}
		b.sequenceEvents()
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- b.Run(ctx) }()
		<-hanging
		for range 20 {
			<-arrivals
		}
		if n := 1 + len(hanging); n > 4 {
			t.Errorf("%d requests hang at once", n)
		}
		stop()
		close(hang)
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// A redelivery requested by an operator ignores the backoff.
func TestRedeliveryIgnoresBackoff(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.endpoint("mended", "brands")
		b.net.answer(url("mended"), status(500))
		for i := range 6 {
			b.create("brand " + string(rune('a'+i)))
			b.round()
		}
		b.net.answer(url("mended"), status(200))
		b.net.receivedAt(url("mended"))
		b.create("later")
		b.round()
		if got := b.net.receivedAt(url("mended")); len(got) != 0 {
			t.Fatalf("it is not left alone: %d requests", len(got))
		}
		b.ServeNow(id)
		b.round()
		if got := b.net.receivedAt(url("mended")); len(got) == 0 {
			t.Fatal("nothing was sent though an operator asked")
		}
	})
}

func TestTestDeliveryGoesBeforeTheBacklog(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.endpoint("broken", "brands")
		b.net.answer(url("broken"), status(500))
		for i := range 6 {
			b.create("brand " + string(rune('a'+i)))
			b.round()
		}
		b.advance(time.Minute) // many deliveries are due
		now := b.now()
		d := webhook.Delivery{
			ID: shops.NewID(), Endpoint: id, Environment: "live", Event: shops.NewID(), Collection: webhook.Endpoints.Slug,
			Operation: collection.Updated, RecordID: id, OccurredAt: now, Status: webhook.Pending, NextAttemptAt: now, Test: true,
		}.Record()
		d["tenant"] = string(b.shop)
		b.write(webhook.Deliveries, nil, d)
		b.net.receivedAt(url("broken"))
		b.ServeNow(id)
		b.round()
		got := b.net.receivedAt(url("broken"))
		if len(got) == 0 || got[0].headers["webhook-test"] != "true" {
			t.Fatalf("the first of %d requests is no test", len(got))
		}
	})
}
