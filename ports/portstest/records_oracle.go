package portstest

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// oracle runs queries over records in memory in the simplest way. A store has to agree with it.
type oracle struct {
	records map[string]map[string]collection.Record // by slug and id
	fold    func(string) string
	now     time.Time // time of timed transitions; zero: as stored
}

// values returns the values at a path in column form, null as nil.
func (o oracle) values(r collection.Record, path []collection.Field) []any {
	f, last := path[0], len(path) == 1
	v := r[f.Name]
	if l := f.Transition; l != nil && v == l.From && !o.now.IsZero() && r[l.At] != nil && !o.now.Before(r.Time(l.At)) {
		v = l.To
	}
	switch {
	case f.Kind == collection.Group && !last:
		return o.values(r.Group(f.Name), path[1:])
	case f.Kind == collection.Array:
		var out []any
		for _, row := range r.Rows(f.Name) {
			if last {
				out = append(out, "a row")
			} else {
				out = append(out, o.values(row, path[1:])...)
			}
		}
		return out
	case f.Kind.Many():
		var out []any
		for _, text := range r.Texts(f.Name) {
			if last {
				out = append(out, text)
			} else if target := o.records[f.Target()][text]; target != nil {
				out = append(out, o.values(target, path[1:])...)
			}
		}
		return out
	case f.Kind.Related() && !last:
		if target := o.records[f.Target()][r.Text(f.Name)]; target != nil {
			return o.values(target, path[1:])
		}
		return []any{nil}
	}
	return []any{columnForm(v)}
}

func columnForm(v any) any {
	switch v := v.(type) {
	case money.Money:
		return v.Column()
	case money.Decimal:
		return v.E8()
	case collection.Record, map[string]any, []any:
		return "a tree"
	}
	return v
}

// holds evaluates a comparison by the rules of collection.Comparison.
func (o oracle) holds(r collection.Record, t collection.Comparison) bool {
	with := func(op collection.Op, values ...any) collection.Comparison {
		return collection.Comparison{Path: t.Path, Op: op, Values: values}
	}
	values := o.values(r, t.Path)
	switch t.Op {
	case collection.NotEquals:
		return !o.holds(r, with(collection.Equals, t.Values...))
	case collection.NotIn:
		return !o.holds(r, with(collection.In, t.Values...))
	case collection.Exists:
		return slices.ContainsFunc(values, func(v any) bool { return v != nil }) == t.Values[0].(bool)
	case collection.Equals, collection.In:
		if slices.Contains(t.Values, nil) && o.holds(r, with(collection.Exists, false)) {
			return true
		}
	default: // the other operators compare
	}
	leaf := t.Path[len(t.Path)-1]
	return slices.ContainsFunc(values, func(v any) bool { return v != nil && o.fits(leaf, v, t) })
}

func (o oracle) fits(leaf collection.Field, v any, t collection.Comparison) bool {
	switch t.Op {
	case collection.Equals, collection.In:
		return slices.ContainsFunc(t.Values, func(w any) bool { return w != nil && order(v, w) == 0 })
	case collection.Contains, collection.Like:
		if leaf.Kind.Many() {
			return v == t.Values[0]
		}
		folded := o.fold(v.(string))
		return !slices.ContainsFunc(t.Values, func(w any) bool { return !strings.Contains(folded, w.(string)) })
	case collection.GreaterThan:
		return order(v, t.Values[0]) > 0
	case collection.GreaterThanEqual:
		return order(v, t.Values[0]) >= 0
	case collection.LessThan:
		return order(v, t.Values[0]) < 0
	default: // less_than_equal
	}
	return order(v, t.Values[0]) <= 0
}

// order compares two values of one kind: null first, text by code point.
func order(a, b any) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	switch a := a.(type) {
	case string:
		return strings.Compare(a, b.(string))
	case int64:
		return cmp.Compare(a, b.(int64))
	case time.Time:
		return a.Compare(b.(time.Time))
	case bool:
		if a == b.(bool) {
			return 0
		} else if a {
			return 1
		}
		return -1
	}
	panic("values of this type have no order")
}

// sorted returns the ids of a collection sorted by keys.
func (o oracle) sorted(slug string, keys []collection.SortKey) []string {
	var ids []string
	for id := range o.records[slug] {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int {
		for _, k := range keys {
			x, y := o.values(o.records[slug][a], k.Path), o.values(o.records[slug][b], k.Path)
			c := order(x[0], y[0])
			if k.Desc {
				c = -c
			}
			if c != 0 {
				return c
			}
		}
		if collection.TiesDescend(keys) {
			return strings.Compare(b, a)
		}
		return strings.Compare(a, b)
	})
	return ids
}
