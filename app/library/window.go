package library

import (
	"context"
	"io"

	"github.com/cartwright-dev/cartwright/ports"
)

const (
	pageSize = 64 << 10
	maxPages = 128 // 8 MiB: whoever wants more than a header is wrong here
)

// window reads here and there in a stored file, a page at a time.
type window struct {
	ctx   context.Context //nolint:containedctx // it lives as long as one call
	blobs ports.Blobs
	key   string
	size  int64
	at    int64 // of the next Read
	page  []byte
	start int64 // of page
	pages int   // loaded so far
}

// Read implements io.Reader.
func (w *window) Read(p []byte) (int, error) {
	n, err := w.some(p, w.at)
	w.at += int64(n)
	return n, err
}

// ReadAt implements io.ReaderAt.
func (w *window) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) && err == nil {
		var more int
		more, err = w.some(p[n:], at+int64(n))
		n += more
	}
	return n, err
}

// some reads what the page at has, loading it first.
func (w *window) some(p []byte, at int64) (int, error) {
	if at < 0 || at >= w.size {
		return 0, io.EOF
	}
	if at < w.start || at >= w.start+int64(len(w.page)) {
		if err := w.load(at); err != nil {
			return 0, err
		}
	}
	return copy(p, w.page[at-w.start:]), nil
}

func (w *window) load(at int64) error {
	if w.pages++; w.pages > maxPages {
		return io.EOF
	}
	r, err := w.blobs.Open(w.ctx, w.key, at, min(pageSize, w.size-at))
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // it was only read
	page, err := io.ReadAll(r)
	if err == nil && len(page) == 0 {
		err = io.ErrUnexpectedEOF
	}
	w.page, w.start = page, at
	return err
}
