package collection_test

import (
	"slices"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

func TestReadOnlyFieldsMayComeBackUnchanged(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	before := record{"id": "b1", "title": "T", "copies": int64(3), "isbn": "1", "createdAt": at, "environment": "live"}
	for name, c := range map[string]struct {
		before record
		input  tree
		want   []string
	}{
		"unchanged": {
			before, tree{"id": "b1", "copies": num("3.0"), "isbn": "1", "createdAt": "2026-01-31T18:00:00+09:00", "environment": "live"},
			nil,
		},
		"changed": {
			before, tree{"id": "b2", "copies": num("4"), "isbn": "2", "createdAt": "2026-01-31", "environment": "test"},
			[]string{"id", "environment", "createdAt", "isbn", "copies"},
		},
		"cleared":                           {before, tree{"copies": nil}, []string{"copies"}},
		"of a wrong kind":                   {before, tree{"copies": "x"}, []string{"copies"}},
		"null where it is null":             {record{"id": "b1", "title": "T"}, tree{"copies": nil, "isbn": nil}, nil},
		"set at create":                     {nil, tree{"title": "T", "copies": num("1")}, []string{"copies"}},
		"an immutable one is set at create": {nil, tree{"title": "T", "isbn": "1"}, nil},
		"an id at create":                   {nil, tree{"title": "T", "id": "mine"}, []string{"id"}},
		"born with it":                      {nil, tree{"title": "T", "tenant": "t1", "environment": "live"}, nil},
		"born with another": {
			nil, tree{"title": "T", "tenant": "t2", "environment": "test"}, []string{"tenant", "environment"},
		},
		"born counts at create alone": {before, tree{"tenant": "t1"}, []string{"tenant"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := writer()
			w.Preset = record{"tenant": "t1", "environment": "live"}
			_, err := w.Merge(c.before, c.input)
			if got := problems(err); !slices.Equal(got, c.want) {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestTrustedInputSetsReadOnlyFields(t *testing.T) {
	t.Parallel()
	w := writer()
	w.Trusted = true
	next, err := w.Merge(record{"id": "b1", "title": "T", "isbn": "1", "copies": int64(1)}, tree{"copies": num("5"), "isbn": "2"})
	if err != nil || next.Int("copies") != 5 || next.Text("isbn") != "2" {
		t.Errorf("got %v, %v", next, problems(err))
	}
}

func TestCommandOnlyCollectionsTakePatchableFieldsOnly(t *testing.T) {
	t.Parallel()
	s := &collection.Schema{Slug: "s", Singular: "S", Plural: "Ss", CommandOnly: true, Fields: []collection.Field{
		{Name: "note", Kind: collection.Text, Patchable: true}, {Name: "state", Kind: collection.Text}, {
			Name: "box", Kind: collection.Group, Patchable: true, Fields: []collection.Field{{Name: "in", Kind: collection.Text}},
		},
	}}
	w := writer()
	w.Schema = s
	before := record{"id": "1", "state": "open"}
	if next, err := w.Merge(before, tree{"note": "n", "state": "open", "box": tree{"in": "x"}}); err != nil || next.Text("note") != "n" ||
		next.Group("box").Text("in") != "x" {
		t.Errorf("got %v, %v", next, problems(err))
	}
	if _, err := w.Merge(before, tree{"state": "shut"}); !slices.Equal(problems(err), []string{"state"}) {
		t.Errorf("got %v", problems(err))
	}
}
