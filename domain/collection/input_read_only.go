package collection

import (
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// TenantName is the field by which input names the acting tenant. Rule collections-30.
const TenantName = "tenant"

// WithoutTenant is input that is no record, without the name of the acting tenant: its id, or an object with it. Errors:
// fault.ErrValidation for another tenant.
func WithoutTenant(input map[string]any, acting string) (map[string]any, error) {
	named, given := input[TenantName]
	if !given {
		return input, nil
	}
	if embedded, ok := named.(map[string]any); ok {
		named = embedded["id"]
	}
	if named != nil && named != acting {
		return nil, fault.Invalidf(TenantName, "This field is read-only.")
	}
	input = maps.Clone(input)
	delete(input, TenantName)
	return input, nil
}

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
	present := before[f.Name]
	if f.Source == SourceRevision && raw != nil {
		present = before.Revision()
	}
	if len(probe.problems) > 0 || !equalIgnoringNulls(next[f.Name], present) {
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
