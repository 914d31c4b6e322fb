package openapi

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// visible is the fields that callers of a surface may see: storefronts do not see those for staff.
func visible(at operation.Surface, fields []collection.Field) []collection.Field {
	if at != operation.Public {
		return fields
	}
	var out []collection.Field
	for _, f := range fields {
		if f.VisibleTo == collection.Everyone {
			f.Fields = visible(at, f.Fields)
			out = append(out, f)
		}
	}
	return out
}

// namedSchema makes s a component, so that generated types have names: those of the same types in GraphQL. If
// the shop's server sends or gets more than a storefront, its type is a separate one.
func (b *builder) namedSchema(name string, at operation.Surface, s object) object {
	known := b.schemas[name]
	if known != nil && at == operation.Server && !reflect.DeepEqual(known, any(s)) {
		name = "Server" + name
		known = b.schemas[name]
	}
	if known != nil && !reflect.DeepEqual(known, any(s)) {
		panic("openapi: there are two schemas " + name)
	}
	b.schemas[name] = s
	return ref(name)
}

// typeName is the name of an input or result type of o.
func typeName(o *operation.Operation, what string) string {
	return capitalize(nameOf(o)) + what
}

func capitalize(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// inputOf is the schema of o's body on a surface, with these members.
func (b *builder) inputOf(o *operation.Operation, at operation.Surface, fields []collection.Field) object {
	s := b.inputObject(fields)
	if len(fields) == 0 {
		return s
	}
	return b.namedSchema(typeName(o, "Input"), at, s)
}

// answerOf is the schema of o's answer on a surface.
func (b *builder) answerOf(o *operation.Operation, at operation.Surface) object {
	output := visible(at, o.Output)
	switch {
	case !o.Unwrapped:
		return b.namedSchema(typeName(o, "Result"), at, b.answerObject(at, output))
	case len(output[0].Fields) == 0:
		return b.answerField(at, output[0])
	}
	return b.namedSchema(capitalize(output[0].Name), at, b.answerField(at, output[0]))
}

// answerObject is an object with the members of an operation's answer.
func (b *builder) answerObject(at operation.Surface, fields []collection.Field) object {
	properties, required := object{}, []any{}
	for _, f := range fields {
		properties[f.Name] = b.answerField(at, f)
		if !f.OmitMissing && f.VisibleTo == collection.Everyone {
			required = append(required, f.Name)
		}
	}
	return closedObject(properties, required)
}

// answerField is the schema of f as a member of an operation's answer, as package operation defines outputs.
func (b *builder) answerField(at operation.Surface, f collection.Field) object {
	var s object
	switch {
	case f.Kind == collection.Relation || f.Kind == collection.Upload:
		s = b.extendedRecord(at, f)
	case f.Kind == collection.RelationMany || f.Kind == collection.UploadMany:
		s = object{"type": "array", "items": b.extendedRecord(at, f)}
	case f.Kind == collection.Array:
		s = object{"type": "array", "items": b.answerObject(at, f.Fields)}
	case f.TypeName != "":
		s = b.answerGroup(at, f)
	case len(f.Fields) > 0: // a group, or JSON of a known form
		s = b.answerObject(at, f.Fields)
	case f.Kind == collection.Texts || f.Kind == collection.Selects:
		s = object{"type": "array", "items": scalar(f)}
	default: // the rest is scalar
		s = scalar(f)
	}
	if !f.Required {
		s = nullable(s)
	}
	return withDescription(s, docOf(f))
}

// answerGroup is the component for a group with a type name: that of records where they have it, too.
func (b *builder) answerGroup(at operation.Surface, f collection.Field) object {
	if b.schemas[f.TypeName] != nil {
		return ref(f.TypeName)
	}
	return b.namedSchema(f.TypeName, at, withDescription(b.answerObject(at, f.Fields), f.TypeDoc))
}

// extendedRecord is the record of f, with its additional members if it has any, which replace the record's own.
func (b *builder) extendedRecord(at operation.Surface, f collection.Field) object {
	schema := b.Registry.Get(f.Target())
	if len(f.Fields) == 0 {
		return ref(schema.Singular)
	}
	whole, more := b.record(schema, visible(at, schema.AllFields())), b.answerObject(at, f.Fields)
	maps.Copy(whole["properties"].(object), more["properties"].(object))
	required, _ := whole["required"].([]any)
	alsoRequired, _ := more["required"].([]any)
	for _, name := range alsoRequired {
		if !slices.Contains(required, name) {
			required = append(required, name)
		}
	}
	whole["required"] = required
	return whole
}
