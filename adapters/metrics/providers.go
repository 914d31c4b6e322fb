package metrics

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/ports"
)

// Providers are all, every call of theirs being counted.
func (w *Work) Providers(all map[string]ports.Provider) map[string]ports.Provider {
	out := make(map[string]ports.Provider, len(all))
	for name, p := range all {
		out[name] = provider{p, w, name}
	}
	return out
}

// provider counts the calls of one payment provider.
type provider struct {
	ports.Provider

	work *Work
	name string
}

// Send implements ports.Provider.
func (p provider) Send(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (map[string]string, error) {
	start := time.Now()
	answer, err := p.Provider.Send(ctx, conn, call)
	p.ended(kindOf(call.Operation), start, err)
	return answer, err
}

// Lookup implements ports.Provider.
func (p provider) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	start := time.Now()
	found, err := p.Provider.Lookup(ctx, conn, ref)
	p.ended("lookup", start, err)
	return found, err
}

// LookupRefund implements ports.Provider.
func (p provider) LookupRefund(ctx context.Context, conn ports.Connection, ref ports.RefundRef) (ports.ProviderRefund, error) {
	start := time.Now()
	found, err := p.Provider.LookupRefund(ctx, conn, ref)
	p.ended("lookup_refund", start, err)
	return found, err
}

func (p provider) ended(operation string, start time.Time, err error) {
	outcome := outcomeOf(err)
	p.work.calls.WithLabelValues(p.name, operation, outcome).Inc()
	p.work.answers.WithLabelValues(p.name, operation, outcome).Observe(time.Since(start).Seconds())
}

// kindOf is the kind of a journaled call, whose name may say which of several it is: "refund:…".
func kindOf(journaled string) string {
	kind, _, _ := strings.Cut(journaled, ":")
	return kind
}

// outcomeOf says in a word how a call ended: "unsent" when nothing was asked of the provider, because its circuit is open or
// too many calls are under way.
func outcomeOf(err error) string {
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, ports.ErrNotSent):
		return "unsent"
	case errors.Is(err, ports.ErrProviderRejected):
		return "rejected"
	case errors.Is(err, ports.ErrProviderUnavailable):
		return "unavailable"
	}
	return "failed"
}
