package delivering_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

func (b *bed) letters() access.Letters { return access.Letters{Vault: b.vault, Now: b.now} }

// Spec 6, Contract 10.
func TestWhoHearsOfWhat(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		b.create("before") // nobody hears of what happened before
		all, some := b.endpoint("all"), b.endpoint("some", "brands")
		nord := b.create("nord")
		b.rename(nord, "north")
		b.round()
		got := b.net.at(url("some"))
		if len(got) != 2 || got[0].Collection != "brands" || got[0].Operation != "create" || got[0].Data["name"] != "nord" || got[0].Doc["name"] != "nord" || got[0].PreviousDoc != nil ||
			got[1].Operation != "update" || len(got[1].Data) != 1 || got[1].Data["name"] != "north" || got[1].Doc["name"] != "north" || got[1].PreviousDoc["name"] != "nord" {
			t.Fatalf("arrived %+v", got)
		}
		hook, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range got {
			header := http.Header{}
			for name, value := range a.headers {
				header.Set(name, value)
			}
			if err := hook.VerifyIgnoringTimestamp([]byte(a.raw), header); err != nil || header.Get("Webhook-Sequence") != []string{"1", "2"}[i] || header.Get("Webhook-Test") != "" {
				t.Errorf("headers %v: %v", header, err)
			}
		}
		kinds := map[string]int{}
		for _, a := range b.net.at(url("all")) {
			kinds[a.Collection]++
		}
		if kinds["brands"] != 2 || kinds["webhook-endpoints"] != 2 || kinds["webhook-deliveries"] != 0 { // it was told of itself, and of the other one
			t.Errorf("the other endpoint heard of %v", kinds)
		}
		for _, id := range []string{all, some} {
			for _, d := range b.deliveries(id) {
				if d.Status != webhook.Succeeded || len(d.Attempts) != 1 || d.Attempts[0].Status != 200 {
					t.Errorf("delivery %+v", d)
				}
			}
		}
		if b.round(); len(b.net.at(url("all")))+len(b.net.at(url("some"))) != 0 {
			t.Error("something was delivered twice, or deliveries are told of")
		}
	})
}

// Contract 10: in order per record.
func TestAFailingEventHoldsBackLaterOnesOfItsRecordOnly(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		nord := b.create("nord")
		b.net.answer(url("shop"), func(r ports.WebhookRequest) ports.WebhookAnswer {
			if strings.Contains(string(r.Body), nord.ID()) {
				return ports.WebhookAnswer{Status: 500, Response: "not now"}
			}
			return ports.WebhookAnswer{Status: 204}
		})
		nord = b.rename(nord, "north")
		b.rename(nord, "north!")
		b.create("sud")
		b.round()
		if got := names(b.net.at(url("shop"))); !slices.Equal(got, []string{"nord", "sud"}) && !slices.Equal(got, []string{"sud", "nord"}) {
			t.Fatalf("arrived %v", got)
		}
		b.net.answer(url("shop"), nil)
		b.pass(4 * time.Second)
		if b.round(); len(b.net.at(url("shop"))) != 0 {
			t.Error("it was tried again too early")
		}
		b.pass(time.Second)
		b.round()
		if got := names(b.net.at(url("shop"))); !slices.Equal(got, []string{"nord", "north", "north!"}) {
			t.Errorf("arrived %v", got)
		}
		first := b.deliveries(id)[0]
		if first.Tries != 2 || len(first.Attempts) != 2 || first.Attempts[0].Status != 500 || first.Attempts[0].Response != "not now" {
			t.Errorf("delivery %+v", first)
		}
	})
}

func names(all []arrived) (out []string) {
	for _, a := range all {
		name, _ := a.Doc["name"].(string)
		out = append(out, name)
	}
	return out
}

func TestWebhookIDsStayTheSameOverRetries(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		b.net.answer(url("shop"), status(503))
		b.create("nord")
		for range 3 {
			b.round()
			b.pass(time.Hour)
		}
		got := b.net.at(url("shop"))
		if len(got) != 3 || got[0].headers["webhook-id"] != got[2].headers["webhook-id"] || got[0].headers["webhook-timestamp"] == got[2].headers["webhook-timestamp"] || got[0].headers["webhook-id"] != b.deliveries(id)[0].ID {
			t.Errorf("arrived %+v", got)
		}
	})
}

// Contract 10: nine retries, then a dead letter.
func TestADeadLetterAfterTheLastAttempt(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		b.net.answer(url("shop"), status(500))
		b.create("nord")
		b.round()
		for _, wait := range webhook.Schedule() {
			b.pass(wait + 6*time.Minute) // the endpoint is left alone for a while, too
			b.round()
		}
		d := b.deliveries(id)[0]
		if n := len(b.net.at(url("shop"))); n != 10 || d.Status != webhook.Dead || d.Reason != webhook.AttemptsUsedUp {
			t.Errorf("%d attempts, then %s %s", n, d.Status, d.Reason)
		}
	})
}

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

// Two instances, or one that died: every event once as long as nobody dies, in order, and again when somebody did.
func TestInstancesShareTheWork(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			r := b.create(name)
			for range 4 {
				r = b.rename(r, r.Text("name")+"'")
			}
		}
		b.number()
		other := b.instance(b.net)
		var all sync.WaitGroup
		for range 3 {
			for _, round := range []func(context.Context) error{b.Round, other.Round} {
				all.Go(func() {
					if err := round(t.Context()); err != nil {
						t.Error(err)
					}
				})
			}
		}
		all.Wait()
		b.pass(time.Second)
		b.round()
		got := b.net.at(url("shop"))
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

func TestWhatACrashedInstanceHeldIsDeliveredByAnother(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		b.create("nord")
		b.number()
		if _, err := b.FanOut(t.Context()); err != nil {
			t.Fatal(err)
		}
		held, err := b.Deliveries.Claim(t.Context(), b.shop, id, b.now(), time.Minute, 10)
		if err != nil || len(held) != 1 {
			t.Fatalf("claimed %v %v", held, err)
		}
		if b.round(); len(b.net.at(url("shop"))) != 0 {
			t.Error("two instances have one delivery")
		}
		b.pass(time.Minute + time.Millisecond)
		if b.round(); len(b.net.at(url("shop"))) != 1 {
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

func TestTheLogIsDecidedOnce(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		b.endpoint("shop", "brands")
		b.create("nord")
		b.number()
		cursors, err := b.Deliveries.Tenants(t.Context())
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

// Engineering 18.
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

func TestTokensGoWithTheFirstDeliveryToWhoNamesTheCollection(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		b.endpoint("all")
		b.endpoint("named", "customers")
		event := b.customer()
		b.net.answer(url("named"), status(500))
		b.round()
		b.net.answer(url("named"), nil)
		b.net.at(url("named"))
		b.pass(10 * time.Second)
		b.round()
		got := b.net.at(url("named"))
		if len(got) != 1 || !strings.HasPrefix(got[0].Data["verificationToken"].(string), "vfy_") || got[0].Data["email"] != "kim@shop.example" || strings.Contains(toText(got[0].Doc), "vfy_") {
			t.Fatalf("arrived %+v", got)
		}
		for _, a := range b.net.at(url("all")) {
			if strings.Contains(a.raw, "vfy_") {
				t.Errorf("an endpoint that does not name customers is told %s", a.raw)
			}
		}
		for _, r := range b.view().All(webhook.Deliveries) {
			if strings.Contains(string(collection.AppendJSON(nil, webhook.Deliveries, r, collection.View{Audience: collection.Nobody})), "vfy_") {
				t.Error("the log of deliveries holds a token")
			}
		}
		b.view().Atomically(func(ctx context.Context, tx ports.Tx) error {
			if _, err := tx.Enclosures.Enclosed(ctx, event); !errors.Is(err, ports.ErrAbsent) {
				t.Errorf("what was delivered is kept: %v", err)
			}
			return nil
		})
	})
}

func toText(doc map[string]any) string {
	var b strings.Builder
	for _, v := range doc {
		if s, ok := v.(string); ok {
			b.WriteString(s + " ")
		}
	}
	return b.String()
}
