package collection

import "slices"

// requireUnchanged accepts the current value of a read-only field, or the preset value at create, and refuses
// any other; a field that names the acting tenant may also have a value of InputParser.Own.
func (a *inputMerge) requireUnchanged(path string, f Field, before Record, raw JSONValue) {
	probe := inputMerge{
		w: InputParser{Schema: a.w.Schema, Currency: a.w.Currency, NewID: a.w.NewID, Trusted: true}, create: a.create, currency: a.currency,
	}
	next := Record{}
	probe.set(path, f, before, next, raw)
	if len(probe.problems) == 0 && f.Transition != nil && f.Transition.due(before, f.Name, a.w.Now) && next[f.Name] == f.Transition.To {
		return
	}
	if f.NamesTenant && len(probe.problems) == 0 && slices.ContainsFunc(a.w.Own, func(own Record) bool {
		value, ok := own[f.Name]
		return ok && equalIgnoringNulls(next[f.Name], value)
	}) {
		return
	}
	if len(probe.problems) > 0 || !equalIgnoringNulls(next[f.Name], before[f.Name]) {
		a.problem(path, "This field is read-only.")
	}
}

// equalIgnoringNulls is Equal for a value that was read and sent back: null equals a missing value, and an
// empty group equals none.
func equalIgnoringNulls(a, b any) bool {
	switch ta := a.(type) {
	case nil:
		if tb, ok := b.(Record); ok {
			return equalIgnoringNulls(tb, nil)
		}
	case Record:
		tb, ok := b.(Record)
		if !ok && b != nil {
			return false
		}
		for name, v := range ta {
			if !equalIgnoringNulls(v, tb[name]) {
				return false
			}
		}
		for name, v := range tb {
			if _, there := ta[name]; !there && !equalIgnoringNulls(nil, v) {
				return false
			}
		}
		return true
	case []Record:
		tb, _ := b.([]Record)
		return slices.EqualFunc(ta, tb, func(x, y Record) bool { return equalIgnoringNulls(x, y) })
	}
	return Equal(a, b)
}
