package rest_test

import (
	"fmt"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// overGraphQL selects every field of a collection's records and of their related records, and filters and
// sorts by every hidden field.
func (s visibilityProbe) overGraphQL(schema *collection.Schema) {
	list := schema.Plural
	if list == schema.Singular {
		list = "all" + list
	}
	a := s.graphql(200, document("{ "+list+"(limit: 3) { docs { "+s.selection(schema.AllFields(), 1)+" } } __type(name: \""+
		schema.Singular+"\") { fields { name } } }"), s.headers...)
	data, _ := a.body["data"].(map[string]any)
	if data == nil {
		s.t.Errorf("%s: %s", schema.Slug, a.raw)
		return
	}
	if page, _ := data[list].(map[string]any); page != nil {
		for _, doc := range page["docs"].([]any) {
			s.nulls("GraphQL "+schema.Slug, schema.AllFields(), doc)
		}
	}
	for _, f := range data["__type"].(map[string]any)["fields"].([]any) {
		if d, ok := schema.Field(f.(map[string]any)["name"].(string)); ok && d.VisibleTo == collection.ServerOnly {
			s.t.Errorf("%s.%s is in the schema", schema.Singular, d.Name)
		}
	}
	for _, f := range schema.Fields {
		if f.VisibleTo <= s.audience {
			continue
		}
		for _, argument := range []string{
			`sort: "-` + f.Name + `"`, `where: {` + f.Name + `: {exists: true}}`, `where: {or: [{` + f.Name + `: {exists: false}}]}`,
		} {
			if a := s.graphql(200, document(fmt.Sprintf("{ %s(%s) { docs { id } totalDocs } }", list, argument)), s.headers...); a.code() == "" ||
				strings.Contains(a.raw, "treasure") {
				s.t.Errorf("%s(%s): %s", list, argument, a.raw)
			}
		}
	}
}

// selection is all fields, and those of related records to the given depth.
func (s visibilityProbe) selection(fields []collection.Field, depth int) string {
	var out []string
	for _, f := range fields {
		switch {
		case f.VisibleTo == collection.ServerOnly:
		case f.Kind.Related() && depth == 0:
			out = append(out, f.Name+" { id }")
		case f.Kind.Related():
			out = append(out, f.Name+" { "+s.selection(s.registry.Get(f.Target()).AllFields(), depth-1)+" }")
		case len(f.Fields) > 0:
			out = append(out, f.Name+" { "+s.selection(f.Fields, 0)+" }")
		default:
			out = append(out, f.Name)
		}
	}
	return strings.Join(out, " ")
}

// nulls checks that every field that the actor may not see is null, in doc and everything below it.
func (s visibilityProbe) nulls(path string, fields []collection.Field, doc any) {
	in, _ := doc.(map[string]any)
	for _, f := range fields {
		list, isList := in[f.Name].([]any)
		if !isList {
			list = []any{in[f.Name]}
		}
		for _, it := range list {
			switch {
			case it == nil:
			case f.VisibleTo > s.audience:
				s.t.Errorf("%s shows %s: %v", path, f.Name, it)
			case f.Kind.Related():
				s.nulls(path+"."+f.Name, s.registry.Get(f.Target()).AllFields(), it)
			case len(f.Fields) > 0:
				s.nulls(path+"."+f.Name, f.Fields, it)
			}
		}
	}
}
