package graphql

import (
	"cmp"
	"math"
	"slices"

	gql "github.com/graphql-go/graphql"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// recordField is a declared field as the executor reads it, straight from the record.
type recordField struct {
	*collection.Field

	names map[string]string // selects: enum name by stored value
}

// object is the type of one collection's records. It is made once; relations lead back to it, so its fields are listed
// when everybody is known.
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

// outputs are the fields of the object type named at, which s declares. Nobody's fields are not there at all.
func (b *builder) outputs(at string, s *collection.Schema, fields []collection.Field, in container) gql.Fields {
	out := gql.Fields{}
	columns := map[string]*recordField{}
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
		columns[f.Name] = c
		out[f.Name] = &gql.Field{Type: t, Description: f.Doc}
	}
	b.columns[at] = columns
	return out
}

// isNonNull reports whether the field of a record that is read at all is never null, whoever reads it: required ones that
// everybody sees and no other record can take away, and lists. What operations write is not checked against its schema,
// and a group may be missing whole, so there only lists are certain, and the id of a record.
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
	default: // the rest is one scalar both ways
	}
	return scalarType(f)
}

// nestedObject is the type of a group, or of a row of an array.
func (b *builder) nestedObject(name string, s *collection.Schema, f collection.Field, in container) *gql.Object {
	return gql.NewObject(gql.ObjectConfig{Name: name, Description: f.Doc, Fields: b.outputs(name, s, f.Fields, in)})
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

// warmEnum has the library fill the tables of an enum, which it would otherwise do at the first use, two uses at a time.
func warmEnum(t *gql.Enum) {
	t.ParseValue("")
	t.Serialize("")
}

// rank is where an option stands among those of f.
func rank(f collection.Field, value any) int {
	if i := slices.Index(f.Options, value.(string)); i >= 0 { //nolint:forcetypeassert // of our own making
		return i
	}
	return len(f.Options)
}

// page is the type of a list's answer. Rule collections-2.
func (b *builder) page(s *collection.Schema) *gql.Object {
	number, yes := gql.NewNonNull(gql.Int), gql.NewNonNull(gql.Boolean)
	return gql.NewObject(gql.ObjectConfig{Name: rootNamesOf(s).list, Description: "A page of " + s.Slug + ".", Fields: gql.Fields{
		"docs":          {Type: gql.NewNonNull(gql.NewList(gql.NewNonNull(b.object(s)))), Description: "The records of the page."},
		"totalDocs":     {Type: number, Description: "How many there are on all pages."},
		"limit":         {Type: number, Description: "How many a page holds."},
		"totalPages":    {Type: number, Description: "How many pages there are, at least one."},
		"page":          {Type: number, Description: "The number of this page, from 1."},
		"pagingCounter": {Type: number, Description: "The number of the first record of this page, from 1."},
		"hasPrevPage":   {Type: yes}, "hasNextPage": {Type: yes},
		"prevPage": {Type: gql.Int}, "nextPage": {Type: gql.Int},
	}})
}
