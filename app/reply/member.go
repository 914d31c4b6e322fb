package reply

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Member is one named value of an answer, or of an object in it: a record where it has a Schema or Fields,
// else Value.
type Member struct {
	Name   string             // "": the members of the value stand in its place
	Schema *collection.Schema // of Record
	Fields []collection.Field // of a Record that is none of a collection
	Record collection.Record  // nil: null
	Text   []byte             // Record as JSON, where it was made before; nil: it was not
	View   *collection.View   // how the record is shown; nil: all that the body's audience may see, relations as ids
	Value  any                // a collection.JSONValue, a value of a record, or one of the types below
}

// Object is a JSON object of these members, in this order.
type Object []Member

// List is a JSON list of such values as a Member has.
type List []any

// Records is a JSON list of records of the member's schema.
type Records []collection.Record

// JSON is a value whose text was made before, and is stored: the body of an event, or of another answer.
type JSON []byte

// Append appends the object, as the audience may see it.
func (o Object) Append(dst []byte, a collection.Audience) []byte {
	dst = append(dst, '{')
	for i := range o {
		dst = o[i].append(dst, a)
	}
	return append(dst, '}')
}

// append appends a member to an object that is open.
func (m *Member) append(dst []byte, a collection.Audience) []byte {
	if m.Name == "" {
		return m.appendInPlace(dst, a)
	}
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return m.appendValue(append(collection.AppendString(dst, m.Name), ':'), a)
}

// appendInPlace appends the members of the value to an object that is open.
func (m *Member) appendInPlace(dst []byte, a collection.Audience) []byte {
	at := len(dst)
	if dst[at-1] == '{' {
		dst = m.appendValue(dst[:at-1], a)
		return dst[:len(dst)-1]
	}
	dst = m.appendValue(dst, a)
	if dst = dst[:len(dst)-1]; len(dst) == at+1 {
		return dst[:at] // it has no members
	}
	dst[at] = ','
	return dst
}

func (m *Member) appendValue(dst []byte, a collection.Audience) []byte {
	switch records, list := m.Value.(Records); {
	case list:
		dst = append(dst, '[')
		for i, r := range records {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = m.appendRecord(dst, r, a)
		}
		return append(dst, ']')
	case m.isRecord():
		return m.appendRecord(dst, m.Record, a)
	}
	return appendValue(dst, m.Value, a)
}

func (m *Member) isRecord() bool { return m.Schema != nil || m.Fields != nil }

// view is how the record is shown in a body for the audience.
func (m *Member) view(a collection.Audience) collection.View {
	if m.View != nil {
		return *m.View
	}
	return collection.View{Audience: a}
}

func (m *Member) appendRecord(dst []byte, r collection.Record, a collection.Audience) []byte {
	switch {
	case m.Text != nil:
		return append(dst, m.Text...)
	case r == nil:
		return append(dst, "null"...)
	case m.Schema != nil:
		return collection.AppendJSON(dst, m.Schema, r, m.view(a))
	}
	return collection.AppendGroup(dst, m.Fields, r, m.view(a))
}

func appendValue(dst []byte, v any, a collection.Audience) []byte {
	switch v := v.(type) {
	case Object:
		return v.Append(dst, a)
	case List:
		dst = append(dst, '[')
		for i, item := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendValue(dst, item, a)
		}
		return append(dst, ']')
	case JSON:
		return append(dst, v...)
	}
	return collection.AppendValue(dst, v)
}
