package ports

import (
	"context"
	"io"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Blobs keeps the bytes of files under keys that never change their content: a key is written once. Records name keys;
// Orphans accounts for those that no record names.
type Blobs interface {
	// Put stores what content yields, all of it or nothing: nobody finds a part. What content answers besides io.EOF ends
	// it and is returned. Errors: fault.ErrUnavailable.
	Put(ctx context.Context, key, mimeType string, content io.Reader) error
	// Open reads length bytes from offset; length < 0 is to the end. The reader outlives ctx, which bounds the opening
	// alone, and is the caller's to close. Errors: ErrAbsent, fault.ErrUnavailable.
	Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error)
	// Delete removes key and whatever an interrupted Put of it left; a key that is not there is fine.
	// Errors: fault.ErrUnavailable.
	Delete(ctx context.Context, key string) error
}

// Orphans accounts for blobs that no record names: those on their way, and those whose record is gone. Every blob is
// named by a record or stands here, whenever a process dies; so nothing has to be searched for.
type Orphans interface {
	// Add puts key in: before its bytes are stored, and when from this transaction on no record names it any more. Unless
	// it is adopted, it is removed after until.
	Add(ctx context.Context, t tenant.ID, key string, until time.Time) error
	// Adopt takes key out: from this transaction on a record names it. Errors: ErrAbsent when its removal has begun.
	Adopt(ctx context.Context, t tenant.ID, key string) error
	// Hurry has key removed after until, if it is still on its way.
	Hurry(ctx context.Context, t tenant.ID, key string, until time.Time) error
}

// Orphan is a key to be removed.
type Orphan struct {
	Tenant tenant.ID
	Key    string
}

// Orphanage hands out what is to be removed.
type Orphanage interface {
	// Overdue lists up to limit keys whose time has come. Nobody can adopt them any more, and nobody else is given them
	// before again.
	Overdue(ctx context.Context, now, again time.Time, limit int) ([]Orphan, error)
	// Removed ends the account of a key whose bytes are gone.
	Removed(ctx context.Context, o Orphan) error
}

// Pictures measures images.
type Pictures interface {
	// Measure returns the size in pixels as it is shown, turned as the picture says; 0, 0 for a type it does not know, or
	// whose size it does not say. It reads no more than the header. Errors: media.ErrUnreadable, and those of content.
	Measure(mimeType string, content interface {
		io.Reader
		io.ReaderAt
	}) (width, height int, err error)
}
