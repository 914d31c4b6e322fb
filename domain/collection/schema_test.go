package collection_test

import (
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

func TestInvalidDeclarationsAreRefused(t *testing.T) {
	t.Parallel()
	schema := func(fields ...collection.Field) *collection.Schema {
		return &collection.Schema{Slug: "s", Singular: "S", Plural: "Ss", Fields: fields}
	}
	indexed := func(x collection.Index) *collection.Schema {
		s := schema(collection.Field{Name: "a", Kind: collection.Text}, collection.Field{Name: "list", Kind: collection.Texts})
		s.Indexes = []collection.Index{x}
		return s
	}
	for name, c := range map[string]struct {
		schemas []*collection.Schema
		says    string
	}{
		"no slug":      {[]*collection.Schema{{Singular: "S", Plural: "Ss"}}, "needed"},
		"no singular":  {[]*collection.Schema{{Slug: "s", Plural: "Ss"}}, "needed"},
		"no plural":    {[]*collection.Schema{{Slug: "s", Singular: "S"}}, "needed"},
		"a slug twice": {[]*collection.Schema{schema(), schema()}, "twice"},
		"a field twice": {
			[]*collection.Schema{
				schema(collection.Field{Name: "a", Kind: collection.Text}, collection.Field{Name: "a", Kind: collection.Text}),
			},
			"s.a is declared twice",
		},
		"a field without name": {[]*collection.Schema{schema(collection.Field{Kind: collection.Text})}, "camel-case"},
		"a name with a hyphen": {[]*collection.Schema{schema(collection.Field{Name: "a-b", Kind: collection.Text})}, "camel-case"},
		"a name with a dot":    {[]*collection.Schema{schema(collection.Field{Name: "a.b", Kind: collection.Text})}, "camel-case"},
		"a field without kind": {[]*collection.Schema{schema(collection.Field{Name: "a"})}, "no kind"},
		"a relation to nowhere": {
			[]*collection.Schema{schema(collection.Field{Name: "a", Kind: collection.Relation, RelationTo: "x"})}, `unknown collection "x"`,
		},
		"an upload without media": {
			[]*collection.Schema{schema(collection.Field{Name: "a", Kind: collection.UploadMany})}, `unknown collection "media"`,
		},
		"a choice without options":     {[]*collection.Schema{schema(collection.Field{Name: "a", Kind: collection.Select})}, "no options"},
		"choices without options":      {[]*collection.Schema{schema(collection.Field{Name: "a", Kind: collection.Selects})}, "no options"},
		"an index on an unknown field": {[]*collection.Schema{indexed(collection.Index{Fields: []string{"b"}})}, `not on "b"`},
		"an index on a list":           {[]*collection.Schema{indexed(collection.Index{Fields: []string{"list"}})}, `not on "list"`},
		"an index of unknown records": {[]*collection.Schema{
			indexed(collection.Index{Fields: []string{"a"}, Only: collection.IndexFilter{Field: "b", Op: collection.Exists, Value: true}}),
		}, `not on "b"`},
		"an index by a range": {[]*collection.Schema{indexed(collection.Index{
			Fields: []string{"a"}, Only: collection.IndexFilter{Field: "a", Op: collection.GreaterThan, Value: "x"},
		})}, "equals a text"},
		"texts with an index": {
			[]*collection.Schema{schema(collection.Field{Name: "a", Kind: collection.Texts, Indexed: true})}, "only those of relations",
		},
		"long texts with an index": {
			[]*collection.Schema{schema(collection.Field{Name: "a", Kind: collection.Texts, Indexed: true, MaxLength: 256})}, "short texts",
		},
		"labels that are no texts": {[]*collection.Schema{schema(collection.Field{Name: "a", Kind: collection.Text, Labels: true})}, "hold labels"},
		"a number of items of one": {[]*collection.Schema{schema(collection.Field{Name: "a", Kind: collection.Text, MaxItems: 1})}, "only lists"},
		"a group without fields":   {[]*collection.Schema{schema(collection.Field{Name: "a", Kind: collection.Group})}, "groups and arrays"},
		"text with fields": {
			[]*collection.Schema{
				schema(collection.Field{Name: "a", Kind: collection.Text, Fields: []collection.Field{{Name: "b", Kind: collection.Text}}}),
			},
			"groups and arrays",
		},
		"a bad field inside an array": {
			[]*collection.Schema{schema(collection.Field{Name: "a", Kind: collection.Array, Fields: []collection.Field{{Name: "b"}}})},
			"s.a.b has no kind",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := collection.NewRegistry(c.schemas...); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestRegistryFindsSchemas(t *testing.T) {
	t.Parallel()
	r := registry()
	if r.Get("books") != books || r.Get("films") != nil || len(r.All()) != 3 || r.All()[0] != authors || r.All()[2] != books {
		t.Errorf("got %v", r.All())
	}
}

func TestTheEnvelopeComesFirst(t *testing.T) {
	t.Parallel()
	names := func(s *collection.Schema) (out []string) {
		for _, f := range s.AllFields() {
			out = append(out, f.Name)
		}
		return out
	}
	if got := strings.Join(names(books)[:7], " "); got != "id tenant environment createdAt updatedAt revision title" {
		t.Errorf("got %s", got)
	}
	if got := strings.Join(names(pictures), " "); got != "id tenant createdAt updatedAt revision url" {
		t.Errorf("got %s", got)
	}
	own := &collection.Schema{Fields: []collection.Field{{Name: "environment", Kind: collection.Text}}}
	if got := strings.Join(names(own), " "); got != "id tenant createdAt updatedAt revision environment" {
		t.Errorf("a declared field takes the place of the envelope's: %s", got)
	}
	if _, ok := books.Field("chapters"); !ok {
		t.Error("a declared field is found")
	}
	if _, ok := books.Field("colour"); ok {
		t.Error("another one is not")
	}
}

func TestKinds(t *testing.T) {
	t.Parallel()
	for k := collection.Text; k <= collection.JSON; k++ {
		if k.String() == "" {
			t.Errorf("kind %d has no name", k)
		}
		many := k == collection.RelationMany || k == collection.UploadMany || k == collection.Texts || k == collection.Selects ||
			k == collection.Array
		related := k == collection.Relation || k == collection.RelationMany || k == collection.Upload || k == collection.UploadMany
		textual := k == collection.Text || k == collection.Textarea || k == collection.Email || k == collection.Select ||
			k == collection.Relation || k == collection.Upload
		if k.Many() != many || k.Related() != related || k.Textual() != textual {
			t.Errorf("%s: many %v related %v textual %v", k, k.Many(), k.Related(), k.Textual())
		}
	}
}
