package graphql

import (
	"slices"

	gql "github.com/graphql-go/graphql"

	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// createInput is the type of createX's argument data.
func (b *builder) createInput(s *collection.Schema) *gql.InputObject {
	fields := b.inputs(s.Singular, slices.Concat(writable(s), s.TenantNames()), true)
	for _, j := range s.Joins {
		if j.Inline {
			from := b.registry.Get(j.From)
			rows := slices.DeleteFunc(slices.Concat(writable(from), from.TenantNames()), func(f collection.Field) bool { return f.Name == j.On })
			fields[j.Name] = &gql.InputObjectFieldConfig{
				Type: b.input(s.Singular, collection.Field{Name: j.Name, Kind: collection.Array, Fields: rows}, true), Description: j.Doc,
			}
		}
	}
	b.addFileInput(fields, s, collection.Create)
	return gql.NewInputObject(gql.InputObjectConfig{Name: "mutation" + s.Singular + "Input", Fields: fields})
}

// updateInput is the type of updateX's argument data: no field is required, and null clears a field.
func (b *builder) updateInput(s *collection.Schema) *gql.InputObject {
	at := s.Singular + "Update"
	fields := b.inputs(at, slices.Concat(writable(s), s.UpdateMembers(), s.TenantNames()), false)
	b.addFileInput(fields, s, collection.Update)
	return gql.NewInputObject(gql.InputObjectConfig{Name: "mutation" + at + "Input", Fields: fields})
}

// addFileInput adds the file of a collection whose records have one.
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

// inputs are the fields of an input type. Required fields are non-null if enforceRequired is set, unless the
// server fills them in or they have an alias.
func (b *builder) inputs(at string, fields []collection.Field, enforceRequired bool) gql.InputObjectConfigFieldMap {
	out := gql.InputObjectConfigFieldMap{}
	for _, f := range fields {
		t := b.input(at, f, enforceRequired)
		if enforceRequired && f.Required && !f.ReadOnly && f.Default == nil && f.Alias == "" {
			t = gql.NewNonNull(t)
		}
		out[f.Name] = &gql.InputObjectFieldConfig{Type: t, Description: f.Doc}
		if f.Alias != "" {
			out[f.Alias] = &gql.InputObjectFieldConfig{Type: t, Description: "Alias of " + f.Name + "."}
		}
	}
	return out
}

// input is the type of a field in inputs: ids for relations, text for dates.
func (b *builder) input(at string, f collection.Field, enforceRequired bool) gql.Input {
	switch f.Kind {
	case collection.RelationMany, collection.UploadMany, collection.Texts:
		return gql.NewList(gql.String)
	case collection.Select:
		return b.enum(at+"_"+f.Name+"_MutationInput", f, true)
	case collection.Selects:
		return gql.NewList(b.enum(at+"_"+f.Name+"_MutationInput", f, true))
	case collection.Group:
		return b.nestedInput(at, f, enforceRequired)
	case collection.Array: // updates replace rows as a whole, so these need their required fields too
		return gql.NewList(b.nestedInput(at, f, true))
	case collection.JSON, collection.RichText:
		if f.RelationTo != "" { // a filter of an operation
			return b.where(b.registry.Get(f.RelationTo))
		}
		return jsonScalar
	default: // the rest is one scalar
	}
	return scalarType(f)
}

// nestedInput is the input type of a group, or of the rows of an array. The id of a row names the stored row
// it replaces.
func (b *builder) nestedInput(at string, f collection.Field, enforceRequired bool) *gql.InputObject {
	name := at + "_" + capitalize(f.Name)
	fields := slices.DeleteFunc(slices.Clone(f.Fields), func(x collection.Field) bool {
		return x.ReadOnly && !x.NamesTenant && (x.Name != "id" || f.Kind == collection.Group)
	})
	return gql.NewInputObject(gql.InputObjectConfig{
		Name: "mutation" + name + "Input", Description: f.Doc, Fields: b.inputs(name, fields, enforceRequired),
	})
}

// writable are the fields of s that clients may write. Inputs also take those that name the acting tenant.
func writable(s *collection.Schema) []collection.Field {
	return slices.DeleteFunc(slices.Clone(s.Fields), func(f collection.Field) bool { return f.ReadOnly || s.CommandOnly && !f.Patchable })
}
