package graphql

import (
	"cmp"
	"math"
	"slices"

	gql "github.com/graphql-go/graphql"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// recordField is a declared field that the executor reads directly from the record.
type recordField struct {
	*collection.Field

	names map[string]string // selects: enum name by stored value
}

// isLeftOut reports whether v is that of a group that is left out where it is missing. Here it is null.
func (c *recordField) isLeftOut(v any) bool {
	group, isGroup := v.(collection.Record)
	return c.Kind == collection.Group && c.OmitMissing && (v == nil || isGroup && group == nil)
}

// object is the type of one collection's records. It is made once. Its fields are computed lazily, because
// relations form cycles.
func (b *builder) object(s *collection.Schema) *gql.Object {
	if t := b.objects[s.Slug]; t != nil {
		return t
	}
	t := gql.NewObject(gql.ObjectConfig{Name: s.Singular, Description: s.Doc, Fields: gql.FieldsThunk(func() gql.Fields {
		fields := b.outputs(s.Singular, s, s.AllFields(), inRecord)
		b.joins[s.Singular] = map[string]*collection.Join{}
		for _, j := range s.Joins {
			b.joins[s.Singular][j.Name] = &j
			rows := gql.NewList(gql.NewNonNull(b.object(b.registry.Get(j.From))))
			fields[j.Name] = &gql.Field{Type: gql.NewNonNull(rows), Description: j.Doc}
		}
		return fields
	})})
	b.objects[s.Slug] = t
	return t
}

// outputs are the fields of the object type named at, which s declares. Fields that are ServerOnly are left out.
func (b *builder) outputs(at string, s *collection.Schema, fields []collection.Field, in container) gql.Fields {
	out := gql.Fields{}
	recordFields := map[string]*recordField{}
	for _, f := range fields {
		if f.VisibleTo == collection.ServerOnly {
			continue
		}
		c := &recordField{Field: &f}
		if f.Kind == collection.Select || f.Kind == collection.Selects {
			c.names = map[string]string{}
			for _, o := range f.Options {
				c.names[o] = enumName(o)
			}
		}
		t := b.output(at, s, f)
		if isNonNull(s, f, in) {
			t = gql.NewNonNull(t)
		}
		recordFields[f.Name] = c
		out[f.Name] = &gql.Field{Type: t, Description: f.Doc}
	}
	b.recordFields[at] = recordFields
	return out
}

// isNonNull reports whether a field of a visible record is never null for any caller: this holds for lists,
// and for required fields that everyone may read and that do not depend on other records. Records written by
// operations are not checked against their schema, and a group may be missing as a whole: there it holds only
// for lists and the id of a record.
func isNonNull(s *collection.Schema, f collection.Field, in container) bool {
	switch {
	case f.VisibleTo != collection.Everyone || f.OmitMissing || f.Source != "":
		return false
	case f.Kind.Many():
		return true
	case s.CommandOnly || in == inGroup:
		return f.Name == "id" && in == inRecord
	case f.Kind.Related():
		return false
	}
	if len(s.Access.LinkedFields) > 0 && in == inRecord { // some callers see these and the id only
		return f.Name == "id"
	}
	return f.Required && !f.ReadOnly || f.Name == "id" || in == inRecord && f.ReadOnly && (f.Name == "createdAt" || f.Name == "updatedAt")
}

// container is what a field is a member of.
type container int

const (
	inRecord container = iota
	inGroup
	inRow // of an array
)

// output is the type of a field's values.
func (b *builder) output(at string, s *collection.Schema, f collection.Field) gql.Output {
	switch f.Kind {
	case collection.Relation, collection.Upload:
		return b.object(b.registry.Get(f.Target()))
	case collection.RelationMany, collection.UploadMany:
		return gql.NewList(b.object(b.registry.Get(f.Target())))
	case collection.Texts:
		return gql.NewList(gql.NewNonNull(gql.String))
	case collection.Selects:
		return gql.NewList(gql.NewNonNull(b.enum(at+"_"+f.Name, f, false)))
	case collection.Select:
		return b.enum(at+"_"+f.Name, f, false)
	case collection.Group:
		return b.nestedObject(at+"_"+capitalize(f.Name), s, f, inGroup)
	case collection.Array:
		return gql.NewList(gql.NewNonNull(b.nestedObject(at+"_"+capitalize(f.Name), s, f, inRow)))
	case collection.Date:
		return dateScalar
	case collection.Email:
		return emailScalar
	case collection.JSON, collection.RichText:
		return jsonScalar
	default: // the rest is one scalar
	}
	return scalarType(f)
}

// nestedObject is the type of a group, or of a row of an array.
func (b *builder) nestedObject(name string, s *collection.Schema, f collection.Field, in container) *gql.Object {
	return b.sharedObject(name, f, func(name string) gql.Fields { return b.outputs(name, s, f.Fields, in) })
}

// sharedObject is an object type called name, or that which all groups with the name of their type share.
func (b *builder) sharedObject(name string, f collection.Field, fields func(name string) gql.Fields) *gql.Object {
	if t := b.shared[f.TypeName]; t != nil {
		return t
	}
	name = cmp.Or(f.TypeName, name)
	t := gql.NewObject(gql.ObjectConfig{Name: name, Description: cmp.Or(f.TypeDoc, f.Doc), Fields: fields(name)})
	if f.TypeName != "" {
		b.shared[name] = t
	}
	return t
}

// shareGroups makes the types of groups with a type name as records have them, before any answer of an operation makes its own.
func (b *builder) shareGroups() {
	for _, s := range b.registry.All() {
		for _, f := range s.Fields {
			if f.Kind == collection.Group && f.TypeName != "" {
				b.nestedObject(f.TypeName, s, f, inGroup)
			}
		}
	}
}

// scalarType is the type of a single value that is the same in answers, inputs and conditions.
func scalarType(f collection.Field) *gql.Scalar {
	switch f.Kind {
	case collection.Number, collection.Money:
		return floatScalar
	case collection.Integer:
		if f.Max != nil && *f.Max > math.MaxInt32 {
			return floatScalar
		}
		return gql.Int
	case collection.Boolean:
		return gql.Boolean
	default: // the rest is text
	}
	return gql.String
}

// enum is the enum of a select; inputs take its aliases too.
func (b *builder) enum(name string, f collection.Field, input bool) *gql.Enum {
	values := gql.EnumValueConfigMap{}
	for _, o := range f.Options {
		values[enumName(o)] = &gql.EnumValueConfig{Value: o}
	}
	if input {
		for alias := range f.Aliases {
			if values[enumName(alias)] == nil {
				values[enumName(alias)] = &gql.EnumValueConfig{Value: alias, Description: "The same as " + enumName(f.Aliases[alias]) + "."}
			}
		}
	}
	t := gql.NewEnum(gql.EnumConfig{Name: name, Description: f.Doc, Values: values})
	slices.SortFunc(t.Values(), func(x, y *gql.EnumValueDefinition) int { // as declared, aliases last
		return cmp.Or(cmp.Compare(rank(f, x.Value), rank(f, y.Value)), cmp.Compare(x.Name, y.Name))
	})
	stored := map[string]any{}
	for _, v := range t.Values() {
		stored[v.Name] = v.Value
	}
	b.enums[t] = stored
	warmEnum(t)
	return t
}

// warmEnum makes the library fill the lookup tables of an enum. It would do so at the first use, which is a data race.
func warmEnum(t *gql.Enum) {
	t.ParseValue("")
	t.Serialize("")
}

// rank is the index of an option of f; other values come last.
func rank(f collection.Field, value any) int {
	if i := slices.Index(f.Options, value.(string)); i >= 0 { //nolint:forcetypeassert // enum sets these values
		return i
	}
	return len(f.Options)
}

// page is the type of a page of records. Rule collections-2.
func (b *builder) page(s *collection.Schema) *gql.Object {
	number, flag := gql.NewNonNull(gql.Int), gql.NewNonNull(gql.Boolean)
	return gql.NewObject(gql.ObjectConfig{Name: rootNamesOf(s).list, Description: "A page of " + s.Slug + ".", Fields: gql.Fields{
		"docs":          {Type: gql.NewNonNull(gql.NewList(gql.NewNonNull(b.object(s)))), Description: "The records of the page."},
		"totalDocs":     {Type: number, Description: "Number of records on all pages."},
		"limit":         {Type: number, Description: "Records per page."},
		"totalPages":    {Type: number, Description: "Number of pages, at least 1."},
		"page":          {Type: number, Description: "Number of this page, from 1."},
		"pagingCounter": {Type: number, Description: "Number of the first record of this page, from 1."},
		"hasPrevPage":   {Type: flag}, "hasNextPage": {Type: flag},
		"prevPage": {Type: gql.Int}, "nextPage": {Type: gql.Int},
	}})
}
