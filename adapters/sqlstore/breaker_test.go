package sqlstore_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// A killed database is unavailable, not an internal error; the circuit opens; the store recovers by itself,
// with everything that was acknowledged.
func TestCircuitOpensWhileDatabaseIsDown(t *testing.T) {
	t.Parallel()
	server, err := testservers.StartPostgres(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	registry := portstest.ScratchRegistry()
	makers := registry.Get("makers")
	s := open(t, sqlstore.Options{URL: server.URL}, registry)
	kept := collection.Record{"id": "m", "tenant": "a"}
	if err := write(t.Context(), s, ports.ForTenant("a"), makers, nil, kept, "e1"); err != nil {
		t.Fatal(err)
	}
	server.Kill()
	for range 8 {
		if _, err := s.Read(ports.ForTenant("a")).Get(t.Context(), makers, "m"); !errors.Is(err, fault.ErrUnavailable) {
			t.Errorf("a read answers %v", err)
		}
		if err := write(t.Context(), s, ports.ForTenant("a"), makers, nil, collection.Record{"id": "n", "tenant": "a"}, "e2"); !errors.Is(
			err, fault.ErrUnavailable) {
			t.Errorf("a write answers %v", err)
		}
	}
	if !s.Open() {
		t.Error("the circuit is still closed: every caller dials a dead server")
	}
	if err := server.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	waitUntilAvailable(t, s, makers)
	if err := write(t.Context(), s, ports.ForTenant("a"), makers, kept, kept.Clone(), "e3"); err != nil {
		t.Errorf("a write after the restart: %v", err)
	}
}

// patience is how long a test waits for what has to happen, on a machine however busy.
const patience = 2 * time.Minute

// waitUntilAvailable reads until the circuit lets a read through; nothing but unavailability may show before.
func waitUntilAvailable(t *testing.T, s *sqlstore.Store, c *collection.Schema) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		_, err := s.Read(ports.ForTenant("a")).Get(ctx, c, "m")
		if err == nil {
			return
		}
		if !errors.Is(err, fault.ErrUnavailable) || ctx.Err() != nil {
			t.Fatalf("after the restart: %v", err)
		}
	}
}

// Refusals, stale writes and callers who give up say nothing against the database.
func TestRejectedStatementsKeepCircuitClosed(t *testing.T) {
	t.Parallel()
	registry := portstest.ScratchRegistry()
	makers := registry.Get("makers")
	s := open(t, sqlstore.Options{URL: testservers.Postgres(t)}, registry)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for range 20 {
		never := collection.Record{"id": "m", "tenant": "a"}
		if err := write(t.Context(), s, ports.ForTenant("a"), makers, never, never.Clone(), "e"); !errors.Is(err, ports.ErrStale) {
			t.Fatal(err)
		}
		if _, err := s.Read(ports.ForTenant("a")).Get(gone, makers, "m"); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if s.Open() {
		t.Error("the circuit opened")
	}
}

// A statement that takes too long ends at the store's deadline, and its connection stays usable.
func TestStatementsEndAtDeadline(t *testing.T) {
	t.Parallel()
	s := open(t, sqlstore.Options{URL: testservers.Postgres(t), Connections: 1, Deadline: 50 * time.Millisecond},
		portstest.ScratchRegistry())
	if err := s.Stall(t.Context(), ports.ForTenant("a")); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("a stalled statement answers %v", err)
	}
	if s.Open() {
		t.Error("one slow statement opened the circuit")
	}
}
