package collection_test

import (
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

var shelf = &collection.Schema{Slug: "shelves", Singular: "Shelf", Plural: "Shelves", Fields: []collection.Field{
	{Name: "name", Kind: collection.Text},
	{Name: "cost", Kind: collection.Integer, VisibleTo: collection.Staff},
	{Name: "size", Kind: collection.Group, Fields: []collection.Field{
		{Name: "width", Kind: collection.Integer}, {Name: "height", Kind: collection.Integer},
	}},
	{Name: "rows", Kind: collection.Array, Fields: []collection.Field{
		{Name: "id", Kind: collection.Text}, {Name: "label", Kind: collection.Text},
		{Name: "above", Kind: collection.Relation, RelationTo: "shelves"},
	}},
	{Name: "next", Kind: collection.Relation, RelationTo: "shelves"},
}}

// selection is written as the wire would: true, false and objects of such.
func selection(except bool, tree map[string]any) *collection.Selection {
	s := &collection.Selection{Exclude: except, Fields: map[string]*collection.Selection{}}
	for name, v := range tree {
		s.Fields[name] = nil
		if below, ok := v.(map[string]any); ok {
			s.Fields[name] = selection(except, below)
		}
	}
	return s
}

func TestSelectedFieldsAreShown(t *testing.T) {
	r := collection.Record{
		"id": "1", "name": "A", "cost": int64(5), "size": collection.Record{"width": int64(3)}, "next": "2",
		"rows": []collection.Record{{"id": "r1", "label": "top", "above": "3"}},
	}
	second := collection.Record{"id": "2", "name": "B", "next": "1"}
	find := func(_, id string) (*collection.Schema, collection.Record, bool) {
		if id == "2" {
			return shelf, second, true
		}
		return nil, nil, false
	}
	type names = map[string]any
	for title, c := range map[string]struct {
		sel  *collection.Selection
		want string
	}{
		"one field":               {selection(false, names{"name": true}), `{"id":"1","name":"A"}`},
		"nothing but the id":      {selection(false, names{}), `{"id":"1"}`},
		"a field for staff alone": {selection(false, names{"cost": true}), `{"id":"1"}`},
		"a whole group":           {selection(false, names{"size": true}), `{"id":"1","size":{"width":3,"height":null}}`},
		"a part of a group":       {selection(false, names{"size": names{"height": true}}), `{"id":"1","size":{"height":null}}`},
		"a part of rows with ids": {selection(false, names{"rows": names{"label": true}}), `{"id":"1","rows":[{"id":"r1","label":"top"}]}`},
		"an embedded record":      {selection(false, names{"next": true}), `{"id":"1","next":{"id":"2","next":"1"}}`},
		"all but some": {
			selection(true, names{
				"id": true, "tenant": true, "createdAt": true, "updatedAt": true, "rows": true, "next": true, "size": names{"width": true},
			}),
			`{"id":"1","name":"A","size":{"height":null}}`,
		},
		"all but a part of the rows": {selection(true, names{
			"tenant": true, "createdAt": true, "updatedAt": true, "name": true, "size": true, "next": true,
			"rows": names{"above": true, "id": true},
		}), `{"id":"1","rows":[{"id":"r1","label":"top"}]}`},
	} {
		v := collection.View{
			Depth: 1, Resolve: find, Select: c.sel,
			Populate: map[string]*collection.Selection{"shelves": selection(false, names{"next": true})},
		}
		if got := string(collection.AppendJSON(nil, shelf, r, v)); got != c.want {
			t.Errorf("%s: %s, want %s", title, got, c.want)
		}
	}
}

func TestSelectionOfUnreadableFieldIsUnknown(t *testing.T) {
	type names = map[string]any
	for wrong, sel := range map[string]*collection.Selection{
		"":           selection(false, names{"id": true, "createdAt": true, "size": names{"width": true}, "rows": names{"above": true}}),
		"nope":       selection(false, names{"name": true, "nope": true}),
		"cost":       selection(true, names{"cost": true}),
		"size.depth": selection(false, names{"size": names{"depth": true}}),
		"name.first": selection(false, names{"name": names{"first": true}}),
		"next.name":  selection(false, names{"next": names{"name": true}}),
	} {
		if got := sel.FirstUnknown(shelf, collection.Everyone); got != wrong {
			t.Errorf("found %q, want %q", got, wrong)
		}
	}
	if wrong := selection(false, names{"cost": true}).FirstUnknown(shelf, collection.Staff); wrong != "" {
		t.Errorf("staff cannot select %q", wrong)
	}
}

func TestVisibleLinksSkipUnselectedFields(t *testing.T) {
	type names = map[string]any
	r := collection.Record{"id": "1", "next": "2", "rows": []collection.Record{{"id": "r", "above": "3"}, {"id": "s", "above": "4"}}}
	for want, sel := range map[string]*collection.Selection{
		"3 4 2": nil, "2": selection(false, names{"next": true}), "3 4": selection(false, names{"rows": names{"above": true}}),
		"": selection(false, names{"rows": names{"label": true}}), "3 4 ": selection(true, names{"next": true}),
		" 2": selection(true, names{"rows": names{"above": true}}), "2 ": selection(true, names{"rows": true}),
	} {
		got, space := "", ""
		for _, l := range shelf.VisibleLinks(r, sel) {
			got += space + l.ID
			space = " "
		}
		if got != strings.TrimSpace(want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
