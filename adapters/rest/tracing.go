package rest

import (
	"context"

	"github.com/gofiber/fiber/v2"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// traceCarrier reads the trace context from a request's headers. W3C Trace Context; baggage is ignored.
type traceCarrier struct{ *fiber.Ctx }

// Get implements propagation.TextMapCarrier.
func (h traceCarrier) Get(name string) string { return h.Ctx.Get(name) }

// Set implements propagation.TextMapCarrier; nothing is set.
func (traceCarrier) Set(string, string) {}

// Keys implements propagation.TextMapCarrier.
func (traceCarrier) Keys() []string { return nil }

// probePaths are requested by machines every few seconds: their spans would outnumber all others.
var probePaths = map[string]bool{"/healthz": true, "/readyz": true, "/metrics": true}

// startSpan adds the span of a request to ctx, if it has one.
func (e *edge) startSpan(ctx context.Context, c *fiber.Ctx) (context.Context, trace.Span) {
	if e.Tracer == nil || probePaths[c.Path()] {
		return ctx, nil
	}
	ctx = propagation.TraceContext{}.Extract(ctx, traceCarrier{c})
	return e.Tracer.Start(ctx, c.Method(), trace.WithSpanKind(trace.SpanKindServer)) //nolint:spancheck // end does
}

// endSpan records the outcome of a request in its span: patterns and ids only, nothing that the client sent.
func endSpan(span trace.Span, c *fiber.Ctx, v *requestInfo) {
	if span == nil {
		return
	}
	if span.IsRecording() {
		method, route, status, p := c.Method(), routeOf(c), c.Response().StatusCode(), &v.auth.principal
		span.SetName(method + " " + route)
		span.SetAttributes(attribute.String("http.request.method", method), attribute.String("http.route", route),
			attribute.Int("http.response.status_code", status),
			attribute.String("cartwright.request.id", v.id), attribute.String("cartwright.tenant.id", string(p.Tenant.ID)),
			attribute.String("cartwright.principal", string(p.Kind)))
		if status >= fiber.StatusInternalServerError {
			span.SetStatus(codes.Error, "")
		}
	}
	span.End()
}
