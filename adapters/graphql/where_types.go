package graphql

import (
	"maps"
	"slices"
	"strings"

	gql "github.com/graphql-go/graphql"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// The operators that each kind of field takes, as collection.QueryParser reads them.
var (
	textOps = []collection.Op{
		collection.Equals, collection.NotEquals, collection.GreaterThan, collection.GreaterThanEqual, collection.LessThan,
		collection.LessThanEqual, collection.In, collection.NotIn, collection.Like, collection.Contains, collection.Exists,
	}
	numberOps = []collection.Op{
		collection.Equals, collection.NotEquals, collection.GreaterThan, collection.GreaterThanEqual, collection.LessThan,
		collection.LessThanEqual, collection.In, collection.NotIn, collection.Exists,
	}
	selectOps = []collection.Op{
		collection.Equals, collection.NotEquals, collection.In, collection.NotIn, collection.Like, collection.Contains, collection.Exists,
	}
	equalityOps = []collection.Op{collection.Equals, collection.NotEquals, collection.In, collection.NotIn, collection.Exists}
	listOps     = []collection.Op{
		collection.Equals, collection.NotEquals, collection.In, collection.NotIn, collection.Contains, collection.Exists,
	}
	existsOps = []collection.Op{collection.Exists}
)

// relatedMember is the member of a relation's condition with the conditions on the related records.
const relatedMember = "where"

// where is the type of conditions on records of s: a member for every field, and, or. Members of groups and
// arrays are named with two underscores, and conditions on a relation may have the member where. AND and OR
// are for Payload's clients.
func (b *builder) where(s *collection.Schema) *gql.InputObject {
	if t := b.wheres[s.Slug]; t != nil {
		return t
	}
	var t *gql.InputObject
	t = gql.NewInputObject(gql.InputObjectConfig{
		Name: s.Singular + "_where", Fields: gql.InputObjectConfigFieldMapThunk(func() gql.InputObjectConfigFieldMap {
			out := gql.InputObjectConfigFieldMap{}
			for _, name := range [...]string{"and", "or", "AND", "OR"} {
				out[name] = &gql.InputObjectFieldConfig{Type: gql.NewList(t)}
			}
			b.conditions(out, s.Singular, "", s.AllFields())
			return out
		}),
	})
	b.wheres[s.Slug] = t
	return t
}

func (b *builder) conditions(out gql.InputObjectConfigFieldMap, of, at string, fields []collection.Field) {
	for _, f := range fields {
		if f.VisibleTo == collection.ServerOnly || !f.Queryable() {
			continue
		}
		path := at + f.Name
		out[path] = &gql.InputObjectFieldConfig{Type: b.operators(of+"_"+path, f), Description: f.Doc}
		b.conditions(out, of, path+"__", f.Fields)
	}
}

// operators is the type of conditions on one field.
func (b *builder) operators(name string, f collection.Field) *gql.InputObject {
	ops, value := textOps, gql.Input(gql.String)
	switch f.Kind {
	case collection.Number, collection.Money, collection.Integer:
		ops, value = numberOps, scalarType(f)
	case collection.Date:
		ops, value = numberOps, dateScalar
	case collection.Email:
		value = emailScalar
	case collection.Boolean:
		ops, value = equalityOps, gql.Boolean
	case collection.Select:
		ops, value = selectOps, b.enum(name+"_Input", f, true)
	case collection.Selects:
		ops, value = listOps, b.enum(name+"_Input", f, true)
	case collection.Texts:
		ops = listOps
	case collection.Relation, collection.Upload:
		ops, value = equalityOps, jsonScalar
	case collection.RelationMany, collection.UploadMany:
		ops, value = listOps, jsonScalar
	case collection.Group, collection.Array, collection.JSON, collection.RichText:
		ops = existsOps
	default: // the rest is text
	}
	members := gql.InputObjectConfigFieldMap{}
	for _, op := range ops {
		t := value
		switch op {
		case collection.Exists:
			t = gql.Boolean
		case collection.In, collection.NotIn:
			t = gql.NewList(value)
		case collection.Like, collection.Contains:
			if !f.Kind.Many() {
				t = gql.String
			}
		default: // the rest compares with one value
		}
		members[string(op)] = &gql.InputObjectFieldConfig{Type: t}
	}
	if f.Kind.Related() {
		members[relatedMember] = &gql.InputObjectFieldConfig{
			Type: b.where(b.registry.Get(f.Target())), Description: "Conditions on the related records.",
		}
	}
	return gql.NewInputObject(gql.InputObjectConfig{Name: name + "_operator", Fields: members})
}

// condition converts a where argument to the JSON that REST takes: conditions on related records become
// dotted paths, so that they do not count as a level of nesting.
func condition(where collection.JSONValue) collection.JSONValue {
	members, ok := where.(map[string]any)
	if !ok {
		return where
	}
	out := map[string]any{}
	addConditions(out, members, "")
	return out
}

// addConditions adds members to out, prefixed with path. Keys are sorted, so that the same one of several
// errors is reported each time.
func addConditions(out, members map[string]any, path string) {
	for _, key := range slices.Sorted(maps.Keys(members)) {
		value := members[key]
		if word := strings.ToLower(key); word == "and" || word == "or" {
			addCombined(out, word, value, path)
			continue
		}
		at := path + strings.ReplaceAll(key, "__", ".")
		ops, _ := value.(map[string]any)
		inner, related := ops[relatedMember].(map[string]any)
		if !related {
			out[at] = value
			continue
		}
		if len(ops) > 1 {
			rest := maps.Clone(ops)
			delete(rest, relatedMember)
			out[at] = rest
		}
		addConditions(out, inner, at+".")
	}
}

// addCombined adds a list of conditions of "and" or "or". A second list of "or" becomes a condition of "and".
func addCombined(out map[string]any, word string, value collection.JSONValue, path string) {
	items, ok := value.([]any)
	if !ok {
		out[word] = value // refused later, as over REST
		return
	}
	list := make([]any, len(items))
	for i, item := range items {
		one := map[string]any{}
		if members, ok := item.(map[string]any); ok {
			addConditions(one, members, path)
		}
		list[i] = one
	}
	before, taken := out[word]
	if word == "or" && taken {
		word, list = "and", []any{map[string]any{"or": list}}
		before = out[word]
	}
	earlier, _ := before.([]any)
	out[word] = append(earlier, list...)
}
