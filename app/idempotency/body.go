package idempotency

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Member is one named value of an answer.
type Member struct {
	Name   string
	Schema *collection.Schema   // of Record; nil: Value is the value
	Record collection.Record    // nil: null
	Value  collection.JSONValue // of a member without Schema
}

// Body is the JSON object of an answer with these members, as c's caller may see them.
func (c Call) Body(members ...Member) []byte {
	audience := collection.Everyone
	if c.Principal.IsStaff() {
		audience = collection.Staff
	}
	return Body(audience, members...)
}

// Body is the JSON object of an answer with these members, as the audience may see them.
func Body(a collection.Audience, members ...Member) []byte {
	view := collection.View{Audience: a}
	out := []byte{'{'}
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(collection.AppendString(out, m.Name), ':')
		switch {
		case m.Schema == nil:
			out = collection.AppendJSONValue(out, m.Value)
		case m.Record == nil:
			out = append(out, "null"...)
		default:
			out = collection.AppendJSON(out, m.Schema, m.Record, view)
		}
	}
	return append(out, '}')
}

// WithMember is object, a JSON object that has members, with the undeclared member name at its end.
func WithMember(object []byte, name string, value collection.JSONValue) []byte {
	out := append(slices.Clip(object[:len(object)-1]), ',')
	out = append(collection.AppendString(out, name), ':')
	return append(collection.AppendJSONValue(out, value), '}')
}
