package rest

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/cartwright-dev/cartwright/adapters/rest/read"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// requestInfoKey is the context key of requestInfo.
type requestInfoKey struct{}

// requestInfo is what the edge knows about a request.
type requestInfo struct {
	id            string
	trace         string // of the caller; "": none
	address       string // of the client
	scheme        string // "http" or "https", as the client sent it
	authenticated bool   // auth is set
	auth          authResult
	body          requestBody
	memory        reservation // of what is read, then of the answer
	secureCookies bool
	foreignPage   bool  // a page of another origin asks: it gets no cookie
	overQuota     error // the quota would have refused the request; nil: it did not
}

// requestInfoOf is the requestInfo of a request.
func requestInfoOf(c *fiber.Ctx) *requestInfo {
	v, _ := c.Locals(requestInfoKey{}).(*requestInfo)
	return v
}

// Headers of the API.
const (
	headerRequestID = "X-Request-Id"
	headerKey       = "Idempotency-Key"
	headerReplayed  = "Idempotency-Replayed"
	headerRevision  = "X-Cart-Revision"
	headerSequence  = "X-Event-Sequence"
)

// edge is what surrounds every request: request id, deadline, recovery, error response, access log.
type edge struct {
	Options

	beyondQuota []routePattern
	memory      memoryBudget
	allowed     allowedMethods // set once all routes are registered
}

// authResult is the outcome of authentication. A failure is reported when a handler needs the caller, since
// some routes do not: logging in must work with an expired cookie.
type authResult struct {
	principal    tenant.Principal
	err          error
	originTenant tenant.Settings // the tenant whose allowed origins apply, also where authentication failed
}

// panicError is a panic that was caught, with the stack where it happened.
type panicError struct {
	value any
	stack []byte
}

func (p panicError) Error() string { return fmt.Sprint("panic: ", p.value) }

func (e *edge) handleRequest(c *fiber.Ctx) error {
	began := time.Now() // real time: the clock in Options is for rules
	v := &requestInfo{
		id: requestID(c.Get(headerRequestID), e.NewID), trace: traceIDOf(c.Get("traceparent")), address: e.clientAddress(c),
		scheme: e.clientScheme(c), secureCookies: e.SecureCookies,
	}
	c.Locals(requestInfoKey{}, v)
	c.Set(headerRequestID, v.id)
	v.memory.budget, v.memory.address, v.memory.free = &e.memory, v.address, freeAnswerBytes
	v.memory.refusable = isSafe(c)
	memory := ports.Memory{Take: v.memory.Take, AllowRefusal: v.memory.AllowRefusal}
	base, span := e.startSpan(ports.WithMemory(context.WithValue(context.Background(), requestInfoKey{}, v), memory), c)
	v.body.start(base, c, e.Timeout, &e.memory)
	defer v.body.done()
	if err := recoverPanic(c); err != nil {
		e.fail(c, err)
	}
	v.body.finish()
	e.pace(c, v)
	keepPrivate(c)
	endSpan(span, c, v)
	took := time.Since(began)
	e.logAccess(c, v, took)
	if e.Answered != nil {
		e.Answered(routeOf(c), c.Method(), c.Response().StatusCode(), took)
	}
	return nil
}

// routeOf is the pattern of the matched route: unlike paths, there are few of them. Where none matches, the
// router stays at the route of the edge itself.
func routeOf(c *fiber.Ctx) string {
	if path := c.Route().Path; path != "/" {
		return path
	}
	return Unmatched
}

// recoverPanic runs the rest of the chain; a panic there becomes an error.
func recoverPanic(c *fiber.Ctx) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = panicError{v, debug.Stack()}
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

// fail turns err into the response. Internal faults are logged here, once, with their cause.
func (e *edge) fail(c *fiber.Ctx, err error) {
	id := requestInfoOf(c).id
	f := faultOf(err)
	if f.Kind == fault.MethodNotAllowed {
		e.setAllow(c)
		if f == ErrMethod && c.Method() == fiber.MethodOptions {
			c.Status(fiber.StatusNoContent)
			return
		}
	}
	if e.Tracer != nil {
		trace.SpanFromContext(c.UserContext()).SetAttributes(attribute.String("error.type", f.Reason))
	}
	if f.Kind == fault.Internal {
		attrs := []any{"route", routeOf(c), "error", err}
		if p, ok := errors.AsType[panicError](err); ok {
			attrs = append(attrs, "stack", string(p.stack))
		}
		e.Log.ErrorContext(c.UserContext(), "request failed", attrs...)
	}
	setRefusalLimitHeaders(c, f, e.Now())
	writeFault(c, f, shownRequestID(err, id))
}

// onTransportError responds to what never became a request: invalid HTTP, headers or bodies that are too large.
func (e *edge) onTransportError(c *fiber.Ctx, err error) error {
	v := &requestInfo{id: e.NewID()}
	c.Locals(requestInfoKey{}, v)
	c.SetUserContext(context.WithValue(context.Background(), requestInfoKey{}, v))
	c.Set(headerRequestID, v.id)
	e.fail(c, err)
	keepPrivate(c)
	if e.Answered != nil {
		e.Answered(Unmatched, Unmatched, c.Response().StatusCode(), 0)
	}
	linger(c) // the client may still be sending
	return nil
}

// needsStore reports whether a path is part of the API: probes, pages and the API's description need no store.
func needsStore(path string) bool {
	return strings.HasPrefix(path, "/api/") && path != "/api/openapi.json" && path != "/api/docs" && !strings.HasPrefix(path, "/api/docs/")
}

// requireStore refuses what cannot be answered while the store's circuit is open: before a body is read, and before
// anything waits for the database. Rule api-22.
func (e *edge) requireStore(c *fiber.Ctx) error {
	if e.StoreRefusal != nil && needsStore(c.Path()) {
		if err := e.StoreRefusal(); err != nil {
			return err
		}
	}
	return c.Next()
}

// rejectUnreadable refuses what no route accepts: compressed bodies, and paths that no id or slug can match.
func rejectUnreadable(c *fiber.Ctx) error {
	if c.Get(fiber.HeaderContentEncoding) != "" {
		return read.ErrMediaType.WithMessage("Request bodies must not be compressed.")
	}
	for _, b := range c.Request().URI().PathOriginal() {
		if b <= ' ' || b > '~' {
			return ErrNoRoute
		}
	}
	return c.Next()
}
