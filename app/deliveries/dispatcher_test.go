package deliveries_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

func (b *bed) emailTokens() access.EmailTokens { return access.EmailTokens{Vault: b.vault, Now: b.now} }

// Rules webhooks-1, webhooks-2.
func TestEventsAreDeliveredToSubscribedEndpoints(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.create("before") // events before the first endpoint are not delivered
		all, some := b.endpoint("all"), b.endpoint("some", "brands")
		nord := b.create("nord")
		b.rename(nord, "north")
		b.round()
		got := b.net.receivedAt(url("some"))
		if len(got) != 2 || got[0].Collection != "brands" || got[0].Operation != "create" || got[0].Data["name"] != "nord" ||
			got[0].Doc["name"] != "nord" || got[0].PreviousDoc != nil ||
			got[1].Operation != "update" || len(got[1].Data) != 1 || got[1].Data["name"] != "north" || got[1].Doc["name"] != "north" ||
			got[1].PreviousDoc["name"] != "nord" {
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
			if err := hook.VerifyIgnoringTimestamp([]byte(a.raw), header); err != nil ||
				header.Get("Webhook-Sequence") != []string{"1", "2"}[i] || header.Get("Webhook-Test") != "" {
				t.Errorf("headers %v: %v", header, err)
			}
		}
		kinds := map[string]int{}
		for _, a := range b.net.receivedAt(url("all")) {
			kinds[a.Collection]++
		}
		// its own changes are delivered, and those of the other one
		if kinds["brands"] != 2 || kinds["webhook-endpoints"] != 2 || kinds["webhook-deliveries"] != 0 {
			t.Errorf("the other endpoint got %v", kinds)
		}
		for _, id := range []string{all, some} {
			for _, d := range b.deliveries(id) {
				if d.Status != webhook.Succeeded || len(d.Attempts) != 1 || d.Attempts[0].Status != 200 {
					t.Errorf("delivery %+v", d)
				}
			}
		}
		if b.round(); len(b.net.receivedAt(url("all")))+len(b.net.receivedAt(url("some"))) != 0 {
			t.Error("something was delivered twice, or deliveries are told of")
		}
	})
}

// Rule webhooks-7: in order per record.
func TestFailingDeliveryHoldsBackOnlyItsOwnRecord(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		nord := b.create("nord")
		b.net.answer(url("shop"), func(r ports.WebhookRequest) ports.WebhookResponse {
			if strings.Contains(string(r.Body), nord.ID()) {
				return ports.WebhookResponse{Status: 500, Excerpt: "not now"}
			}
			return ports.WebhookResponse{Status: 204}
		})
		nord = b.rename(nord, "north")
		b.rename(nord, "north!")
		b.create("sud")
		b.round()
		if got := names(b.net.receivedAt(url("shop"))); !slices.Equal(got, []string{"nord", "sud"}) &&
			!slices.Equal(got, []string{"sud", "nord"}) {
			t.Fatalf("arrived %v", got)
		}
		b.net.answer(url("shop"), nil)
		b.advance(4 * time.Second)
		if b.round(); len(b.net.receivedAt(url("shop"))) != 0 {
			t.Error("it was tried again too early")
		}
		b.advance(time.Second)
		b.round()
		if got := names(b.net.receivedAt(url("shop"))); !slices.Equal(got, []string{"nord", "north", "north!"}) {
			t.Errorf("arrived %v", got)
		}
		first := b.deliveries(id)[0]
		if first.RoundAttempts != 2 || len(first.Attempts) != 2 || first.Attempts[0].Status != 500 ||
			first.Attempts[0].Response != "not now" {
			t.Errorf("delivery %+v", first)
		}
	})
}

func names(all []receivedRequest) (out []string) {
	for _, a := range all {
		name, _ := a.Doc["name"].(string)
		out = append(out, name)
	}
	return out
}

func TestWebhookIDsStayTheSameOverRetries(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		b.net.answer(url("shop"), status(503))
		b.create("nord")
		for range 3 {
			b.round()
			b.advance(time.Hour)
		}
		got := b.net.receivedAt(url("shop"))
		if len(got) != 3 || got[0].headers["webhook-id"] != got[2].headers["webhook-id"] ||
			got[0].headers["webhook-timestamp"] == got[2].headers["webhook-timestamp"] ||
			got[0].headers["webhook-id"] != b.deliveries(id)[0].ID {
			t.Errorf("arrived %+v", got)
		}
	})
}

// Rules webhooks-4, webhooks-5: nine retries, then a dead letter.
func TestDeliveryIsDeadLetteredAfterTheLastAttempt(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		b.net.answer(url("shop"), status(500))
		b.create("nord")
		b.round()
		for _, wait := range webhook.Schedule() {
			b.advance(wait + 6*time.Minute) // the endpoint's backoff passes, too
			b.round()
		}
		d := b.deliveries(id)[0]
		if n := len(b.net.receivedAt(url("shop"))); n != 10 || d.Status != webhook.Dead || d.Reason != webhook.AttemptsExhausted {
			t.Errorf("%d attempts, then %s %s", n, d.Status, d.Reason)
		}
	})
}

// Rule access-9.
func TestTokenGoesOnlyWithTheFirstDelivery(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.endpoint("all")
		b.endpoint("named", "customers")
		event := b.customer()
		b.net.answer(url("named"), status(500))
		b.round()
		b.net.answer(url("named"), nil)
		b.net.receivedAt(url("named"))
		b.advance(10 * time.Second)
		b.round()
		got := b.net.receivedAt(url("named"))
		if len(got) != 1 || !strings.HasPrefix(got[0].Data["verificationToken"].(string), "vfy_") ||
			got[0].Data["email"] != "kim@shop.example" || strings.Contains(toText(got[0].Doc), "vfy_") {
			t.Fatalf("arrived %+v", got)
		}
		for _, a := range b.net.receivedAt(url("all")) {
			if strings.Contains(a.raw, "vfy_") {
				t.Errorf("an endpoint that does not name customers is told %s", a.raw)
			}
		}
		for _, r := range b.view().All(webhook.Deliveries) {
			if strings.Contains(string(collection.AppendJSON(nil, webhook.Deliveries, r, collection.View{Audience: collection.ServerOnly})), "vfy_") {
				t.Error("the log of deliveries holds a token")
			}
		}
		b.view().Atomically(func(ctx context.Context, tx ports.Tx) error {
			if _, err := tx.SealedTokens.ForEvent(ctx, event); !errors.Is(err, ports.ErrNotFound) {
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
