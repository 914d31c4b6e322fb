// Package uploads stores uploaded files: their bytes in a blob store, and their metadata in records.
//
// Bytes are stored before their record and deleted after it. Keys without a record are listed in the database
// as pending blobs with an expiry: an upload is stored under a new key that is listed first, and the
// transaction that writes the record removes it from the list. Replacing or deleting a record lists the old
// key in its transaction. Sweep deletes expired blobs, so that after a crash at any point no record refers to
// missing bytes, and no unreferenced bytes remain.
package uploads

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// How long bytes without a record are kept.
const (
	pendingTTL     = time.Hour       // while they are uploaded and the record is written; far longer than any upload may take
	deletionGrace  = time.Minute     // after their record was deleted, for readers that have just looked it up
	retryDelay     = 5 * time.Minute // until another sweep retries what one could not delete
	sweepBatchSize = 100             // deleted per sweep
)

// ErrUploadExpired refuses an upload that took so long that its bytes were deleted.
var ErrUploadExpired = fault.New(fault.Conflict, "upload_expired", "The upload took too long. Send the file again.").WithRetry(time.Second)

// Service implements uploads.
type Service struct {
	Records    *records.Service
	Store      ports.Store
	BlobSweep  ports.BlobSweep
	Blobs      ports.Blobs
	ImageSizer ports.ImageSizer
	Now        func() time.Time
	Sweeps     *background.Task // of Sweep; may be nil
}

// Upload is a file as sent by a client. Neither part is trusted.
type Upload struct {
	Filename string
	Content  io.Reader // read once, to its end or to the first refusal
}

// StagedUpload is an upload whose bytes are stored and whose record is not written yet.
type StagedUpload struct{ media.File }

// Fingerprint distinguishes the upload from another one under the same idempotency key.
func (s *StagedUpload) Fingerprint() collection.JSONValue {
	return map[string]any{"name": s.Name, "sum": s.Checksum}
}

// Stage stores the bytes of an upload for a record that p is going to create or update, streaming them. It
// must be followed by Create or Replace, or by Discard. ctx bounds the whole upload. Errors: the refusals of
// access.Allowed, media.ErrEmpty, media.ErrUnsupportedType, media.ErrTooLarge, media.ErrTooManyPixels,
// media.ErrImageUnreadable, fault.ErrUnavailable, and the errors of reading the content.
func (l *Service) Stage(ctx context.Context, p tenant.Principal, verb collection.Verb, up Upload) (*StagedUpload, error) {
	if _, err := access.Allowed(p, media.Schema, verb); err != nil {
		return nil, err
	}
	head := make([]byte, media.HeadSize)
	n, err := io.ReadFull(up.Content, head)
	if err != nil && !endedEarly(err) {
		return nil, err
	}
	mimeType, err := media.Sniff(head[:n], up.Filename)
	if err != nil {
		return nil, err
	}
	s := &StagedUpload{
		media.File{Name: media.Filename(up.Filename, mimeType), MimeType: mimeType, BlobKey: NewKey(p.Tenant.ID)},
	}
	err = l.Store.Atomically(ctx, ports.ForPrincipal(p), func(ctx context.Context, tx ports.Tx) error {
		return tx.PendingBlobs.Add(ctx, p.Tenant.ID, s.BlobKey, l.Now().Add(pendingTTL))
	})
	if err != nil {
		return nil, err
	}
	if err := l.storeBytes(ctx, s, io.MultiReader(bytes.NewReader(head[:n]), up.Content)); err != nil {
		l.Discard(ctx, p, s)
		return nil, err
	}
	return s, nil
}

// endedEarly reports whether a file ended before its header did. A lost connection gives another error than
// these two.
func endedEarly(err error) bool {
	return err == io.EOF || err == io.ErrUnexpectedEOF //nolint:errorlint // a wrapped one comes from another reader
}

// storeBytes copies the bytes to the blob store and detects their type.
func (l *Service) storeBytes(ctx context.Context, s *StagedUpload, from io.Reader) error {
	counted := &countingReader{source: from, sum: sha256.New()}
	if err := l.Blobs.Put(ctx, s.BlobKey, s.MimeType, counted); err != nil {
		return err
	}
	s.Size, s.Checksum = counted.size, hex.EncodeToString(counted.sum.Sum(nil))
	w := &blobReader{ctx: ctx, blobs: l.Blobs, key: s.BlobKey, size: s.Size}
	var err error
	if s.Width, s.Height, err = l.ImageSizer.Measure(s.MimeType, w); err != nil {
		return err
	}
	return media.CheckPixels(s.Width, s.Height)
}

// NewKey is the key of a new blob of a tenant.
func NewKey(t tenant.ID) string {
	b := make([]byte, 20)
	_, _ = rand.Read(b) // never fails
	return media.BlobKey(t, hex.EncodeToString(b))
}

// Discard deletes an upload that became no record; otherwise it does nothing. It is best effort: what is not
// discarded is swept later.
func (l *Service) Discard(ctx context.Context, p tenant.Principal, s *StagedUpload) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	_ = l.Store.Atomically(ctx, ports.ForPrincipal(p), func(ctx context.Context, tx ports.Tx) error {
		return tx.PendingBlobs.ExpireSoon(ctx, p.Tenant.ID, s.BlobKey, l.Now())
	})
}

// Create creates the record of an upload. Input is the client's data for it, such as alt. Errors: as
// records.Create, ErrUploadExpired.
func (l *Service) Create(
	ctx context.Context, call idempotency.Call, s *StagedUpload, input map[string]any, show records.Projection,
) (idempotency.Response, error) {
	answer, err := l.Records.CreateWithData(ctx, call, media.Schema, input, show, s)
	return l.discardUnlessStored(ctx, call, s, answer, err)
}

// Replace replaces a record's file by an upload. Errors: as records.Update, ErrUploadExpired.
func (l *Service) Replace(
	ctx context.Context, call idempotency.Call, id string, s *StagedUpload, input map[string]any, show records.Projection,
) (idempotency.Response, error) {
	answer, err := l.Records.UpdateWithData(ctx, call, media.Schema, id, input, show, s)
	return l.discardUnlessStored(ctx, call, s, answer, err)
}

// discardUnlessStored discards the bytes if they became no record: the write failed, or the response was
// replayed.
func (l *Service) discardUnlessStored(
	ctx context.Context, call idempotency.Call, s *StagedUpload, answer idempotency.Response, err error,
) (idempotency.Response, error) {
	if err != nil || answer.Replayed {
		l.Discard(ctx, call.Principal, s)
	}
	return answer, err
}

// Hooks are the hooks of the media collection.
func Hooks() records.Hooks {
	return records.Hooks{BeforeWrite: commitBlob, Reasons: []*fault.Error{
		media.ErrNoFile, media.ErrEmpty, media.ErrTooLarge, media.ErrUnsupportedType, media.ErrTooManyPixels, media.ErrImageUnreadable,
		ErrUploadExpired,
	}}
}

// commitBlob updates the list of pending blobs with the record.
func commitBlob(ctx context.Context, tx ports.Tx, w *records.Write) error {
	staged, _ := w.HookData.(*StagedUpload)
	if w.Create && staged == nil && w.Principal.Kind != tenant.System { // imports by the system refer to files stored elsewhere
		return media.ErrNoFile
	}
	t := w.Principal.Tenant.ID
	if staged != nil {
		if err := tx.PendingBlobs.Commit(ctx, t, staged.BlobKey); err != nil {
			if errors.Is(err, ports.ErrNotFound) {
				return ErrUploadExpired
			}
			return err
		}
		staged.ApplyTo(w.After)
	}
	old, had := media.FileFrom(w.Before)
	if had && (staged != nil || w.After == nil) {
		return tx.PendingBlobs.Add(ctx, t, old.BlobKey, w.Now.Add(deletionGrace))
	}
	return nil
}

// File returns the file of a record. Like the record itself, it is available to anyone who knows its id.
// Errors: ports.ErrNotFound.
func (l *Service) File(ctx context.Context, t tenant.ID, id string) (media.File, error) {
	r, err := l.Store.Read(ports.ForTenant(t)).Get(ctx, media.Schema, id)
	if err != nil {
		return media.File{}, err
	}
	f, ok := media.FileFrom(r)
	if !ok || !media.OwnsBlob(t, f.BlobKey) {
		return media.File{}, ports.ErrNotFound
	}
	return f, nil
}

// Open reads length bytes of f from offset. The reader outlives ctx. Errors: ports.ErrNotFound if the record
// was deleted meanwhile, fault.ErrUnavailable.
func (l *Service) Open(ctx context.Context, f media.File, offset, length int64) (io.ReadCloser, error) {
	return l.Blobs.Open(ctx, f.BlobKey, offset, length)
}

// Sweep deletes bytes that no record refers to; more says that there may be more of them. What cannot be deleted
// keeps nothing else from it, and is tried again later.
func (l *Service) Sweep(ctx context.Context) (more bool, err error) {
	now := l.Now()
	all, err := l.BlobSweep.ClaimExpired(ctx, now, now.Add(retryDelay), sweepBatchSize)
	if err != nil {
		return false, err
	}
	var errs []error
	for _, o := range all {
		errs = append(errs, l.Sweeps.Do(ctx, background.Item{Tenant: o.Tenant, ID: o.Key}, func(ctx context.Context) error {
			if err := l.Blobs.Delete(ctx, o.Key); err != nil {
				return err
			}
			return l.BlobSweep.MarkDeleted(ctx, o)
		}))
	}
	return len(all) == sweepBatchSize, errors.Join(errs...)
}

// countingReader counts the bytes read, and refuses files that are too large.
type countingReader struct {
	source io.Reader
	sum    hash.Hash
	size   int64
}

// Read implements io.Reader.
func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.source.Read(p)
	c.size += int64(n)
	if c.size > media.MaxSize {
		return 0, media.ErrTooLarge
	}
	c.sum.Write(p[:n])
	return n, err
}
