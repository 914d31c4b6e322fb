// Package blob stores the bytes of files in a folder or in a bucket of an S3-compatible service.
//
// Decisions: a folder is flushed to disk before a key counts as stored, like the database that will refer to
// it. A call without progress is given up after a while; otherwise calls may take as long as the file needs.
// After several failures in a row the service is not called for some seconds, and calls fail at once.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/sony/gobreaker/v2"
	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	"gocloud.dev/blob/memblob"
	_ "gocloud.dev/blob/s3blob" // opens s3:// addresses
	"gocloud.dev/gcerrors"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// Limits of calls to the service.
const (
	tripAfter       = 5                // failures in a row that open the circuit
	openFor         = 5 * time.Second  // until the next attempt
	partSize        = 5 << 20          // bytes sent at a time to S3; the service takes no smaller ones
	metadataTimeout = 10 * time.Second // for calls that carry no file
)

// Options is what a Store needs.
type Options struct {
	URL          string        // file:///folder, s3://bucket?region=…&endpoint=…, mem:// (tests)
	StallTimeout time.Duration // after which a call without progress is given up; 0 is 30 s
	Log          *slog.Logger
	MustExist    bool // a folder is opened only if it is there
}

// Store is ports.Blobs.
type Store struct {
	bucket       *blob.Bucket
	folder       string // "" for a service
	stallTimeout time.Duration
	circuit      *gobreaker.CircuitBreaker[struct{}]
}

// Open prepares the store. It creates a missing folder; it does not call a service yet.
func Open(ctx context.Context, o Options) (*Store, error) {
	at, err := url.Parse(o.URL)
	if err != nil {
		return nil, errors.New("the address of the blob store cannot be read") // the URL may hold a secret
	}
	s := &Store{stallTimeout: o.StallTimeout}
	if s.stallTimeout == 0 {
		s.stallTimeout = 30 * time.Second
	}
	switch at.Scheme {
	case "file":
		s.folder = filepath.FromSlash(at.Path)
		s.bucket, err = fileblob.OpenBucket(s.folder, &fileblob.Options{
			CreateDir: !o.MustExist, DirFileMode: 0o700, NoTempDir: true, Metadata: fileblob.MetadataDontWrite,
		})
	case "s3":
		s.bucket, err = blob.OpenBucket(ctx, withS3Defaults(at).String())
	case "mem":
		s.bucket = memblob.OpenBucket(nil)
	default:
		err = fmt.Errorf("unknown blob store scheme %q; use file or s3", at.Scheme)
	}
	if err != nil {
		return nil, fmt.Errorf("open the blob store: %w", err)
	}
	s.circuit = gobreaker.NewCircuitBreaker[struct{}](gobreaker.Settings{
		Name: "blobs", MaxRequests: 3, Timeout: openFor,
		ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= tripAfter },
		IsExcluded:  func(err error) bool { return errors.As(err, new(*callerError)) },
		OnStateChange: func(name string, from, to gobreaker.State) {
			o.Log.Warn("circuit changed", "circuit", name, "from", from.String(), "to", to.String())
		},
	})
	return s, nil
}

// withS3Defaults sets what services other than Amazon's need, unless the URL says otherwise: path-style
// buckets, and no checksums that they do not support.
func withS3Defaults(at *url.URL) *url.URL {
	q := at.Query()
	if q.Get("endpoint") == "" {
		return at
	}
	for name, value := range map[string]string{
		"use_path_style": "true", "request_checksum_calculation": "when_required", "response_checksum_validation": "when_required",
	} {
		if !q.Has(name) {
			q.Set(name, value)
		}
	}
	if !q.Has("region") {
		q.Set("region", "us-east-1")
	}
	out := *at
	out.RawQuery = q.Encode()
	return &out
}

// Close closes the store.
func (s *Store) Close() error { return s.bucket.Close() }

// callerError is a failure on the caller's side, which does not count against the service.
type callerError struct{ error }

// Unwrap returns the underlying error.
func (e *callerError) Unwrap() error { return e.error }

// guarded calls fn unless the circuit is open. Errors: fault.ErrUnavailable, ports.ErrNotFound, and those of
// the caller.
func (s *Store) guarded(fn func() error) error {
	_, err := s.circuit.Execute(func() (struct{}, error) {
		err := fn()
		if err != nil && gcerrors.Code(err) == gcerrors.NotFound {
			err = &callerError{ports.ErrNotFound}
		}
		return struct{}{}, err
	})
	if own, ok := errors.AsType[*callerError](err); ok {
		return own.error
	}
	if err != nil {
		return fault.ErrUnavailable.WithCause(err)
	}
	return nil
}

// Put implements ports.Blobs.
func (s *Store) Put(ctx context.Context, key, mimeType string, content io.Reader) error {
	return s.guarded(func() error {
		live, cancel := context.WithCancel(ctx)
		defer cancel()
		w := s.startStallTimer(cancel)
		defer w.pause()
		from := &uploadReader{from: content, stall: w}
		err := s.write(live, cancel, key, mimeType, from)
		switch {
		case from.failed != nil:
			return &callerError{from.failed}
		case errors.Is(err, syscall.ENOSPC): // files can still be read
			return &callerError{fault.ErrUnavailable.WithCause(err)}
		case err != nil && ctx.Err() != nil:
			return &callerError{ctx.Err()}
		}
		return err
	})
}

func (s *Store) write(ctx context.Context, cancel func(), key, mimeType string, from io.Reader) error {
	w, err := s.bucket.NewWriter(ctx, key, &blob.WriterOptions{ContentType: mimeType, BufferSize: partSize, MaxConcurrency: 1})
	if err != nil {
		return err
	}
	if _, err := io.CopyBuffer(writerOnly{w}, from, make([]byte, 64<<10)); err != nil {
		cancel() // closing without cancel would store the partial content
		return errors.Join(err, ignoreCanceled(w.Close()))
	}
	if err := w.Close(); err != nil {
		return err
	}
	return s.flush(key)
}

func ignoreCanceled(err error) error {
	if gcerrors.Code(err) == gcerrors.Canceled || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// writerOnly hides the writer's ReadFrom, which would bypass our buffer and stall timer.
type writerOnly struct{ io.Writer }

// flush syncs a new file and its parent folders to disk.
func (s *Store) flush(key string) error {
	if s.folder == "" {
		return nil
	}
	for at := s.path(key); len(at) >= len(s.folder); at = filepath.Dir(at) {
		f, err := os.Open(at)
		if err != nil {
			return err
		}
		if err := errors.Join(f.Sync(), f.Close()); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) path(key string) string { return filepath.Join(s.folder, filepath.FromSlash(key)) }

// Open implements ports.Blobs.
func (s *Store) Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	var out *downloadReader
	err := s.guarded(func() error {
		live, cancel := context.WithCancel(context.WithoutCancel(ctx))
		giveUp := context.AfterFunc(ctx, cancel)
		late := time.AfterFunc(metadataTimeout, cancel)
		r, err := s.bucket.NewRangeReader(live, key, offset, length, nil)
		if !giveUp() && err != nil && ctx.Err() != nil {
			err = &callerError{ctx.Err()}
		}
		late.Stop()
		if err != nil {
			cancel()
			return err
		}
		w := s.startStallTimer(cancel)
		w.pause()
		out = &downloadReader{from: r, stall: w, cancel: cancel}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Delete implements ports.Blobs.
func (s *Store) Delete(ctx context.Context, key string) error {
	return s.guarded(func() error {
		ctx, cancel := context.WithTimeout(ctx, metadataTimeout)
		defer cancel()
		if err := s.bucket.Delete(ctx, key); err != nil && gcerrors.Code(err) != gcerrors.NotFound {
			return err
		}
		return s.deleteTempFiles(key)
	})
}

// deleteTempFiles removes what an interrupted Put left beside key.
func (s *Store) deleteTempFiles(key string) error {
	if s.folder == "" {
		return nil
	}
	parts, err := filepath.Glob(s.path(key) + ".*.tmp")
	for _, part := range parts {
		if gone := os.Remove(part); !errors.Is(gone, os.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}

// stallTimer cancels a call when the service makes no progress.
type stallTimer struct {
	timer   *time.Timer
	timeout time.Duration
}

func (s *Store) startStallTimer(cancel func()) *stallTimer {
	w := &stallTimer{timeout: s.stallTimeout}
	w.timer = time.AfterFunc(s.stallTimeout, cancel)
	return w
}

func (w *stallTimer) resume() { w.timer.Reset(w.timeout) }
func (w *stallTimer) pause()  { w.timer.Stop() }

// uploadReader reads the caller's content; the stall timer is paused while it waits for the caller.
type uploadReader struct {
	from   io.Reader
	stall  *stallTimer
	failed error
}

// Read implements io.Reader.
func (s *uploadReader) Read(p []byte) (int, error) {
	s.stall.pause()
	n, err := s.from.Read(p)
	s.stall.resume()
	if err != nil && err != io.EOF {
		s.failed = err
	}
	return n, err
}

// downloadReader reads stored content; the stall timer is paused while the caller processes it.
type downloadReader struct {
	from   io.ReadCloser
	stall  *stallTimer
	cancel func()
}

// Read implements io.Reader.
func (s *downloadReader) Read(p []byte) (int, error) {
	s.stall.resume()
	n, err := s.from.Read(p)
	s.stall.pause()
	return n, err
}

// Close implements io.Closer.
func (s *downloadReader) Close() error {
	s.stall.pause()
	err := s.from.Close()
	s.cancel()
	return err
}
