package imports

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/jobs"
	"github.com/cartwright-dev/cartwright/app/uploads"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/intake"
	"github.com/cartwright-dev/cartwright/domain/job"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Service implements imports.
type Service struct {
	Writers

	Store       ports.Store
	Idempotency *idempotency.Runner
	Blobs       ports.Blobs
	Sheets      ports.Spreadsheets
	Asked       func() // called when there is a new import
	TrialMemory int64  // bytes of rows that a dry run holds, since later ones may depend on them; 0: defaultTrialMemory
	TrialRows   int    // that a dry run does again at once, since others depend on them; 0: defaultTrialRows
	Now         func() time.Time
	NewID       func() string
}

// Staged is a file whose bytes are stored, and that no import names yet.
type Staged struct {
	Name     string
	Size     int64
	Checksum string // SHA-256, in hex
	Key      string // of the bytes
}

const (
	pendingFor     = time.Hour // that bytes are kept which no import names; far longer than the checks of a file may take
	discardTimeout = 5 * time.Second
	maxName        = 200 // characters of a file's name
)

// MayStage admits those who may import something. Errors: fault.ErrForbidden, fault.ErrUnauthenticated.
func (s *Service) MayStage(p tenant.Principal) error {
	if _, err := access.Allowed(p, intake.Imports, collection.Read); err != nil {
		return err
	}
	if !p.IsStaff() {
		return fault.ErrForbidden
	}
	var refusal error
	for _, name := range intake.Kinds {
		for _, mode := range [...]intake.Mode{intake.CreateOnly, intake.UpdateOnly} {
			if refusal = s.MayImport(p, intake.Kind(name), mode); refusal == nil {
				return nil
			}
		}
	}
	return refusal
}

// Stage stores the bytes of a file as they arrive. Start or Discard has to follow. Errors: those of MayStage and of content,
// ports.ErrSpreadsheetTooLarge, fault.ErrUnavailable.
func (s *Service) Stage(ctx context.Context, p tenant.Principal, name string, content io.Reader) (*Staged, error) {
	if err := s.MayStage(p); err != nil {
		return nil, err
	}
	f := &Staged{Name: tellable(name), Key: uploads.NewKey(p.Tenant.ID)}
	err := s.Store.Atomically(ctx, ports.ForPrincipal(p), func(ctx context.Context, tx ports.Tx) error {
		return tx.PendingBlobs.Add(ctx, p.Tenant.ID, f.Key, s.Now().Add(pendingFor))
	})
	if err != nil {
		return nil, err
	}
	from := &measured{from: content, sum: sha256.New()}
	if err := s.Blobs.Put(ctx, f.Key, "application/octet-stream", from); err != nil {
		s.Discard(ctx, p, f)
		return nil, err
	}
	f.Size, f.Checksum = from.size, hex.EncodeToString(from.sum.Sum(nil))
	return f, nil
}

// tellable is the name of a file as text: some programs send it in an encoding of their own.
func tellable(name string) string {
	name = strings.ToValidUTF8(name, "\uFFFD")
	if runes := []rune(name); len(runes) > maxName {
		return string(runes[:maxName])
	}
	return name
}

// measured measures what is read, and ends with ports.ErrSpreadsheetTooLarge where it is more than a spreadsheet may have.
type measured struct {
	from io.Reader
	size int64
	sum  hash.Hash
}

// Read implements io.Reader.
func (m *measured) Read(p []byte) (int, error) {
	n, err := m.from.Read(p)
	_, _ = m.sum.Write(p[:n]) // never fails
	if m.size += int64(n); m.size > intake.MaxFile {
		return n, ports.ErrSpreadsheetTooLarge
	}
	return n, err
}

// Discard has the bytes of a file deleted that became no import. It is best effort: they would be later.
func (s *Service) Discard(ctx context.Context, p tenant.Principal, f *Staged) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), discardTimeout)
	defer cancel()
	_ = s.Store.Atomically(ctx, ports.ForPrincipal(p), func(ctx context.Context, tx ports.Tx) error {
		return tx.PendingBlobs.ExpireSoon(ctx, p.Tenant.ID, f.Key, s.Now())
	})
}

// Start asks for the import of a staged file and answers {import}. The file is read to its end first: one that is damaged, too
// long or has other columns is refused. Errors: those of MayImport and of idempotency, intake.ErrColumns, intake.ErrTooManyRows,
// ports.ErrSpreadsheetUnreadable, ports.ErrSpreadsheetTooLarge, job.ErrTooMany, uploads.ErrUploadExpired.
func (s *Service) Start(ctx context.Context, c idempotency.Call, f *Staged, kind intake.Kind, mode intake.Mode, dry bool) (idempotency.Response, error) {
	used := false
	defer func() {
		if !used {
			s.Discard(ctx, c.Principal, f)
		}
	}()
	if err := s.checkRequest(c.Principal, kind, mode); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := s.Idempotency.Keeping(idempotency.Retention).RunOptional(ctx, c,
		func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
			rows, err := s.check(ctx, kind, f.Key)
			if err != nil {
				return receipt, err
			}
			q := intake.Request{Kind: kind, Mode: mode, DryRun: dry, FileName: f.Name, Size: f.Size, Checksum: f.Checksum, Blob: f.Key}
			err = s.Store.Atomically(ctx, ports.ForPrincipal(c.Principal), func(ctx context.Context, tx ports.Tx) error {
				record, err := s.create(ctx, tx, c.Principal, q, rows)
				if err != nil {
					return err
				}
				receipt = jobs.Receipt(c, ports.ReceiptCreated, "import", intake.Imports, record, s.Now())
				return claim.Save(ctx, tx, receipt)
			})
			used = err == nil
			return receipt, err
		})
	if used && s.Asked != nil {
		s.Asked()
	}
	return answer, err
}

// checkRequest refuses imports that the caller may not make, and those that there are not.
func (s *Service) checkRequest(p tenant.Principal, kind intake.Kind, mode intake.Mode) error {
	switch {
	case kind == intake.Stock && mode == intake.CreateOnly:
		return fault.Invalidf("mode", "Counts of stock are of variants that are there: they are not created.")
	case kind == intake.Orders && mode == intake.UpdateOnly:
		return fault.Invalidf("mode", "Orders are never overwritten: they are only created.")
	}
	return s.MayImport(p, kind, mode)
}

// check reads a file to its end. It answers how many rows it has.
func (s *Service) check(ctx context.Context, kind intake.Kind, key string) (rows int64, err error) {
	from, sheet, err := s.open(ctx, kind, key)
	if err != nil {
		return 0, err
	}
	rows, err = from.countRows(ctx)
	return rows, errors.Join(err, sheet.Close())
}

// open opens a file that is stored.
func (s *Service) open(ctx context.Context, kind intake.Kind, key string) (*source, ports.SpreadsheetReader, error) {
	content, err := s.Blobs.Open(ctx, key, 0, -1)
	if err != nil {
		return nil, nil, err
	}
	sheet, err := s.Sheets.Open(content)
	if closed := content.Close(); err == nil && closed != nil {
		err = errors.Join(closed, sheet.Close())
	}
	if err != nil {
		return nil, nil, err
	}
	from, err := newSource(kind, sheet)
	if err != nil {
		return nil, nil, errors.Join(err, sheet.Close())
	}
	return from, sheet, nil
}

// create stores a new import.
func (s *Service) create(ctx context.Context, tx ports.Tx, p tenant.Principal, q intake.Request, rows int64) (collection.Record, error) {
	if err := jobs.CheckOpen(ctx, tx, intake.Imports, p.Tenant.ID, p.Environment); err != nil {
		return nil, err
	}
	err := tx.PendingBlobs.Commit(ctx, p.Tenant.ID, q.Blob)
	if errors.Is(err, ports.ErrNotFound) {
		err = uploads.ErrUploadExpired
	}
	if err != nil {
		return nil, err
	}
	record := collection.Record{}
	j := job.New(s.NewID(), p.Tenant.ID, p.Environment, p.Actor(), s.Now())
	j.Total = &rows
	j.Put(record)
	job.Counts{}.Put(record)
	q.Put(record)
	return record, tx.Records.Write(ctx, collection.NewChange(intake.Imports, nil, record, s.NewID(), s.Now()))
}

// Cancel has an import end, and answers {import}: at once if it waits, or else before its next chunk. What was applied stays.
// Errors: ports.ErrNotFound, job.ErrEnded, those of MayImport and of idempotency.
func (s *Service) Cancel(ctx context.Context, c idempotency.Call, id string) (idempotency.Response, error) {
	if err := s.MayStage(c.Principal); err != nil {
		return idempotency.Response{}, err
	}
	there, err := s.find(ctx, c.Principal, id)
	if err != nil {
		return idempotency.Response{}, err
	}
	q := intake.RequestFrom(there)
	if err := s.MayImport(c.Principal, q.Kind, q.Mode); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := s.Idempotency.Keeping(idempotency.Retention).RunOptional(ctx, c,
		func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
			err = s.Store.Atomically(ctx, ports.ForPrincipal(c.Principal), func(ctx context.Context, tx ports.Tx) error {
				record, err := jobs.RequestCancel(ctx, tx, intake.Imports, id, s.NewID(), s.Now())
				if err != nil {
					return err
				}
				receipt = jobs.Receipt(c, ports.ReceiptOK, "import", intake.Imports, record, s.Now())
				return claim.Save(ctx, tx, receipt)
			})
			return receipt, err
		}, id)
	return answer, err
}

// find is an import that p may see. Errors: ports.ErrNotFound, fault.ErrForbidden, fault.ErrUnauthenticated.
func (s *Service) find(ctx context.Context, p tenant.Principal, id string) (collection.Record, error) {
	record, err := s.Records.GetRecord(ctx, p, intake.Imports, id)
	if err != nil {
		return nil, err
	}
	if job.FromRecord(record).Expired(s.Now()) {
		return nil, ports.ErrNotFound
	}
	return record, nil
}
