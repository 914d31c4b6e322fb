package recent_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/recent"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var errLost = errors.New("lost")

// database is a store of nothing, whose commits end with an error or not.
type database struct {
	ports.Store
	ports.Reader

	commit error
	reads  int
}

func (d *database) Atomically(ctx context.Context, _ ports.Scope, fn func(context.Context, ports.Tx) error) error {
	for range 2 { // the first attempt loses
		if err := fn(ctx, ports.Tx{Records: discard{}}); err != nil {
			return err
		}
	}
	return d.commit
}

func (d *database) Commit(context.Context, ports.CommitRequest) error { return d.commit }

func (d *database) Get(context.Context, *collection.Schema, string) (collection.Record, error) {
	d.reads++
	return nil, ports.ErrNotFound
}

type discard struct{ ports.Records }

func (discard) Write(context.Context, ...collection.Change) error { return nil }

// bed is a memory of checkouts in front of a database.
type bed struct {
	*testing.T
	database

	memory *recent.Memory
	clock  time.Time
}

func open(t *testing.T) *bed {
	b := &bed{T: t, clock: time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)}
	b.memory = recent.New(func() time.Time { return b.clock }, checkout.Schema)
	return b
}

func (b *bed) changed(s *collection.Schema, id, status string) collection.Change {
	return collection.NewChange(s, nil, collection.Record{"id": id, "tenant": "t1", "status": status}, "event-"+id, b.clock)
}

func (b *bed) write(commit error, changes ...collection.Change) {
	b.commit = commit
	err := b.memory.WrapStore(&b.database).Atomically(b.Context(), ports.ForTenant("t1"), func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, changes...)
	})
	if !errors.Is(err, commit) {
		b.Fatal(err)
	}
}

// knows reports the status that is remembered; "" says that the database was asked.
func (b *bed) knows(t tenant.ID, s *collection.Schema, id string) string {
	b.Helper()
	before := b.reads
	r, err := b.memory.Get(b.Context(), &b.database, t, s, id)
	if asked := b.reads > before; asked != errors.Is(err, ports.ErrNotFound) {
		b.Fatal(asked, err)
	}
	if r == nil {
		return ""
	}
	return r.Text("status")
}

func (b *bed) want(what, want, got string) {
	b.Helper()
	if got != want {
		b.Errorf("%s: %q is known, want %q", what, got, want)
	}
}

func TestWhatWasCommittedIsKnownForAWhile(t *testing.T) {
	b := open(t)
	b.write(nil, b.changed(checkout.Schema, "x1", "open"), b.changed(cart.Schema, "c1", "active"))
	b.want("a checkout", "open", b.knows("t1", checkout.Schema, "x1"))
	b.want("a collection that is not remembered", "", b.knows("t1", cart.Schema, "c1"))
	b.want("the same id of another tenant", "", b.knows("t2", checkout.Schema, "x1"))
	b.want("another collection with that id", "", b.knows("t1", cart.Schema, "x1"))
	theirs := b.changed(checkout.Schema, "x2", "open")
	theirs.After["tenant"] = "t2"
	b.write(nil, theirs)
	b.want("another tenant's, to itself", "open", b.knows("t2", checkout.Schema, "x2"))
	b.want("another tenant's", "", b.knows("t1", checkout.Schema, "x2"))
	b.clock = b.clock.Add(20 * time.Second)
	b.write(nil, b.changed(checkout.Schema, "x1", "completed"))
	b.want("after a change", "completed", b.knows("t1", checkout.Schema, "x1"))
	b.clock = b.clock.Add(20 * time.Second)
	b.want("later", "completed", b.knows("t1", checkout.Schema, "x1"))
	b.clock = b.clock.Add(30 * time.Second)
	b.memory.EvictOld()
	b.want("after a minute", "", b.knows("t1", checkout.Schema, "x1"))
}

func TestWriteOfUnknownOutcomeIsForgotten(t *testing.T) {
	b := open(t)
	b.write(nil, b.changed(checkout.Schema, "x1", "open"))
	b.write(errLost, b.changed(checkout.Schema, "x1", "completed"))
	b.want("after an error", "", b.knows("t1", checkout.Schema, "x1"))
	b.commit = nil
	c := b.memory.WrapCommitter(&b.database)
	if err := c.Commit(t.Context(), ports.CommitRequest{Changes: []collection.Change{b.changed(checkout.Schema, "x1", "open")}}); err != nil {
		t.Fatal(err)
	}
	b.want("after a commit of many", "open", b.knows("t1", checkout.Schema, "x1"))
	deletion := b.changed(checkout.Schema, "x1", "open")
	deletion.Before, deletion.After = deletion.After, nil
	b.write(nil, deletion)
	b.want("after a deletion", "", b.knows("t1", checkout.Schema, "x1"))
}

func TestMemoryIsBounded(t *testing.T) {
	b := open(t)
	for i := range 10_000 {
		b.write(nil, b.changed(checkout.Schema, fmt.Sprint("x", i), "open"))
	}
	known := 0
	for i := range 10_000 {
		if b.knows("t1", checkout.Schema, fmt.Sprint("x", i)) != "" {
			known++
		}
	}
	if known == 0 || known > 4_000 {
		t.Errorf("%d records are known", known)
	}
	b.want("the last one", "open", b.knows("t1", checkout.Schema, "x9999"))
	var none *recent.Memory
	if _, err := none.Get(t.Context(), &b.database, "t1", checkout.Schema, "x9999"); !errors.Is(err, ports.ErrNotFound) {
		t.Error(err)
	}
}
