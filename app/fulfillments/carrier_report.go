package fulfillments

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/app/words"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// CarrierReport is the result of an import, or of its dry run.
type CarrierReport struct {
	DryRun    bool
	Rows      int // read, including the header
	Applied   int
	Unchanged int         // rows that changed nothing
	Skipped   int         // rows without a tracking number
	List      []RowResult // all rows, by row number, at most MaxListed: see listable
	Errors    []RowNote   // refused rows, by row number, the first MaxNotes
	Warnings  []RowNote   // applied rows that should be checked, by row number, the first MaxNotes

	MoreErrors, MoreWarnings int // the number of those not listed
}

// What a report lists at most; it is bounded because the report is stored.
const (
	MaxNotes  = 1_000  // refused rows, and as many warnings
	MaxListed = 10_000 // rows
)

// Refused is how many rows were refused.
func (r *CarrierReport) Refused() int { return len(r.Errors) + r.MoreErrors }

// moreRows is how many rows are not in List.
func (r *CarrierReport) moreRows() int {
	return r.Applied + r.Unchanged + r.Skipped + r.Refused() - len(r.List)
}

// add counts a row and lists it.
func (r *CarrierReport) add(x RowResult) {
	switch x.Status {
	case RowApplied:
		r.Applied++
		if x.Note != nil {
			r.Warnings = append(r.Warnings, noteOf(x))
		}
	case RowUnchanged:
		r.Unchanged++
	case RowSkipped:
		r.Skipped++
	case RowRefused:
		r.Errors = append(r.Errors, noteOf(x))
	}
	r.List = append(r.List, x)
}

// truncate sorts what was added since the list had listed rows, and drops what is beyond the bounds. Rows come in batches, whose
// numbers are higher than those before.
func (r *CarrierReport) truncate(listed int) {
	slices.SortStableFunc(r.List[listed:], func(a, b RowResult) int { return cmp.Compare(a.entry.Row, b.entry.Row) })
	r.List = listable(r.List)
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

// listable is what a list keeps of its rows. Refused ones come before others, which need no correction: whoever keeps the refused rows
// of a report must not lack those at the end of the file.
func listable(list []RowResult) []RowResult {
	refused, others := MaxListed, MaxListed
	for _, x := range list {
		if x.Status == RowRefused && others > 0 {
			others--
		}
	}
	return slices.DeleteFunc(list, func(x RowResult) bool {
		room := &others
		if x.Status == RowRefused {
			room = &refused
		}
		*room--
		return *room < 0
	})
}

// withProgress adds to err what the rows before it resulted in.
func (r *CarrierReport) withProgress(err error) error {
	f := fault.From(err)
	if _, ok := errors.AsType[*fault.Error](err); !ok && errors.Is(err, context.DeadlineExceeded) {
		f = fault.ErrUnavailable.WithCause(err)
	}
	return f.WithData("applied", int64(r.Applied)).WithData("unchanged", int64(r.Unchanged)).WithData("refused", int64(r.Refused()))
}

// Body is the body of the response, in a language.
func (r *CarrierReport) Body(l words.Language) *reply.Body {
	rows := make(reply.List, len(r.List))
	for i, x := range r.List {
		rows[i] = x.object(l)
	}
	return reply.Of(collection.Staff,
		reply.Member{Name: "applied", Value: r.Applied}, reply.Member{Name: "dryRun", Value: r.DryRun},
		reply.Member{Name: "errors", Value: notes(r.Errors, l)}, reply.Member{Name: "moreErrors", Value: r.MoreErrors},
		reply.Member{Name: "moreRows", Value: r.moreRows()}, reply.Member{Name: "moreWarnings", Value: r.MoreWarnings},
		reply.Member{Name: "rows", Value: rows}, reply.Member{Name: "skipped", Value: r.Skipped},
		reply.Member{Name: "unchanged", Value: r.Unchanged}, reply.Member{Name: "warnings", Value: notes(r.Warnings, l)})
}
