package fulfilling

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/waybill"
	"github.com/cartwright-dev/cartwright/ports"
)

// CarrierReport is what became of a file. Rows without a tracking number count for nothing.
type CarrierReport struct {
	Rows      int // read, the header among them
	Applied   int
	Unchanged int       // said what was known
	Errors    []RowNote // rows that were refused, by row
	Warnings  []RowNote // rows that were applied and should be looked at, by row
}

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
	{Name: "errors", Kind: collection.Array, Required: true, Fields: RowNoteFields, Doc: "Rows that were refused, and why."},
	{Name: "warnings", Kind: collection.Array, Required: true, Fields: RowNoteFields, Doc: "Rows that were applied and should be looked at."},
}

// ImportReasons are the faults of a file as a whole.
var ImportReasons = []*fault.Error{ports.ErrSheet, ports.ErrSheetSize, waybill.ErrColumn, waybill.ErrRows}

const (
	lookedRows = 200   // that are looked at together
	batchRows  = 50    // that share a transaction, which takes some 40 ms on SQLite, where nobody else writes meanwhile
	tellEvery  = 1_000 // rows: a line in the log
	reportLife = 7 * 24 * time.Hour
)

// MayImport admits who fulfils orders. Errors: those of access.Operator.
func (c *CarrierFiles) MayImport(p tenant.Principal) error {
	return access.Operator(p, tenant.Admin, tenant.Editor)
}

// Import applies a file that was opened by Sheets and answers {applied, unchanged, errors, warnings}; the file stays the
// caller's to close. With a key the same file is answered again, whichever way it comes. Errors: those of MayImport, of
// idempotency and of Run.
func (c *CarrierFiles) Import(ctx context.Context, call once.Call, file ports.SheetReader) (once.Answer, error) {
	if err := c.MayImport(call.Principal); err != nil {
		return once.Answer{}, err
	}
	call.Operation = "carrierFiles.import"
	call.Fingerprint = once.Fingerprint("POST", "/api/fulfillments/carrier-file", nil, map[string]any{"file": file.Sum()})
	work := func(ctx context.Context, claim *once.Claim) (ports.Receipt, error) {
		report, err := c.Run(ctx, call.Principal, file, c.teller(call))
		if err != nil {
			return ports.Receipt{}, err
		}
		c.log().InfoContext(ctx, "carrier file imported", "requestId", call.RequestID, "rows", report.Rows, "applied", report.Applied,
			"unchanged", report.Unchanged, "errors", len(report.Errors), "warnings", len(report.Warnings))
		now := c.Now()
		return call.Receipt(ports.OK, report.body(), nil, now, now.Add(reportLife)), nil
	}
	if call.Key == "" {
		receipt, err := work(ctx, nil)
		return once.Answer{Result: receipt.Result, Body: receipt.Body, RequestID: receipt.RequestID}, err
	}
	answer, _, err := c.Once.Run(ctx, call, work)
	return answer, err
}

// teller writes down how far an import is.
func (c *CarrierFiles) teller(call once.Call) func(int) {
	told := 0
	return func(rows int) {
		if rows/tellEvery > told {
			told = rows / tellEvery
			c.log().Info("carrier file: rows read", "requestId", call.RequestID, "rows", rows)
		}
	}
}

// Run applies the rows of a file for a principal that may, a few hundred at a time; progress, which may be nil, is told the rows read
// so far. What was applied stays applied when it ends with an error: the same file again goes on from there. Errors:
// ports.ErrSheet, ports.ErrSheetSize, waybill.ErrColumn, waybill.ErrRows, fault.ErrUnavailable.
func (c *CarrierFiles) Run(ctx context.Context, p tenant.Principal, file ports.SheetReader, progress func(rows int)) (CarrierReport, error) {
	var r CarrierReport
	header, err := headerOf(file)
	if err != nil {
		return r, err
	}
	for more := true; more; {
		var batch []waybill.Entry
		if batch, more, err = r.read(file, header); err != nil {
			return r, err
		}
		if err := c.apply(ctx, p, batch, &r); err != nil {
			return r, err
		}
		if progress != nil {
			progress(r.Rows)
		}
	}
	byRow := func(a, b RowNote) int { return cmp.Compare(a.Row, b.Row) }
	slices.SortStableFunc(r.Errors, byRow)
	slices.SortStableFunc(r.Warnings, byRow)
	return r, nil
}

func headerOf(file ports.SheetReader) (waybill.Header, error) {
	row, err := file.Next()
	switch {
	case errors.Is(err, io.EOF):
		return nil, ports.ErrSheet.Saying("The file has no rows.")
	case err != nil:
		return nil, err
	case row.Trouble != "":
		return nil, ports.ErrSheet.Saying("The first row cannot be read. %s", row.Trouble)
	}
	return waybill.ReadHeader(row.Cells)
}

// read takes the next rows with news; more is false at the end of the file.
func (r *CarrierReport) read(file ports.SheetReader, header waybill.Header) (batch []waybill.Entry, more bool, err error) {
	for range lookedRows {
		row, err := file.Next()
		if errors.Is(err, io.EOF) {
			return batch, false, nil
		}
		if err != nil {
			return nil, false, err
		}
		if r.Rows = row.Number; r.Rows > waybill.MaxRows {
			return nil, false, waybill.ErrRows
		}
		if row.Trouble != "" {
			r.refuse(row.Number, row.Trouble)
			continue
		}
		entry, named, err := header.Read(row.Number, row.Cells)
		switch {
		case err != nil:
			r.refuse(row.Number, sentence(err))
		case named:
			batch = append(batch, entry)
		}
	}
	return batch, true, nil
}

func (r *CarrierReport) refuse(row int, message string) {
	r.Errors = append(r.Errors, RowNote{row, message})
}

// body is the JSON of the answer.
func (r *CarrierReport) body() []byte {
	notes := func(all []RowNote) []any {
		out := make([]any, len(all))
		for i, n := range all {
			out[i] = map[string]any{"row": n.Row, "message": n.Message}
		}
		return out
	}
	return collection.AppendTree(nil, map[string]any{
		"applied": r.Applied, "unchanged": r.Unchanged, "errors": notes(r.Errors), "warnings": notes(r.Warnings),
	})
}

// refused tells a rule's refusal, which concerns one row, from trouble that concerns the whole run.
func refused(err error) bool {
	switch fault.From(err).Kind {
	case fault.Invalid, fault.Conflict, fault.Unprocessable, fault.NotFound:
		return true
	default: // concerns the whole run
	}
	return false
}

// sentence says for people why a row was refused.
func sentence(err error) string {
	f := fault.From(err)
	if len(f.Fields) == 0 {
		return f.Message
	}
	return f.Fields[0].Message
}
