package uploads

import (
	"context"
	"io"

	"github.com/cartwright-dev/cartwright/ports"
)

const (
	pageSize = 64 << 10
	maxPages = 128 // 8 MiB: image headers need less
)

// blobReader reads a stored file at random positions, a page at a time.
type blobReader struct {
	ctx         context.Context //nolint:containedctx // it lives as long as one call
	blobs       ports.Blobs
	key         string
	size        int64
	offset      int64 // of the next Read
	page        []byte
	pageStart   int64 // offset of page
	pagesLoaded int   // number of pages loaded so far
}

// Read implements io.Reader.
func (w *blobReader) Read(p []byte) (int, error) {
	n, err := w.readPage(p, w.offset)
	w.offset += int64(n)
	return n, err
}

// ReadAt implements io.ReaderAt.
func (w *blobReader) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) && err == nil {
		var more int
		more, err = w.readPage(p[n:], at+int64(n))
		n += more
	}
	return n, err
}

// readPage reads from the page that contains at, loading it first.
func (w *blobReader) readPage(p []byte, at int64) (int, error) {
	if at < 0 || at >= w.size {
		return 0, io.EOF
	}
	if at < w.pageStart || at >= w.pageStart+int64(len(w.page)) {
		if err := w.loadPage(at); err != nil {
			return 0, err
		}
	}
	return copy(p, w.page[at-w.pageStart:]), nil
}

func (w *blobReader) loadPage(at int64) error {
	if w.pagesLoaded++; w.pagesLoaded > maxPages {
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
	w.page, w.pageStart = page, at
	return err
}
