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

// CarrierReport is the result of an import. Rows without a tracking number are not counted as applied,
// unchanged or refused.
type CarrierReport struct {
	Rows      int // read, including the header
	Applied   int
	Unchanged int       // rows that changed nothing
	Errors    []RowNote // refused rows, by row number, the first MaxNotes
	Warnings  []RowNote // applied rows that should be checked, by row number, the first MaxNotes

	MoreErrors, MoreWarnings int // the number of those not listed
}

// MaxNotes is how many refused rows and how many warnings a report lists; it is bounded because the report is
// stored.
const MaxNotes = 1000

// Refused is how many rows were refused.
func (r *CarrierReport) Refused() int { return len(r.Errors) + r.MoreErrors }

// RowNote is a message about a row.
type RowNote struct {
	Row     int    // as shown by spreadsheets: the header is row 1
	Reason  string // of a refusal; "" for what the file says no more about
	Message string
}

// RowNoteFields are the members of a RowNote.
var RowNoteFields = []collection.Field{
	{Name: "row", Kind: collection.Integer, Required: true, Doc: "The row number in the file; the header is row 1."},
	{Name: "message", Kind: collection.Textarea, Required: true, Doc: "Human-readable message."},
}

// CarrierReportFields are the members of the response to an import.
var CarrierReportFields = []collection.Field{
	{Name: "applied", Kind: collection.Integer, Required: true, Doc: "Rows that shipped goods."},
	{Name: "unchanged", Kind: collection.Integer, Required: true, Doc: "Rows that changed nothing."},
	{Name: "errors", Kind: collection.Array, Required: true, Fields: RowNoteFields, Doc: "Rejected rows with the reason: the first 1,000."},
	{Name: "moreErrors", Kind: collection.Integer, Required: true, Doc: "Rejected rows beyond those in errors."},
	{
		Name: "warnings", Kind: collection.Array, Required: true, Fields: RowNoteFields,
		Doc: "Applied rows that need a review: the first 1,000.",
	},
	{Name: "moreWarnings", Kind: collection.Integer, Required: true, Doc: "Such rows beyond those in warnings."},
}

// truncate sorts the notes, and drops those beyond MaxNotes.
func (r *CarrierReport) truncate() {
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

// withProgress adds to err what the rows before it resulted in.
func (r *CarrierReport) withProgress(err error) error {
	f := fault.From(err)
	if _, ok := errors.AsType[*fault.Error](err); !ok && errors.Is(err, context.DeadlineExceeded) {
		f = fault.ErrUnavailable.WithCause(err)
	}
	return f.WithData("applied", int64(r.Applied)).WithData("unchanged", int64(r.Unchanged)).WithData("refused", int64(r.Refused()))
}

func (r *CarrierReport) refuse(row int, err error) {
	r.Errors = append(r.Errors, refusalNote(row, err))
}

// Body is the body of the response, in a language.
func (r *CarrierReport) Body(l words.Language) *reply.Body {
	notes := func(all []RowNote) reply.List {
		out := make(reply.List, len(all))
		for i, n := range all {
			out[i] = reply.Object{{Name: "message", Value: l.Because(n.Reason, n.Message)}, {Name: "row", Value: n.Row}}
		}
		return out
	}
	return reply.Of(collection.Staff,
		reply.Member{Name: "applied", Value: r.Applied}, reply.Member{Name: "errors", Value: notes(r.Errors)},
		reply.Member{Name: "moreErrors", Value: r.MoreErrors}, reply.Member{Name: "moreWarnings", Value: r.MoreWarnings},
		reply.Member{Name: "unchanged", Value: r.Unchanged}, reply.Member{Name: "warnings", Value: notes(r.Warnings)})
}
