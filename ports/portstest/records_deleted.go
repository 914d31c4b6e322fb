package portstest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

func deletedLinks(t *testing.T, s recordStore) {
	short, brief := s.create(t, ours, makers, collection.Record{"id": "short"}), s.create(t, ours, makers, collection.Record{"id": "brief"})
	s.create(t, ours, makers, collection.Record{"id": "stays"})
	for id, r := range map[string]collection.Record{
		"none": {}, "one": {"maker": "stays"}, "list": {"maker": "brief", "rivals": []string{"short", "stays", "brief"}},
		"row": {"lines": []collection.Record{{"id": "l", "maker": "short"}}}, "group": {"info": collection.Record{"maker": "brief"}},
	} {
		r["id"] = id
		s.create(t, ours, things, r)
	}
	checkDeletedLinks(t, s, map[string]string{"none": "", "one": "", "list": "", "row": "", "group": ""})
	if err := s.write(t.Context(), ours, makers, short, nil); err != nil {
		t.Fatal(err)
	}
	checkDeletedLinks(t, s, map[string]string{"none": "", "one": "", "list": "short", "row": "short", "group": ""})
	if err := s.write(t.Context(), ours, makers, brief, nil); err != nil {
		t.Fatal(err)
	}
	checkDeletedLinks(t, s, map[string]string{"none": "", "one": "", "list": "brief short", "row": "short", "group": "brief"})
}

// checkDeletedLinks reads the records by every method and compares their deleted links.
func checkDeletedLinks(t *testing.T, s recordStore, want map[string]string) {
	t.Helper()
	check := func(road string, r collection.Record) {
		text, known := r.DeletedLinks()
		ids := strings.Fields(text)
		slices.Sort(ids)
		if got := strings.Join(ids, " "); !known || got != want[r.ID()] {
			t.Errorf("%s, read by %s, knows (%v) of %q, want %q", r.ID(), road, known, got, want[r.ID()])
		}
	}
	r := s.Read(ports.ForTenant(ours))
	ids := slices.Collect(maps.Keys(want))
	for _, id := range ids {
		one, err := r.Get(t.Context(), things, id)
		expect(t, err, nil)
		check("id", one)
	}
	many, err := r.GetMany(t.Context(), things, ids, nil)
	expect(t, err, nil)
	for _, one := range many {
		check("ids", one)
	}
	for _, uncounted := range []bool{false, true} {
		page, err := r.Find(t.Context(), collection.Query{Schema: things, Limit: 10, Page: 1, SkipCount: uncounted})
		if err != nil || len(page.Docs) != len(want) || len(many) != len(want) {
			t.Fatalf("%d and %d read, %v", len(many), len(page.Docs), err)
		}
		for _, one := range page.Docs {
			check("a query", one)
		}
	}
}
