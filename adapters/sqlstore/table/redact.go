package table

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// redaction copies JSON, with what is personal in it replaced.
type redaction struct {
	decoder

	out     []byte
	copied  int                           // up to where b is in out
	id      string                        // of the record
	records map[string]*collection.Schema // by id: what the objects in it are that have such an id
	changed bool
}

// RedactDoc is the document of a record of s, as events show it or as it is stored, with the values of personal fields
// replaced as collection.Schema.Redact does; all else is as it was, byte for byte. A field that the schema no longer has
// is left. changed is false where there was nothing to replace.
func RedactDoc(s *collection.Schema, id string, doc []byte) (redacted []byte, changed bool, err error) {
	r := redaction{decoder: decoder{b: doc}, id: id}
	r.object(s.Fields)
	return r.done()
}

// RedactAnswer is JSON with the same done to each object in it, at any depth, whose member "id" is the id of one of
// records.
func RedactAnswer(records map[string]*collection.Schema, body []byte) (redacted []byte, changed bool, err error) {
	r := redaction{decoder: decoder{b: body}, records: records}
	r.anything()
	return r.done()
}

func (r *redaction) done() ([]byte, bool, error) {
	if r.err != nil {
		return nil, false, fmt.Errorf("redact JSON: %w", r.err)
	}
	if !r.changed {
		return r.b, false, nil
	}
	return append(r.out, r.b[r.copied:]...), true, nil
}

// object redacts an object with these fields.
func (r *redaction) object(fields []collection.Field) {
	if r.peek() == 'n' {
		r.skip()
		return
	}
	if !r.take('{') {
		r.fail("object")
		return
	}
	for !r.take('}') && r.err == nil {
		r.take(',')
		key := string(r.key())
		if !r.take(':') {
			r.fail("colon")
			return
		}
		i := slices.IndexFunc(fields, func(f collection.Field) bool { return f.Name == key })
		if i < 0 {
			r.within()
			continue
		}
		r.value(&fields[i])
	}
}

// value redacts the value of f.
func (r *redaction) value(f *collection.Field) {
	switch {
	case f.Kind == collection.Group:
		r.object(f.Fields)
	case f.Kind == collection.Array && r.peek() == '[':
		r.list(func() { r.object(f.Fields) })
	case f.Personal:
		r.replace(f)
	default:
		r.within()
	}
}

// within looks for other records in a value of a record, such as those that a relation leads to; a document has none.
func (r *redaction) within() {
	if r.records == nil {
		r.skip()
		return
	}
	of := r.id
	r.anything()
	r.id = of
}

// replace puts the ErasedValue of f in the place of what is next, unless that is empty already.
func (r *redaction) replace(f *collection.Field) {
	start := r.i
	r.skip()
	var now []byte
	if v := f.ErasedValue(r.id); v == nil && f.Kind.Many() {
		now = []byte("[]")
	} else {
		now = collection.AppendValue(nil, v)
	}
	was := r.b[start:r.i]
	if r.err != nil || bytes.Equal(was, []byte("null")) || bytes.Equal(was, now) || isErasedEmail(was) {
		return
	}
	r.out = append(append(r.out, r.b[r.copied:start]...), now...)
	r.copied, r.changed = r.i, true
}

// isErasedEmail reports whether a JSON value is a collection.ErasedEmail.
func isErasedEmail(value []byte) bool {
	return len(value) > 1 && value[0] == '"' && collection.IsErasedEmail(string(value[1:len(value)-1]))
}

// anything looks for the records in a value.
func (r *redaction) anything() {
	switch r.peek() {
	case '{':
		if id := r.idOfObject(); r.records[id] != nil {
			r.id = id
			r.object(r.records[id].Fields)
			return
		}
		r.take('{')
		for !r.take('}') && r.err == nil {
			r.take(',')
			r.quoted()
			if !r.take(':') {
				r.fail("colon")
				return
			}
			r.anything()
		}
	case '[':
		r.list(r.anything)
	default:
		r.skip()
	}
}

// idOfObject reads ahead to the member "id" of the object that is next; "" without one.
func (r *redaction) idOfObject() string {
	ahead := decoder{b: r.b, i: r.i}
	ahead.take('{')
	for !ahead.take('}') && ahead.err == nil {
		ahead.take(',')
		key, _ := ahead.quoted()
		if !ahead.take(':') {
			return ""
		}
		if string(key) == `"id"` && ahead.peek() == '"' {
			return ahead.text()
		}
		ahead.skip()
	}
	return ""
}

// RedactEvent is RedactDoc of what an event stores: the record after the change, of a delete before it, and what its column
// previous_doc has: the record before, or how that differs from doc (Delta), or nil. What was a delta becomes one again.
func RedactEvent(s *collection.Schema, id string, doc []byte, previous *string) (newDoc string, newPrevious *string, changed bool, err error) {
	redacted, changed, err := RedactDoc(s, id, doc)
	if err != nil || previous == nil {
		return string(redacted), previous, changed, err
	}
	whole, err := expandDelta(doc, []byte(*previous))
	if err != nil {
		return "", nil, false, err
	}
	before, differs, err := RedactDoc(s, id, whole)
	if err != nil || !changed && !differs {
		return string(redacted), previous, false, err
	}
	text := string(before)
	if (*previous)[0] == deltaMark {
		text = Delta(string(redacted), text)
	}
	return string(redacted), &text, true, nil
}
