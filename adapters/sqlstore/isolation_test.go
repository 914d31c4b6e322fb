package sqlstore_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

var start = time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)

func write(
	ctx context.Context, s ports.Store, scope ports.Scope, c *collection.Schema, before, after collection.Record, event string,
) error {
	return s.Atomically(ctx, scope, func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(c, before, after, event, start))
	})
}

// With the storage predicate taken away, row-level security alone hides the other tenant's records.
func TestRowLevelSecurityIsolatesWithoutTenantFilter(t *testing.T) {
	t.Parallel()
	registry := portstest.ScratchRegistry()
	s := open(t, sqlstore.Options{URL: testservers.Postgres(t)}, registry)
	makers := registry.Get("makers")
	foreign := collection.Record{"id": "m", "tenant": "b", "name": "theirs"}
	if err := write(t.Context(), s, ports.ForTenant("b"), makers, nil, foreign, "e1"); err != nil {
		t.Fatal(err)
	}
	things := registry.Get("scratch-things")
	if err := write(t.Context(), s, ports.ForTenant("b"), things, nil, collection.Record{"id": "t", "tenant": "b", "rivals": []string{"m"}},
		"e5"); err != nil {
		t.Fatal(err)
	}
	// an id like theirs
	if err := write(t.Context(), s, ports.ForTenant("a"), things, nil, collection.Record{"id": "t", "tenant": "a"}, "e6"); err != nil {
		t.Fatal(err)
	}
	s.SkipTenantFilter()
	page, err := s.Read(ports.ForTenant("a")).Find(t.Context(), collection.Query{
		Schema: things, Where: things.Where("rivals", collection.Equals, "m"), Limit: 1, Page: 1,
	})
	if err != nil || page.TotalDocs != 0 {
		t.Errorf("a foreign list of relations shows: %v, %v", page, err)
	}
	const plant = "INSERT INTO relation_members (tenant, field, target, record) VALUES ('b', 'scratch_things.rivals', 'x', 't')"
	if err := s.Exec(t.Context(), "a", plant); err == nil {
		t.Error("a member was planted in a foreign tenant")
	}
	if err := s.Exec(t.Context(), "a", "DELETE FROM relation_members"); err != nil {
		t.Error(err)
	}
	page, err = s.Read(ports.ForTenant("b")).Find(t.Context(), collection.Query{
		Schema: things, Where: things.Where("rivals", collection.Equals, "m"), Limit: 1, Page: 1,
	})
	if err != nil || page.TotalDocs != 1 {
		t.Errorf("a foreign list of relations was open to change: %v, %v", page, err)
	}
	portstest.CheckHidden(t, s, "a", makers, foreign)
	changed := foreign.Clone()
	if err := write(t.Context(), s, ports.ForTenant("a"), makers, foreign, changed, "e2"); !errors.Is(err, ports.ErrStale) {
		t.Errorf("a foreign row was open to change: %v", err)
	}
	if err := write(t.Context(), s, ports.ForTenant("a"), makers, foreign, nil, "e3"); !errors.Is(err, ports.ErrStale) {
		t.Errorf("a foreign row was open to deletion: %v", err)
	}
	if err := write(t.Context(), s, ports.ForTenant("a"), makers, nil, collection.Record{"id": "n", "tenant": "b"}, "e4"); err == nil {
		t.Error("a row was planted in a foreign tenant")
	}
	if gone, err := s.Read(ports.ForTenant("a")).Deleted(t.Context(), []string{"m"}); err != nil || len(gone) != 0 {
		t.Errorf("tombstones: %v, %v", gone, err)
	}
	if log, err := s.Log(t.Context(), ports.ForTenant("a"), 0); err != nil || len(log) != 0 {
		t.Errorf("events: %v, %v", log, err)
	}
}

// No id can stand for several tenants, or for none.
func TestTenantIDsThatWidenScopeAreRejected(t *testing.T) {
	t.Parallel()
	registry := portstest.ScratchRegistry()
	s := open(t, sqlstore.Options{URL: testservers.Postgres(t)}, registry)
	for _, scope := range []ports.Scope{ports.ForTenant("a,b"), ports.ForTenant(""), {Tenants: nil}} {
		page, err := s.Read(scope).Find(t.Context(), collection.Query{Schema: registry.Get("makers"), Limit: 1, Page: 1})
		if err == nil && (len(scope.Tenants) > 0 || page.TotalDocs > 0) {
			t.Errorf("scope %q was bound", scope.Tenants)
		}
	}
}
