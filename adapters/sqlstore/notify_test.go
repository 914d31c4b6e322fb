package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The collections of these tests: of one every change is told, of one no new records, of one nothing.
var (
	loud = &collection.Schema{
		Slug: "louds", Singular: "Loud", Plural: "Louds", Fields: []collection.Field{{Name: "count", Kind: collection.Integer}},
	}
	settled = &collection.Schema{Slug: "settleds", Singular: "Settled", Plural: "Settleds", Fields: loud.Fields}
	mute    = &collection.Schema{Slug: "mutes", Singular: "Mute", Plural: "Mutes", Fields: loud.Fields}
)

const missed = "missed"

// follower is what one instance hears, in order.
type follower struct {
	*testing.T

	received chan string
	ended    chan error
	stop     context.CancelFunc
}

func startFollower(t *testing.T, s *sqlstore.Store) follower {
	ctx, stop := context.WithCancel(t.Context())
	f := follower{t, make(chan string, 1000), make(chan error, 1), stop}
	go func() {
		f.ended <- s.Subscribe(ctx, func(id tenant.ID) { f.received <- string(id) }, func() { f.received <- missed })
	}()
	f.hears(missed) // of what was before, nothing is known
	return f
}

func (f follower) hears(want string) {
	f.Helper()
	select {
	case got := <-f.received:
		if got != want {
			f.Fatalf("received %q, want %q", got, want)
		}
	case <-time.After(patience):
		f.Fatalf("never received %q", want)
	}
}

// instances are two on one database.
func instances(t *testing.T, o sqlstore.Options) (one, other *sqlstore.Store) {
	t.Helper()
	o.NotifyOf = map[string]bool{"louds": true, "settleds": false}
	schemas := []*collection.Schema{loud, settled, mute}
	return openStore(t, o, schemas), openStore(t, o, schemas)
}

// apply makes a record, changes it, or deletes it, in a transaction that ends with outcome.
func apply(t *testing.T, s *sqlstore.Store, id tenant.ID, before, after collection.Record, of *collection.Schema, outcome error) {
	t.Helper()
	err := s.Atomically(t.Context(), ports.ForTenant(id), func(ctx context.Context, tx ports.Tx) error {
		change := collection.NewChange(of, before, after, fmt.Sprint("n", ids.Add(1)), time.Unix(1_800_000_000, 0))
		return errors.Join(tx.Records.Write(ctx, change), outcome)
	})
	if !errors.Is(err, outcome) {
		t.Fatal(err)
	}
}

func TestChangesAreNotifiedAcrossInstances(t *testing.T) {
	one, other := instances(t, sqlstore.Options{URL: testservers.Postgres(t)})
	f := startFollower(t, other)
	quietly := func(what string, act func()) { // the next news is ours, so there was none of it
		t.Helper()
		act()
		apply(t, one, tenant.ID(what), nil, collection.Record{"id": what, "tenant": what}, loud, nil)
		f.hears(what)
	}
	rec := func(of *collection.Schema, count int64) collection.Record {
		return collection.Record{"id": of.Slug, "tenant": "t1", "count": count}
	}
	apply(t, one, "t1", nil, rec(loud, 1), loud, nil)
	f.hears("t1")
	for _, of := range []*collection.Schema{settled, mute} {
		quietly("new-"+of.Slug, func() { apply(t, one, "t1", nil, rec(of, 1), of, nil) })
	}
	read := func(of *collection.Schema) collection.Record {
		r, err := one.Read(ports.ForTenant("t1")).Get(t.Context(), of, of.Slug)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	quietly("changed-mutes", func() { apply(t, one, "t1", read(mute), rec(mute, 2), mute, nil) })
	quietly("rolled-back", func() { apply(t, one, "t1", read(settled), rec(settled, 2), settled, errors.New("no")) })
	apply(t, one, "t1", read(settled), rec(settled, 2), settled, nil)
	f.hears("t1")
	change := collection.NewChange(settled, read(settled), rec(settled, 3), "shared", time.Unix(1_800_000_000, 0))
	if err := one.Committer().Commit(t.Context(), ports.CommitRequest{Tenant: "t1", Changes: []collection.Change{change}}); err != nil {
		t.Fatal(err)
	}
	f.hears("t1")
	apply(t, one, "t1", read(settled), nil, settled, nil)
	f.hears("t1")

	stock := func(act func(ctx context.Context, s ports.Stock) error) {
		t.Helper()
		atomically(t, one, func(ctx context.Context, tx ports.Tx) error { return act(ctx, tx.Stock) })
	}
	units := []ports.Demand{{Variant: "v", Quantity: 1}}
	stock(func(ctx context.Context, s ports.Stock) error {
		return s.Set(ctx, "t1", tenant.Live, "p", "v", ports.StockLevel{OnHand: 5, Tracked: true}, ports.StockCause{})
	})
	f.hears("t1")
	quietly("placements", func() {
		stock(func(ctx context.Context, s ports.Stock) error {
			return s.Reserve(ctx, "t1", tenant.Live, "h", units, time.Unix(1_900_000_000, 0))
		})
		stock(func(ctx context.Context, s ports.Stock) error {
			_, err := s.Take(ctx, "t1", tenant.Live, "h", units, ports.StockCause{})
			return err
		})
	})

	if f.stop(); <-f.ended != nil {
		t.Error("it does not end with its context")
	}
}

func TestReconnectedListenerIsToldItMissedChanges(t *testing.T) {
	url := testservers.Postgres(t)
	one, other := instances(t, sqlstore.Options{URL: url})
	f := startFollower(t, other)
	conn := connectTo(t, url)
	for range 2 {
		if _, err := conn.Exec(t.Context(),
			"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'cartwright listener'"); err != nil {
			t.Fatal(err)
		}
		f.hears(missed)
		id := fmt.Sprint("t", ids.Add(1))
		apply(t, one, tenant.ID(id), nil, collection.Record{"id": id, "tenant": id}, loud, nil)
		f.hears(id)
	}
}

func TestSQLiteWatchDetectsOtherWriters(t *testing.T) {
	one, other := instances(t, sqlstore.Options{Path: filepath.Join(testservers.TempDir(t), "shared.db")})
	version := func(s *sqlstore.Store) int64 {
		t.Helper()
		n, err := s.DataVersion(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	writes := func(s *sqlstore.Store) {
		id := fmt.Sprint("r", ids.Add(1))
		apply(t, s, "t1", nil, collection.Record{"id": id, "tenant": "t1"}, mute, nil)
	}
	writes(one)
	first := version(other)
	if writes(other); version(other) != first {
		t.Error("its own write counts as somebody else's")
	}
	if writes(one); version(other) == first {
		t.Error("the write of another process went unnoticed")
	}
	f := startFollower(t, other)
	writes(one)
	f.hears(missed)
	if f.stop(); <-f.ended != nil {
		t.Error("it does not end with its context")
	}
}

// numbered waits until told receives.
func (f follower) numbered(told <-chan struct{}) {
	f.Helper()
	select {
	case <-told:
	case <-time.After(patience):
		f.Fatal("it was never told of events")
	}
}

func TestEveryInstanceIsToldOfNumberedEvents(t *testing.T) {
	for name, options := range both {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options(t)
			one, other := instances(t, o)
			f := startFollower(t, other) // which begins with a message: it may have missed some
			here, there := one.EventsNumbered().Listen(), other.EventsNumbered().Listen()
			apply(t, one, "a", nil, collection.Record{"id": "1", "tenant": "a", "count": int64(1)}, mute, nil)
			if _, err := one.Sequence(t.Context()); err != nil {
				t.Fatal(err)
			}
			f.numbered(here)
			f.numbered(there)
		})
	}
}
