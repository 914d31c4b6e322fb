package eventfeed_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/app/eventfeed"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// writeAt is write at another time.
func (b *fixture) writeAt(at time.Time, s *collection.Schema, before, after collection.Record) {
	b.t.Helper()
	err := b.stores[0].Atomically(b.t.Context(), ports.ForTenant(b.shop), func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(s, before, after, shops.NewID(), at))
	})
	if err != nil {
		b.t.Error(err)
	}
}

// Old events are deleted and the others still delivered, also where they refer to deleted ones; a reader that
// was away for too long is refused. After repeated trimming the log consists of the young events and one row
// for each existing record.
func TestOldEventsAreTrimmed(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		s := b.streams(eventfeed.Options{})
		log := b.stores[0].EventLog()
		var records []collection.Record
		number := int64(0)
		for _, kind := range kinds {
			for j := range 3 { // the first is never changed again, the second deleted, the third changed
				r := b.record(kind, tenant.Live)
				b.writeAt(start, kind, nil, r)
				number++
				b.numbered(number)
				if j == 1 {
					b.writeAt(start, kind, r, nil)
					number++
					b.numbered(number)
				}
				records = append(records, r)
			}
		}
		old := number
		if more, err := log.Trim(t.Context(), b.shop, start); err != nil || more {
			t.Error(more, err)
		}
		if n, err := log.TrimmedThrough(t.Context(), b.shop); err != nil || n != 0 {
			t.Errorf("%d are gone (%v)", n, err)
		}
		later := start.Add(time.Hour)
		for round := range 4 {
			for more := true; more; {
				var err error
				if more, err = log.Trim(t.Context(), b.shop, later.Add(time.Duration(round-1)*time.Hour+time.Minute)); err != nil {
					t.Fatal(err)
				}
			}
			for k, kind := range kinds {
				was := records[3*k+2]
				now := was.Clone()
				now[nameOf(kind)] = fmt.Sprint(round)
				b.writeAt(later.Add(time.Duration(round)*time.Hour), kind, was, now)
				records[3*k+2] = now
			}
			number += int64(len(kinds))
			b.numbered(number)
			gone, err := log.TrimmedThrough(t.Context(), b.shop)
			if err != nil || gone != old {
				t.Fatalf("round %d: %d are gone, want %d (%v)", round, gone, old, err)
			}
			r := newReader(t, fmt.Sprint("round ", round))
			page, err := log.Events(t.Context(), ports.EventQuery{Tenant: b.shop, Limit: 100})
			if err != nil || len(page.Events) != len(kinds) {
				t.Fatalf("round %d: %d events (%v)", round, len(page.Events), err)
			}
			for _, e := range page.Events {
				got := read(t, append(append([]byte(`{"`+r.name+`":0,`), e.Body[1:len(e.Body)-1]...), '}'))
				if e.Operation != collection.Updated || got.PreviousDoc == nil || len(got.Data) != 1 {
					t.Errorf("round %d: %s", round, e.Body)
				}
			}
			if _, err := s.Open(t.Context(), b.key(tenant.Live), eventfeed.Query{After: "1"}); !errors.Is(err, eventfeed.ErrTrimmed) {
				t.Error(err)
			}
			if _, err := s.List(t.Context(), b.key(tenant.Live), eventfeed.Query{After: fmt.Sprint(gone - 1), Limit: 1}); !errors.Is(err,
				eventfeed.ErrTrimmed) {
				t.Error(err)
			}
			if a, err := s.List(t.Context(), b.key(tenant.Live), eventfeed.Query{After: "0", Limit: 100}); err != nil ||
				len(a.Body.Bytes()) < 100 {
				t.Errorf("%s (%v)", a.Body, err)
			}
			old = number
		}
	})
}

// poisonLog panics at the events of one tenant.
type poisonLog struct {
	ports.EventLog
	ports.EventTrimmer

	poison tenant.ID
}

func (l poisonLog) Events(ctx context.Context, q ports.EventQuery) (ports.EventPage, error) {
	if q.Tenant == l.poison {
		panic("poison")
	}
	return l.EventLog.Events(ctx, q)
}

func (l poisonLog) Trim(ctx context.Context, id tenant.ID, before time.Time) (bool, error) {
	if id == l.poison {
		panic("poison")
	}
	return l.EventTrimmer.Trim(ctx, id, before)
}

func TestPoisonousTenantKeepsNoOtherFromItsEvents(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		log := b.stores[0].EventLog()
		poisoned, good := tenant.ID(shops.NewID()), b.shop
		runner := background.New(background.Options{Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return start }})
		bad := poisonLog{log, log, poisoned}
		s := b.streams(eventfeed.Options{Log: bad, Task: runner.Task("streams")})
		for _, id := range []tenant.ID{poisoned, good} {
			b.shop = id
			b.writeAt(start, identity.Tenants, nil, collection.Record{"id": string(id), "tenant": string(id), "name": "x", "slug": string(id)})
			b.numbered(1)
			stream, err := s.Open(t.Context(), b.key(tenant.Live), eventfeed.Query{})
			if err != nil {
				t.Fatal(err)
			}
			defer stream.Close()
			b.writeAt(start, catalog.Brands, nil, b.record(catalog.Brands, tenant.Live))
			if id == good {
				r := newReader(t, "beside a poisonous tenant")
				r.at = 1
				r.drain(stream, 1)
			}
			b.numbered(2)
		}
		retention := eventfeed.Retention{
			Store: b.stores[0], Log: bad, KeepFor: time.Hour, Now: func() time.Time { return start.Add(2 * time.Hour) }, Task: runner.Task("old events"),
		}
		if _, err := retention.RunRound(t.Context()); err == nil {
			t.Error("the failure is not reported")
		}
		if n, err := log.TrimmedThrough(t.Context(), good); n != 2 || err != nil {
			t.Errorf("%d events of the other tenant were trimmed (%v)", n, err)
		}
	})
}
