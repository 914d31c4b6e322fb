package portstest

import (
	"maps"
	"slices"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// checkFinds fails unless a condition matches exactly these records, in the page and in the count.
func checkFinds(t *testing.T, s ports.Store, scope ports.Scope, cond collection.Cond, c *collection.Schema, want ...string) {
	t.Helper()
	page, err := s.Read(scope).Find(t.Context(), collection.Query{
		Schema: c, Where: cond, Sort: []collection.SortKey{{Path: Path(c, "id")}}, Limit: 10, Page: 1,
	})
	if got := ids(page); err != nil || !slices.Equal(got, want) || page.TotalDocs != int64(len(want)) {
		t.Errorf("%v finds %v (%d), %v; want %v", cond, got, page.TotalDocs, err, want)
	}
}

// checkRivals fails unless exactly these of the things t1 and t2 refer to target.
func checkRivals(t *testing.T, s ports.Store, target string, want ...string) {
	t.Helper()
	rest := slices.DeleteFunc([]string{"t1", "t2"}, func(id string) bool { return slices.Contains(want, id) })
	for _, op := range []collection.Op{collection.Equals, collection.Contains, collection.In} {
		checkFinds(t, s, ports.ForTenant(ours), things.Where("rivals", op, target), things, want...)
	}
	for _, op := range []collection.Op{collection.NotEquals, collection.NotIn} {
		checkFinds(t, s, ports.ForTenant(ours), things.Where("rivals", op, target), things, rest...)
	}
}

// relationLists queries a list of relations after every change of its record.
func relationLists(t *testing.T, s recordStore) {
	s.create(t, ours, makers, collection.Record{"id": "m1", "name": "alpha"})
	s.create(t, theirs, makers, collection.Record{"id": "m1", "name": "alpha"})
	expected := func(target string, want ...string) { t.Helper(); checkRivals(t, s, target, want...) }
	naming := func(ids ...string) collection.Record { return collection.Record{"rivals": ids} }
	change := func(before, fields collection.Record) collection.Record {
		t.Helper()
		after := before.Clone()
		maps.Copy(after, fields)
		if err := s.write(t.Context(), ours, things, before, after); err != nil {
			t.Fatal(err)
		}
		return after
	}
	first := s.create(t, ours, things, collection.Record{"id": "t1", "rivals": []string{"m1", "m2"}})
	other := s.create(t, ours, things, collection.Record{"id": "t2"})
	s.create(t, theirs, things, collection.Record{"id": "t9", "rivals": []string{"m1"}})
	expected("m1", "t1")
	other = change(other, naming("m3", "m1", "m3")) // an id that is in the list twice is found once
	expected("m1", "t1", "t2")
	expected("m3", "t2")
	for _, scope := range []ports.Scope{{Tenants: []tenant.ID{ours, theirs}}, {System: true}} {
		checkFinds(t, s, scope, things.Where("rivals", collection.Equals, "m1"), things, "t1", "t2", "t9")
		checkFinds(t, s, scope, collection.Comparison{Path: Path(things, "rivals", "name"), Op: collection.Equals, Values: []any{"alpha"}},
			things, "t1", "t2", "t9")
	}
	first = change(first, naming("m2", "m3"))
	expected("m1", "t2")
	expected("m2", "t1")
	expected("m3", "t1", "t2")
	first = change(first, collection.Record{"title": "renamed"})
	expected("m3", "t1", "t2")
	other = change(other, naming())
	expected("m3", "t1")
	other = change(other, naming("m1"))
	expected("m1", "t2")
	for _, r := range []collection.Record{first, other} {
		if err := s.write(t.Context(), ours, things, r, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, target := range []string{"m1", "m2", "m3"} {
		checkFinds(t, s, ports.ForTenant(ours), things.Where("rivals", collection.Equals, target), things)
	}
	checkFinds(t, s, ports.ForTenant(theirs), things.Where("rivals", collection.Equals, "m1"), things, "t9")
}

// commitLists is relationLists for committed requests.
func commitLists(t *testing.T, b commitFixture) {
	with := func(target string, want ...string) {
		t.Helper()
		checkFinds(t, b.Store, ports.ForTenant(b.id), Parcels.Where("inside", collection.Equals, target), Parcels, want...)
	}
	step := func(before collection.Record, inside ...string) collection.Record {
		t.Helper()
		c := b.change(before, collection.Record{"inside": inside})
		if err := b.commit(t, []collection.Change{c}); err != nil {
			t.Fatal(err)
		}
		return c.After
	}
	r := step(nil, "one", "two")
	with("one", r.ID())
	stale := r
	r = step(r, "two", "three")
	with("one")
	with("two", r.ID())
	with("three", r.ID())
	c := b.change(stale, collection.Record{"inside": []string{"one"}})
	expect(t, b.commit(t, []collection.Change{c}), ports.ErrStale)
	with("one")
	with("three", r.ID())
	if err := b.commit(t, []collection.Change{collection.NewChange(Parcels, r, nil, "gone-"+r.ID(), day)}); err != nil {
		t.Fatal(err)
	}
	with("three")
}
