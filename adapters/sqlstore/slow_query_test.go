package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// A query that takes too long by fields without an index is refused for good; the connection goes on, and the
// database counts as reachable.
func TestSlowQueryIsRejectedAndConnectionReused(t *testing.T) {
	t.Parallel()
	admin := testservers.Postgres(t)
	registry := portstest.ScratchRegistry()
	things := registry.Get("scratch-things")
	s := open(t, sqlstore.Options{URL: admin, Connections: 1, QueryTime: 150 * time.Millisecond}, registry)
	if err := write(t.Context(), s, ports.ForTenant("a"), things, nil, collection.Record{"id": "t", "tenant": "a", "body": "text"}, "e1"); err != nil {
		t.Fatal(err)
	}
	find := func(cond collection.Cond) error {
		page, err := s.Read(ports.ForTenant("a")).Find(t.Context(), collection.Query{Schema: things, Where: cond, Limit: 10, Page: 1})
		if err == nil && page.TotalDocs != 1 {
			t.Errorf("found %d", page.TotalDocs)
		}
		return err
	}
	plain, served := things.Where("body", collection.Contains, "tex"), things.Where("order", collection.Equals, nil)
	before := s.Backend(t.Context(), "a")
	lock, err := pgx.Connect(t.Context(), admin)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close(context.Background())
	busy, err := lock.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := busy.Exec(t.Context(), "LOCK TABLE scratch_things IN ACCESS EXCLUSIVE MODE"); err != nil {
		t.Fatal(err)
	}
	for range 6 { // as many failures in a row would open the circuit
		if err := find(plain); !errors.Is(err, ports.ErrQueryTooSlow) || fault.From(err).Retryable {
			t.Errorf("by a field without an index: %v", err)
		}
	}
	if err := find(served); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("where an index serves, it is the database that is slow: %v", err)
	}
	if err := busy.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := errors.Join(find(plain), find(served))
	for began := time.Now(); again != nil && time.Since(began) < patience; { // a busy machine may take longer than a query may
		again = errors.Join(find(plain), find(served))
	}
	if again != nil {
		t.Error("afterwards:", again)
	}
	if after := s.Backend(t.Context(), "a"); after != before || s.Open() {
		t.Errorf("connection %d became %d, circuit open: %t", before, after, s.Open())
	}
}

func TestSlowQueryIsRejectedOnSQLite(t *testing.T) {
	t.Parallel()
	registry := portstest.ScratchRegistry()
	things := registry.Get("scratch-things")
	s := open(t, sqlstore.Options{Path: filepath.Join(testservers.TempDir(t), "data.db"), QueryTime: time.Millisecond}, registry)
	var changes []collection.Change
	for i := range 2000 {
		r := collection.Record{"id": fmt.Sprint("t", i), "tenant": "a", "body": strings.Repeat("text ", 200)}
		changes = append(changes, collection.NewChange(things, nil, r, fmt.Sprint("e", i), start))
	}
	if err := s.Atomically(t.Context(), ports.ForTenant("a"), func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, changes...)
	}); err != nil {
		t.Fatal(err)
	}
	var words collection.Or
	for i := range 60 {
		words = append(words, things.Where("body", collection.Contains, fmt.Sprint("word", i)))
	}
	_, err := s.Read(ports.ForTenant("a")).Find(t.Context(), collection.Query{Schema: things, Where: words, Limit: 10, Page: 1})
	if !errors.Is(err, ports.ErrQueryTooSlow) {
		t.Errorf("got %v", err)
	}
	if _, err := s.Read(ports.ForTenant("a")).Get(t.Context(), things, "t1"); err != nil {
		t.Error("afterwards:", err)
	}
}
