package rest

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/gofiber/fiber/v2"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/cartwright-dev/cartwright/adapters/rest/read"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// visitKey is the name under which a request keeps what the edge found out.
type visitKey struct{}

// visit is what the edge found out about a request.
type visit struct {
	id      string
	trace   string // that the caller named; "": none
	address string // of the client
	asked   bool   // who it was has been found out
	who     who
	body    inbound
}

// visitOf is what is known about the request.
func visitOf(c *fiber.Ctx) *visit {
	v, _ := c.Locals(visitKey{}).(*visit)
	return v
}

// Headers of our own.
const (
	headerRequestID = "X-Request-Id"
	headerKey       = "Idempotency-Key"
	headerReplayed  = "Idempotency-Replayed"
	headerRevision  = "X-Cart-Revision"
)

// edge is what surrounds every request: request id, deadline, recovery, error response, access log.
type edge struct{ Options }

// who is the outcome of authentication. A failure waits here until a handler asks, since some routes need no caller:
// logging in must work with a dead cookie.
type who struct {
	principal tenant.Principal
	err       error
	site      tenant.Facts // the tenant whose list of origins counts, also where authentication failed
}

// panicked is a panic that was caught, with the stack where it happened.
type panicked struct {
	value any
	stack []byte
}

func (p panicked) Error() string { return fmt.Sprint("panic: ", p.value) }

func (e *edge) around(c *fiber.Ctx) error {
	began := time.Now() // our own clock tells what the rules take for now
	v := &visit{id: requestID(c.Get(headerRequestID), e.NewID), trace: namedTrace(c.Get("traceparent")), address: e.clientAddress(c)}
	c.Locals(visitKey{}, v)
	c.Set(headerRequestID, v.id)
	base, span := e.begin(context.WithValue(context.Background(), visitKey{}, v), c)
	v.body.receive(base, c, e.Timeout)
	defer v.body.done()
	if err := guarded(c); err != nil {
		e.fail(c, err)
	}
	v.body.settle()
	end(span, c, v)
	took := time.Since(began)
	e.logAccess(c, v, took)
	if e.Answered != nil {
		e.Answered(routeOf(c), c.Method(), c.Response().StatusCode(), took)
	}
	return nil
}

// routeOf is the pattern of the address, which is bounded as paths are not. Where none fits, the router stays at the route
// of the edge itself.
func routeOf(c *fiber.Ctx) string {
	if path := c.Route().Path; path != "/" {
		return path
	}
	return Unmatched
}

// guarded runs the rest of the chain; a panic there becomes an error.
func guarded(c *fiber.Ctx) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = panicked{v, debug.Stack()}
		}
	}()
	return c.Next()
}

// requestID is the caller's id if it is 1 to 128 visible ASCII characters, else a new one.
func requestID(given string, fresh func() string) string {
	if given == "" || len(given) > 128 {
		return fresh()
	}
	for i := range len(given) {
		if given[i] <= ' ' || given[i] > '~' {
			return fresh()
		}
	}
	return given
}

// fail turns err into the response. Faults of ours are logged here, once, with what caused them.
func (e *edge) fail(c *fiber.Ctx, err error) {
	id := visitOf(c).id
	f := faultOf(err)
	if e.Tracer != nil {
		trace.SpanFromContext(c.UserContext()).SetAttributes(attribute.String("error.type", f.Reason))
	}
	if f == ErrMethod && c.Method() == fiber.MethodOptions { // Allow says what the address takes
		c.Status(fiber.StatusNoContent)
		return
	}
	if f.Kind == fault.Internal {
		attrs := []any{"route", routeOf(c), "error", err}
		if p, ok := errors.AsType[panicked](err); ok {
			attrs = append(attrs, "stack", string(p.stack))
		}
		e.Log.ErrorContext(c.UserContext(), "request failed", attrs...)
	}
	tellLimit(c, f, e.Now())
	writeFault(c, f, replayedID(err, id))
}

// onTransportError answers what never became a request: broken HTTP, headers or bodies that are too large.
func (e *edge) onTransportError(c *fiber.Ctx, err error) error {
	v := &visit{id: e.NewID()}
	c.Locals(visitKey{}, v)
	c.SetUserContext(context.WithValue(context.Background(), visitKey{}, v))
	c.Set(headerRequestID, v.id)
	e.fail(c, err)
	if e.Answered != nil {
		e.Answered(Unmatched, Unmatched, c.Response().StatusCode(), 0)
	}
	linger(c) // the rest of it may be on its way
	return nil
}

// limits refuses what no route reads: compressed bodies, and paths that no id or slug can match.
func limits(c *fiber.Ctx) error {
	if c.Get(fiber.HeaderContentEncoding) != "" {
		return read.ErrMediaType.Saying("Request bodies must not be compressed.")
	}
	for _, b := range c.Request().URI().PathOriginal() {
		if b <= ' ' || b > '~' {
			return ErrNoRoute
		}
	}
	return c.Next()
}
