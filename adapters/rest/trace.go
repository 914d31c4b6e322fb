package rest

import (
	"context"

	"github.com/gofiber/fiber/v2"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// traceparent reads a caller's trace out of its headers. W3C Trace Context; baggage is not taken.
type traceparent struct{ *fiber.Ctx }

// Get implements propagation.TextMapCarrier.
func (h traceparent) Get(name string) string { return h.Ctx.Get(name) }

// Set implements propagation.TextMapCarrier; nothing is set.
func (traceparent) Set(string, string) {}

// Keys implements propagation.TextMapCarrier.
func (traceparent) Keys() []string { return nil }

// probed are the addresses that machines ask every few seconds: their requests would drown all others.
var probed = map[string]bool{"/healthz": true, "/readyz": true, "/metrics": true}

// begin is ctx with the span of a request in it, where there is one.
func (e *edge) begin(ctx context.Context, c *fiber.Ctx) (context.Context, trace.Span) {
	if e.Tracer == nil || probed[c.Path()] {
		return ctx, nil
	}
	ctx = propagation.TraceContext{}.Extract(ctx, traceparent{c})
	return e.Tracer.Start(ctx, c.Method(), trace.WithSpanKind(trace.SpanKindServer)) //nolint:spancheck // end does
}

// end says in the span of a request what became of it: by patterns and ids, never by what the client sent.
func end(span trace.Span, c *fiber.Ctx, v *visit) {
	if span == nil {
		return
	}
	if span.IsRecording() {
		method, route, status, p := c.Method(), routeOf(c), c.Response().StatusCode(), &v.who.principal
		span.SetName(method + " " + route)
		span.SetAttributes(attribute.String("http.request.method", method), attribute.String("http.route", route), attribute.Int("http.response.status_code", status),
			attribute.String("cartwright.request.id", v.id), attribute.String("cartwright.tenant.id", string(p.Tenant.ID)), attribute.String("cartwright.principal", string(p.Kind)))
		if status >= fiber.StatusInternalServerError {
			span.SetStatus(codes.Error, "")
		}
	}
	span.End()
}
