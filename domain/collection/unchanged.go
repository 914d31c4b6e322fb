package collection

import "slices"

// unchanged lets a client send back what it read, or say what a new record is born with, and refuses anything else.
func (a *accept) unchanged(path string, f Field, before Record, raw Tree) {
	probe := accept{w: Writer{Schema: a.w.Schema, Currency: a.w.Currency, NewID: a.w.NewID, Trusted: true}, create: a.create, currency: a.currency}
	next := Record{}
	probe.set(path, f, before, next, raw)
	if len(probe.problems) == 0 && f.Lapses != nil && f.Lapses.over(before, f.Name, a.w.Now) && next[f.Name] == f.Lapses.To {
		return
	}
	if len(probe.problems) > 0 || !alike(next[f.Name], before[f.Name]) {
		a.problem(path, "This field is read-only.")
	}
}

// alike is Equal for a value that was read and sent back: what is null in a record may be missing in the other, and a
// group of nothing is none.
func alike(a, b any) bool {
	switch ta := a.(type) {
	case nil:
		if tb, ok := b.(Record); ok {
			return alike(tb, nil)
		}
	case Record:
		tb, ok := b.(Record)
		if !ok && b != nil {
			return false
		}
		for name, v := range ta {
			if !alike(v, tb[name]) {
				return false
			}
		}
		for name, v := range tb {
			if _, there := ta[name]; !there && !alike(nil, v) {
				return false
			}
		}
		return true
	case []Record:
		tb, _ := b.([]Record)
		return slices.EqualFunc(ta, tb, func(x, y Record) bool { return alike(x, y) })
	}
	return Equal(a, b)
}
