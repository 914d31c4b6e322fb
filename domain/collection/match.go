package collection

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/money"
)

// RecordLocal reports whether a condition can be evaluated on a record as its events show it. Such a
// condition uses no fields of other records, no computed or hidden fields, and no field with a timed
// transition if now is set.
func RecordLocal(cond Cond, now time.Time) bool {
	local := func(c Cond) bool { return RecordLocal(c, now) }
	switch cond := cond.(type) {
	case And:
		return !slices.ContainsFunc(cond, func(c Cond) bool { return !local(c) })
	case Or:
		return !slices.ContainsFunc(cond, func(c Cond) bool { return !local(c) })
	case Comparison:
		// an event shows a missing group as an empty one
		return RecordLocalPath(cond.Path, now) && cond.Path[len(cond.Path)-1].Kind != Group
	}
	return true
}

// RecordLocalPath is RecordLocal for the path of a sort key or comparison.
func RecordLocalPath(path []Field, now time.Time) bool {
	for i := range path {
		f := &path[i]
		if f.Source != "" || f.VisibleTo == ServerOnly || f.Transition != nil && !now.IsZero() || f.Kind.Related() && i < len(path)-1 {
			return false
		}
	}
	return true
}

// Matches evaluates a condition for which RecordLocal is true on r, by the rules of Comparison; a nil
// condition matches. The numbers and money of r may be in column form.
func Matches(r Record, cond Cond, fold Fold) bool {
	not := func(c Cond) bool { return !Matches(r, c, fold) }
	switch cond := cond.(type) {
	case And:
		return !slices.ContainsFunc(cond, not)
	case Or:
		return slices.ContainsFunc(cond, func(c Cond) bool { return Matches(r, c, fold) })
	case Comparison:
		return matcher{comparison: cond, fold: fold}.matches(r)
	}
	return true
}

type matcher struct {
	comparison Comparison
	fold       Fold
}

func (j matcher) matches(r Record) bool {
	exists := func(v any) bool { return v != nil }
	switch j.comparison.Op {
	case Exists:
		return anyValueAt(r, j.comparison.Path, exists) == j.comparison.Values[0].(bool)
	case NotEquals, NotIn:
		return !j.matchesEqual(r)
	case Equals, In:
		return j.matchesEqual(r)
	default: // the other operators never match null
	}
	return anyValueAt(r, j.comparison.Path, func(v any) bool { return v != nil && j.matchesValue(v) })
}

// matchesEqual reports whether a value at the path is among those of the condition; a missing value counts as
// null.
func (j matcher) matchesEqual(r Record) bool {
	named := func(v any) bool {
		return v != nil && slices.ContainsFunc(j.comparison.Values, func(w any) bool { return w != nil && Compare(v, w) == 0 })
	}
	if anyValueAt(r, j.comparison.Path, named) {
		return true
	}
	return slices.Contains(j.comparison.Values, nil) && !anyValueAt(r, j.comparison.Path, func(v any) bool { return v != nil })
}

func (j matcher) matchesValue(v any) bool {
	leaf := &j.comparison.Path[len(j.comparison.Path)-1]
	switch j.comparison.Op {
	case GreaterThan:
		return Compare(v, j.comparison.Values[0]) > 0
	case GreaterThanEqual:
		return Compare(v, j.comparison.Values[0]) >= 0
	case LessThan:
		return Compare(v, j.comparison.Values[0]) < 0
	case LessThanEqual:
		return Compare(v, j.comparison.Values[0]) <= 0
	default: // text search or list membership
	}
	if leaf.Kind.Many() {
		return v == j.comparison.Values[0]
	}
	text, _ := v.(string)
	if leaf.Kind == Select && !slices.Contains(leaf.Options, text) {
		return false
	}
	folded := j.fold(text)
	return !slices.ContainsFunc(j.comparison.Values, func(w any) bool { return !strings.Contains(folded, w.(string)) })
}

// anyValueAt reports whether ok is true for one of the values at path, in column form. A row of an array is a
// value too.
func anyValueAt(r Record, path []Field, ok func(any) bool) bool {
	f, last := &path[0], len(path) == 1
	if leaf := &path[len(path)-1]; leaf.Language != nil {
		return anyTextAt(r, r, "", path, ok)
	}
	switch {
	case f.Kind == Array:
		return slices.ContainsFunc(r.Rows(f.Name),
			func(row Record) bool { return last && ok(row) || !last && anyValueAt(row, path[1:], ok) })
	case f.Kind.Many():
		return slices.ContainsFunc(r.Texts(f.Name), func(text string) bool { return ok(text) })
	case !last:
		return anyValueAt(r.Group(f.Name), path[1:], ok)
	}
	return ok(columnValue(f, r[f.Name]))
}

// columnValue converts a value to column form.
func columnValue(f *Field, v any) any {
	switch v := v.(type) {
	case money.Money:
		return v.Column()
	case money.Decimal:
		return v.E8()
	case string:
		if v == "" && f.Kind.Related() {
			return nil
		}
	}
	return v
}

// Value is the value of a sort key in r, in column form.
func (o SortKey) Value(r Record) any {
	path := o.Path
	if leaf := &path[len(path)-1]; leaf.Language != nil {
		var text any
		anyTextAt(r, r, "", path, func(v any) bool { text = v; return true })
		return text
	}
	for ; len(path) > 1; path = path[1:] {
		r = r.Group(path[0].Name)
	}
	return columnValue(&path[0], r[path[0].Name])
}

// Compare orders two values of one kind in column form: null first, text by code point, false before true.
func Compare(a, b any) int {
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
		b, _ := b.(string)
		return strings.Compare(a, b)
	case int64:
		b, _ := b.(int64)
		return cmp.Compare(a, b)
	case time.Time:
		b, _ := b.(time.Time)
		return a.Compare(b)
	case bool:
		if b, _ := b.(bool); a == b {
			return 0
		} else if a {
			return 1
		}
		return -1
	}
	return 0
}

// Compare orders two records as q sorts them, by keys that lead through no relation.
func (q Query) Compare(a, b Record) int {
	for _, key := range q.Sort {
		c := Compare(key.Value(a), key.Value(b))
		if key.Desc {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	if TiesDescend(q.Sort) {
		a, b = b, a
	}
	return strings.Compare(a.ID(), b.ID())
}
