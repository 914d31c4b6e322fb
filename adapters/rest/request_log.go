package rest

import (
	"context"
	"encoding/hex"
	"log/slog"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"go.opentelemetry.io/otel/trace"
)

// Attributes that all log lines of a request have.
const (
	attrRequest = "requestId"
	attrTenant  = "tenant"
	attrTrace   = "traceId"
)

// requestAttrsHandler adds the attributes of the request in the context to every line.
type requestAttrsHandler struct{ slog.Handler }

// WithRequestAttrs is h with request, tenant and trace in every line that is logged with the context of a
// request, or of a span.
func WithRequestAttrs(h slog.Handler) slog.Handler {
	if _, is := h.(requestAttrsHandler); is {
		return h
	}
	return requestAttrsHandler{h}
}

// Handle implements slog.Handler.
func (a requestAttrsHandler) Handle(ctx context.Context, r slog.Record) error {
	v, _ := ctx.Value(requestInfoKey{}).(*requestInfo)
	add := func(key, value string) {
		if value != "" && !hasAttr(r, key) {
			r.AddAttrs(slog.String(key, value))
		}
	}
	if v != nil {
		add(attrRequest, v.id)
		add(attrTenant, string(v.auth.principal.Tenant.ID))
	}
	add(attrTrace, traceOf(ctx, v))
	return a.Handler.Handle(ctx, r)
}

func hasAttr(r slog.Record, key string) (found bool) {
	r.Attrs(func(one slog.Attr) bool {
		found = one.Key == key
		return !found
	})
	return found
}

// WithAttrs implements slog.Handler.
func (a requestAttrsHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return requestAttrsHandler{a.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (a requestAttrsHandler) WithGroup(name string) slog.Handler {
	return requestAttrsHandler{a.Handler.WithGroup(name)}
}

// traceOf is the trace id of ctx: that of its span, or the caller's if there is no span.
func traceOf(ctx context.Context, v *requestInfo) string {
	if s := trace.SpanContextFromContext(ctx); s.HasTraceID() {
		return s.TraceID().String()
	}
	if v == nil {
		return ""
	}
	return v.trace
}

// Lengths of the fields of a traceparent: version-trace-span-flags, in hexadecimal digits. W3C Trace Context, 3.2.2.
const (
	versionDigits = 2
	traceDigits   = 32
	spanDigits    = 16
)

// traceIDOf is the trace id of a traceparent, or "" if it is invalid.
func traceIDOf(parent string) string {
	version, rest, _ := strings.Cut(parent, "-")
	id, rest, _ := strings.Cut(rest, "-")
	span, _, more := strings.Cut(rest, "-")
	if !more || version == "ff" || !digits(version, versionDigits) || !digits(id, traceDigits) || !digits(span, spanDigits) ||
		strings.Trim(id, "0") == "" || strings.Trim(span, "0") == "" {
		return ""
	}
	return id
}

func digits(text string, count int) bool {
	_, err := hex.DecodeString(text)
	return err == nil && len(text) == count && strings.ToLower(text) == text
}

// logAccess logs the request with the pattern of its route, because paths and queries contain tokens, capabilities and
// personal data.
func (e *edge) logAccess(c *fiber.Ctx, v *requestInfo, took time.Duration) {
	h, ctx := e.Log.Handler(), c.UserContext()
	if !h.Enabled(ctx, slog.LevelInfo) {
		return
	}
	r := slog.NewRecord(e.Now(), slog.LevelInfo, "request", 0) // no source position, because it is always this one
	r.AddAttrs(slog.String("method", c.Method()), slog.String("route", routeOf(c)), slog.Int("status", c.Response().StatusCode()),
		slog.Float64("ms", float64(took.Microseconds())/1000), slog.String("principal", string(v.auth.principal.Kind)))
	_ = h.Handle(ctx, r) // a failure to log cannot be logged
}
