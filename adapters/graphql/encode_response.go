package graphql

import (
	"encoding/json"
	"errors"

	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// appendNode appends an object; ok is false when a non-null member is null, which makes the object null too.
func (r *run) appendNode(dst []byte, n *node) (_ []byte, ok bool) {
	if r.fatal == nil && r.growth.Full(len(dst)) {
		why := fault.From(r.growth.Err)
		if errors.Is(why, records.ErrAnswerTooLarge) {
			why = records.ErrAnswerTooLarge.WithMessage("The answer has more than %d bytes.", maxAnswerBytes)
		}
		r.fatal = nodeFault{why, n.plan.fields[0].node}
	}
	if r.fatal != nil {
		return dst, false
	}
	dst = append(dst, '{')
	for i, f := range n.plan.fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(collection.AppendString(dst, f.key), ':')
		start := len(dst)
		if f.direct {
			dst, ok = r.appendDirect(dst, n, f)
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

// appendValue appends a resolved value; ok is false for null.
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

// failed reports whether an error of the field is recorded.
func (r *run) failed(f *plannedField) bool {
	for _, known := range r.failures {
		if known.Node == f.node {
			return true
		}
	}
	return false
}

// appendList appends a list; ok is false when a non-null item is null.
func (r *run) appendList(dst []byte, f *plannedField, items []any) (_ []byte, ok bool) {
	dst = append(dst, '[')
	for i, item := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		start := len(dst)
		ok := item != nil
		if child, isNode := item.(*node); isNode {
			dst, ok = r.appendNode(dst, child)
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

// appendDirect appends a field directly from the source of its object; ok is false for null.
func (r *run) appendDirect(dst []byte, n *node, f *plannedField) (_ []byte, ok bool) {
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
	case f.recordField.isLeftOut(v):
		return dst, false
	case f.recordField.Kind == collection.Group:
		return r.appendNode(dst, &node{plan: f.sub, source: v, parent: n, field: f, index: -1})
	case f.list && (v != nil || !f.recordField.OmitMissing):
		return r.appendRecordList(dst, n, f, v)
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

// appendRecordList appends a list of a record; a missing list is empty.
func (r *run) appendRecordList(dst []byte, n *node, f *plannedField, v any) (_ []byte, ok bool) {
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

// appendName appends the enum name of a select value.
func (c *recordField) appendName(dst []byte, v any) []byte {
	value, _ := v.(string)
	name, known := c.names[value]
	if !known { // an option that no longer exists
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
