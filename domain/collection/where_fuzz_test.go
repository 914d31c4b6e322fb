package collection_test

import (
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// FuzzWhere: any JSON is either a condition or the caller's fault; a condition holds no more than a query
// may, reaches no field that its viewer cannot see, and is the same when its tree is read again.
func FuzzWhere(f *testing.F) {
	for _, s := range []string{
		`{"name":{"equals":"a"}}`,
		`{"or":[{"price":{"greater_than":1.5}},{"and":[{"next.name":{"like":"x y"}},{"rows.label":{"in":["a",null]}}]}]}`,
		`{"and":[],"OR":[]}`, `{"next":{"next":{"next":{"name":{"exists":true}}}}}`, `{"name":{"equals":{"equals":1}}}`,
		`{"cost":{"equals":1}}`, `{"size__width":{"in":"1,2,,"}}`, `{"name":"a"}`, `[]`, `null`, `{"":{}}`, `{"name":{}}`,
		`{"next.next.next.next.next.next.next.next.next.next.next.id":{"equals":""}}`, `{"size":{"equals":null}}`,
		`{"rows":{"contains":"x"}}`, `{"createdAt":{"less_than":"2026-02-30"}}`,
	} {
		f.Add(s)
	}
	registry, err := collection.NewRegistry(shelf, &collection.Schema{Slug: "tenants", Singular: "Tenant", Plural: "Tenants"})
	if err != nil {
		f.Fatal(err)
	}
	parse := func(tree collection.JSONValue) (collection.Cond, error) {
		p := collection.QueryParser{Registry: registry, Schema: shelf, Audience: collection.Everyone, Fold: strings.ToLower}
		return p.Where(tree)
	}
	f.Fuzz(func(t *testing.T, text string) {
		dec := json.NewDecoder(strings.NewReader(text))
		dec.UseNumber()
		var v any
		if dec.Decode(&v) != nil {
			return
		}
		got, err := parse(asTree(v))
		if err != nil {
			if f, ok := errors.AsType[*fault.Error](err); !ok || f.Kind != fault.Invalid || f.Message == "" {
				t.Fatalf("%s: %v", text, err)
			}
			return
		}
		if n := count(t, got); n > 60 {
			t.Fatalf("%s has %d terms", text, n)
		}
		if again, err := parse(asTree(v)); err != nil || !reflect.DeepEqual(again, got) {
			t.Fatalf("%s is read in two ways: %v and %v, %v", text, got, again, err)
		}
	})
}

// count counts the terms of c, and fails on one that must not be there.
func count(t *testing.T, c collection.Cond) (n int) {
	t.Helper()
	switch c := c.(type) {
	case collection.And:
		for _, x := range c {
			n += count(t, x)
		}
		return max(1, n)
	case collection.Or:
		for _, x := range c {
			n += count(t, x)
		}
		return max(1, n)
	case collection.Comparison:
		if len(c.Path) == 0 || len(c.Path) > 10 ||
			slices.ContainsFunc(c.Path, func(f collection.Field) bool { return f.VisibleTo > collection.Everyone }) {
			t.Fatalf("%v must not be asked", c.Path)
		}
		if single := c.Op != collection.In && c.Op != collection.NotIn && c.Op != collection.Like; single && len(c.Values) != 1 {
			t.Fatalf("%s has %d values", c.Op, len(c.Values))
		}
		if c.Op == collection.Like {
			return max(1, len(c.Values))
		}
		return 1
	}
	return n
}

// asTree brings what the standard reader gives into the form of a Tree.
func asTree(v any) collection.JSONValue {
	switch v := v.(type) {
	case json.Number:
		return collection.JSONNumber(v)
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = asTree(x)
		}
		return out
	case map[string]any:
		out := maps.Clone(v)
		for k, x := range v {
			out[k] = asTree(x)
		}
		return out
	}
	return v
}
