package graphql

import (
	"encoding/json"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// appendNode appends an object; ok is false when a member that must not be null is, so the object is not there either.
func (r *run) appendNode(dst []byte, n *node) (_ []byte, ok bool) {
	dst = append(dst, '{')
	for i, f := range n.plan.fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(collection.AppendString(dst, f.key), ':')
		start := len(dst)
		if f.direct {
			dst, ok = r.appendPlain(dst, n, f)
		} else {
			dst, ok = r.appendValue(dst, n, f, n.values[i])
		}
		switch {
		case !ok && f.nonNull:
			return dst, false
		case !ok:
			dst = append(dst[:start], "null"...)
		}
	}
	return append(dst, '}'), true
}

// appendValue appends what was resolved; ok is false for null.
func (r *run) appendValue(dst []byte, n *node, f *plannedField, v any) (_ []byte, ok bool) {
	switch v := v.(type) {
	case nil:
		if f.nonNull && !r.failed(f) {
			r.fail(n, f, unexpectedNull(f))
		}
		return dst, false
	case *node:
		return r.appendNode(dst, v)
	case []any:
		if f.list {
			return r.appendList(dst, f, v)
		}
	}
	return appendLeaf(dst, v), true
}

// failed reports whether the field has been told to have failed.
func (r *run) failed(f *plannedField) bool {
	for _, known := range r.failures {
		if known.Node == f.node {
			return true
		}
	}
	return false
}

// appendList appends a list; ok is false when an item that must not be null is.
func (r *run) appendList(dst []byte, f *plannedField, items []any) (_ []byte, ok bool) {
	dst = append(dst, '[')
	for i, item := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		start := len(dst)
		ok := item != nil
		if below, is := item.(*node); is {
			dst, ok = r.appendNode(dst, below)
		} else if ok {
			dst = appendLeaf(dst, item)
		}
		switch {
		case !ok && f.nonNullItems:
			return dst, false
		case !ok:
			dst = append(dst[:start], "null"...)
		}
	}
	return append(dst, ']'), true
}

// appendPlain appends a member straight from the object it stands in; ok is false for null.
func (r *run) appendPlain(dst []byte, n *node, f *plannedField) (_ []byte, ok bool) {
	switch {
	case f.recordField == nil: // __typename
		return collection.AppendString(dst, n.plan.on.Name()), true
	case f.hidden:
		if !f.hiddenReported { // once for all records
			f.hiddenReported = true
			r.fail(n, f, fault.ErrForbidden.WithMessage("You may not read %s.", f.name))
		}
		return dst, false
	}
	v := valueOf(n.source, f.name)
	switch {
	case f.recordField.Kind == collection.Group:
		return r.appendNode(dst, &node{plan: f.sub, source: v, parent: n, field: f, index: -1})
	case f.list && (v != nil || !f.recordField.OmitMissing):
		return r.appendColumnList(dst, n, f, v)
	case v == nil:
		if f.nonNull {
			r.fail(n, f, unexpectedNull(f))
		}
		return dst, false
	case f.recordField.names != nil:
		return f.recordField.appendName(dst, v), true
	}
	return collection.AppendValue(dst, v), true
}

// appendColumnList appends the list of a column; there always is one.
func (r *run) appendColumnList(dst []byte, n *node, f *plannedField, v any) (_ []byte, ok bool) {
	dst = append(dst, '[')
	for i, item := range listOf(v) {
		if i > 0 {
			dst = append(dst, ',')
		}
		switch {
		case f.sub != nil:
			if dst, ok = r.appendNode(dst, &node{plan: f.sub, source: item, parent: n, field: f, index: i}); !ok {
				return dst, false
			}
		case f.recordField.names != nil:
			dst = f.recordField.appendName(dst, item)
		default:
			dst = collection.AppendValue(dst, item)
		}
	}
	return append(dst, ']'), true
}

// appendName appends a select value as its enum calls it.
func (c *recordField) appendName(dst []byte, v any) []byte {
	value, _ := v.(string)
	name, known := c.names[value]
	if !known { // an option of another time
		name = enumName(value)
	}
	return collection.AppendString(dst, name)
}

// appendLeaf appends a value without members.
func appendLeaf(dst []byte, v any) []byte {
	switch v.(type) {
	case string, bool, int, int64, collection.JSONNumber, []any, map[string]any:
		return collection.AppendJSONValue(dst, v)
	}
	text, err := json.Marshal(v)
	if err != nil {
		return append(dst, "null"...)
	}
	return append(dst, text...)
}
