package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/commit"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

func events(t *testing.T, s *sqlstore.Store, id tenant.ID, record string) []int64 {
	t.Helper()
	again := time.NewTicker(20 * time.Millisecond) // the circuit may still be open after a test that cut connections
	defer again.Stop()
	for {
		numbers, err := s.EventNumbers(t.Context(), id, record)
		if err == nil {
			return numbers
		}
		if !errors.Is(err, fault.ErrUnavailable) {
			t.Fatal(err)
		}
		<-again.C
	}
}

var ids atomic.Int64

// step counts one up on before, or makes a record, under a key of its own.
func step(before collection.Record, key ports.ReceiptKey) ports.CommitRequest {
	after := before.Clone()
	if before == nil {
		after = collection.Record{"id": fmt.Sprint("r", ids.Add(1)), "tenant": "t1", "environment": "live"}
	}
	after["count"] = before.Int("count") + 1
	now := time.Unix(1_800_000_000, 0)
	change := collection.NewChange(portstest.Parcels, before, after, fmt.Sprint("e", ids.Add(1)), now)
	return ports.CommitRequest{
		Tenant: "t1", Changes: []collection.Change{change},
		Receipts: []ports.Receipt{{Tenant: "t1", Key: key, Result: ports.ReceiptOK, At: now}},
	}
}

func freshKey() (key ports.ReceiptKey) {
	copy(key[:], fmt.Sprint("key-", ids.Add(1)))
	return key
}

func TestManyStepsShareOneCommit(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		c := open(t, portstest.Parcels).Committer()
		const steps = 2000
		var all sync.WaitGroup
		for range steps {
			all.Go(func() {
				if err := c.Commit(t.Context(), step(nil, freshKey())); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		got := c.Stats()
		if got.Steps != steps || got.Commits != got.Batches+got.Single || got.Commits > steps/4 || got.Largest > 512 {
			t.Errorf("%+v: want %d steps in far fewer commits, at most 512 in each", got, steps)
		}
	})
}

func TestLockedRecordDelaysNoOtherStep(t *testing.T) {
	s := openPostgres(t, portstest.Parcels)
	c := s.Committer()
	locked := step(nil, freshKey())
	if err := c.Commit(t.Context(), locked); err != nil {
		t.Fatal(err)
	}
	record, waiting := locked.Changes[0].After, make(chan error, 1)
	atomically(t, s, func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.Records.Lock(ctx, portstest.Parcels, record.ID()); err != nil {
			return err
		}
		go func() { waiting <- c.Commit(t.Context(), step(record, freshKey())) }()
		var all sync.WaitGroup
		for range 50 {
			all.Go(func() {
				if err := c.Commit(ctx, step(nil, freshKey())); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		select {
		case err := <-waiting:
			t.Errorf("the locked record was committed: %v", err)
		default:
		}
		return nil
	})
	if err := <-waiting; err != nil {
		t.Errorf("after the lock: %v", err)
	}
}

// Connections are cut while steps are on their way. Whatever was acknowledged is there, and a step whose
// outcome was unknown is repeated under its key without ever happening twice.
func TestLostConnectionAppliesEachStepOnce(t *testing.T) {
	url := testservers.Postgres(t)
	s := openStore(t, sqlstore.Options{URL: url}, []*collection.Schema{portstest.Parcels})
	c := s.Committer()
	const writers, rounds = 16, 25
	var repeats atomic.Int64
	records, written := make([]collection.Record, writers), make([]int, writers)
	cutAll, cancel := context.WithTimeout(t.Context(), time.Minute) // so long that some cut meets a commit
	defer cancel()
	var cut sync.WaitGroup
	done := make(chan struct{})
	cut.Go(func() { cutConnections(t, url, done) })
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() {
			for ; written[i] < rounds || repeats.Load() == 0 && cutAll.Err() == nil; written[i]++ {
				next := step(records[i], freshKey())
				repeats.Add(settle(t, c, next))
				records[i] = next.Changes[0].After
			}
		})
	}
	all.Wait()
	close(done)
	cut.Wait()
	if repeats.Load() == 0 {
		t.Error("no outcome was ever unknown: this proved nothing")
	}
	for i, r := range records {
		if got := events(t, s, "t1", r.ID()); len(got) != written[i] || got[len(got)-1] != int64(written[i]) {
			t.Errorf("%s has events %v, want 1 to %d", r.ID(), got, written[i])
		}
	}
}

// settle brings a step again until its outcome is known, as a client does.
func settle(t *testing.T, c *commit.Committer, next ports.CommitRequest) (repeats int64) {
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for {
		err := c.Commit(t.Context(), next)
		if err == nil || errors.Is(err, ports.ErrReceiptExists) {
			return repeats
		}
		if !errors.Is(err, fault.ErrUnavailable) {
			t.Errorf("err = %v, want ErrUnavailable or an outcome", err)
			return repeats
		}
		repeats++
		<-again.C
	}
}

// cutConnections ends all other connections to the database, ten times or until done.
func cutConnections(t *testing.T, url string, done <-chan struct{}) {
	conn, err := pgx.Connect(context.Background(), url)
	if err != nil {
		t.Error(err)
		return
	}
	defer conn.Close(context.Background())
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for range 10 {
		select {
		case <-done:
			return
		case <-tick.C:
		}
		if _, err := conn.Exec(context.Background(),
			"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"); err != nil {
			t.Error(err)
			return
		}
	}
}

// poisonKey marks the context of a step that makes the committer panic.
type poisonKey struct{}

// A step that makes the committer panic fails alone, and the process goes on.
func TestPoisonousStepFailsAlone(t *testing.T) {
	for name, options := range both {
		t.Run(name, func(t *testing.T) {
			o := options(t)
			o.TraceBatch = func(steps []context.Context) func() {
				for _, ctx := range steps {
					if ctx.Value(poisonKey{}) != nil {
						panic("poison")
					}
				}
				return func() {}
			}
			c := openStore(t, o, []*collection.Schema{portstest.Parcels}).Committer()
			var all sync.WaitGroup
			for i := range 200 {
				ctx := t.Context()
				if i%50 == 7 {
					ctx = context.WithValue(ctx, poisonKey{}, true)
				}
				all.Go(func() {
					if err := c.Commit(ctx, step(nil, freshKey())); errors.Is(err, fault.ErrUnavailable) != (i%50 == 7) {
						t.Errorf("step %d: %v", i, err)
					}
				})
			}
			all.Wait()
			if err := c.Commit(t.Context(), step(nil, freshKey())); err != nil {
				t.Errorf("after the poison: %v", err)
			}
		})
	}
}
