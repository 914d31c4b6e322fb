package deliveries_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// A request that this server could not send is not an attempt, and does not count against the endpoint.
func TestUnsentRequestIsNotAnAttempt(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		b.net.answer(url("shop"), func(ports.WebhookRequest) ports.WebhookResponse {
			return ports.WebhookResponse{NotSent: true, Excerpt: "too many open files"}
		})
		b.create("nord")
		const rounds = 20
		for range rounds {
			b.round()
			b.advance(time.Second)
		}
		if n := len(b.net.receivedAt(url("shop"))); n != rounds {
			t.Errorf("%d times tried in %d rounds", n, rounds)
		}
		b.net.answer(url("shop"), nil)
		b.round()
		if d := b.deliveries(id)[0]; d.Status != webhook.Succeeded || d.RoundAttempts != 1 || b.Stats().Failed != 0 {
			t.Errorf("delivery %+v", d)
		}
	})
}

// failingLog returns no events while it is broken.
type failingLog struct {
	ports.EventLog

	broken *bool
}

func (l failingLog) Events(ctx context.Context, q ports.EventQuery) (ports.EventPage, error) {
	if *l.broken {
		return ports.EventPage{}, fault.ErrUnavailable
	}
	return l.EventLog.Events(ctx, q)
}

// A failing database causes no backoff of endpoints.
func TestInternalOutageIsNotCountedAgainstTheEndpoint(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.endpoint("shop", "brands")
		server, broken := b.instance(b.net), true
		server.Events = failingLog{server.Events, &broken}
		const events = 20
		for range events {
			b.create("nord")
		}
		b.sequenceEvents()
		if _, err := b.FanOut(t.Context()); err != nil {
			t.Fatal(err)
		}
		for range events {
			_ = server.RunOnce(t.Context()) // it logs the failure and continues
			b.advance(time.Second)
		}
		broken = false
		b.advance(30 * time.Second) // the claims expire
		if err := server.RunOnce(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := len(b.net.receivedAt(url("shop"))); n != events {
			t.Errorf("%d of %d events arrived when the database was back", n, events)
		}
	})
}

// lostVault decrypts nothing.
type lostVault struct{ ports.Vault }

func (lostVault) Open(string, string) ([]byte, error) { return nil, errors.New("the key is gone") }

// A secret that cannot be decrypted is a failed attempt for the tenant, and logged once for the operator.
func TestUnreadableSecretIsAFailedAttempt(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		var log bytes.Buffer
		server := b.instance(b.net)
		server.Vault, server.Log = lostVault{server.Vault}, slog.New(slog.NewTextHandler(&log, nil))
		b.create("nord")
		b.sequenceEvents()
		for range 3 {
			if err := server.RunOnce(t.Context()); err != nil {
				t.Fatal(err)
			}
			b.advance(time.Hour)
		}
		d := b.deliveries(id)[0]
		if len(d.Attempts) != 3 || d.Status != webhook.Pending || d.Attempts[0].Failure != webhook.SecretUnavailable ||
			d.Attempts[0].Response == "" || len(b.net.receivedAt(url("shop"))) != 0 {
			t.Errorf("delivery %+v", d)
		}
		if n := strings.Count(log.String(), "webhook signing failed"); n != 1 {
			t.Errorf("logged %d times:\n%s", n, log.String())
		}
		b.round() // with the secret available again
		if d := b.deliveries(id)[0]; d.Status != webhook.Succeeded {
			t.Errorf("delivery %+v", d)
		}
	})
}

// failingFinish fails to finish deliveries for which how returns an error.
type failingFinish struct {
	ports.Deliveries

	how func(ctx context.Context, all []ports.ClaimedDelivery) error
}

func (u failingFinish) Finish(ctx context.Context, all []ports.ClaimedDelivery) ([]ports.FinishedDelivery, error) {
	if err := u.how(ctx, all); err != nil {
		return nil, err
	}
	return u.Deliveries.Finish(ctx, all)
}

// A hanging database delays shutdown by the timeout of one write, however many results are to be stored.
func TestHangingDatabaseIsNotRetriedPerDelivery(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		const endpoints, patience = 20, 300 * time.Millisecond
		for i := range endpoints {
			b.endpoint("shop"+strconv.Itoa(i), "brands")
		}
		for range 4 {
			b.create("nord")
		}
		b.sequenceEvents()
		b.WriteTimeout = patience
		b.Deliveries = failingFinish{b.Deliveries, func(ctx context.Context, _ []ports.ClaimedDelivery) error {
			<-ctx.Done()
			return ctx.Err()
		}}
		began := time.Now()
		if err := b.RunOnce(t.Context()); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > 10*patience {
			t.Errorf("%d ends took %s", 4*endpoints, took)
		}
	})
}

func TestOneUnstorableDeliveryDoesNotBlockItsBatch(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		bad := b.create("bad").ID()
		for range 50 {
			b.create("good")
		}
		b.Deliveries = failingFinish{b.Deliveries, func(_ context.Context, all []ports.ClaimedDelivery) error {
			for _, c := range all {
				if c.RecordID == bad {
					return errors.New("this row cannot be stored")
				}
			}
			return nil
		}}
		for range 3 {
			b.round()
			b.advance(time.Second)
		}
		for _, d := range b.deliveries(id) {
			if (d.Status == webhook.Succeeded) == (d.RecordID == bad) {
				t.Errorf("delivery %+v", d)
			}
		}
	})
}

// A delivery for which the server itself fails keeps no other delivery of its endpoint from being made. After several
// failures these count as attempts, so that it ends like any other.
func TestPoisonousDeliveryKeepsNoOtherFromBeingMade(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		b.Background = background.New(background.Options{Log: slog.New(slog.DiscardHandler), Now: b.now})
		b.net.answer(url("shop"), func(r ports.WebhookRequest) ports.WebhookResponse {
			if strings.Contains(string(r.Body), "poison") {
				panic("poison")
			}
			return ports.WebhookResponse{Status: 200}
		})
		for _, name := range []string{"one", "poison", "two", "three"} {
			b.create(name)
		}
		for range 8 {
			b.round()
			b.advance(31 * time.Second) // the claims expire
		}
		all := b.deliveries(id)
		if got := statuses(all); !slices.Equal(got, []string{"succeeded", "pending", "succeeded", "succeeded"}) {
			t.Errorf("the deliveries are %v", got)
		}
		if tries := all[1].Attempts; len(tries) == 0 || tries[0].Failure != webhook.InternalFailure {
			t.Errorf("the attempts of the poisonous one are %+v", tries)
		}
	})
}
