package collection_test

import (
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

func TestChangeSetLeavesOutWhatDoesNotDiffer(t *testing.T) {
	s := &collection.Schema{Slug: "things", Fields: []collection.Field{{Name: "name", Kind: collection.Text}}}
	w := collection.NewChangeSet(time.Unix(1, 0), func() string { return "id" })
	before := collection.Record{"id": "1", "name": "a"}
	if got := w.Put(s, before, before.Clone()); len(w.List()) != 0 || got.Text("name") != "a" {
		t.Errorf("an equal record: %v, %d changes", got, len(w.List()))
	}
	if got := w.Put(s, before, collection.Record{"id": "1", "name": "b"}); len(w.List()) != 1 || got.Text("name") != "b" {
		t.Errorf("another record: %v, %d changes", got, len(w.List()))
	}
	if w.Put(s, nil, collection.Record{"id": "2"}); len(w.List()) != 2 || w.List()[1].Operation != collection.Created {
		t.Errorf("a new record: %+v", w.List())
	}
	w.Add(w.List()[0])
	if len(w.List()) != 3 {
		t.Errorf("%d changes", len(w.List()))
	}
}
