package sqlstore_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// fillDisk makes a database that has no room for another page, and empties its disk again. Postgres has no setting for
// that: a trigger raises what it raises when it cannot extend a file.
func fillDisk(t *testing.T, s *sqlstore.Store, name string) (free func()) {
	t.Helper()
	run := func(text string) {
		t.Helper()
		if err := s.ExecOwner(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	if name == "sqlite" {
		run("PRAGMA max_page_count = 1") // as many as there are: it never goes below
		return func() { run("PRAGMA max_page_count = 1000000") }
	}
	run("CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$")
	for _, table := range []string{"makers", "storage_probe"} {
		run("CREATE TRIGGER full_disk BEFORE INSERT ON " + table + " EXECUTE FUNCTION disk_full()")
	}
	return func() {
		for _, table := range []string{"makers", "storage_probe"} {
			run("DROP TRIGGER full_disk ON " + table)
		}
	}
}

func TestFullDiskIsUnavailableUntilThereIsRoom(t *testing.T) {
	alone, unit, together := "alone", "in a unit of work that may share", "with a batch"
	ways := []string{alone, unit, together}
	for name, options := range both {
		t.Run(name, func(t *testing.T) {
			registry := portstest.ScratchRegistry()
			s := open(t, options(t), registry)
			c := registry.Get("makers")
			committer := s.Committer()
			create := func(id, way string) error {
				after := collection.Record{"id": id, "tenant": "a", "name": strings.Repeat("x", 20_000)}
				scope := ports.ForTenant("a")
				switch way {
				case unit:
					scope.Prefetch = &ports.Prefetch{}
					fallthrough
				case alone:
					return write(t.Context(), s, scope, c, nil, after, "e-"+id)
				}
				change := collection.NewChange(c, nil, after, "e-"+id, start)
				return committer.Commit(t.Context(), ports.CommitRequest{Tenant: "a", Changes: []collection.Change{change}})
			}
			if err := s.Ready(t.Context()); err != nil {
				t.Fatal(err)
			}
			free := fillDisk(t, s, name)
			for _, way := range ways {
				err := create("full", way)
				if !errors.Is(err, fault.ErrUnavailable) || !fault.From(err).Retryable {
					t.Errorf("%s: a write to a full disk is answered %v", way, err)
				}
				if err := s.Ready(t.Context()); !errors.Is(err, fault.ErrUnavailable) {
					t.Errorf("%s: a database that cannot write is ready (%v)", way, err)
				}
			}
			if _, err := s.Read(ports.ForTenant("a")).Find(context.Background(), collection.Query{Schema: c, Limit: 10, Page: 1}); err != nil {
				t.Errorf("a full disk cannot be read: %v", err)
			}
			free()
			if err := s.Ready(t.Context()); err != nil {
				t.Errorf("with room again it is not ready: %v", err)
			}
			for _, way := range ways {
				if err := create(way, way); err != nil {
					t.Errorf("%s: with room again a write is answered %v", way, err)
				}
			}
		})
	}
}
