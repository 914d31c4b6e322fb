package tracing

import (
	"context"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// Store wraps s with spans of its transactions and reads.
func (t *Tracing) Store(s ports.Store) ports.Store {
	if t.Tracer() == nil {
		return s
	}
	return store{s, t}
}

type store struct {
	ports.Store

	t *Tracing
}

// Atomically implements ports.Store.
func (s store) Atomically(ctx context.Context, scope ports.Scope, fn func(context.Context, ports.Tx) error) error {
	ctx, end := s.t.startChild(ctx, "transaction")
	err := s.Store.Atomically(ctx, scope, fn)
	end(err)
	return err
}

// Read implements ports.Store.
func (s store) Read(scope ports.Scope) ports.Reader { return reader{s.Store.Read(scope), s.t} }

type reader struct {
	ports.Reader

	t *Tracing
}

const collectionName = attribute.Key("db.collection.name")

// Get implements ports.Reader.
func (r reader) Get(ctx context.Context, s *collection.Schema, id string) (collection.Record, error) {
	ctx, end := r.t.startChild(ctx, "get", collectionName.String(s.Slug))
	found, err := r.Reader.Get(ctx, s, id)
	end(err)
	return found, err
}

// GetMany implements ports.Reader.
func (r reader) GetMany(ctx context.Context, s *collection.Schema, ids []string, room *collection.Room) (map[string]collection.Record, error) {
	ctx, end := r.t.startChild(ctx, "get many", collectionName.String(s.Slug))
	found, err := r.Reader.GetMany(ctx, s, ids, room)
	end(err)
	return found, err
}

// Find implements ports.Reader.
func (r reader) Find(ctx context.Context, q collection.Query) (collection.Page, error) {
	ctx, end := r.t.startChild(ctx, "find", collectionName.String(q.Schema.Slug))
	page, err := r.Reader.Find(ctx, q)
	end(err)
	return page, err
}

// Receipt implements ports.Reader.
func (r reader) Receipt(ctx context.Context, key ports.ReceiptKey) (ports.Receipt, error) {
	ctx, end := r.t.startChild(ctx, "get receipt")
	found, err := r.Reader.Receipt(ctx, key)
	end(err)
	return found, err
}

// Committer wraps c with a span for each wait for a commit.
func (t *Tracing) Committer(c ports.Committer) ports.Committer {
	if t.Tracer() == nil {
		return c
	}
	return committer{c, t}
}

type committer struct {
	ports.Committer

	t *Tracing
}

// Commit implements ports.Committer.
func (c committer) Commit(ctx context.Context, step ports.CommitRequest) error {
	ctx, end := c.t.startChild(ctx, "commit")
	err := c.Committer.Commit(ctx, step)
	end(err)
	return err
}

// Providers wraps all with a span for each call.
func (t *Tracing) Providers(all map[string]ports.Provider) map[string]ports.Provider {
	if t.Tracer() == nil {
		return all
	}
	out := make(map[string]ports.Provider, len(all))
	for name, p := range all {
		out[name] = provider{p, t, name}
	}
	return out
}

type provider struct {
	ports.Provider

	t    *Tracing
	name string
}

func (p provider) start(ctx context.Context, operation string) (context.Context, func(error)) {
	return p.t.start(ctx, "provider "+operation, trace.SpanKindClient, attribute.String("cartwright.provider", p.name))
}

// Do implements ports.Provider.
func (p provider) Do(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (ports.Outcome, error) {
	kind, _, _ := strings.Cut(call.Operation, ":") // a suffix identifies the call
	ctx, end := p.start(ctx, kind)
	answer, err := p.Provider.Do(ctx, conn, call)
	end(err)
	return answer, err
}

// Lookup implements ports.Provider.
func (p provider) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	ctx, end := p.start(ctx, "lookup")
	found, err := p.Provider.Lookup(ctx, conn, ref)
	end(err)
	return found, err
}

// LookupRefund implements ports.Provider.
func (p provider) LookupRefund(ctx context.Context, conn ports.Connection, ref ports.RefundRef) (ports.ProviderRefund, error) {
	ctx, end := p.start(ctx, "lookup refund")
	found, err := p.Provider.LookupRefund(ctx, conn, ref)
	end(err)
	return found, err
}

// Webhooks wraps s with a span for each attempt.
func (t *Tracing) Webhooks(s ports.WebhookSender) ports.WebhookSender {
	if t.Tracer() == nil {
		return s
	}
	return webhooks{s, t}
}

type webhooks struct {
	ports.WebhookSender

	t *Tracing
}

// Send implements ports.WebhookSender.
func (w webhooks) Send(ctx context.Context, r ports.WebhookRequest) ports.WebhookResponse {
	ctx, span := w.t.tracer.Start(ctx, "webhook attempt", trace.WithSpanKind(trace.SpanKindProducer))
	defer span.End()
	a := w.WebhookSender.Send(ctx, r)
	span.SetAttributes(attribute.Int("http.response.status_code", a.Status))
	if a.Failure != "" {
		span.SetAttributes(attribute.String("error.type", string(a.Failure)))
	}
	return a
}

// Operations wraps all with a span for each call.
func (t *Tracing) Operations(all []operation.Operation) []operation.Operation {
	if t.Tracer() == nil {
		return all
	}
	for i := range all {
		name, run := all[i].Name, all[i].Run
		all[i].Run = func(ctx context.Context, call idempotency.Call, in *operation.Input) (idempotency.Response, error) {
			ctx, end := t.startChild(ctx, name)
			answer, err := run(ctx, call, in)
			end(outcomeError(answer, err))
			return answer, err
		}
	}
	return all
}

// outcomeError is the error of a call; a stored refusal is part of the answer.
func outcomeError(answer idempotency.Response, err error) error {
	if err == nil && answer.Fault != nil {
		return answer.Fault
	}
	return err
}
