package collection

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/money"
)

// Tree is what AppendGroup writes of r, as JSON values instead of text, for those who read single fields of it.
func Tree(fields []Field, r Record, v View) map[string]any {
	out := make(map[string]any, len(fields))
	for i := range fields {
		f := &fields[i]
		value, present := r.Value(f.Name)
		below, shown := v.Select.field(f.Name)
		if !shown || f.VisibleTo > v.Audience || f.OmitMissing && !present {
			continue
		}
		inner := v
		inner.Select = below
		out[f.Name] = treeOf(f, value, inner)
	}
	return out
}

func treeOf(f *Field, value any, v View) JSONValue {
	switch f.Kind {
	case Group:
		g, _ := value.(Record)
		if g == nil && f.OmitMissing {
			return nil
		}
		return Tree(f.Fields, g, v)
	case Array:
		rows, _ := value.([]Record)
		return treeList(rows, func(r Record) any { return Tree(f.Fields, r, v) })
	case RelationMany, UploadMany:
		ids, _ := value.([]string)
		return treeList(ids, func(id string) any { return linkTree(f, id, v) })
	case Texts, Selects:
		texts, _ := value.([]string)
		return treeList(texts, func(s string) any { return s })
	case Relation, Upload:
		if id, _ := value.(string); id != "" {
			return linkTree(f, id, v)
		}
		return nil
	default: // the other kinds are scalar
	}
	return ScalarTree(value)
}

func treeList[T any](items []T, each func(T) any) []any {
	out := make([]any, len(items))
	for i, item := range items {
		out[i] = each(item)
	}
	return out
}

func linkTree(f *Field, id string, v View) JSONValue {
	if v.Depth == 0 || v.Resolve == nil {
		if v.IsDeleted != nil && v.IsDeleted(id) {
			return nil
		}
		return id
	}
	s, r, embed := v.Resolve(f.Target(), id)
	switch {
	case !embed:
		return id
	case r == nil:
		return nil
	}
	v.Depth--
	v.Select = v.Populate[f.Target()]
	return s.Tree(r, v)
}

// Tree is what AppendJSON writes of r, as Tree.
func (s *Schema) Tree(r Record, v View) map[string]any {
	return Tree(s.AllFields(), r, v)
}

// ScalarTree is what AppendValue writes of v, as a JSON value.
func ScalarTree(v any) JSONValue {
	switch v := v.(type) {
	case time.Time:
		return string(appendTime(nil, v))
	case money.Money:
		return JSONNumber(v.AppendMajor(nil))
	case money.Decimal:
		return JSONNumber(v.String())
	}
	return v
}
