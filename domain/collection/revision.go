package collection

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// RevisionName is the field of the envelope that has the revision of a record: the number of its last change, which is its
// recordSequence. Carts have a revision of their own in its place: their sweeper's changes do not count in it. It is for
// staff: what visitors see of a product does not change with its stock.
const RevisionName = "revision"

// SourceRevision is the Source of RevisionName.
const SourceRevision = "record.revision"

const revisionDoc = "Number of the record's last change, from 1. A change that names it is refused if there was another one in between."

// ExpectedRevision is the input that names the revision on which a caller's change is based. Rule collections-32.
const ExpectedRevision = "expectedRevision"

// ExpectedRevisionField describes ExpectedRevision.
func ExpectedRevisionField() Field {
	return Field{
		Name: ExpectedRevision, Kind: Integer, Min: Bound(1),
		Doc: "The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one.",
	}
}

// ErrChangedMeanwhile refuses a change that is based on another revision of the record than the present one. Data
// "revision" is the present one.
var ErrChangedMeanwhile = fault.New(fault.Outdated, "changed_meanwhile",
	"Someone else changed this record. Read it again, and repeat the change on what it is now.")

// UpdateMembers are the members of an update of s that are no fields: what it is based on.
func (s *Schema) UpdateMembers() []Field {
	return append(slices.Clone(s.UpdateInput), ExpectedRevisionField())
}

// ChangedMeanwhile is ErrChangedMeanwhile for a record whose revision is this one.
func ChangedMeanwhile(present int64) *fault.Error {
	return ErrChangedMeanwhile.WithData(RevisionName, present)
}

// CheckRevision compares the present revision of a record with the expected one; 0 expects nothing. Errors:
// ErrChangedMeanwhile.
func CheckRevision(present, expected int64) error {
	if expected == 0 || present == expected {
		return nil
	}
	return ChangedMeanwhile(present)
}

// ReadRevision reads the revision that a caller gave under a name. Errors: fault.ErrValidation.
func ReadRevision(name string, given JSONValue) (int64, error) {
	f := Required(ExpectedRevisionField())
	f.Name = name
	r, err := InputParser{Schema: &Schema{Fields: []Field{f}}}.Merge(nil, map[string]any{name: given})
	return r.Int(name), err
}

// Revision is the revision of r; 0 before the record exists.
func (r Record) Revision() int64 {
	v, _ := r.Value(RevisionName)
	n, _ := v.(int64)
	return n
}

// Value is what r has for a field, and whether it has something.
func (r Record) Value(name string) (v any, ok bool) {
	if v, ok = r[name]; ok || name != RevisionName {
		return v, ok
	}
	if v, ok = r[sequenceKey]; ok { // as it is there: nothing is allocated
		return v, true
	}
	return int64(0), true
}
