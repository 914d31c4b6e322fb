package eventfeed_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/eventfeed"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Twelve writers on two instances concurrently change records of all kinds, each record on both instances.
// Readers follow on either instance: continuously, with frequent disconnects and reconnects to the other
// instance, page by page, and so slowly that no feed buffers what they have not seen. None misses an event,
// sees one twice, or out of order.
func TestReaderSeesEveryEventOnce(t *testing.T) {
	const changes = 40
	both(t, func(t *testing.T, b *fixture) {
		var instances [2]*eventfeed.Service
		for i := range instances {
			instances[i] = b.streams(eventfeed.Options{Log: b.stores[i].EventLog()})
		}
		slow, err := instances[0].Open(t.Context(), b.key(tenant.Live), eventfeed.Query{})
		if err != nil {
			t.Fatal(err)
		}
		defer slow.Close()
		var writers, readers sync.WaitGroup
		visible := 0
		for i := range 12 {
			s, env := kinds[i%len(kinds)], tenant.Live
			if i >= 8 {
				env = tenant.Test
			}
			if !s.PerEnvironment || env == tenant.Live {
				visible += changes
			}
			writers.Go(func() { b.live(i, s, env, changes) })
		}
		all := map[string]func(r *reader){
			"steady": func(r *reader) { r.follow(instances[0], b.key(tenant.Live), visible, 1<<30) },
			"cut off": func(r *reader) {
				for turn := 0; len(r.events) < visible && !t.Failed(); turn++ {
					r.follow(instances[turn%2], b.key(tenant.Live), visible, 1+turn%3)
				}
			},
			"paging": func(r *reader) {
				r.page(instances[1], b.key(tenant.Live), eventfeed.Query{Limit: 7}, visible)
			},
			"slow": func(r *reader) {
				writers.Wait()
				r.drain(slow, visible)
			},
		}
		var mu sync.Mutex
		seen := map[string][]string{}
		for name, act := range all {
			readers.Go(func() {
				r := newReader(t, name)
				act(r)
				mu.Lock()
				defer mu.Unlock()
				for _, e := range r.events {
					seen[name] = append(seen[name], fmt.Sprint(e.Sequence, e.ID))
				}
			})
		}
		writers.Wait()
		readers.Wait()
		for name, got := range seen {
			if len(got) != visible || !slices.Equal(got, seen["steady"]) {
				t.Errorf("%s saw %d events, want the %d that the steady one saw", name, len(got), visible)
			}
		}
	})
}

// drain reads what an open stream has to deliver.
func (r *reader) drain(stream *eventfeed.Stream, wanted int) {
	ctx, cancel := context.WithTimeout(r.t.Context(), patience)
	defer cancel()
	for len(r.events) < wanted {
		batch, err := stream.Next(ctx)
		if err != nil {
			r.t.Errorf("%s: %v", r.name, err)
			return
		}
		for _, e := range batch.Events {
			r.take(read(r.t, e.JSON))
		}
	}
}

func TestEventShape(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		r := b.record(payment.Transactions, tenant.Test)
		changed := r.Clone()
		changed["note"] = "by hand"
		b.write(0, payment.Transactions, nil, r)
		b.write(0, payment.Transactions, r, changed)
		b.write(0, payment.Transactions, changed, nil)
		b.numbered(3) // events of different records may be reordered until they have sequences
		b.write(0, catalog.Brands, nil, b.record(catalog.Brands, ""))
		got := newReader(t, "test key")
		got.page(b.streams(eventfeed.Options{}), b.key(tenant.Test), eventfeed.Query{Limit: 10}, 4)
		if len(got.events) != 4 {
			t.Fatal(got.events)
		}
		for i, e := range got.events[:3] {
			if e.Tenant != b.shop || e.Environment != tenant.Test || e.Collection != "transactions" || !e.OccurredAt.Equal(start) ||
				e.Sequence != int64(i+1) {
				t.Errorf("%+v", e)
			}
		}
		made, edited, gone, brand := got.events[0], got.events[1], got.events[2], got.events[3]
		if made.Operation != collection.Created || made.Data["id"] != r.ID() || made.Doc["note"] != nil || made.PreviousDoc != nil {
			t.Errorf("%+v", made)
		}
		if edited.Operation != collection.Updated || len(edited.Data) != 1 || edited.Data["note"] != "by hand" ||
			edited.Doc["note"] != "by hand" || edited.PreviousDoc["id"] != r.ID() || edited.PreviousDoc["note"] != nil {
			t.Errorf("%+v", edited)
		}
		if gone.Operation != collection.Deleted || gone.Data["note"] != "by hand" || gone.Doc != nil || gone.PreviousDoc != nil {
			t.Errorf("%+v", gone)
		}
		if brand.Environment != "" || brand.Collection != "brands" {
			t.Errorf("%+v", brand)
		}
	})
}

func TestReaderSeesOnlyPermittedEvents(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		for _, s := range kinds {
			b.live(0, s, tenant.Live, 3)
			b.live(0, s, tenant.Test, 3)
		}
		b.numbered(24)
		s := b.streams(eventfeed.Options{})
		for name, c := range map[string]struct {
			p     tenant.Principal
			asked []string
			count int
			slugs []string
		}{
			"live":        {b.key(tenant.Live), nil, 18, []string{"brands", "carts", "tags", "transactions"}},
			"test":        {b.key(tenant.Test), nil, 18, []string{"brands", "carts", "tags", "transactions"}},
			"viewer":      {b.user(tenant.Viewer), nil, 18, []string{"brands", "carts", "tags", "transactions"}},
			"one":         {b.key(tenant.Live), []string{"carts"}, 3, []string{"carts"}},
			"two":         {b.key(tenant.Live), []string{"tags", "transactions"}, 9, []string{"tags", "transactions"}},
			"none so far": {b.key(tenant.Live), []string{"orders"}, 0, nil},
		} {
			t.Run(name, func(t *testing.T) {
				r := newReader(t, name)
				r.page(s, c.p, eventfeed.Query{Collections: c.asked, Limit: 5}, c.count)
				if !slices.Equal(r.slugs(), c.slugs) {
					t.Errorf("%v, want %v", r.slugs(), c.slugs)
				}
				rest, err := s.List(t.Context(), c.p, eventfeed.Query{After: fmt.Sprint(r.at), Collections: c.asked, Limit: 500})
				if err != nil || !strings.HasPrefix(rest.Body.String(), `{"docs":[],`) ||
					!strings.HasSuffix(rest.Body.String(), `"nextAfter":24,"hasMore":false}`) {
					t.Errorf("%s (%v)", rest.Body, err)
				}
			})
		}
		outsider := b.key(tenant.Live)
		outsider.Tenant.ID = "another"
		if a, err := s.List(t.Context(), outsider, eventfeed.Query{Limit: 500}); err != nil ||
			a.Body.String() != `{"docs":[],"nextAfter":0,"hasMore":false}` {
			t.Errorf("another shop is shown %s (%v)", a.Body, err)
		}
	})
}

func TestStartPositions(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		b.live(0, catalog.Brands, "", 4)
		s := b.streams(eventfeed.Options{})
		b.numbered(4)
		for after, want := range map[string]string{
			"":       `{"docs":[],"nextAfter":0,"hasMore":true}`,
			"2":      `{"docs":[],"nextAfter":2,"hasMore":true}`,
			"4":      `{"docs":[],"nextAfter":4,"hasMore":false}`,
			"latest": `{"docs":[],"nextAfter":4,"hasMore":false}`,
		} {
			if a, err := s.List(t.Context(), b.key(tenant.Live), eventfeed.Query{After: after}); err != nil || a.Body.String() != want {
				t.Errorf("after %q: %s (%v), want %s", after, a.Body, err, want)
			}
		}
		for after, want := range map[string]error{
			"5": eventfeed.ErrUnknownSequence, "-1": fault.ErrValidation, "x": fault.ErrValidation, "1.5": fault.ErrValidation,
			"99999999999999999999": fault.ErrValidation,
		} {
			if _, err := s.List(t.Context(), b.key(tenant.Live), eventfeed.Query{After: after}); !errors.Is(err, want) {
				t.Errorf("after %q: %v, want %v", after, err, want)
			}
			if _, err := s.Open(t.Context(), b.key(tenant.Live), eventfeed.Query{After: after}); !errors.Is(err, want) {
				t.Errorf("a stream after %q: %v, want %v", after, err, want)
			}
		}
		for _, limit := range []int{-1, 501} {
			if _, err := s.List(t.Context(), b.key(tenant.Live), eventfeed.Query{Limit: limit}); !errors.Is(err, fault.ErrValidation) {
				t.Errorf("limit %d: %v", limit, err)
			}
		}
		stream, err := s.Open(t.Context(), b.key(tenant.Live), eventfeed.Query{})
		if err != nil || stream.Position() != 4 {
			t.Fatal(err)
		}
		defer stream.Close()
		b.live(1, catalog.Brands, "", 2)
		r := newReader(t, "from now on")
		r.at = 4
		r.drain(stream, 2)
	})
}

func TestWhoMayFollow(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		s := b.streams(eventfeed.Options{})
		blind, visitor, customer := b.key(tenant.Live), b.key(tenant.Live), b.key(tenant.Live)
		blind.CanRead = false
		visitor.Kind, customer.Kind = tenant.ClientKey, tenant.Customer
		for name, c := range map[string]struct {
			p     tenant.Principal
			asked []string
			want  error
		}{
			"nobody":                            {tenant.Principal{Kind: tenant.Anonymous}, nil, fault.ErrUnauthenticated},
			"anonymous, unknown collection":     {tenant.Principal{}, []string{"no-such"}, fault.ErrUnauthenticated},
			"a visitor":                         {visitor, nil, fault.ErrForbidden},
			"a visitor, of a public collection": {visitor, []string{"products"}, fault.ErrForbidden},
			"a customer":                        {customer, []string{"orders"}, fault.ErrForbidden},
			"a key without the read scope":      {blind, nil, fault.ErrForbidden},
			"a viewer":                          {b.user(tenant.Viewer), nil, nil},
			"a viewer, of keys":                 {b.user(tenant.Viewer), []string{"products", "api-keys"}, fault.ErrForbidden},
			"an admin, of keys":                 {b.user(tenant.Admin), []string{"api-keys"}, nil},
			"a secret key, of users and keys":   {b.key(tenant.Live), []string{"users", "api-keys"}, nil},
			"an admin, of what is closed":       {b.user(tenant.Admin), []string{closed}, nil},
			"a secret key, of what is closed":   {b.key(tenant.Live), []string{closed}, fault.ErrForbidden},
			"an unknown collection":             {b.user(tenant.Admin), []string{"no-such"}, fault.ErrValidation},
		} {
			if _, err := s.List(t.Context(), c.p, eventfeed.Query{Collections: c.asked}); !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v", name, err, c.want)
			}
			stream, err := s.Open(t.Context(), c.p, eventfeed.Query{Collections: c.asked})
			if !errors.Is(err, c.want) {
				t.Errorf("a stream for %s: %v, want %v", name, err, c.want)
			}
			if err == nil {
				stream.Close()
			}
		}
	})
}

// Events that a reader may not see advance its position, and it still gets heartbeats.
func TestIdleStreamSendsHeartbeats(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		s := b.streams(eventfeed.Options{Heartbeat: 20 * time.Millisecond})
		stream, err := s.Open(t.Context(), b.key(tenant.Live), eventfeed.Query{})
		if err != nil {
			t.Fatal(err)
		}
		defer stream.Close()
		b.live(0, payment.Transactions, tenant.Test, 3)
		for began := time.Now(); ; {
			batch, err := stream.Next(t.Context())
			if err != nil || len(batch.Events) > 0 || time.Since(began) > patience {
				t.Fatalf("%v %v", batch, err)
			}
			if batch.Position == 3 {
				return
			}
		}
	})
}

func TestStopEndsAllStreams(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		s := b.streams(eventfeed.Options{MaxStreamsPerTenant: 2})
		var open []*eventfeed.Stream
		for range 2 {
			stream, err := s.Open(t.Context(), b.key(tenant.Live), eventfeed.Query{})
			if err != nil {
				t.Fatal(err)
			}
			open = append(open, stream)
		}
		if _, err := s.Open(t.Context(), b.key(tenant.Live), eventfeed.Query{}); !errors.Is(err, eventfeed.ErrTooManyStreams) {
			t.Error(err)
		}
		open[0].Close()
		again, err := s.Open(t.Context(), b.key(tenant.Live), eventfeed.Query{})
		if err != nil {
			t.Fatal(err)
		}
		var ended sync.WaitGroup
		for _, stream := range []*eventfeed.Stream{open[1], again} {
			ended.Go(func() {
				defer stream.Close()
				if _, err := stream.Next(t.Context()); !errors.Is(err, io.EOF) {
					t.Error(err)
				}
			})
		}
		s.Stop()
		s.Stop()
		ended.Wait()
		b.live(1, catalog.Brands, "", 2)
		late, err := s.Open(t.Context(), b.key(tenant.Live), eventfeed.Query{After: "0"})
		if err != nil {
			t.Fatal(err)
		}
		defer late.Close()
		if batch, err := late.Next(t.Context()); !errors.Is(err, io.EOF) || late.Position() != 0 {
			t.Errorf("a stream opened after Stop: %v %v at %d", batch, err, late.Position())
		}
	})
}

// counted counts how often the log is read.
type counted struct {
	ports.EventLog

	pages atomic.Int64
}

func (c *counted) Events(ctx context.Context, q ports.EventQuery) (ports.EventPage, error) {
	c.pages.Add(1)
	return c.EventLog.Events(ctx, q)
}

// An event is read once, however many streams follow the tenant.
func TestStreamsShareOneLogReader(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		log := &counted{EventLog: b.stores[0].EventLog()}
		s := b.streams(eventfeed.Options{Log: log})
		var all sync.WaitGroup
		for range 300 {
			stream, err := s.Open(t.Context(), b.key(tenant.Live), eventfeed.Query{})
			if err != nil {
				t.Fatal(err)
			}
			all.Go(func() {
				defer stream.Close()
				newReader(t, "one of many").drain(stream, 3)
			})
		}
		b.live(1, catalog.Brands, "", 3)
		all.Wait()
		if n := log.pages.Load(); n < 1 || n > 3 {
			t.Errorf("the log was read %d times", n)
		}
	})
}
