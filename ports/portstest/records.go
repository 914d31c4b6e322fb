package portstest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Records checks ports.Store, ports.Reader and ports.Records. open makes an empty store of the collections of
// a registry; fold is the function with which that store compares searched text.
func Records(t *testing.T, fold func(string) string, open func(*testing.T, *collection.Registry) ports.Store) {
	rules := map[string]func(*testing.T, recordStore){
		"records take room":                                                            takesRoom,
		"an unknown record is absent":                                                  absent,
		"a record is read as it was written":                                           roundTrip,
		"a change decided on an old state is stale":                                    stale,
		"a failed unit of work leaves nothing behind":                                  rollback,
		"an ignored failure still ends the unit of work":                               ignoredError,
		"a unit of work is answered what it made of a failure":                         replacedError,
		"another tenant's record is hidden from every method":                          otherTenant,
		"a unit of work cannot write for a tenant it is not bound to":                  foreignWrite,
		"a taken unique value is a duplicate that names its field":                     duplicates,
		"a deleted record is absent and known to be deleted":                           deleted,
		"a record read knows which of its relations are deleted":                       deletedLinks,
		"a deleted id can be used again and its changes count on":                      recreated,
		"environments are separate":                                                    environments,
		"a list of relations is found by its current ids":                              relationLists,
		"every operator on every path agrees with the oracle":                          operators,
		"timed transitions are found as they are read":                                 timedTransitions,
		"client filters match the expected records":                                    whereConditions,
		"conditions combine":                                                           combinations,
		"every sort key orders by code point, null first, ties by id in its direction": sorting,
		"the pages contain every record once":                                          paging,
		"one of two concurrent changes is stale":                                       concurrentChanges,
		"locked increments all count":                                                  lockedIncrements,
		"records are locked by a value":                                                lockedBy,
	}
	for name, rule := range rules {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rule(t, recordStore{open(t, ScratchRegistry()), fold, new(int)})
		})
	}
}

// recordStore is a store under test.
type recordStore struct {
	ports.Store

	fold   func(string) string
	events *int
}

const (
	ours   = tenant.ID("tenant-a")
	theirs = tenant.ID("tenant-b")
)

// write stores the change from before to after for a tenant.
func (s recordStore) write(ctx context.Context, of tenant.ID, c *collection.Schema, before, after collection.Record) error {
	if after != nil {
		after["tenant"] = string(of)
	}
	*s.events++
	change := collection.NewChange(c, before, after, fmt.Sprintf("%s-%s-%d", of, c.Slug, *s.events),
		noon.Add(time.Duration(*s.events)*time.Second))
	return s.Atomically(ctx, ports.ForTenant(of), func(ctx context.Context, tx ports.Tx) error { return tx.Records.Write(ctx, change) })
}

func (s recordStore) create(t *testing.T, of tenant.ID, c *collection.Schema, r collection.Record) collection.Record {
	t.Helper()
	if err := s.write(t.Context(), of, c, nil, r); err != nil {
		t.Fatalf("create %s %s: %v", c.Slug, r.ID(), err)
	}
	return r
}

func expect(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}
}

// takesRoom: records are read as long as they have room, in a transaction and outside.
func takesRoom(t *testing.T, s recordStore) {
	ids := []string{"m1", "m2", "m3"}
	for _, id := range ids {
		s.create(t, ours, makers, collection.Record{"id": id, "name": strings.Repeat("x", 1000)})
	}
	check := func(ctx context.Context, r ports.Reader) error {
		var counted int64
		memory := ports.Memory{Take: func(n int64) error { counted += n; return nil }, AllowRefusal: func() {}}
		page, err := r.Find(ports.WithMemory(ctx, memory), collection.Query{
			Schema: makers, Where: makers.Where("id", collection.In, "m1", "m2"), Limit: 2, Page: 1,
		})
		if err != nil || len(page.Docs) != 2 || counted < 2000 || counted > 4000 {
			t.Errorf("a page of two records counts as %d bytes in the memory of its request (%v)", counted, err)
		}
		counted = 0
		if _, err := r.GetMany(ports.WithMemory(ctx, memory), makers, ids[:2], nil); err != nil || counted < 2000 || counted > 4000 {
			t.Errorf("two records count as %d bytes in the memory of their request (%v)", counted, err)
		}
		room := collection.NewRoom(3000)
		found, err := r.GetMany(ctx, makers, ids[:2], room)
		if left := room.Left(); len(found) != 2 || err != nil || left < 1 || left > 1000 {
			t.Errorf("two records of 1,000 bytes in 3,000: %d, %v, %d left", len(found), err, left)
		}
		if found, err = r.GetMany(ctx, makers, ids[2:], room); found != nil {
			t.Errorf("the third one: %v", found)
		}
		return err
	}
	expect(t, check(t.Context(), s.Read(ports.ForTenant(ours))), collection.ErrAnswerTooLarge)
	expect(t, s.Atomically(t.Context(), ports.ForTenant(ours), func(ctx context.Context, tx ports.Tx) error {
		return check(ctx, tx.Records)
	}), collection.ErrAnswerTooLarge)
	readsUntilRefused := func(ctx context.Context, r ports.Reader) error {
		var counted int64
		memory := ports.Memory{Take: func(n int64) error { counted += n; return ports.ErrQueryTooSlow }, AllowRefusal: func() {}}
		_, err := r.Find(ports.WithMemory(ctx, memory), collection.Query{Schema: makers, Limit: 3, Page: 1})
		if counted > 2000 {
			t.Errorf("a page was refused with its first record of 1,000 bytes, but %d bytes of it were read", counted)
		}
		return err
	}
	expect(t, readsUntilRefused(t.Context(), s.Read(ports.ForTenant(ours))), ports.ErrQueryTooSlow)
	expect(t, s.Atomically(t.Context(), ports.ForTenant(ours), func(ctx context.Context, tx ports.Tx) error {
		return readsUntilRefused(ctx, tx.Records)
	}), ports.ErrQueryTooSlow)
	found, err := s.Read(ports.ForTenant(ours)).GetMany(t.Context(), makers, ids, collection.NewRoom(2500))
	if expect(t, err, collection.ErrAnswerTooLarge); found != nil {
		t.Errorf("three at once in 2,500 bytes: %v", found)
	}
}

func absent(t *testing.T, s recordStore) {
	r := s.Read(ports.ForTenant(ours))
	_, err := r.Get(t.Context(), things, "nothing")
	expect(t, err, ports.ErrNotFound)
	many, err := r.GetMany(t.Context(), things, []string{"nothing", "never"}, nil)
	if len(many) != 0 || err != nil {
		t.Errorf("GetMany found %v, %v", many, err)
	}
	page, err := r.Find(t.Context(), collection.Query{Schema: things, Limit: 10, Page: 1})
	if len(page.Docs) != 0 || page.TotalDocs != 0 || err != nil {
		t.Errorf("Find found %v, %v", page, err)
	}
	expect(t, s.Atomically(t.Context(), ports.ForTenant(ours), func(ctx context.Context, tx ports.Tx) error {
		_, err := tx.Records.Lock(ctx, things, "nothing")
		return err
	}), ports.ErrNotFound)
	expect(t, s.Atomically(t.Context(), ports.ForTenant(ours), func(ctx context.Context, tx ports.Tx) error {
		_, err := tx.Records.LockShared(ctx, things, "nothing")
		return err
	}), ports.ErrNotFound)
}

// same compares records field by field, the sequence included.
func same(t *testing.T, c *collection.Schema, got, want collection.Record) {
	t.Helper()
	if got.Sequence() != want.Sequence() {
		t.Errorf("%s: sequence %d, want %d", want.ID(), got.Sequence(), want.Sequence())
	}
	for _, f := range c.AllFields() {
		if !collection.Equal(got[f.Name], want[f.Name]) {
			t.Errorf("%s.%s is %#v, want %#v", want.ID(), f.Name, got[f.Name], want[f.Name])
		}
	}
}

func roundTrip(t *testing.T, s recordStore) {
	for _, d := range scratchData() {
		want := s.create(t, ours, d.schema, d.record)
		got, err := s.Read(ports.ForTenant(ours)).Get(t.Context(), d.schema, want.ID())
		if err != nil {
			t.Fatal(err)
		}
		same(t, d.schema, got, want)
		next := got.Clone()
		if err := s.write(t.Context(), ours, d.schema, got, next); err != nil {
			t.Fatal(err)
		}
		many, err := s.Read(ports.ForTenant(ours)).GetMany(t.Context(), d.schema, []string{want.ID(), "nothing"}, nil)
		if err != nil || len(many) != 1 {
			t.Fatalf("GetMany: %v, %v", many, err)
		}
		same(t, d.schema, many[want.ID()], next)
	}
}

func stale(t *testing.T, s recordStore) {
	first := s.create(t, ours, makers, collection.Record{"id": "m", "name": "one"})
	if err := s.write(t.Context(), ours, makers, first, collection.Record{"id": "m", "name": "two"}); err != nil {
		t.Fatal(err)
	}
	expect(t, s.write(t.Context(), ours, makers, first, collection.Record{"id": "m", "name": "three"}), ports.ErrStale)
	expect(t, s.write(t.Context(), ours, makers, first, nil), ports.ErrStale)
	expect(t, s.write(t.Context(), ours, makers, nil, collection.Record{"id": "m", "name": "again"}), ports.ErrStale)
	got, err := s.Read(ports.ForTenant(ours)).Get(t.Context(), makers, "m")
	if err != nil || got.Text("name") != "two" || got.Sequence() != 2 {
		t.Errorf("got %v, %v", got, err)
	}
}

var errAborted = errors.New("changed our mind")

func rollback(t *testing.T, s recordStore) {
	change := collection.NewChange(makers, nil, collection.Record{"id": "m", "tenant": string(ours)}, "e", noon)
	expect(t, s.Atomically(t.Context(), ports.ForTenant(ours), func(ctx context.Context, tx ports.Tx) error {
		if err := tx.Records.Write(ctx, change); err != nil {
			return err
		}
		if _, err := tx.Records.Get(ctx, makers, "m"); err != nil {
			t.Errorf("a unit of work does not see its own write: %v", err)
		}
		return errAborted
	}), errAborted)
	_, err := s.Read(ports.ForTenant(ours)).Get(t.Context(), makers, "m")
	expect(t, err, ports.ErrNotFound)
	s.create(t, ours, makers, collection.Record{"id": "m"})
}

func ignoredError(t *testing.T, s recordStore) {
	old := s.create(t, ours, makers, collection.Record{"id": "m"})
	if err := s.write(t.Context(), ours, makers, old, collection.Record{"id": "m"}); err != nil {
		t.Fatal(err)
	}
	expect(t, s.Atomically(t.Context(), ports.ForTenant(ours), func(ctx context.Context, tx ports.Tx) error {
		late := collection.NewChange(makers, old, collection.Record{"id": "m", "tenant": string(ours)}, "e1", noon)
		expect(t, tx.Records.Write(ctx, late), ports.ErrStale)
		fine := collection.NewChange(makers, nil, collection.Record{"id": "n", "tenant": string(ours)}, "e2", noon)
		_ = tx.Records.Write(ctx, fine)
		return nil
	}), ports.ErrStale)
	_, err := s.Read(ports.ForTenant(ours)).Get(t.Context(), makers, "n")
	expect(t, err, ports.ErrNotFound)
}

func replacedError(t *testing.T, s recordStore) {
	taken := s.create(t, ours, deals, collection.Record{"id": "d", "environment": "live", "code": "spring"})
	for name, change := range map[string]collection.Change{
		"a stale write": collection.NewChange(makers, collection.Record{"id": "gone", "tenant": string(ours)}, collection.Record{
			"id": "gone", "tenant": string(ours),
		}, "e1", noon),
		"a duplicate": collection.NewChange(deals, nil, collection.Record{
			"id": "twin", "tenant": string(ours), "environment": "live", "code": taken.Text("code"),
		}, "e2", noon),
	} {
		err := s.Atomically(t.Context(), ports.ForTenant(ours), func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Records.Write(ctx, collection.NewChange(makers, nil, collection.Record{"id": "m", "tenant": string(ours)}, "e", noon)); err != nil {
				return err
			}
			if err := tx.Records.Write(ctx, change); err != nil {
				return errAborted
			}
			t.Errorf("%s does not fail", name)
			return nil
		})
		if !errors.Is(err, errAborted) {
			t.Errorf("%s is answered %v", name, err)
		}
		_, err = s.Read(ports.ForTenant(ours)).Get(t.Context(), makers, "m")
		expect(t, err, ports.ErrNotFound)
	}
}

func duplicates(t *testing.T, s recordStore) {
	deal := func(id, env, code string, maker any, order int64) collection.Record {
		return collection.Record{"id": id, "environment": env, "code": code, "maker": maker, "order": order}
	}
	s.create(t, ours, deals, deal("d1", "live", "Straße", "m", 1))
	for name, c := range map[string]struct {
		of    tenant.ID
		deal  collection.Record
		field string
	}{
		"the same text folded":  {ours, deal("d2", "live", "STRASSE", "x", 1), "code"},
		"the same set":          {ours, deal("d3", "live", "other", "m", 1), "maker"},
		"half the set":          {ours, deal("d4", "live", "fourth", "m", 2), ""},
		"a set with null":       {ours, deal("d5", "live", "fifth", nil, 1), ""},
		"another set with null": {ours, deal("d6", "live", "sixth", nil, 1), ""},
		"the other environment": {ours, deal("d7", "test", "Straße", "m", 1), ""},
		"another tenant":        {theirs, deal("d8", "live", "Straße", "m", 1), ""},
	} {
		err := s.write(t.Context(), c.of, deals, nil, c.deal)
		if c.field == "" {
			if err != nil {
				t.Errorf("%s is refused: %v", name, err)
			}
			continue
		}
		expect(t, err, ports.ErrDuplicate)
		if fields := fault.From(err).Fields; len(fields) == 0 ||
			fields[0] != (fault.Field{Field: c.field, Message: "Value must be unique"}) {
			t.Errorf("%s names %v", name, fields)
		}
	}
}

func deleted(t *testing.T, s recordStore) {
	maker := s.create(t, ours, makers, collection.Record{"id": "m", "name": "short-lived"})
	s.create(t, ours, things, collection.Record{"id": "t", "maker": "m"})
	if err := s.write(t.Context(), ours, makers, maker, nil); err != nil {
		t.Fatal(err)
	}
	r := s.Read(ports.ForTenant(ours))
	_, err := r.Get(t.Context(), makers, "m")
	expect(t, err, ports.ErrNotFound)
	gone, err := r.Deleted(t.Context(), []string{"m", "t", "never"})
	if err != nil || len(gone) != 1 || gone["m"] != 2 {
		t.Errorf("gone: %v, %v", gone, err)
	}
	if gone, err := s.Read(ports.ForTenant(theirs)).Deleted(t.Context(), []string{"m"}); err != nil || len(gone) != 0 {
		t.Errorf("another tenant can see the delete: %v, %v", gone, err)
	}
	q := collection.Query{
		Schema: things, Where: collection.Comparison{Path: Path(things, "maker", "name"), Op: collection.Exists, Values: []any{true}},
		Limit: 10, Page: 1,
	}
	if page, err := r.Find(t.Context(), q); err != nil || page.TotalDocs != 0 {
		t.Errorf("a deleted record still matches conditions: %v, %v", page, err)
	}
}

func recreated(t *testing.T, s recordStore) {
	first := s.create(t, ours, makers, collection.Record{"id": "m", "name": "was here"})
	if err := s.write(t.Context(), ours, makers, first, nil); err != nil {
		t.Fatal(err)
	}
	r := s.Read(ports.ForTenant(ours))
	gone, err := r.Deleted(t.Context(), []string{"m"})
	if err != nil || gone["m"] != 2 {
		t.Fatalf("gone %v, %v", gone, err)
	}
	back := collection.NewChange(makers, nil, collection.Record{"id": "m", "tenant": string(ours), "name": "is back"}, "back", noon).
		ContinuingFrom(gone["m"])
	if err := s.Atomically(t.Context(), ports.ForTenant(ours), func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, back)
	}); err != nil {
		t.Fatal(err)
	}
	got, err := r.Get(t.Context(), makers, "m")
	if err != nil || got.Sequence() != 3 || got.Text("name") != "is back" {
		t.Errorf("%v, %v", got, err)
	}
	if gone, err := r.Deleted(t.Context(), []string{"m"}); err != nil || len(gone) != 0 {
		t.Errorf("the recreated id is still deleted: %v, %v", gone, err)
	}
	next := got.Clone()
	next["name"] = "stays"
	if err := s.write(t.Context(), ours, makers, got, next); err != nil || next.Sequence() != 4 {
		t.Errorf("the next change is %d, %v", next.Sequence(), err)
	}
}

func environments(t *testing.T, s recordStore) {
	s.create(t, ours, deals, collection.Record{"id": "d1", "environment": "live", "code": "a"})
	s.create(t, ours, deals, collection.Record{"id": "d2", "environment": "test", "code": "b"})
	for env, want := range map[string][]string{"live": {"d1"}, "test": {"d2"}, "": {"d1", "d2"}} {
		page, err := s.Read(ports.ForTenant(ours)).Find(t.Context(), collection.Query{
			Schema: deals, Environment: env, Limit: 10, Page: 1, Sort: []collection.SortKey{{Path: Path(deals, "code")}},
		})
		if got := ids(page); err != nil || !slices.Equal(got, want) || page.TotalDocs != int64(len(want)) {
			t.Errorf("environment %q: %v of %d, %v", env, got, page.TotalDocs, err)
		}
	}
}

func ids(p collection.Page) (all []string) {
	for _, r := range p.Docs {
		all = append(all, r.ID())
	}
	return all
}
