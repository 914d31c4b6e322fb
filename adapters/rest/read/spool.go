package read

import (
	"errors"
	"io"
	"os"
	"sync/atomic"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// Spool keeps files of forms that arrive before they are needed on disk, in the folder for temporary files. Its limit
// counts the bytes of all requests together.
type Spool struct {
	limit int64
	used  atomic.Int64
}

// NewSpool keeps at most limit bytes at a time.
func NewSpool(limit int64) *Spool { return &Spool{limit: limit} }

// spooledFile is one file on disk. It has no name there, so that nothing of it survives the process.
type spooledFile struct {
	spool *Spool
	disk  *os.File
	size  int64
}

// save stores up to limit bytes of from. Errors: ErrTooLarge when there are more, ErrBusy, fault.ErrUnavailable when the
// disk refuses, and those of from.
func (s *Spool) save(from io.Reader, limit int64) (*spooledFile, error) {
	disk, err := os.CreateTemp("", "cartwright-upload-")
	if err != nil {
		return nil, fault.ErrUnavailable.WithCause(err)
	}
	_ = os.Remove(disk.Name()) // the open file stays; where that is not possible, close removes it
	f := &spooledFile{spool: s, disk: disk}
	source := &failedReader{from: from}
	if _, err := io.Copy(f, io.LimitReader(source, limit+1)); err != nil {
		f.close()
		if source.failed == nil && !errors.Is(err, ErrBusy) {
			err = fault.ErrUnavailable.WithCause(err)
		}
		return nil, err
	}
	if f.size > limit {
		f.close()
		return nil, ErrTooLarge.WithMessage(
			"Send files in the order in which the document uses them: those that have to wait are larger than %d bytes.", maxSpooledFiles)
	}
	return f, nil
}

// Write implements io.Writer.
func (f *spooledFile) Write(p []byte) (int, error) {
	if used := f.spool.used.Add(int64(len(p))); used > f.spool.limit {
		f.spool.used.Add(-int64(len(p)))
		return 0, ErrBusy
	}
	f.size += int64(len(p))
	return f.disk.Write(p)
}

// reader reads the file from its beginning.
func (f *spooledFile) reader() io.Reader { return io.NewSectionReader(f.disk, 0, f.size) }

func (f *spooledFile) close() {
	_ = f.disk.Close()
	_ = os.Remove(f.disk.Name())
	f.spool.used.Add(-f.size)
}

// failedReader remembers that its source failed, to tell that from a failure of the disk.
type failedReader struct {
	from   io.Reader
	failed error
}

// Read implements io.Reader.
func (r *failedReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if err != nil && err != io.EOF {
		r.failed = err
	}
	return n, err
}
