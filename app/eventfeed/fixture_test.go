package eventfeed_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/eventfeed"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/registry"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// fixture is a tenant and two instances of the server on one database.
type fixture struct {
	t      *testing.T
	shop   tenant.ID
	stores [2]*sqlstore.Store
}

var start = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

// patience is a timeout of the tests, not of the product.
const patience = time.Minute

// both runs a rule on SQLite and on a real Postgres.
func both(t *testing.T, rule func(t *testing.T, b *fixture)) {
	t.Helper()
	testservers.OnBothDatabases(t, func(t *testing.T) {
		rule(t, newFixture(t, sqlstore.Options{Path: filepath.Join(testservers.TempDir(t), "shop.db")}))
	}, func(t *testing.T) {
		rule(t, newFixture(t, sqlstore.Options{URL: testservers.Postgres(t), Connections: 8}))
	})
}

// closed is a collection that users read and secret keys do not, in these tests alone.
const closed = "pages"

func newFixture(t *testing.T, o sqlstore.Options) *fixture {
	t.Helper()
	b := &fixture{t: t, shop: tenant.ID(shops.NewID())}
	for i := range b.stores {
		b.stores[i] = shops.Open(t, o)
		during(t, b.stores[i].RunSequencer)
	}
	return b
}

// during runs a loop as long as the test.
func during(t *testing.T, loop func(context.Context) error) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- loop(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// streams is a running Service on an instance.
func (b *fixture) streams(o eventfeed.Options) *eventfeed.Service {
	b.t.Helper()
	var err error
	if o.Registry, err = collection.NewRegistry(shops.ClosedToKeys(registry.Schemas(), closed)...); err != nil {
		b.t.Fatal(err)
	}
	if o.Log == nil {
		o.Log = b.stores[0].EventLog()
	}
	if o.Logger = slog.New(slog.DiscardHandler); o.PollInterval == 0 {
		o.PollInterval = 5 * time.Millisecond
	}
	s := eventfeed.New(o)
	during(b.t, s.Run)
	return s
}

// key is a secret key of the tenant.
func (b *fixture) key(env tenant.Environment) tenant.Principal {
	return tenant.Principal{
		Kind: tenant.SecretKey, ID: "key", Tenant: tenant.Settings{ID: b.shop}, Environment: env, CanRead: true, CanWrite: true,
	}
}

func (b *fixture) user(role tenant.Role) tenant.Principal {
	return tenant.Principal{Kind: tenant.User, ID: "user", Tenant: tenant.Settings{ID: b.shop}, Environment: tenant.Live, Role: role}
}

// write makes one change on an instance.
func (b *fixture) write(on int, s *collection.Schema, before, after collection.Record) {
	b.t.Helper()
	err := b.stores[on].Atomically(b.t.Context(), ports.ForTenant(b.shop), func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(s, before, after, shops.NewID(), start))
	})
	if err != nil {
		b.t.Error(err)
	}
}

// The collections of these tests: shared by both environments and per environment, hot and not.
var kinds = []*collection.Schema{catalog.Brands, cart.Schema, catalog.Tags, payment.Transactions}

// record is a new one.
func (b *fixture) record(s *collection.Schema, env tenant.Environment) collection.Record {
	r := collection.Record{"id": shops.NewID(), "tenant": string(b.shop)}
	if s.PerEnvironment {
		r["environment"] = string(env)
	}
	return r
}

// live creates a record, changes it n - 2 times, and deletes it.
func (b *fixture) live(on int, s *collection.Schema, env tenant.Environment, n int) {
	b.t.Helper()
	var before collection.Record
	after := b.record(s, env)
	for i := range n - 1 {
		b.write((on+i)%len(b.stores), s, before, after)
		before = after
		after = before.Clone()
		after[nameOf(s)] = fmt.Sprint(i)
	}
	b.write(on%len(b.stores), s, before, nil)
}

// nameOf is the name of a text field.
func nameOf(s *collection.Schema) string {
	return map[*collection.Schema]string{
		catalog.Brands: "name", cart.Schema: "currency", catalog.Tags: "name", payment.Transactions: "note",
	}[s]
}

// numbered waits until n events have sequence numbers.
func (b *fixture) numbered(n int64) {
	b.t.Helper()
	for began := time.Now(); ; {
		newest, err := b.stores[0].EventLog().Newest(b.t.Context(), []tenant.ID{b.shop})
		switch {
		case err != nil || newest[b.shop] > n || time.Since(began) > patience:
			b.t.Fatalf("%d events are numbered, want %d (%v)", newest[b.shop], n, err)
		case newest[b.shop] == n:
			return
		}
	}
}

// clientEvent is an event as a client parses it.
type clientEvent struct {
	ID                       string
	Sequence, RecordSequence int64
	Tenant                   tenant.ID
	Environment              tenant.Environment
	Collection               string
	Operation                collection.Operation
	Data, Doc, PreviousDoc   map[string]any
	OccurredAt               time.Time
}

func read(t *testing.T, text []byte) (e clientEvent) {
	t.Helper()
	if err := json.Unmarshal(text, &e); err != nil {
		t.Errorf("%s: %v", text, err)
	}
	return e
}

func (e clientEvent) record() string {
	of := e.Doc
	if of == nil {
		of = e.Data
	}
	id, _ := of["id"].(string)
	return id
}

// reader checks the events it receives: sequences increase, and the changes of every record are in order.
type reader struct {
	t       *testing.T
	name    string
	at      int64
	records map[string]int64
	events  []clientEvent
	ids     map[string]bool
}

func newReader(t *testing.T, name string) *reader {
	return &reader{t: t, name: name, records: map[string]int64{}, ids: map[string]bool{}}
}

func (r *reader) take(e clientEvent) {
	r.t.Helper()
	if e.Sequence <= r.at {
		r.t.Errorf("%s: number %d after %d", r.name, e.Sequence, r.at)
	}
	if want := r.records[e.record()] + 1; e.RecordSequence != want {
		r.t.Errorf("%s: change %d of %s, want %d", r.name, e.RecordSequence, e.record(), want)
	}
	if r.ids[e.ID] {
		r.t.Errorf("%s: event %s again", r.name, e.ID)
	}
	r.at, r.records[e.record()], r.ids[e.ID] = e.Sequence, e.RecordSequence, true
	r.events = append(r.events, e)
}

// follow opens a stream and reads batches until it has seen the wanted number of events or batches.
func (r *reader) follow(s *eventfeed.Service, p tenant.Principal, wanted, batches int) {
	r.t.Helper()
	stream, err := s.Open(r.t.Context(), p, eventfeed.Query{After: fmt.Sprint(r.at)})
	if err != nil {
		r.t.Errorf("%s: %v", r.name, err)
		return
	}
	defer stream.Close()
	ctx, cancel := context.WithTimeout(r.t.Context(), patience)
	defer cancel()
	for i := 0; i < batches && len(r.events) < wanted; i++ {
		batch, err := stream.Next(ctx)
		if err != nil {
			r.t.Errorf("%s: after %d of %d events: %v", r.name, len(r.events), wanted, err)
			return
		}
		for _, e := range batch.Events {
			got := read(r.t, e.JSON)
			if got.Sequence != e.Sequence {
				r.t.Errorf("%s: %d is delivered as %d", r.name, e.Sequence, got.Sequence)
			}
			r.take(got)
		}
	}
}

// page reads the log until it has seen the wanted number of events, and returns the number of pages.
func (r *reader) page(s *eventfeed.Service, p tenant.Principal, q eventfeed.Query, wanted int) {
	r.t.Helper()
	began := time.Now()
	for after := "0"; len(r.events) < wanted; {
		q.After = after
		answer, err := s.List(r.t.Context(), p, q)
		if err != nil || time.Since(began) > patience {
			r.t.Errorf("%s: after %d of %d events: %v", r.name, len(r.events), wanted, err)
			return
		}
		var page struct {
			Docs      []clientEvent
			NextAfter int64
			HasMore   bool
		}
		if err := json.Unmarshal(answer.Body.Bytes(), &page); err != nil {
			r.t.Errorf("%s: %v", answer.Body, err)
			return
		}
		for _, e := range page.Docs {
			r.take(e)
		}
		if len(page.Docs) > q.Limit || page.NextAfter < r.at {
			r.t.Errorf("%s: %d events up to %d, next after %d", r.name, len(page.Docs), r.at, page.NextAfter)
		}
		after = fmt.Sprint(page.NextAfter)
	}
}

// slugs are the collections that a reader received events of, sorted.
func (r *reader) slugs() (all []string) {
	for _, e := range r.events {
		if !slices.Contains(all, e.Collection) {
			all = append(all, e.Collection)
		}
	}
	slices.Sort(all)
	return all
}
