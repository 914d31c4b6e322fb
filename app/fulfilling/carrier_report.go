package fulfilling

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// CarrierReport is what became of a file. Rows without a tracking number count for nothing.
type CarrierReport struct {
	Rows      int // read, the header among them
	Applied   int
	Unchanged int       // said what was known
	Errors    []RowNote // rows that were refused, by row, the first MaxNotes
	Warnings  []RowNote // rows that were applied and should be looked at, by row, the first MaxNotes

	MoreErrors, MoreWarnings int // that are not listed
}

// MaxNotes is how many rows a report lists as refused, and how many with a warning: nobody reads more, and it is kept.
const MaxNotes = 1000

// Refused is how many rows were refused.
func (r *CarrierReport) Refused() int { return len(r.Errors) + r.MoreErrors }

// RowNote is a sentence about a row.
type RowNote struct {
	Row     int // as people see it: the header of a file is row 1
	Message string
}

// RowNoteFields are the members of a RowNote.
var RowNoteFields = []collection.Field{
	{Name: "row", Kind: collection.Integer, Required: true, Doc: "The row of the file as people see it: the header is row 1."},
	{Name: "message", Kind: collection.Textarea, Required: true, Doc: "A sentence for people."},
}

// CarrierReportFields are the members of the answer to an import.
var CarrierReportFields = []collection.Field{
	{Name: "applied", Kind: collection.Integer, Required: true, Doc: "Rows whose goods were sent off."},
	{Name: "unchanged", Kind: collection.Integer, Required: true, Doc: "Rows that said what was known already."},
	{Name: "errors", Kind: collection.Array, Required: true, Fields: RowNoteFields, Doc: "Rows that were refused, and why: the first 1,000."},
	{Name: "moreErrors", Kind: collection.Integer, Required: true, Doc: "How many more rows were refused than errors lists."},
	{Name: "warnings", Kind: collection.Array, Required: true, Fields: RowNoteFields, Doc: "Rows that were applied and should be looked at: the first 1,000."},
	{Name: "moreWarnings", Kind: collection.Integer, Required: true, Doc: "How many more such rows there are than warnings lists."},
}

// cut puts the notes in order, and drops those that are too many.
func (r *CarrierReport) cut() {
	byRow := func(a, b RowNote) int { return cmp.Compare(a.Row, b.Row) }
	cut := func(notes []RowNote, more *int) []RowNote {
		slices.SortStableFunc(notes, byRow)
		if len(notes) <= MaxNotes {
			return notes
		}
		*more += len(notes) - MaxNotes
		return notes[:MaxNotes]
	}
	r.Errors, r.Warnings = cut(r.Errors, &r.MoreErrors), cut(r.Warnings, &r.MoreWarnings)
}

// soFar is err with what became of the rows before it.
func (r *CarrierReport) soFar(err error) error {
	f := fault.From(err)
	if _, ok := errors.AsType[*fault.Error](err); !ok && errors.Is(err, context.DeadlineExceeded) {
		f = fault.ErrUnavailable.Because(err)
	}
	return f.With("applied", int64(r.Applied)).With("unchanged", int64(r.Unchanged)).With("refused", int64(r.Refused()))
}

func (r *CarrierReport) refuse(row int, message string) {
	r.Errors = append(r.Errors, RowNote{row, message})
}

// Body is the JSON of the answer.
func (r *CarrierReport) Body() []byte {
	notes := func(all []RowNote) []any {
		out := make([]any, len(all))
		for i, n := range all {
			out[i] = map[string]any{"row": n.Row, "message": n.Message}
		}
		return out
	}
	return collection.AppendTree(nil, map[string]any{
		"applied": r.Applied, "unchanged": r.Unchanged, "errors": notes(r.Errors), "warnings": notes(r.Warnings),
		"moreErrors": r.MoreErrors, "moreWarnings": r.MoreWarnings,
	})
}
