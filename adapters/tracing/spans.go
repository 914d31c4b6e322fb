package tracing

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// startChild starts a span below the span of ctx. Without one it makes no span, and end does nothing.
func (t *Tracing) startChild(ctx context.Context, name string, about ...attribute.KeyValue) (context.Context, func(error)) {
	if !trace.SpanFromContext(ctx).IsRecording() {
		return ctx, noEnd
	}
	return t.start(ctx, name, trace.SpanKindInternal, about...)
}

func noEnd(error) {}

func (t *Tracing) start(ctx context.Context, name string, kind trace.SpanKind, about ...attribute.KeyValue) (context.Context, func(error)) {
	ctx, span := t.tracer.Start(ctx, name, trace.WithSpanKind(kind), trace.WithAttributes(about...))
	return ctx, func(err error) {
		recordError(span, err)
		span.End()
	}
}

// recordError marks a span with the reason of err, never with its text. A refusal is an answer, not an error
// of the span; the end of ctx has its own attribute value.
func recordError(span trace.Span, err error) {
	if err == nil || !span.IsRecording() {
		return
	}
	word := "canceled"
	if !errors.Is(err, context.Canceled) {
		word = fault.From(err).Reason
	}
	span.SetAttributes(attribute.String("error.type", word))
	switch fault.From(err).Kind {
	case fault.Internal, fault.Unavailable, fault.ProviderFailed:
		span.SetStatus(codes.Error, word)
	default:
	}
}

// startShared is the context of work done for several callers at once: its span belongs to the first sampled
// caller, and links to the others.
func (t *Tracing) startShared(ctx context.Context, name string, callers []context.Context) (context.Context, func()) {
	var first trace.Span
	var others []trace.Span
	for _, c := range callers {
		switch s := trace.SpanFromContext(c); {
		case !s.IsRecording():
		case first == nil:
			first = s
		default:
			others = append(others, s)
		}
	}
	if first == nil {
		return ctx, func() {}
	}
	links := make([]trace.Link, len(others))
	for i, s := range others {
		links[i] = trace.Link{SpanContext: s.SpanContext()}
	}
	ctx, span := t.tracer.Start(trace.ContextWithSpan(ctx, first), name, trace.WithLinks(links...),
		trace.WithAttributes(attribute.Int("cartwright.batch.size", len(callers))))
	for _, s := range others {
		s.AddLink(trace.Link{SpanContext: span.SpanContext()})
	}
	return ctx, func() { span.End() }
}

// MailboxWrapper is a mailbox.Options.WrapBatch, nil without traces.
func (t *Tracing) MailboxWrapper() func(ctx context.Context, callers []context.Context) (context.Context, func()) {
	if t.Tracer() == nil {
		return nil
	}
	return func(ctx context.Context, callers []context.Context) (context.Context, func()) {
		return t.startShared(ctx, "cart changes", callers)
	}
}

// CommitBatchHook is a sqlstore.Options.TraceBatch, nil without traces.
func (t *Tracing) CommitBatchHook() func(steps []context.Context) (ended func()) {
	if t.Tracer() == nil {
		return nil
	}
	return func(steps []context.Context) func() {
		_, ended := t.startShared(context.Background(), "commit batch", steps)
		return ended
	}
}

// childOnly makes child spans only: work outside of a sampled request starts no traces.
func (t *Tracing) childOnly() trace.TracerProvider { return childOnlyProvider{t.spans} }

type childOnlyProvider struct{ trace.TracerProvider }

// Tracer implements trace.TracerProvider.
func (w childOnlyProvider) Tracer(name string, o ...trace.TracerOption) trace.Tracer {
	return childOnlyTracer{w.TracerProvider.Tracer(name, o...)}
}

type childOnlyTracer struct{ trace.Tracer }

// Start implements trace.Tracer.
func (w childOnlyTracer) Start(ctx context.Context, name string, o ...trace.SpanStartOption) (context.Context, trace.Span) {
	if !trace.SpanContextFromContext(ctx).IsSampled() {
		return ctx, noop.Span{}
	}
	return w.Tracer.Start(ctx, name, o...) //nolint:spancheck // the caller ends it
}
