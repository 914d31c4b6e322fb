package fulfillments

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/carrier"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// ImportReasons are the refusals of a file as a whole.
var ImportReasons = []*fault.Error{
	ports.ErrSpreadsheetUnreadable, ports.ErrSpreadsheetTooLarge, carrier.ErrColumn, carrier.ErrTooManyRows, ErrTooManyImports,
}

// MaxImports is how many files a process imports at the same time.
const MaxImports = 8

// ErrTooManyImports refuses a file while MaxImports files are being imported.
var ErrTooManyImports = fault.New(fault.Unavailable, "carrier_imports_busy",
	"Too many carrier files are being imported. Try again in a moment.").WithRetry(importRetryAfter)

const (
	lookupBatchRows  = 200             // rows per lookup
	commitBatchRows  = 50              // rows per transaction, which takes some 40 ms on SQLite and blocks other writers meanwhile
	logEveryRows     = 1_000           // rows per line in the log
	importRetryAfter = 5 * time.Second // suggested delay before retrying
)

// MayImport admits those who fulfill orders. Errors: those of access.RequireOperator.
func (c *CarrierFiles) MayImport(p tenant.Principal) error {
	return access.RequireOperator(p, tenant.FulfillOrders)
}

// Preview responds with what Import would, and changes nothing; the caller closes the file. Errors: those of MayImport and of Try.
func (c *CarrierFiles) Preview(ctx context.Context, call idempotency.Call, file ports.SpreadsheetReader) (idempotency.Response, error) {
	if err := c.MayImport(call.Principal); err != nil {
		return idempotency.Response{}, err
	}
	report, err := c.Try(ctx, call.Principal, file, nil)
	if err != nil {
		return idempotency.Response{}, err
	}
	return idempotency.Response{Result: ports.ReceiptOK, Body: report.Body(call.Language), RequestID: call.RequestID}, nil
}

// Import applies a file opened with Open and responds with CarrierReportFields; the caller closes the file. Under a key the same
// file gets the same response again, in whatever encoding it is sent. Errors: those of MayImport, of idempotency and of Run.
func (c *CarrierFiles) Import(ctx context.Context, call idempotency.Call, file ports.SpreadsheetReader) (idempotency.Response, error) {
	if err := c.MayImport(call.Principal); err != nil {
		return idempotency.Response{}, err
	}
	ctx, call.Principal = ports.Importing(ctx, call.Principal)
	call.Operation = "carrierFiles.import"
	call.Fingerprint = idempotency.Fingerprint("POST", "/api/fulfillments/carrier-file", nil, map[string]any{"file": file.Checksum()})
	work := func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
		report, err := c.Run(ctx, call.Principal, file, c.progressLogger(call))
		if err != nil {
			return idempotency.Receipt{}, err
		}
		c.log().InfoContext(ctx, "carrier file imported", "requestId", call.RequestID, "rows", report.Rows, "applied", report.Applied,
			"unchanged", report.Unchanged, "errors", report.Refused(), "warnings", len(report.Warnings)+report.MoreWarnings)
		now := c.Now()
		return call.Receipt(ports.ReceiptOK, report.Body(call.Language), nil, now, now.Add(idempotency.Retention)), nil
	}
	if call.Key == "" {
		receipt, err := work(ctx, nil)
		return idempotency.Response{Result: receipt.Result, Body: receipt.Body, RequestID: receipt.RequestID}, err
	}
	answer, _, err := c.Idempotency.RunClaimed(ctx, call, work)
	return answer, err
}

// progressLogger logs the progress of an import.
func (c *CarrierFiles) progressLogger(call idempotency.Call) func(int) {
	told := 0
	return func(rows int) {
		if rows/logEveryRows > told {
			told = rows / logEveryRows
			c.log().Info("carrier file import progress", "tenant", call.Principal.Tenant.ID, "requestId", call.RequestID, "rows", rows)
		}
	}
}

// Open opens a file for Import and Run, and occupies one of MaxImports slots until it is closed, since an
// unpacked file takes space from the start. Errors: ErrTooManyImports, those of ports.Spreadsheets.
func (c *CarrierFiles) Open(from io.Reader) (ports.SpreadsheetReader, error) {
	leave := sync.OnceFunc(func() { c.openImports.Add(-1) })
	if c.openImports.Add(1) > MaxImports {
		leave()
		return nil, ErrTooManyImports
	}
	sheet, err := c.Sheets.Open(from)
	if err != nil {
		leave()
		return nil, err
	}
	return admittedFile{sheet, leave}, nil
}

// admittedFile is an open file that occupies a slot.
type admittedFile struct {
	ports.SpreadsheetReader

	release func()
}

// Close implements ports.SpreadsheetReader.
func (p admittedFile) Close() error {
	p.release()
	return p.SpreadsheetReader.Close()
}

// Run applies the rows of a file for a permitted principal, a few hundred at a time; progress, which may be
// nil, is called with the number of rows read so far. The file is first read to its end: one that is too long
// or damaged is refused as a whole. After another error the rows applied so far stay applied, and the error
// says how many; importing the same file again continues from there. Errors: ports.ErrSpreadsheetUnreadable,
// ports.ErrSpreadsheetTooLarge, carrier.ErrColumn, carrier.ErrTooManyRows, fault.ErrUnavailable.
func (c *CarrierFiles) Run(
	ctx context.Context, p tenant.Principal, file ports.SpreadsheetReader, progress func(rows int),
) (CarrierReport, error) {
	if err := validateFile(ctx, file); err != nil {
		return CarrierReport{}, err
	}
	var r CarrierReport
	if err := (carrierRun{CarrierFiles: c, by: p, report: &r}).applyAll(ctx, file, progress); err != nil {
		return r, r.withProgress(err)
	}
	return r, nil
}

// Try finds out what Run would do, by the same decisions, and changes nothing. Errors: as Run.
func (c *CarrierFiles) Try(
	ctx context.Context, p tenant.Principal, file ports.SpreadsheetReader, progress func(rows int),
) (CarrierReport, error) {
	if err := validateFile(ctx, file); err != nil {
		return CarrierReport{}, err
	}
	r := CarrierReport{DryRun: true}
	found := &trial{applied: map[string][]matchedRow{}, numbers: map[order.Tracking][]trackingOwner{}}
	err := (carrierRun{CarrierFiles: c, by: p, report: &r, trial: found}).applyAll(ctx, file, progress)
	return r, err
}

// carrierRun is one import, or its dry run.
type carrierRun struct {
	*CarrierFiles

	by     tenant.Principal
	report *CarrierReport
	trial  *trial // nil: rows are applied
}

// validateFile reads a file to its end and rewinds it. Errors: as Run.
func validateFile(ctx context.Context, file ports.SpreadsheetReader) error {
	if _, err := readHeader(file); err != nil {
		return err
	}
	for {
		switch row, err := nextRow(ctx, file); {
		case errors.Is(err, io.EOF):
			return file.Rewind()
		case err != nil:
			return err
		case row.Number > carrier.MaxRows:
			return carrier.ErrTooManyRows
		}
	}
}

// nextRow is the next row, or the error of a canceled context.
func nextRow(ctx context.Context, file ports.SpreadsheetReader) (ports.SpreadsheetRow, error) {
	if err := ctx.Err(); err != nil {
		return ports.SpreadsheetRow{}, err
	}
	return file.Next()
}

// applyAll applies all rows.
func (c carrierRun) applyAll(ctx context.Context, file ports.SpreadsheetReader, progress func(rows int)) error {
	header, err := readHeader(file)
	if err != nil {
		return err
	}
	r := c.report
	for more := true; more; {
		listed := len(r.List)
		var batch []carrier.Entry
		if batch, more, err = r.readBatch(ctx, file, header); err != nil {
			return err
		}
		if err := c.applyBatch(ctx, batch); err != nil {
			return err
		}
		r.truncate(listed)
		if progress != nil {
			progress(r.Rows)
		}
	}
	return nil
}

func readHeader(file ports.SpreadsheetReader) (carrier.Header, error) {
	cells, err := ports.ReadHeading(file)
	if err != nil {
		return nil, err
	}
	return carrier.ReadHeader(cells)
}

// readBatch reads the next rows that have a tracking number; more is false at the end of the file.
func (r *CarrierReport) readBatch(
	ctx context.Context, file ports.SpreadsheetReader, header carrier.Header,
) (batch []carrier.Entry, more bool, err error) {
	for range lookupBatchRows {
		row, err := nextRow(ctx, file)
		if errors.Is(err, io.EOF) {
			return batch, false, nil
		}
		if err != nil {
			return nil, false, err
		}
		r.Rows = row.Number
		if row.Problem != "" {
			e := carrier.Entry{Row: row.Number}
			r.add(refusedRow(matchedRow{Entry: e}, ports.ErrSpreadsheetUnreadable.WithMessage("%s", row.Problem)))
			continue
		}
		entry, named, err := header.ParseRow(row.Number, row.Cells, row.Formulas...)
		switch {
		case err != nil:
			r.add(refusedRow(matchedRow{Entry: entry}, err))
		case named:
			batch = append(batch, entry)
		default:
			r.add(resultOf(matchedRow{Entry: entry}, RowSkipped))
		}
	}
	return batch, true, nil
}

// isRowRefusal reports whether err concerns one row, and not the whole run.
func isRowRefusal(err error) bool {
	switch fault.From(err).Kind {
	case fault.Invalid, fault.Conflict, fault.Unprocessable, fault.NotFound:
		return true
	default: // concerns the whole run
	}
	return false
}

// refusalMessage explains to a user why a row was refused.
func refusalMessage(err error) string {
	f := fault.From(err)
	if len(f.Fields) == 0 {
		return f.Message
	}
	return f.Fields[0].Message
}
