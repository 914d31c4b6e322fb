package rest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/rest/read"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// How much of a body nobody wanted is read all the same, and how long that may take, so that the connection can be used
// again; beyond it the connection ends with the answer.
const (
	unwantedBytes = 256 << 10
	unwantedTime  = 2 * time.Second
)

// How patient an upload is met: with a client that sends nothing, and with the whole of it.
const (
	uploadIdle  = 30 * time.Second
	uploadTotal = 10 * time.Minute
)

// ErrTruncated says that the client hung up, or fell silent, in the middle of its body.
var ErrTruncated = fault.New(fault.Invalid, "body_incomplete", "The request ended before its body was complete.")

// inbound is the body of a request while it comes in: the handler runs before the client has sent all of it. It is the
// only reader of bodies: the framework's own accessors buffer without a bound, take a body that was cut off for a whole
// one, and must not be asked again once it ended. What a handler leaves unread is settled by the edge, since the next
// request of the connection follows it.
type inbound struct {
	c       *fiber.Ctx
	from    io.Reader
	length  int64 // as declared; -1: in chunks, until they end
	limit   int64 // more than this is refused
	read    int64
	ended   error // what every further Read answers
	all     bool  // it was read to its end
	kept    []byte
	upload  time.Time       // when reading at leisure ends; zero: the server's read timeout holds
	base    context.Context //nolint:containedctx // what is known about the request, without its time
	timeout time.Duration
	cancel  context.CancelFunc
}

// receive prepares for reading the body and starts the time the request has. The answer ends it. What base knows, every
// context of the request does.
func (in *inbound) receive(base context.Context, c *fiber.Ctx, timeout time.Duration) {
	*in = inbound{c: c, base: base, from: c.Context().RequestBodyStream(), length: int64(c.Request().Header.ContentLength()), limit: jsonLimit, timeout: timeout}
	if in.from == nil || c.Request().Header.IsGet() || c.Request().Header.IsHead() {
		in.from, in.length, in.ended, in.all = nil, 0, io.EOF, true
	}
	in.restart() //nolint:contextcheck // it has base
}

// done ends the time of the request.
func (in *inbound) done() { in.cancel() }

// bodyOf is the body of the request.
func bodyOf(c *fiber.Ctx) *inbound { return &visitOf(c).body }

// restart gives the request its time anew: what a client takes to send a body is not ours.
func (in *inbound) restart() {
	if in.cancel != nil {
		in.cancel()
	}
	ctx, cancel := context.WithTimeout(in.base, in.timeout)
	in.cancel = cancel
	in.c.SetUserContext(ctx)
}

// atLeisure admits a body of up to limit bytes that takes its time, as long as something arrives.
func (in *inbound) atLeisure(limit int64) {
	in.limit, in.upload = limit, time.Now().Add(uploadTotal)
}

// Read implements io.Reader. Errors: read.ErrTooLarge, ErrTruncated, fault.ErrMalformed.
func (in *inbound) Read(p []byte) (int, error) {
	if in.ended == nil && in.length > in.limit {
		in.ended = in.tooLarge()
	}
	if in.ended != nil {
		return 0, in.ended
	}
	if !in.upload.IsZero() {
		next := time.Now().Add(uploadIdle)
		if in.upload.Before(next) {
			next = in.upload
		}
		_ = in.conn().SetReadDeadline(next) // a connection that is gone shows at the read
	}
	n, err := in.from.Read(p)
	in.read += int64(n)
	switch {
	case in.read > in.limit:
		n, in.ended = 0, in.tooLarge()
	case errors.Is(err, io.EOF) && !in.cutShort():
		in.ended, in.all = io.EOF, true
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), timedOut(err):
		in.ended = ErrTruncated.Because(err)
	case err != nil:
		in.ended = fault.ErrMalformed.Saying("The body cannot be read.").Because(err)
	}
	return n, in.ended
}

// cutShort reports whether the client hung up before the end, which the framework takes for the end.
func (in *inbound) cutShort() bool {
	if in.length >= 0 {
		return in.read < in.length
	}
	l, ok := in.conn().(*lingeringConn)
	return ok && l.over
}

func (in *inbound) tooLarge() error {
	return read.ErrTooLarge.Saying("The body is larger than %d bytes.", in.limit)
}

func timedOut(err error) bool {
	n, ok := errors.AsType[net.Error](err)
	return ok && n.Timeout()
}

func (in *inbound) conn() net.Conn { return in.c.Context().Conn() }

// whole is the body, which may be asked for again. It is valid as long as the request. Errors: as Read.
func (in *inbound) whole() ([]byte, error) {
	if in.kept != nil || in.from == nil {
		return in.kept, nil
	}
	started := time.Now()
	size := int64(bytes.MinRead)
	if in.length > 0 && in.length <= in.limit {
		size = in.length + 1 // the end shows beyond the last byte
	}
	b := make([]byte, 0, size)
	for in.ended == nil {
		n, _ := in.Read(b[len(b):cap(b)]) // what went wrong is in.ended
		if b = b[:len(b)+n]; len(b) == cap(b) {
			b = slices.Grow(b, 1)
		}
	}
	if in.ended != io.EOF { //nolint:errorlint // a wrapped one is a body that stops short
		return nil, in.ended
	}
	if time.Since(started) > time.Second {
		in.restart()
	}
	in.kept = b
	return in.kept, nil
}

// settle brings the connection to where the next request starts, or has it end with the answer.
func (in *inbound) settle() {
	if in.all && !in.strayed() || in.skip() {
		return
	}
	in.c.Response().Header.SetConnectionClose()
	linger(in.c)
}

// skip reads what nobody wanted, if there is little of it.
func (in *inbound) skip() (whole bool) {
	if in.ended != nil || in.length-in.read > unwantedBytes {
		return false
	}
	_ = in.conn().SetReadDeadline(time.Now().Add(unwantedTime)) // set anew for the next request
	in.upload, in.limit = time.Time{}, max(in.length, in.read+unwantedBytes)
	_, err := io.Copy(io.Discard, in)
	return err == nil
}

// strayed reports whether a request that has no body by its method came with one. The framework reads the beginning of
// it at most; what follows would pass for the next request.
func (in *inbound) strayed() bool {
	h := &in.c.Request().Header
	length := h.Peek(fiber.HeaderContentLength)
	return in.from == nil && (len(length) > 0 && string(length) != "0" || len(h.Peek(fiber.HeaderTransferEncoding)) > 0)
}
