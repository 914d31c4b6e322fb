package delivering_test

import (
	"context"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestAnAnswerOfGoneSwitchesTheEndpointOff(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		b.endpoint("log", "webhook-endpoints")
		b.net.answer(url("shop"), status(410))
		nord := b.create("nord")
		b.rename(nord, "north")
		b.round()
		b.round()
		r := b.view().Get(webhook.Endpoints, id)
		if r.Bool("enabled") || r.Text("disabledReason") != string(webhook.GoneForGood) || r["disabledAt"] == nil {
			t.Errorf("the endpoint is %v", r)
		}
		told := b.net.at(url("log"))
		if last := told[len(told)-1]; last.Operation != "update" || last.Data["enabled"] != false || last.PreviousDoc["enabled"] != true {
			t.Errorf("the event of that: %+v", last)
		}
		if n := len(b.net.at(url("shop"))); n != 1 {
			t.Errorf("%d requests", n)
		}
		ds := b.deliveries(id)
		if ds[0].Status != webhook.Dead || ds[0].Reason != webhook.EndpointGone || ds[1].Status != webhook.Discarded || ds[1].Reason != webhook.EndpointOff {
			t.Errorf("deliveries %+v", ds)
		}
	})
}

// Contract 10.
func TestThreeDaysOfNothingButFailuresSwitchTheEndpointOff(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		b.net.answer(url("shop"), status(500))
		for day := range 4 {
			if !b.view().Get(webhook.Endpoints, id).Bool("enabled") {
				t.Fatalf("switched off on day %d", day)
			}
			b.create("brand " + string(rune('a'+day)))
			b.round()
			b.pass(24 * time.Hour)
		}
		if r := b.view().Get(webhook.Endpoints, id); r.Bool("enabled") || r.Text("disabledReason") != string(webhook.FailingTooLong) {
			t.Errorf("the endpoint is %v", r)
		}
	})
}

func TestASuccessBeginsTheThreeDaysAnew(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		for day := range 6 {
			b.net.answer(url("shop"), status(500))
			if day == 2 {
				b.net.answer(url("shop"), nil)
			}
			b.create("brand " + string(rune('a'+day)))
			b.round()
			b.pass(20 * time.Hour)
		}
		if !b.view().Get(webhook.Endpoints, id).Bool("enabled") {
			t.Error("switched off, though something got through")
		}
	})
}

// Engineering 11: a bounded backlog, and visible.
func TestWhatIsTooOldIsGivenUp(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		b.net.answer(url("shop"), status(500))
		b.create("nord")
		b.round()
		if lag, err := b.Lag(t.Context()); err != nil || lag.Pending != 1 || lag.Behind != 0 || lag.Oldest.IsZero() {
			t.Errorf("lag %+v %v", lag, err)
		}
		b.pass(webhook.Backlog + time.Second)
		if _, err := b.Tidy(t.Context()); err != nil {
			t.Fatal(err)
		}
		if d := b.deliveries(id)[0]; d.Status != webhook.Discarded || d.Reason != webhook.TooOld || d.EndedAt.IsZero() {
			t.Errorf("delivery %+v", d)
		}
		b.pass(31 * 24 * time.Hour)
		if _, err := b.Tidy(t.Context()); err != nil || len(b.deliveries(id)) != 0 {
			t.Errorf("%d deliveries are kept for good (%v)", len(b.deliveries(id)), err)
		}
	})
}

// A hanging endpoint delays nobody: the others are done while it hangs.
func TestAHangingEndpointDelaysNobody(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		hang, hanging := make(chan struct{}), make(chan struct{}, 1000)
		b.endpoint("hangs", "brands")
		b.endpoint("works", "brands")
		arrivals := make(chan struct{}, 1000)
		b.net.answer(url("hangs"), func(ports.WebhookRequest) ports.WebhookAnswer {
			hanging <- struct{}{}
			<-hang
			return ports.WebhookAnswer{Failure: webhook.Timeout}
		})
		b.net.answer(url("works"), func(ports.WebhookRequest) ports.WebhookAnswer {
			arrivals <- struct{}{}
			return ports.WebhookAnswer{Status: 200}
		})
		for i := range 20 {
			b.create("brand " + string(rune('a'+i)))
		}
		b.number()
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

// An operator knows better than the counter of failures.
func TestAnEndpointThatIsLeftAloneIsServedWhenAnOperatorAsks(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.endpoint("mended", "brands")
		b.net.answer(url("mended"), status(500))
		for i := range 6 {
			b.create("brand " + string(rune('a'+i)))
			b.round()
		}
		b.net.answer(url("mended"), status(200))
		b.net.at(url("mended"))
		b.create("later")
		b.round()
		if got := b.net.at(url("mended")); len(got) != 0 {
			t.Fatalf("it is not left alone: %d requests", len(got))
		}
		b.Asked(id)
		b.round()
		if got := b.net.at(url("mended")); len(got) == 0 {
			t.Fatal("nothing was sent though an operator asked")
		}
	})
}

func TestATestIsMadeBeforeWhatAFailingEndpointDidNotTake(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.endpoint("broken", "brands")
		b.net.answer(url("broken"), status(500))
		for i := range 6 {
			b.create("brand " + string(rune('a'+i)))
			b.round()
		}
		b.pass(time.Minute) // much is due
		now := b.now()
		d := webhook.Delivery{
			ID: shops.NewID(), Endpoint: id, Environment: "live", Event: shops.NewID(), Collection: webhook.Endpoints.Slug, Operation: collection.Updated,
			RecordID: id, OccurredAt: now, Status: webhook.Pending, NextAttemptAt: now, Test: true,
		}.Record()
		d["tenant"] = string(b.shop)
		b.write(webhook.Deliveries, nil, d)
		b.net.at(url("broken"))
		b.Asked(id)
		b.round()
		got := b.net.at(url("broken"))
		if len(got) == 0 || got[0].headers["webhook-test"] != "true" {
			t.Fatalf("the first of %d requests is no test", len(got))
		}
	})
}
