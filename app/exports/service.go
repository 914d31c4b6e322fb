// Package exports makes files of a shop's records in the background (see packages domain/transfer and app/jobs).
//
// Who may read the collections that a table shows may export it, and see and download such exports of others. An export runs
// with the rights that whoever asked has then, and fails if they have lost them. Its rows are read page by page and written to
// the storage of files as they are read. An export that was interrupted begins again, under another key, and what it had
// written is deleted as any bytes without a record. Rules transfers-5, transfers-6, transfers-7.
package exports

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/jobs"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/job"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/transfer"
	"github.com/cartwright-dev/cartwright/ports"
)

// Service implements exports.
type Service struct {
	Store       ports.Store
	Records     *records.Service
	Idempotency *idempotency.Runner
	Blobs       ports.Blobs
	Sheets      ports.Spreadsheets
	Asked       func()           // called when there is a new export
	Task        *background.Task // of what makes rows while they are stored; may be nil
	Now         func() time.Time
	NewID       func() string
}

// mayRead admits those who may read exports and all collections that a table shows. Errors: fault.ErrUnauthenticated,
// fault.ErrForbidden.
func mayRead(p tenant.Principal, s transfer.Sheet) error {
	if _, err := access.Allowed(p, transfer.Exports, collection.Read); err != nil {
		return err
	}
	if !p.IsStaff() {
		return fault.ErrForbidden
	}
	for _, shown := range s.Reads {
		reach, err := access.Allowed(p, shown, collection.Read)
		if err == nil && !reach.All {
			err = fault.ErrForbidden
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// mayExport is mayRead for those who start and cancel exports, which are records: secret keys need to write for it.
func mayExport(p tenant.Principal, s transfer.Sheet) error {
	if p.Kind == tenant.SecretKey && !p.CanWrite {
		return fault.ErrForbidden
	}
	return mayRead(p, s)
}

// Start asks for an export and answers {export}. Errors: fault.ErrUnauthenticated, fault.ErrForbidden, fault.ErrValidation,
// collection.ErrQuery, job.ErrTooMany, those of idempotency.
func (s *Service) Start(ctx context.Context, c idempotency.Call, q transfer.Request) (idempotency.Response, error) {
	sheet, known := transfer.SheetOf(q.Kind)
	if !known {
		return idempotency.Response{}, fault.Invalidf("kind", "There is no table of this kind.")
	}
	if err := mayExport(c.Principal, sheet); err != nil {
		return idempotency.Response{}, err
	}
	if err := s.Records.CheckEach(c.Principal, sheet.Lists, selection(q)); err != nil {
		return idempotency.Response{}, err
	}
	if _, err := s.columns(ctx, c.Principal, sheet, q.Columns); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := s.Idempotency.Keeping(idempotency.Retention).RunOptional(ctx, c,
		func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
			err = s.Store.Atomically(ctx, ports.ForPrincipal(c.Principal), func(ctx context.Context, tx ports.Tx) error {
				record, err := s.create(ctx, tx, c.Principal, sheet, q)
				if err != nil {
					return err
				}
				receipt = jobs.Receipt(c, ports.ReceiptCreated, "export", transfer.Exports, record, s.Now())
				return claim.Save(ctx, tx, receipt)
			})
			return receipt, err
		})
	if err == nil && s.Asked != nil {
		s.Asked()
	}
	return answer, err
}

// create stores a new export. Errors: job.ErrTooMany.
func (s *Service) create(
	ctx context.Context, tx ports.Tx, p tenant.Principal, sheet transfer.Sheet, q transfer.Request,
) (collection.Record, error) {
	if err := jobs.CheckOpen(ctx, tx, transfer.Exports, p.Tenant.ID, p.Environment); err != nil {
		return nil, err
	}
	record := collection.Record{}
	job.New(s.NewID(), p.Tenant.ID, p.Environment, p.Actor(), s.Now()).Put(record)
	q.Put(record, sheet)
	return record, tx.Records.Write(ctx, collection.NewChange(transfer.Exports, nil, record, s.NewID(), s.Now()))
}

// Cancel has an export end, and answers {export}: at once if it waits, or else before its next records. Errors:
// ports.ErrNotFound, job.ErrEnded, those of Start.
func (s *Service) Cancel(ctx context.Context, c idempotency.Call, id string) (idempotency.Response, error) {
	if err := mayExport(c.Principal, transfer.Sheet{}); err != nil {
		return idempotency.Response{}, err
	}
	if _, err := s.find(ctx, c.Principal, id); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := s.Idempotency.Keeping(idempotency.Retention).RunOptional(ctx, c,
		func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
			err = s.Store.Atomically(ctx, ports.ForPrincipal(c.Principal), func(ctx context.Context, tx ports.Tx) error {
				record, err := jobs.RequestCancel(ctx, tx, transfer.Exports, id, s.NewID(), s.Now())
				if err != nil {
					return err
				}
				receipt = jobs.Receipt(c, ports.ReceiptOK, "export", transfer.Exports, record, s.Now())
				return claim.Save(ctx, tx, receipt)
			})
			return receipt, err
		}, id)
	return answer, err
}

// find is an export that p may deal with. Errors: ports.ErrNotFound, fault.ErrForbidden, fault.ErrUnauthenticated.
func (s *Service) find(ctx context.Context, p tenant.Principal, id string) (collection.Record, error) {
	record, err := s.Records.GetRecord(ctx, p, transfer.Exports, id)
	if err != nil {
		return nil, err
	}
	sheet, _ := transfer.SheetOf(transfer.RequestFrom(record).Kind)
	if err := mayRead(p, sheet); err != nil {
		return nil, err
	}
	if job.FromRecord(record).Expired(s.Now()) {
		return nil, ports.ErrNotFound
	}
	return record, nil
}

// File is the file of an export, to be closed. Errors: ports.ErrNotFound, transfer.ErrNotDone, transfer.ErrNoFile,
// fault.ErrUnavailable, those of Start.
func (s *Service) File(ctx context.Context, p tenant.Principal, id string) (f transfer.File, content io.ReadCloser, err error) {
	record, err := s.find(ctx, p, id)
	if err != nil {
		return f, nil, err
	}
	if f, err = transfer.FileOf(record); err != nil {
		return f, nil, err
	}
	content, err = s.Blobs.Open(ctx, f.Blob, 0, -1)
	return f, content, err
}

// Download writes the file of an export. Errors: those of File and of to.
func (s *Service) Download(ctx context.Context, p tenant.Principal, id string, to io.Writer) (f transfer.File, err error) {
	f, content, err := s.File(ctx, p, id)
	if err != nil {
		return f, err
	}
	_, err = io.Copy(to, content)
	return f, errors.Join(err, content.Close())
}
