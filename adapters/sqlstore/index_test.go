package sqlstore_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// One instance adds an index to a table that another one writes, dies while it does, and the next start
// finishes it.
func TestConcurrentIndexBuildBlocksNoWriterAndResumes(t *testing.T) {
	t.Parallel()
	admin := testservers.Postgres(t)
	before, c := registryOf(t, collection.Field{Name: "kind", Kind: collection.Text})
	o := sqlstore.Options{URL: admin, Registry: before, Fold: fold, Connections: 3}
	serving := open(t, o, before)
	put := func(id string) error {
		return write(t.Context(), serving, ports.ForTenant("a"), c, nil, collection.Record{"id": id, "tenant": "a", "kind": id}, "e"+id)
	}
	if err := put("n1"); err != nil {
		t.Fatal(err)
	}
	watch, err := pgx.Connect(t.Context(), admin)
	if err != nil {
		t.Fatal(err)
	}
	defer watch.Close(context.Background())
	writer, err := pgx.Connect(t.Context(), admin)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close(context.Background())
	busy, err := writer.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := busy.Exec(t.Context(), "LOCK TABLE notes IN ROW EXCLUSIVE MODE"); err != nil { // as any write does
		t.Fatal(err)
	}
	after, _ := registryOf(t, collection.Field{Name: "kind", Kind: collection.Text, Indexed: true})
	o.Registry = after
	ctx, kill := context.WithCancel(t.Context())
	died := make(chan error, 1)
	go func() {
		_, err := sqlstore.Open(ctx, o)
		died <- err
	}()
	whole := func() (list []bool) {
		t.Helper()
		rows, err := watch.Query(t.Context(), "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('i_notes_tenant_kind_id')")
		if err == nil {
			list, err = pgx.CollectRows(rows, pgx.RowTo[bool])
		}
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	for len(whole()) == 0 { // the build waits for the writer that was there first
		select {
		case err := <-died:
			t.Fatal("the start did not build the index:", err)
		default:
		}
	}
	if err := put("n2"); err != nil {
		t.Error("a write during the build:", err)
	}
	kill()
	if err := <-died; err == nil {
		t.Fatal("the build was to be interrupted")
	}
	if got := whole(); len(got) != 1 || got[0] {
		t.Fatal("an interrupted build leaves a part:", got)
	}
	if err := busy.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	grown := open(t, o, after)
	if got := whole(); len(got) != 1 || !got[0] {
		t.Error("the next start finishes it:", got)
	}
	if err := errors.Join(grown.Ready(t.Context()), put("n3")); err != nil {
		t.Error(err)
	}
}

// Filters and sorting on marked fields are served by an index, seen as the serving role under row-level
// security.
func TestIndexedFieldsUseTheirIndex(t *testing.T) {
	t.Parallel()
	registry := portstest.ScratchRegistry()
	s := open(t, sqlstore.Options{URL: testservers.Postgres(t)}, registry)
	portstest.StoreScratchData(t, s, func(*collection.Schema, string) {})
	things := registry.Get("scratch-things")
	for name, q := range map[string]collection.Query{
		"newest first":          {Sort: []collection.SortKey{{Path: portstest.Path(things, "createdAt"), Desc: true}}},
		"by price":              {Sort: []collection.SortKey{{Path: portstest.Path(things, "price")}}},
		"equal state":           {Where: things.Where("state", collection.Equals, "draft")},
		"state that stands":     {Where: things.Where("state", collection.Equals, "published"), Now: start},
		"state that has lapsed": {Where: things.Where("state", collection.In, "out-of-stock", "draft"), Now: start},
		"price range":           {Where: things.Where("price", collection.GreaterThan, int64(5))},
	} {
		q.Schema = things
		plan, err := s.Explain(t.Context(), ports.ForTenant("a"), q)
		if err != nil || strings.Contains(plan, "Seq Scan on scratch_things") {
			t.Errorf("%s: %v\n%s", name, err, plan)
		}
	}
}
