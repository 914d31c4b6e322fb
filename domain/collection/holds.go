package collection

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/money"
)

// Local reports whether a condition can be judged from a record alone, as its events show it: no field of another record,
// none that is computed or hidden, and, where the time counts, none that lapses.
func Local(cond Cond, now time.Time) bool {
	local := func(c Cond) bool { return Local(c, now) }
	switch cond := cond.(type) {
	case And:
		return !slices.ContainsFunc(cond, func(c Cond) bool { return !local(c) })
	case Or:
		return !slices.ContainsFunc(cond, func(c Cond) bool { return !local(c) })
	case Test:
		return LocalPath(cond.Path, now) && cond.Path[len(cond.Path)-1].Kind != Group // an event shows a missing group like an empty one
	}
	return true
}

// LocalPath is Local for what a sort key or a test names.
func LocalPath(path []Field, now time.Time) bool {
	for i := range path {
		f := &path[i]
		if f.Source != "" || f.Read == Nobody || f.Lapses != nil && !now.IsZero() || f.Kind.Related() && i < len(path)-1 {
			return false
		}
	}
	return true
}

// Holds judges a Local condition on r, by the rules of Test; a nil condition always holds. Besides the values of Record,
// r may hold numbers and money in column form.
func Holds(r Record, cond Cond, fold Fold) bool {
	not := func(c Cond) bool { return !Holds(r, c, fold) }
	switch cond := cond.(type) {
	case And:
		return !slices.ContainsFunc(cond, not)
	case Or:
		return slices.ContainsFunc(cond, func(c Cond) bool { return Holds(r, c, fold) })
	case Test:
		return judge{test: cond, fold: fold}.holds(r)
	}
	return true
}

type judge struct {
	test Test
	fold Fold
}

func (j judge) holds(r Record) bool {
	exists := func(v any) bool { return v != nil }
	switch j.test.Op {
	case Exists:
		return anyAt(r, j.test.Path, exists) == j.test.Values[0].(bool)
	case NotEquals, NotIn:
		return !j.equals(r)
	case Equals, In:
		return j.equals(r)
	default: // the rest is positive, and never holds for null
	}
	return anyAt(r, j.test.Path, func(v any) bool { return v != nil && j.fits(v) })
}

// equals holds when a value at the path is among those named; null is among them when there is no value.
func (j judge) equals(r Record) bool {
	named := func(v any) bool {
		return v != nil && slices.ContainsFunc(j.test.Values, func(w any) bool { return w != nil && Compare(v, w) == 0 })
	}
	if anyAt(r, j.test.Path, named) {
		return true
	}
	return slices.Contains(j.test.Values, nil) && !anyAt(r, j.test.Path, func(v any) bool { return v != nil })
}

func (j judge) fits(v any) bool {
	leaf := &j.test.Path[len(j.test.Path)-1]
	switch j.test.Op {
	case GreaterThan:
		return Compare(v, j.test.Values[0]) > 0
	case GreaterThanEqual:
		return Compare(v, j.test.Values[0]) >= 0
	case LessThan:
		return Compare(v, j.test.Values[0]) < 0
	case LessThanEqual:
		return Compare(v, j.test.Values[0]) <= 0
	default: // looks for words, or for a member
	}
	if leaf.Kind.Many() {
		return v == j.test.Values[0]
	}
	text, _ := v.(string)
	if leaf.Kind == Select && !slices.Contains(leaf.Options, text) {
		return false
	}
	folded := j.fold(text)
	return !slices.ContainsFunc(j.test.Values, func(w any) bool { return !strings.Contains(folded, w.(string)) })
}

// anyAt reports whether ok holds for one of the values at path, in column form. A row of an array is a value too.
func anyAt(r Record, path []Field, ok func(any) bool) bool {
	f, last := &path[0], len(path) == 1
	switch {
	case f.Kind == Array:
		return slices.ContainsFunc(r.Rows(f.Name), func(row Record) bool { return last && ok(row) || !last && anyAt(row, path[1:], ok) })
	case f.Kind.Many():
		return slices.ContainsFunc(r.Texts(f.Name), func(text string) bool { return ok(text) })
	case !last:
		return anyAt(r.Group(f.Name), path[1:], ok)
	}
	return ok(columned(f, r[f.Name]))
}

// columned is a value in column form.
func columned(f *Field, v any) any {
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

// Value is what a sort key reads of r, in column form.
func (o Order) Value(r Record) any {
	path := o.Path
	for ; len(path) > 1; path = path[1:] {
		r = r.Group(path[0].Name)
	}
	return columned(&path[0], r[path[0].Name])
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
