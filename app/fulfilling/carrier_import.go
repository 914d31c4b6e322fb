package fulfilling

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/waybill"
	"github.com/cartwright-dev/cartwright/ports"
)

// ImportReasons are the faults of a file as a whole.
var ImportReasons = []*fault.Error{ports.ErrSheet, ports.ErrSheetSize, waybill.ErrColumn, waybill.ErrRows, ErrImports}

// MaxImports is how many files a process takes in at the same time.
const MaxImports = 8

// ErrImports says that as many files are being taken in as may be.
var ErrImports = fault.New(fault.Unavailable, "carrier_imports_busy", "Many files of carriers are being taken in. Try again in a moment.").Retry(importTurn)

const (
	lookedRows = 200   // that are looked at together
	batchRows  = 50    // that share a transaction, which takes some 40 ms on SQLite, where nobody else writes meanwhile
	tellEvery  = 1_000 // rows: a line in the log
	reportLife = 7 * 24 * time.Hour
	importTurn = 5 * time.Second // until there may be room for another import
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
			"unchanged", report.Unchanged, "errors", report.Refused(), "warnings", len(report.Warnings)+report.MoreWarnings)
		now := c.Now()
		return call.Receipt(ports.OK, report.Body(), nil, now, now.Add(reportLife)), nil
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
			c.log().Info("carrier file: rows read", "tenant", call.Principal.Tenant.ID, "requestId", call.RequestID, "rows", rows)
		}
	}
}

// Open takes a file in for Import and Run, in one of MaxImports places until it is closed: what a file unpacks to takes room
// from the first look at it. Errors: ErrImports, those of ports.Sheets.
func (c *CarrierFiles) Open(from io.Reader) (ports.SheetReader, error) {
	leave := sync.OnceFunc(func() { c.open.Add(-1) })
	if c.open.Add(1) > MaxImports {
		leave()
		return nil, ErrImports
	}
	sheet, err := c.Sheets.Open(from)
	if err != nil {
		leave()
		return nil, err
	}
	return placed{sheet, leave}, nil
}

// placed is a file in its place.
type placed struct {
	ports.SheetReader

	leave func()
}

// Close implements ports.SheetReader.
func (p placed) Close() error {
	p.leave()
	return p.SheetReader.Close()
}

// Run applies the rows of a file for a principal that may, a few hundred at a time; progress, which may be nil, is told the
// rows read so far. The file is read to its end before: one that is too long or damaged is refused whole. What was applied
// stays applied when it ends with another error, which says how many rows: the same file again goes on from there. Errors:
// ports.ErrSheet, ports.ErrSheetSize, waybill.ErrColumn, waybill.ErrRows, fault.ErrUnavailable.
func (c *CarrierFiles) Run(ctx context.Context, p tenant.Principal, file ports.SheetReader, progress func(rows int)) (CarrierReport, error) {
	if err := whole(ctx, file); err != nil {
		return CarrierReport{}, err
	}
	var r CarrierReport
	if err := c.applyAll(ctx, p, file, &r, progress); err != nil {
		return r, r.soFar(err)
	}
	return r, nil
}

// whole reads a file to its end and goes back to its start. Errors: as Run.
func whole(ctx context.Context, file ports.SheetReader) error {
	if _, err := headerOf(file); err != nil {
		return err
	}
	for {
		switch row, err := next(ctx, file); {
		case errors.Is(err, io.EOF):
			return file.Rewind()
		case err != nil:
			return err
		case row.Number > waybill.MaxRows:
			return waybill.ErrRows
		}
	}
}

// next is the next row, unless nobody waits for it any more.
func next(ctx context.Context, file ports.SheetReader) (ports.SheetRow, error) {
	if err := ctx.Err(); err != nil {
		return ports.SheetRow{}, err
	}
	return file.Next()
}

// applyAll does what all rows say.
func (c *CarrierFiles) applyAll(ctx context.Context, p tenant.Principal, file ports.SheetReader, r *CarrierReport, progress func(rows int)) error {
	header, err := headerOf(file)
	if err != nil {
		return err
	}
	for more := true; more; {
		var batch []waybill.Entry
		if batch, more, err = r.read(ctx, file, header); err != nil {
			return err
		}
		if err := c.apply(ctx, p, batch, r); err != nil {
			return err
		}
		r.cut()
		if progress != nil {
			progress(r.Rows)
		}
	}
	return nil
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
func (r *CarrierReport) read(ctx context.Context, file ports.SheetReader, header waybill.Header) (batch []waybill.Entry, more bool, err error) {
	for range lookedRows {
		row, err := next(ctx, file)
		if errors.Is(err, io.EOF) {
			return batch, false, nil
		}
		if err != nil {
			return nil, false, err
		}
		r.Rows = row.Number
		if row.Trouble != "" {
			r.refuse(row.Number, row.Trouble)
			continue
		}
		entry, named, err := header.Read(row.Number, row.Cells, row.Formulas...)
		switch {
		case err != nil:
			r.refuse(row.Number, sentence(err))
		case named:
			batch = append(batch, entry)
		}
	}
	return batch, true, nil
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
