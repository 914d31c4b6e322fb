package collection_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// textMapSchema is a collection of records with one field.
func textMapSchema(f collection.Field) *collection.Schema {
	return &collection.Schema{Slug: "slips", Singular: "Slip", Plural: "Slips", Fields: []collection.Field{f}}
}

// An object of texts accepts texts only, under any names.
func TestTextObjectTakesOnlyTexts(t *testing.T) {
	t.Parallel()
	w := collection.InputParser{
		Schema: textMapSchema(collection.Field{Name: "notes", Kind: collection.JSON, ValueKind: collection.Text, MaxLength: 3}),
	}
	for name, c := range map[string]struct {
		raw     any
		want    any
		problem []string
	}{
		"texts":           {tree{"gift": "yes", "für": ""}, tree{"gift": "yes", "für": ""}, nil},
		"none":            {tree{}, tree{}, nil},
		"null":            {nil, nil, nil},
		"a number":        {tree{"gift": num("5")}, nil, []string{"notes.gift"}},
		"null as a text":  {tree{"gift": nil}, nil, []string{"notes.gift"}},
		"an object":       {tree{"gift": tree{"a": "b"}}, nil, []string{"notes.gift"}},
		"several":         {tree{"b": true, "a": num("1"), "c": "yes"}, nil, []string{"notes.a", "notes.b"}},
		"a text too long": {tree{"gift": "long"}, nil, []string{"notes.gift"}},
		"a list":          {[]any{"yes"}, nil, []string{"notes"}},
		"a text itself":   {"yes", nil, []string{"notes"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			next, err := w.Merge(nil, tree{"notes": c.raw})
			if got := problems(err); !slices.Equal(got, c.problem) {
				t.Fatalf("problems %v, want %v", got, c.problem)
			}
			if !reflect.DeepEqual(next["notes"], c.want) {
				t.Errorf("got %#v", next["notes"])
			}
		})
	}
}

func TestValueKindIsForJSONOnly(t *testing.T) {
	t.Parallel()
	for _, f := range []collection.Field{
		{Name: "a", Kind: collection.Text, ValueKind: collection.Text}, {Name: "a", Kind: collection.JSON, ValueKind: collection.Money},
	} {
		if _, err := collection.NewRegistry(textMapSchema(f)); err == nil || !strings.Contains(err.Error(), "only JSON") {
			t.Errorf("got %v", err)
		}
	}
}
