package openapi

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// operators are the conditions on fields of one kind. collection.QueryParser enforces them.
type operators struct {
	name, doc string
	value     object
	ops       []collection.Op
}

var (
	equality   = []collection.Op{collection.Equals, collection.NotEquals, collection.In, collection.NotIn}
	ordering   = []collection.Op{collection.GreaterThan, collection.GreaterThanEqual, collection.LessThan, collection.LessThanEqual}
	textSearch = []collection.Op{collection.Like, collection.Contains}
	membership = []collection.Op{collection.Contains}
)

var (
	textOperators = operators{
		"WhereText", "Condition on a text. `like`: every word occurs; `contains`: the text occurs; both regardless of case.",
		object{"type": []any{"string", "null"}}, concat(equality, ordering, textSearch),
	}
	numberOperators = operators{
		"WhereNumber", "Condition on a number, or on an amount in major units.", object{"type": []any{"number", "string", "null"}},
		concat(equality, ordering),
	}
	dateOperators = operators{
		"WhereDate", "Condition on a time: RFC 3339, or a day.", object{"type": []any{"string", "null"}}, concat(equality, ordering),
	}
	booleanOperators  = operators{"WhereBoolean", "Condition on a boolean.", object{"type": []any{"boolean", "string", "null"}}, equality}
	relationOperators = operators{
		"WhereRelation", "Condition on the id of a related record; conditions on its fields are nested.",
		object{"type": []any{"string", "null"}}, equality,
	}
	listOperators = operators{
		"WhereList", "Condition on the items of a list.", object{"type": []any{"string", "null"}}, concat(equality, membership),
	}
	existsOperators = operators{
		"WhereThere", "Condition on whether there is a value; conditions on fields of groups and rows are nested.", nil, nil,
	}
)

func concat(groups ...[]collection.Op) (all []collection.Op) {
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

// operatorsOf are the operators of f.
func operatorsOf(f collection.Field) operators {
	switch f.Kind {
	case collection.Number, collection.Money, collection.Integer:
		return numberOperators
	case collection.Date:
		return dateOperators
	case collection.Boolean:
		return booleanOperators
	case collection.Relation, collection.Upload:
		return relationOperators
	case collection.Texts, collection.Selects, collection.RelationMany, collection.UploadMany:
		return listOperators
	case collection.Group, collection.Array, collection.JSON, collection.RichText:
		return existsOperators
	default: // the rest is text
	}
	return textOperators
}

func (o operators) schema() object {
	properties := object{string(collection.Exists): object{"type": []any{"boolean", "string"}}}
	for _, op := range o.ops {
		s := o.value
		if op == collection.In || op == collection.NotIn {
			s = object{"anyOf": []any{
				object{"type": "array", "items": o.value}, withDescription(object{"type": "string"}, "Separated by commas."),
			}}
		}
		properties[string(op)] = s
	}
	s := withDescription(closedObject(properties, nil), o.doc)
	if o.name == relationOperators.name || o.name == listOperators.name || o.name == existsOperators.name {
		s["additionalProperties"] = true
	}
	s["minProperties"] = 1
	return s
}

// whereSchema is the schema of a filter of s. Filters may have paths too, which a schema cannot list.
func (b *builder) whereSchema(s *collection.Schema) object {
	self := ref(s.Singular + "Where")
	properties := object{}
	for _, word := range []string{"and", "or", "AND", "OR"} {
		properties[word] = object{"type": "array", "items": self}
	}
	for _, f := range s.AllFields() {
		if f.VisibleTo == collection.ServerOnly || !f.Queryable() {
			continue
		}
		o := operatorsOf(f)
		if b.schemas[o.name] == nil {
			b.schemas[o.name] = o.schema()
		}
		properties[f.Name] = ref(o.name)
	}
	return object{
		"type": "object", "properties": properties,
		"additionalProperties": withDescription(object{"type": "object"}, "A path such as `category.slug`, with an operator."),
		"description":          "Conditions that must all hold: at most 60, nested at most 8 levels deep.",
	}
}
