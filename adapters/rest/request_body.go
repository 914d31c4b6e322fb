package rest

import (
	"context"
	"errors"
	"io"
	"net"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/rest/read"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// How much of an unread body is discarded, and for how long, so that the connection can be reused; beyond
// that the connection is closed after the response.
const (
	discardBytes = 256 << 10
	discardTime  = 2 * time.Second
)

// firstBodyBytes is how much memory a body has at first.
const firstBodyBytes = 4 << 10

// Timeouts of an upload: while nothing arrives, and in total.
const (
	uploadIdle  = 30 * time.Second
	uploadTotal = 10 * time.Minute
)

// ErrTruncated says that the client disconnected, or stopped sending, in the middle of its body.
var ErrTruncated = fault.NewInvalid("body", "body_incomplete", "The request ended before its body was complete.")

// requestBody is the body of a request while it arrives: the handler runs before the client has sent all of
// it. It is the only reader of bodies: the framework's own accessors buffer without a limit, take a truncated
// body for a complete one, and must not be called again after the end. The edge handles what a handler leaves
// unread, since the next request of the connection follows it.
type requestBody struct {
	c              *fiber.Ctx
	from           io.Reader
	length         int64 // as declared; -1: in chunks, until they end
	limit          int64 // more than this is refused
	refusal        error // the refusal of more, in place of read.ErrTooLarge; nil: none
	read           int64
	ended          error // the error of every further Read
	complete       bool  // it was read to its end
	buffered       []byte
	uploadDeadline time.Time       // when an upload must have ended; zero: the server's read timeout applies
	base           context.Context //nolint:containedctx // the values of the request's context, without its deadline
	timeout        time.Duration
	cancel         context.CancelFunc
	memory         reservation
}

// start prepares for reading the body and starts the timeout of the request. Every context of the request has
// the values of base.
func (in *requestBody) start(base context.Context, c *fiber.Ctx, timeout time.Duration, budget *memoryBudget) {
	*in = requestBody{
		c: c, base: base, limit: jsonLimit, timeout: timeout,
		memory: reservation{budget: budget, address: requestInfoOf(c).address, free: freeBodyBytes, refusable: true},
		from:   c.Context().RequestBodyStream(), length: int64(c.Request().Header.ContentLength()),
	}
	if in.from == nil || c.Request().Header.IsGet() || c.Request().Header.IsHead() {
		in.from, in.length, in.ended, in.complete = nil, 0, io.EOF, true
	}
	in.restartTimeout() //nolint:contextcheck // it has base
}

// done releases the timeout of the request, and the memory of its body.
func (in *requestBody) done() {
	in.cancel()
	in.memory.release()
}

// bodyOf is the body of the request.
func bodyOf(c *fiber.Ctx) *requestBody { return &requestInfoOf(c).body }

// restartTimeout restarts the timeout of the request: the time a client takes to send its body does not count.
func (in *requestBody) restartTimeout() {
	if in.cancel != nil {
		in.cancel()
	}
	ctx, cancel := context.WithTimeout(in.base, in.timeout)
	in.cancel = cancel
	in.c.SetUserContext(ctx)
}

// allowUpload admits a body of up to limit bytes and lets it arrive slowly, as long as something arrives.
func (in *requestBody) allowUpload(limit int64) {
	in.limit, in.refusal, in.uploadDeadline = limit, nil, time.Now().Add(uploadTotal)
}

// Read implements io.Reader. Errors: read.ErrTooLarge, ErrTruncated, fault.ErrMalformed.
func (in *requestBody) Read(p []byte) (int, error) {
	if in.ended == nil && in.length > in.limit {
		in.ended = in.tooLarge()
	}
	if in.ended != nil {
		return 0, in.ended
	}
	if !in.uploadDeadline.IsZero() {
		_ = in.conn().SetReadDeadline(earlier(time.Now().Add(uploadIdle), in.uploadDeadline)) // a closed connection fails at the read
	}
	n, err := in.from.Read(p)
	in.read += int64(n)
	switch {
	case in.read > in.limit:
		n, in.ended = 0, in.tooLarge()
	case errors.Is(err, io.EOF) && !in.truncated():
		in.ended, in.complete = io.EOF, true
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), timedOut(err):
		in.ended = ErrTruncated.WithCause(err)
	case err != nil:
		in.ended = fault.ErrMalformed.WithMessage("The body cannot be read.").WithCause(err)
	}
	return n, in.ended
}

// truncated reports whether the client disconnected before the end, which the framework takes for the end.
func (in *requestBody) truncated() bool {
	if in.length >= 0 {
		return in.read < in.length
	}
	l, ok := in.conn().(*lingeringConn)
	return ok && l.over
}

func (in *requestBody) tooLarge() error {
	if in.refusal != nil {
		return in.refusal
	}
	return read.ErrTooLarge.WithMessage("The body is larger than %d bytes.", in.limit)
}

func timedOut(err error) bool {
	n, ok := errors.AsType[net.Error](err)
	return ok && n.Timeout()
}

func (in *requestBody) conn() net.Conn { return in.c.Context().Conn() }

// whole is the complete body. It may be called again, and is valid as long as the request. Errors: as Read, read.ErrBusy.
func (in *requestBody) whole() ([]byte, error) {
	if in.buffered != nil || in.from == nil {
		return in.buffered, nil
	}
	started := time.Now()
	b, err := in.readAll()
	if err != nil {
		return nil, err
	}
	if in.ended != io.EOF { //nolint:errorlint // a wrapped one is a body that stops short
		return nil, in.ended
	}
	if time.Since(started) > time.Second {
		in.restartTimeout()
	}
	in.buffered = b
	return in.buffered, nil
}

// readAll reads the body to its end, or to in.ended. Memory follows what has arrived, not the length that the client
// declares. Errors: read.ErrBusy.
func (in *requestBody) readAll() (b []byte, err error) {
	for in.ended == nil {
		if len(b) == cap(b) {
			size := max(firstBodyBytes, 2*cap(b))
			if int64(cap(b)) <= in.length && in.length < int64(size) {
				size = int(in.length) + 1 // the end shows beyond the last byte
			}
			if err := in.memory.Take(int64(size - cap(b))); err != nil {
				return nil, err
			}
			b = append(make([]byte, 0, size), b...)
		}
		n, _ := in.Read(b[len(b):cap(b)]) // what went wrong is in.ended
		b = b[:len(b)+n]
	}
	return b, nil
}

// finish leaves the connection where the next request starts, or closes it after the response.
func (in *requestBody) finish() {
	if in.complete && !in.hasUnexpectedBody() || in.discardRest() {
		return
	}
	in.c.Response().Header.SetConnectionClose()
	linger(in.c)
}

// discardRest reads the unread rest of the body if it is short.
func (in *requestBody) discardRest() (whole bool) {
	if in.ended != nil || in.length-in.read > discardBytes {
		return false
	}
	_ = in.conn().SetReadDeadline(time.Now().Add(discardTime)) // set anew for the next request
	in.uploadDeadline, in.limit = time.Time{}, max(in.length, in.read+discardBytes)
	_, err := io.Copy(io.Discard, in)
	return err == nil
}

// hasUnexpectedBody reports whether a request whose method has no body was sent with one. The framework reads
// only its beginning; the rest would be taken for the next request.
func (in *requestBody) hasUnexpectedBody() bool {
	h := &in.c.Request().Header
	length := h.Peek(fiber.HeaderContentLength)
	return in.from == nil && (len(length) > 0 && string(length) != "0" || len(h.Peek(fiber.HeaderTransferEncoding)) > 0)
}
