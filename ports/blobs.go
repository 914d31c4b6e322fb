package ports

import (
	"context"
	"io"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Blobs stores the bytes of files by key. A key is written once, so its content never changes. Records name
// keys; PendingBlobs tracks those that no record names.
type Blobs interface {
	// Put stores all of content or nothing, and no reader sees a part of it. An error of content other than
	// io.EOF stops the upload and is returned. Errors: fault.ErrUnavailable.
	Put(ctx context.Context, key, mimeType string, content io.Reader) error
	// Open reads length bytes from offset; length < 0 reads to the end. ctx limits the opening only; the
	// caller closes the reader. Errors: ErrNotFound, fault.ErrUnavailable.
	Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error)
	// Delete removes key and anything that an interrupted Put of it left. An unknown key is no error. Errors:
	// fault.ErrUnavailable.
	Delete(ctx context.Context, key string) error
}

// PendingBlobs tracks blobs that no record references: uploads in progress and blobs whose record was
// deleted. After a crash, every blob is either referenced or listed here, so the storage need not be
// searched.
type PendingBlobs interface {
	// Add lists key: before its bytes are stored, or in the transaction that removes the last reference to
	// it. The blob is deleted after until unless Commit is called before.
	Add(ctx context.Context, t tenant.ID, key string, until time.Time) error
	// Commit removes key from the list, in the transaction that makes a record reference it. Errors:
	// ErrNotFound when its deletion has begun.
	Commit(ctx context.Context, t tenant.ID, key string) error
	// ExpireSoon makes a listed key expire at until, if that is earlier.
	ExpireSoon(ctx context.Context, t tenant.ID, key string, until time.Time) error
}

// ExpiredBlob is a key to be deleted.
type ExpiredBlob struct {
	Tenant tenant.ID
	Key    string
}

// BlobSweep lists expired blobs for deletion.
type BlobSweep interface {
	// ClaimExpired lists up to limit expired keys. They can no longer be committed, and no other caller gets
	// them before again.
	ClaimExpired(ctx context.Context, now, again time.Time, limit int) ([]ExpiredBlob, error)
	// MarkDeleted removes a key from the list after its bytes were deleted.
	MarkDeleted(ctx context.Context, o ExpiredBlob) error
}

// ImageSizer reads the size of images.
type ImageSizer interface {
	// Measure returns the displayed size in pixels, with the rotation of the file applied; 0, 0 for an
	// unknown type or a file without a size. It reads no more than the header. Errors:
	// media.ErrImageUnreadable, and those of content.
	Measure(mimeType string, content interface {
		io.Reader
		io.ReaderAt
	}) (width, height int, err error)
}
