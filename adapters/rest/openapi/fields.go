package openapi

import (
	"cmp"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// defaultMaxLength and maxItems limit a field that declares no limit. collection.InputParser enforces them.
const (
	defaultMaxLength = 40_000
	maxItems         = 1000
)

// itemsOf is how many items a list has at most.
func itemsOf(f collection.Field) int { return cmp.Or(f.MaxItems, maxItems) }

const moneyDoc = "An exact decimal in major units, with no more fraction digits than its currency has."

// scalar is the schema of a single value of f, in inputs and answers; it is empty for composite kinds.
func scalar(f collection.Field) object {
	switch f.Kind {
	case collection.Number, collection.Money:
		return bounded(object{"type": "number"}, f)
	case collection.Integer:
		return bounded(object{"type": "integer"}, f)
	case collection.Boolean:
		return object{"type": "boolean"}
	case collection.Date:
		return object{"type": "string", "format": "date-time"}
	case collection.Select, collection.Selects:
		return object{"type": "string", "enum": texts(f.Options)}
	case collection.Email:
		return object{"type": "string", "format": "email"}
	case collection.JSON, collection.RichText:
		if f.ValueKind != 0 {
			return object{"type": "object", "additionalProperties": scalar(collection.Field{Kind: f.ValueKind})}
		}
		return object{}
	default: // the rest is text
	}
	if f.URLKind == collection.PageURL {
		return object{"type": "string", "format": "uri"}
	}
	return object{"type": "string"}
}

func bounded(s object, f collection.Field) object {
	if f.Min != nil {
		s["minimum"] = *f.Min
	}
	if f.Max != nil {
		s["maximum"] = *f.Max
	}
	return s
}

// nullable is s, or null.
func nullable(s object) object {
	switch {
	case s["$ref"] != nil:
		return object{"anyOf": []any{s, object{"type": "null"}}}
	case s["anyOf"] != nil:
		s["anyOf"] = append(s["anyOf"].([]any), object{"type": "null"})
	case s["type"] != nil:
		s["type"] = []any{s["type"], "null"}
	}
	if options, ok := s["enum"].([]any); ok {
		s["enum"] = append(options, nil)
	}
	return s
}

// withDescription adds a description to s.
func withDescription(s object, doc string) object {
	if doc != "" {
		s["description"] = doc
	}
	return s
}

// docOf is the description of f with the rules that its schema cannot express.
func docOf(f collection.Field) string {
	text := f.Doc
	if f.Kind == collection.Money {
		text += " " + moneyDoc
		if f.Currency != "" {
			text += " In " + f.Currency + "."
		}
	}
	if f.VisibleTo == collection.Staff {
		text += " Not shown to shoppers."
	}
	return text
}

// recordField is the schema of f in a record. complete means that required fields are never null there.
func (b *builder) recordField(f collection.Field, complete bool) object {
	switch f.Kind {
	case collection.Group: // may be missing as a whole
		if f.TypeName != "" {
			return withDescription(b.sharedGroup(f), f.Doc)
		}
		return withDescription(b.recordFields(f.Fields, false), f.Doc)
	case collection.Array:
		return withDescription(object{"type": "array", "items": b.recordFields(f.Fields, complete)}, f.Doc)
	case collection.Relation, collection.Upload:
		return withDescription(nullable(b.link(f)), docOf(f))
	case collection.RelationMany, collection.UploadMany:
		return withDescription(object{"type": "array", "items": nullable(b.link(f))}, docOf(f))
	case collection.Texts, collection.Selects:
		return withDescription(object{"type": "array", "items": scalar(f)}, docOf(f))
	default: // the rest is scalar
	}
	f.Min, f.Max = nil, nil // limits of writes
	s := scalar(f)
	if !envelopeFields[f.Name] && !f.NonNull && !(complete && f.Required && !f.ReadOnly) {
		s = nullable(s)
	}
	return withDescription(s, docOf(f))
}

// envelopeFields are the fields of the envelope, which every record has.
var envelopeFields = map[string]bool{"id": true, "createdAt": true, "updatedAt": true, collection.RevisionName: true}

// sharedGroup is the one component for a group with a type name, in records and in what is sent, so that what was read can be sent: any
// of its members may be missing.
func (b *builder) sharedGroup(f collection.Field) object {
	return b.namedSchema(f.TypeName, operation.Public, withDescription(b.writable(f.Fields, true), f.TypeDoc))
}

// link is the id of a record, or with depth the record itself.
func (b *builder) link(f collection.Field) object {
	return object{"anyOf": []any{object{"type": "string"}, ref(b.Registry.Get(f.Target()).Singular)}}
}

// record is an object with these fields of a record of s. Only records written by clients are complete.
func (b *builder) record(s *collection.Schema, fields []collection.Field) object {
	o := b.recordFields(fields, !s.CommandOnly)
	if linked := s.Access.LinkedFields; len(linked) > 0 { // shoppers see only these of a record that another refers to
		o["required"] = slices.DeleteFunc(o["required"].([]any), func(name any) bool {
			return name != "id" && !slices.Contains(linked, name.(string))
		})
	}
	return o
}

// recordFields is an object with the fields of a record, row or group, except those that are ServerOnly.
func (b *builder) recordFields(fields []collection.Field, complete bool) object {
	properties, required := object{}, []any{}
	for _, f := range fields {
		if f.VisibleTo == collection.ServerOnly {
			continue
		}
		properties[f.Name] = b.recordField(f, complete)
		if !f.OmitMissing && f.VisibleTo == collection.Everyone {
			required = append(required, f.Name)
		}
	}
	return closedObject(properties, required)
}

// closedObject is an object with these members and no others.
func closedObject(properties object, required []any) object {
	s := object{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// recordInput is the schema of f as input of a record. Null clears it.
func (b *builder) recordInput(f collection.Field, create bool) object {
	s := b.recordInputValue(f, create)
	if !f.Required {
		s = nullable(s)
	}
	return withDescription(s, docOf(f))
}

func (b *builder) recordInputValue(f collection.Field, create bool) object {
	one := f
	switch f.Kind {
	case collection.Group:
		if f.TypeName != "" {
			return b.sharedGroup(f)
		}
		return b.writable(f.Fields, create)
	case collection.Array:
		return object{"type": "array", "maxItems": itemsOf(f), "items": b.writable(f.Fields, true)}
	case collection.Relation, collection.Upload:
		return object{"anyOf": []any{
			object{"type": "string"},
			withDescription(object{"type": "object", "required": []any{"id"}}, "The record as it was read; only its id is used."),
		}}
	case collection.Texts:
		one.Kind = collection.Text
	case collection.RelationMany, collection.UploadMany:
		one.Kind = collection.Relation
	case collection.Date:
		return withDescription(object{"type": "string"}, "")
	case collection.Select, collection.Selects:
		s := scalar(f)
		for _, alias := range slices.Sorted(maps.Keys(f.Aliases)) {
			s["enum"] = append(s["enum"].([]any), alias)
		}
		if f.Kind == collection.Select {
			return s
		}
		return object{"type": "array", "maxItems": itemsOf(f), "items": s}
	case collection.Text, collection.Textarea:
		limit := f.MaxLength
		if limit == 0 {
			limit = defaultMaxLength
		}
		return object{"type": "string", "maxLength": limit}
	default:
		return scalar(f)
	}
	return object{"type": "array", "maxItems": itemsOf(f), "items": b.recordInputValue(one, create)}
}

// writable is an object with the fields that a client may send. Read-only fields may be sent back as they were read.
func (b *builder) writable(fields []collection.Field, create bool) object {
	properties, required := object{}, []any{}
	var alternatives []any
	for _, f := range fields {
		locked := f.ReadOnly || f.Immutable && !create
		if locked && f.VisibleTo == collection.ServerOnly {
			continue
		}
		if locked {
			properties[f.Name] = withDescription(object{}, f.Doc+" Read-only: it may be sent back as it was read.")
			continue
		}
		properties[f.Name] = b.recordInput(f, create)
		if f.VisibleTo == collection.ServerOnly {
			properties[f.Name].(object)["writeOnly"] = true
		}
		if f.Alias != "" {
			properties[f.Alias] = withDescription(b.recordInput(f, create), "Alias of `"+f.Name+"`.")
		}
		if !create || !f.Required || f.Default != nil {
			continue
		}
		if f.Alias == "" {
			required = append(required, f.Name)
			continue
		}
		alternatives = append(alternatives, object{"anyOf": []any{object{"required": []any{f.Name}}, object{"required": []any{f.Alias}}}})
	}
	s := closedObject(properties, required)
	if len(alternatives) > 0 {
		s["allOf"] = alternatives
	}
	return s
}

// inputField is the schema of f as input of an operation; null reads as missing.
func (b *builder) inputField(f collection.Field) object {
	var s object
	switch {
	case f.Kind == collection.Relation && len(f.Fields) > 0:
		fields := append([]collection.Field{{Name: "id", Kind: collection.Text, Doc: "Id of the record."}}, f.Fields...)
		s = object{"anyOf": []any{object{"type": "string"}, b.inputObject(fields)}}
	case f.Kind == collection.Relation:
		s = object{"type": "string"}
	case f.Kind == collection.Group && f.TypeName != "":
		s = b.sharedGroup(f)
	case f.Kind == collection.Group:
		s = b.inputObject(f.Fields)
	case f.Kind == collection.Array:
		s = object{"type": "array", "items": b.inputObject(f.Fields)}
	case f.Kind == collection.Texts || f.Kind == collection.Selects:
		s = object{"type": "array", "items": scalar(f)}
	case f.Kind == collection.Email: // the use case reports invalid addresses
		s = object{"type": "string"}
	default:
		s = scalar(f)
	}
	if !f.Required {
		s = nullable(s)
	}
	return withDescription(s, f.Doc)
}

// inputObject is an object with the members of an operation's input.
func (b *builder) inputObject(fields []collection.Field) object {
	properties, required := object{}, []any{}
	for _, f := range fields {
		properties[f.Name] = b.inputField(f)
		if f.Required {
			required = append(required, f.Name)
		}
	}
	return closedObject(properties, required)
}
