package collection_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

var boxes = &collection.Schema{Slug: "boxes", Singular: "Box", Plural: "Boxes", Fields: []collection.Field{
	{Name: "tags", Kind: collection.Texts, Labels: true, MaxItems: 3, MaxLength: 5},
}}

func TestLabelsAreNormalized(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sent []any
		want []string
		bad  string // field
	}{
		"lower case":               {[]any{"VIP"}, []string{"vip"}, ""},
		"each once":                {[]any{"vip", "VIP ", "b"}, []string{"vip", "b"}, ""},
		"single spaces":            {[]any{" a \t\n b "}, []string{"a b"}, ""},
		"other scripts":            {[]any{"단골", "ÉTÉ"}, []string{"단골", "été"}, ""},
		"none":                     {[]any{}, []string{}, ""},
		"an empty one":             {[]any{"a", "  "}, nil, "tags.1"},
		"as many as there may be":  {[]any{"a", "b", "c"}, []string{"a", "b", "c"}, ""},
		"too many":                 {[]any{"a", "b", "c", "d"}, nil, "tags"},
		"as long as it may be":     {[]any{"단골손님들"}, []string{"단골손님들"}, ""},
		"too long":                 {[]any{"abcdef"}, nil, "tags.0"},
		"a number":                 {[]any{collection.JSONNumber("1")}, nil, "tags.0"},
		"a text that is not UTF-8": {[]any{"\xff"}, nil, "tags.0"},
	} {
		got, err := collection.InputParser{Schema: boxes}.Merge(nil, map[string]any{"tags": c.sent})
		f := fault.From(err)
		switch {
		case c.bad != "" && (!errors.Is(err, fault.ErrValidation) || len(f.Fields) != 1 || f.Fields[0].Field != c.bad):
			t.Errorf("%s: %v, want a problem of %s", name, err, c.bad)
		case c.bad == "" && (err != nil || !reflect.DeepEqual(got.Texts("tags"), c.want)):
			t.Errorf("%s: %q, %v; want %q", name, got.Texts("tags"), err, c.want)
		}
	}
}

func TestLabelsAreFoundAsTheyAreStored(t *testing.T) {
	t.Parallel()
	r, err := collection.NewRegistry(boxes)
	if err != nil {
		t.Fatal(err)
	}
	p := &collection.QueryParser{Registry: r, Schema: boxes, Audience: collection.Staff, Fold: strings.ToLower}
	for op, sent := range map[collection.Op]any{collection.In: "x, VIP", collection.Equals: " Vip", collection.Contains: "VIP"} {
		cond, err := p.Where(map[string]any{"tags": map[string]any{string(op): sent}})
		c, ok := cond.(collection.Comparison)
		if err != nil || !ok || !slices.Contains(c.Values, any("vip")) {
			t.Errorf("%s: %+v, %v", op, cond, err)
		}
		if !collection.Matches(collection.Record{"tags": []string{"vip"}}, cond, strings.ToLower) {
			t.Errorf("%s finds nothing", op)
		}
	}
}
