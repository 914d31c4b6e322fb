package metrics

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/ports"
)

// Providers wraps all, to count their calls.
func (w *Activity) Providers(all map[string]ports.Provider) map[string]ports.Provider {
	out := make(map[string]ports.Provider, len(all))
	for name, p := range all {
		out[name] = provider{p, w, name}
	}
	return out
}

// provider counts the calls of one payment provider.
type provider struct {
	ports.Provider

	activity *Activity
	name     string
}

// Do implements ports.Provider.
func (p provider) Do(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (ports.Outcome, error) {
	start := time.Now()
	answer, err := p.Provider.Do(ctx, conn, call)
	p.record(operationKind(call.Operation), start, err)
	return answer, err
}

// Lookup implements ports.Provider.
func (p provider) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	start := time.Now()
	found, err := p.Provider.Lookup(ctx, conn, ref)
	p.record("lookup", start, err)
	return found, err
}

// LookupRefund implements ports.Provider.
func (p provider) LookupRefund(ctx context.Context, conn ports.Connection, ref ports.RefundRef) (ports.ProviderRefund, error) {
	start := time.Now()
	found, err := p.Provider.LookupRefund(ctx, conn, ref)
	p.record("lookup_refund", start, err)
	return found, err
}

func (p provider) record(operation string, start time.Time, err error) {
	outcome := outcomeOf(err)
	p.activity.calls.WithLabelValues(p.name, operation, outcome).Inc()
	p.activity.callDurations.WithLabelValues(p.name, operation, outcome).Observe(time.Since(start).Seconds())
}

// operationKind is the kind of a logged provider call, whose name may have a suffix that identifies it:
// "refund:…".
func operationKind(name string) string {
	kind, _, _ := strings.Cut(name, ":")
	return kind
}

// outcomeOf is how a call ended, in one word: "unsent" when no request was made, because the circuit is open
// or too many calls are running.
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
