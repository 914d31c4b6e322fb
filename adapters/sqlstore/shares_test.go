package sqlstore_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// busyTenant has tenant a start endless work until a read of its own gets no connection any more; the work ends
// with the test. The read comes after the work: one that ran beside it for long would narrow the lane of reads, which
// leaves connections to others.
func busyTenant(t *testing.T, s *sqlstore.Store, things *collection.Schema, work func(ctx context.Context) error) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	var all, begun sync.WaitGroup
	t.Cleanup(func() { stop(); all.Wait() })
	begun.Add(50)
	for range 50 {
		all.Go(func() {
			begun.Done()
			_ = work(ctx)
		})
	}
	begun.Wait()
	q := collection.Query{Schema: things, Where: things.Where("order", collection.Equals, nil), Limit: 10, Page: 1}
	for err := error(nil); !errors.Is(err, db.ErrShareBusy); { // another error is of a busy machine
		limited, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
		_, err = s.Read(ports.ForTenant("a")).Find(limited, q)
		cancel()
	}
}

func TestEndlessReadsOfATenantLeaveConnectionsToOthers(t *testing.T) {
	testservers.OnBothDatabases(t, func(t *testing.T) {
		endlessReads(t, sqlstore.Options{Path: filepath.Join(testservers.TempDir(t), "data.db")})
	}, func(t *testing.T) {
		endlessReads(t, sqlstore.Options{URL: testservers.Postgres(t), Connections: 4})
	})
}

func endlessReads(t *testing.T, o sqlstore.Options) {
	registry := portstest.ScratchRegistry()
	things := registry.Get("scratch-things")
	o.QueryTime = 500 * time.Millisecond
	s := open(t, o, registry)
	busyTenant(t, s, things, func(ctx context.Context) error { return s.Stall(ctx, ports.ForTenant("a")) })
	find := func(id string, field string, op collection.Op, value any) error {
		_, err := s.Read(ports.ForTenant(tenant.ID(id))).Find(t.Context(),
			collection.Query{Schema: things, Where: things.Where(field, op, value), Limit: 10, Page: 1})
		return err
	}
	if err := find("a", "body", collection.Contains, "tex"); !errors.Is(err, ports.ErrQueryTooSlow) {
		t.Errorf("what no index serves, behind its own tenant's: %v", err)
	}
	if err := find("a", "order", collection.Equals, nil); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("what an index serves, behind its own tenant's: %v", err)
	}
	err := find("b", "body", collection.Contains, "tex")
	for began := time.Now(); err != nil && time.Since(began) < patience; { // a busy machine may take longer than a query may
		err = find("b", "body", collection.Contains, "tex")
	}
	if err != nil {
		t.Errorf("another tenant's: %v", err)
	}
	record := collection.Record{"id": "t", "tenant": "b", "body": "text"}
	if err := write(t.Context(), s, ports.ForTenant("b"), things, nil, record, "e1"); err != nil {
		t.Errorf("another tenant's write: %v", err)
	}
}

func TestTransactionsThatWaitLeaveConnectionsToOthers(t *testing.T) {
	t.Parallel()
	registry := portstest.ScratchRegistry()
	things := registry.Get("scratch-things")
	s := open(t, sqlstore.Options{URL: testservers.Postgres(t), Connections: 4, QueryTime: 500 * time.Millisecond}, registry)
	record := collection.Record{"id": "t", "tenant": "a", "body": "text"}
	if err := write(t.Context(), s, ports.ForTenant("a"), things, nil, record, "e1"); err != nil {
		t.Fatal(err)
	}
	busyTenant(t, s, things, func(ctx context.Context) error {
		return s.Atomically(ctx, ports.ForTenant("a"), func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.Records.Lock(ctx, things, "t")
			<-ctx.Done()
			return errors.Join(err, ctx.Err())
		})
	})
	other := collection.Record{"id": "u", "tenant": "b", "body": "text"}
	if err := write(t.Context(), s, ports.ForTenant("b"), things, nil, other, "e2"); err != nil {
		t.Errorf("another tenant's write: %v", err)
	}
}

// A transaction reads beside itself, too: that is part of its turn, however many others wait.
func TestReadsWithinATransactionAreInItsTurn(t *testing.T) {
	t.Parallel()
	registry := portstest.ScratchRegistry()
	things := registry.Get("scratch-things")
	s := open(t, sqlstore.Options{URL: testservers.Postgres(t), Connections: 4}, registry)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if err := s.Atomically(t.Context(), ports.ForTenant("a"), func(ctx context.Context, _ ports.Tx) error {
				_, err := s.Read(ports.ForTenant("a")).Find(ctx, collection.Query{Schema: things, Limit: 10, Page: 1})
				return err
			}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}
