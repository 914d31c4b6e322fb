package delivering_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// What this server has not the means for is no attempt, and does not count against the endpoint.
func TestWhatCouldNotBeSentIsNoAttempt(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		b.net.answer(url("shop"), func(ports.WebhookRequest) ports.WebhookAnswer {
			return ports.WebhookAnswer{NotSent: true, Response: "too many open files"}
		})
		b.create("nord")
		const rounds = 20
		for range rounds {
			b.round()
			b.pass(time.Second)
		}
		if n := len(b.net.at(url("shop"))); n != rounds {
			t.Errorf("%d times tried in %d rounds", n, rounds)
		}
		b.net.answer(url("shop"), nil)
		b.round()
		if d := b.deliveries(id)[0]; d.Status != webhook.Succeeded || d.Tries != 1 || b.Stats().Failed != 0 {
			t.Errorf("delivery %+v", d)
		}
	})
}

// brokenLog tells of no event while it is broken.
type brokenLog struct {
	ports.EventLog

	broken *bool
}

func (l brokenLog) Events(ctx context.Context, q ports.EventQuery) (ports.EventPage, error) {
	if *l.broken {
		return ports.EventPage{}, fault.ErrUnavailable
	}
	return l.EventLog.Events(ctx, q)
}

// A database that fails leaves no endpoint alone.
func TestAnOutageOfOursIsNotTheEndpoints(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		b.endpoint("shop", "brands")
		server, broken := b.instance(b.net), true
		server.Events = brokenLog{server.Events, &broken}
		const events = 20
		for range events {
			b.create("nord")
		}
		b.number()
		if _, err := b.FanOut(t.Context()); err != nil {
			t.Fatal(err)
		}
		for range events {
			_ = server.Round(t.Context()) // it says so, and goes on
			b.pass(time.Second)
		}
		broken = false
		b.pass(30 * time.Second) // the claims run out
		if err := server.Round(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := len(b.net.at(url("shop"))); n != events {
			t.Errorf("%d of %d events arrived when the database was back", n, events)
		}
	})
}

// lostVault opens nothing.
type lostVault struct{ ports.Vault }

func (lostVault) Open(string, string) ([]byte, error) { return nil, errors.New("the key is gone") }

// A secret that cannot be opened is seen by the shop, and told to the operator once.
func TestASecretThatCannotBeOpenedIsAFailedAttempt(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		var log bytes.Buffer
		server := b.instance(b.net)
		server.Vault, server.Log = lostVault{server.Vault}, slog.New(slog.NewTextHandler(&log, nil))
		b.create("nord")
		b.number()
		for range 3 {
			if err := server.Round(t.Context()); err != nil {
				t.Fatal(err)
			}
			b.pass(time.Hour)
		}
		d := b.deliveries(id)[0]
		if len(d.Attempts) != 3 || d.Status != webhook.Pending || d.Attempts[0].Failure != webhook.Unsigned || d.Attempts[0].Response == "" || len(b.net.at(url("shop"))) != 0 {
			t.Errorf("delivery %+v", d)
		}
		if n := strings.Count(log.String(), "signed"); n != 1 {
			t.Errorf("logged %d times:\n%s", n, log.String())
		}
		b.round() // with the key
		if d := b.deliveries(id)[0]; d.Status != webhook.Succeeded {
			t.Errorf("delivery %+v", d)
		}
	})
}

// unfinished finishes nothing that how refuses.
type unfinished struct {
	ports.Deliveries

	how func(ctx context.Context, all []ports.ClaimedDelivery) error
}

func (u unfinished) Finish(ctx context.Context, all []ports.ClaimedDelivery) ([]ports.FinishedDelivery, error) {
	if err := u.how(ctx, all); err != nil {
		return nil, err
	}
	return u.Deliveries.Finish(ctx, all)
}

// A database that hangs keeps the program from its end for as long as one write may take, however much is to be written.
func TestADatabaseThatHangsIsNotAskedForEachDelivery(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		const endpoints, patience = 20, 300 * time.Millisecond
		for i := range endpoints {
			b.endpoint("shop"+strconv.Itoa(i), "brands")
		}
		for range 4 {
			b.create("nord")
		}
		b.number()
		b.Patience = patience
		b.Deliveries = unfinished{b.Deliveries, func(ctx context.Context, _ []ports.ClaimedDelivery) error {
			<-ctx.Done()
			return ctx.Err()
		}}
		began := time.Now()
		if err := b.Round(t.Context()); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > 10*patience {
			t.Errorf("%d ends took %s", 4*endpoints, took)
		}
	})
}

func TestADeliveryThatCannotBeStoredKeepsNoOtherFromIt(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.endpoint("shop", "brands")
		bad := b.create("bad").ID()
		for range 50 {
			b.create("good")
		}
		b.Deliveries = unfinished{b.Deliveries, func(_ context.Context, all []ports.ClaimedDelivery) error {
			for _, c := range all {
				if c.RecordID == bad {
					return errors.New("this row cannot be stored")
				}
			}
			return nil
		}}
		for range 3 {
			b.round()
			b.pass(time.Second)
		}
		for _, d := range b.deliveries(id) {
			if (d.Status == webhook.Succeeded) == (d.RecordID == bad) {
				t.Errorf("delivery %+v", d)
			}
		}
	})
}
