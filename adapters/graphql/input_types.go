package graphql

import (
	"slices"

	gql "github.com/graphql-go/graphql"

	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// createInput is what createX takes as data.
func (b *builder) createInput(s *collection.Schema) *gql.InputObject {
	fields := b.inputs(s.Singular, writable(s), true)
	for _, j := range s.Joins {
		if j.Inline {
			from := b.registry.Get(j.From)
			rows := slices.DeleteFunc(writable(from), func(f collection.Field) bool { return f.Name == j.On })
			fields[j.Name] = &gql.InputObjectFieldConfig{Type: b.input(s.Singular, collection.Field{Name: j.Name, Kind: collection.Array, Fields: rows}, true), Description: j.Doc}
		}
	}
	b.addFileInput(fields, s, collection.Create)
	return gql.NewInputObject(gql.InputObjectConfig{Name: "mutation" + s.Singular + "Input", Fields: fields})
}

// updateInput is what updateX takes as data: nothing is required, null clears.
func (b *builder) updateInput(s *collection.Schema) *gql.InputObject {
	at := s.Singular + "Update"
	fields := b.inputs(at, writable(s), false)
	b.addFileInput(fields, s, collection.Update)
	return gql.NewInputObject(gql.InputObjectConfig{Name: "mutation" + at + "Input", Fields: fields})
}

// addFileInput adds the file of records that have one.
func (b *builder) addFileInput(fields gql.InputObjectConfigFieldMap, s *collection.Schema, verb collection.Verb) {
	o := b.uploadOf(s, verb)
	if o == nil {
		return
	}
	var t gql.Input = uploadScalar
	if o.Upload.Required {
		t = gql.NewNonNull(t)
	}
	fields[operation.FileField] = &gql.InputObjectFieldConfig{Type: t, Description: o.Upload.Doc}
}

// inputs are the members of an input. Required fields must be there where must holds, unless the server fills them in or
// another name is accepted for them.
func (b *builder) inputs(at string, fields []collection.Field, must bool) gql.InputObjectConfigFieldMap {
	out := gql.InputObjectConfigFieldMap{}
	for _, f := range fields {
		t := b.input(at, f, must)
		if must && f.Required && !f.ReadOnly && f.Default == nil && f.Alias == "" {
			t = gql.NewNonNull(t)
		}
		out[f.Name] = &gql.InputObjectFieldConfig{Type: t, Description: f.Doc}
		if f.Alias != "" {
			out[f.Alias] = &gql.InputObjectFieldConfig{Type: t, Description: "Another name of " + f.Name + "."}
		}
	}
	return out
}

// input is the type of a field in inputs: ids for relations, text for dates.
func (b *builder) input(at string, f collection.Field, must bool) gql.Input {
	switch f.Kind {
	case collection.RelationMany, collection.UploadMany, collection.Texts:
		return gql.NewList(gql.String)
	case collection.Select:
		return b.enum(at+"_"+f.Name+"_MutationInput", f, true)
	case collection.Selects:
		return gql.NewList(b.enum(at+"_"+f.Name+"_MutationInput", f, true))
	case collection.Group:
		return b.nestedInput(at, f, must)
	case collection.Array: // rows are replaced whole, so they must be whole in updates, too
		return gql.NewList(b.nestedInput(at, f, true))
	case collection.JSON, collection.RichText:
		if f.RelationTo != "" { // of an operation: a condition
			return b.where(b.registry.Get(f.RelationTo))
		}
		return jsonScalar
	default: // the rest is one scalar
	}
	return scalarType(f)
}

// nestedInput is the input of a group, or of a row of an array, which its id ties to the row it replaces.
func (b *builder) nestedInput(at string, f collection.Field, must bool) *gql.InputObject {
	name := at + "_" + capitalize(f.Name)
	fields := slices.DeleteFunc(slices.Clone(f.Fields), func(x collection.Field) bool {
		return x.ReadOnly && (x.Name != "id" || f.Kind == collection.Group)
	})
	return gql.NewInputObject(gql.InputObjectConfig{Name: "mutation" + name + "Input", Description: f.Doc, Fields: b.inputs(name, fields, must)})
}

// writable are the fields of s that a client may send.
func writable(s *collection.Schema) []collection.Field {
	return slices.DeleteFunc(slices.Clone(s.Fields), func(f collection.Field) bool { return f.ReadOnly || s.CommandOnly && !f.Patchable })
}
