package rest

import (
	"io"
	"time"

	"github.com/gofiber/fiber/v2"
)

// How long a client may take for one part of an answer, and how much it has to take in a second of a large one that is in
// memory. Otherwise clients who do not read would keep it there.
const (
	chunkTimeout  = 30 * time.Second
	chunkBytes    = 64 << 10
	bytesInSecond = 32 << 10
)

// pace has the answer be sent in time, and counted until it is.
func (e *edge) pace(c *fiber.Ctx, v *requestInfo) {
	if c.Response().IsBodyStream() {
		v.memory.release() // what was read for it; the file is on disk
		return
	}
	size := len(c.Response().Body())
	if c.Method() == fiber.MethodHead {
		size = 0
	}
	if err := v.memory.replace(int64(size)); err != nil {
		e.fail(c, err)
		v.memory.release()
		return
	}
	if size <= chunkBytes { // free
		return
	}
	body := c.Response().Body()
	c.Response().SwapBody(nil) // the framework reuses its own buffer
	conn, _ := c.Context().Conn().(*lingeringConn)
	conn.takeBy(time.Now().Add(chunkTimeout + time.Duration(size/bytesInSecond)*time.Second))
	c.Response().SetBodyStream(&largeAnswer{body, conn, &v.memory}, size)
}

// isSafe reports whether a request changes nothing by its method.
func isSafe(c *fiber.Ctx) bool {
	return c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead
}

// largeAnswer is an answer that is counted until it is sent.
type largeAnswer struct {
	text   []byte         // not yet sent
	conn   *lingeringConn // nil: another one, which ends when it likes
	memory *reservation
}

// Read implements io.Reader.
func (a *largeAnswer) Read(p []byte) (n int, err error) {
	if len(a.text) == 0 {
		return 0, io.EOF
	}
	n = copy(p, a.text)
	a.text = a.text[n:]
	return n, nil
}

// WriteTo implements io.WriterTo.
func (a *largeAnswer) WriteTo(w io.Writer) (total int64, err error) {
	for len(a.text) > 0 && err == nil {
		var n int
		n, err = w.Write(a.text[:min(chunkBytes, len(a.text))])
		a.text, total = a.text[n:], total+int64(n)
	}
	return total, err
}

// Close implements io.Closer.
func (a *largeAnswer) Close() error {
	a.conn.takeBy(time.Time{})
	a.memory.release()
	return nil
}

// file is a body that is sent in chunks larger than the framework's.
type file struct{ io.ReadCloser }

// WriteTo implements io.WriterTo.
func (f file) WriteTo(w io.Writer) (int64, error) {
	return io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{f}, make([]byte, chunkBytes))
}
