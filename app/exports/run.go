package exports

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/app/jobs"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/uploads"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/transfer"
	"github.com/cartwright-dev/cartwright/ports"
)

const (
	// pageSize is how many records are in memory at a time: each may have a megabyte.
	pageSize = 100
	// chunkSize is after how many records it is stored how far an export is, which makes an event.
	chunkSize = 1000
	// pendingFor is how long the bytes of an export are kept that no record names; far longer than one may take.
	pendingFor     = 24 * time.Hour
	discardTimeout = 5 * time.Second
)

// Jobs is what is done with exports.
func (s *Service) Jobs() jobs.Kind {
	return jobs.Kind{Schema: transfer.Exports, Run: s.run, Blobs: func(r collection.Record) []string {
		if key := r.Text("blob"); key != "" {
			return []string{key}
		}
		return nil
	}}
}

// export is one that is being made.
type export struct {
	*Service

	run       *jobs.Run
	principal tenant.Principal
	sheet     transfer.Sheet
	request   transfer.Request
	columns   []transfer.Column
	key       string // of the bytes
	handled   int64  // records whose rows were written
	told      int64  // of them, as stored
}

// selection is what an export has, as a query.
func selection(q transfer.Request) records.Query {
	return records.Query{Where: q.Where, Search: q.Query, Sort: q.Sort, Limit: pageSize, Page: 1}
}

// run makes one export.
func (s *Service) run(ctx context.Context, r *jobs.Run) error {
	x := export{Service: s, run: r, request: transfer.RequestFrom(r.Record())}
	x.sheet, _ = transfer.SheetOf(x.request.Kind)
	if err := x.prepare(ctx); err != nil {
		return err
	}
	size, err := x.store(ctx)
	if err == nil {
		err = r.Finish(ctx, func(ctx context.Context, step jobs.Step) error {
			step.Job.Handled = x.handled
			transfer.File{Name: x.request.FileName(step.Now), Size: size, Blob: x.key}.Put(step.Record)
			return step.Tx.PendingBlobs.Commit(ctx, x.principal.Tenant.ID, x.key)
		})
	}
	if err != nil {
		x.discard(ctx)
	}
	return err
}

// prepare checks the rights of whoever asked, and lists the key of the bytes before there are any. Errors:
// access.ErrNoLonger, tenant.ErrSuspended, fault.ErrForbidden, those of jobs.Run.Checkpoint.
func (x *export) prepare(ctx context.Context) (err error) {
	if x.principal, err = x.run.Principal(ctx); err != nil {
		return err
	}
	if err := mayExport(x.principal, x.sheet); err != nil {
		return err
	}
	if x.columns, err = x.Service.columns(ctx, x.principal, x.sheet, x.request.Columns); err != nil {
		return err
	}
	total, err := x.Records.CountEach(ctx, x.principal, x.sheet.Lists, selection(x.request))
	if err != nil {
		return err
	}
	if x.request.Sort != "" && total > transfer.MaxSorted {
		return transfer.ErrTooManyToSort
	}
	x.key = uploads.NewKey(x.principal.Tenant.ID)
	return x.run.Checkpoint(ctx, func(ctx context.Context, step jobs.Step) error {
		step.Job.Handled, step.Job.Total = 0, &total
		return step.Tx.PendingBlobs.Add(ctx, x.principal.Tenant.ID, x.key, step.Now.Add(pendingFor))
	})
}

// errNoRows is why bytes end before the last row where nothing else says why.
var errNoRows = errors.New("the rows of the export were not made to their end")

// store writes the rows into the storage of files while they are made, and returns how many bytes they have.
func (x *export) store(ctx context.Context) (size int64, err error) {
	from, to := io.Pipe()
	made := errNoRows
	making := background.Group{Task: x.Task}
	making.Start(func() {
		defer func() { _ = to.CloseWithError(made) }() // it never fails
		made = x.write(ctx, to)
	})
	counted := &countingReader{from: from}
	err = x.Blobs.Put(ctx, x.key, ports.SpreadsheetFormat(x.request.Format).MediaType(), counted)
	_ = from.CloseWithError(errors.Join(err, io.ErrClosedPipe)) // it never fails
	making.Wait()
	if made != nil {
		err = made
	}
	return counted.size, err
}

// write makes the rows.
func (x *export) write(ctx context.Context, to io.Writer) error {
	file, err := x.Sheets.Create(to, ports.SpreadsheetFormat(x.request.Format))
	if err != nil {
		return err
	}
	header := make([]string, len(x.columns))
	for i, c := range x.columns {
		header[i] = c.Header(x.request.Locale)
	}
	err = file.WriteRow(header)
	complete := true
	if err == nil {
		complete, err = x.Records.Each(ctx, x.principal, x.sheet.Lists, selection(x.request), func(page []collection.Record) error {
			return x.writePage(ctx, file, page)
		})
	}
	if err == nil && !complete {
		err = transfer.ErrTooBroad
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

// writePage makes the rows of some records, and tells how far the export is.
func (x *export) writePage(ctx context.Context, file ports.SpreadsheetWriter, page []collection.Record) error {
	rows, err := x.rows(ctx, page)
	if err != nil {
		return err
	}
	cells := make([]string, len(x.columns))
	for _, row := range rows {
		for i := range x.columns {
			cells[i] = x.columns[i].Cell(row)
		}
		if err := file.WriteRow(cells); err != nil {
			return err
		}
	}
	if x.handled += int64(len(page)); x.handled-x.told < chunkSize {
		return nil
	}
	x.told = x.handled
	return x.run.Checkpoint(ctx, func(_ context.Context, step jobs.Step) error {
		step.Job.Handled = x.told
		return nil
	})
}

// discard has the bytes deleted soon. It is best effort: they would be later.
func (x *export) discard(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), discardTimeout)
	defer cancel()
	_ = x.Store.Atomically(ctx, ports.ForPrincipal(x.principal), func(ctx context.Context, tx ports.Tx) error {
		return tx.PendingBlobs.ExpireSoon(ctx, x.principal.Tenant.ID, x.key, x.Now())
	})
}

// countingReader counts what is read.
type countingReader struct {
	from io.Reader
	size int64
}

// Read implements io.Reader.
func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.size += int64(n)
	return n, err
}
