package refunds

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/placement"
	"github.com/cartwright-dev/cartwright/ports"
)

// Within is s within a preview: its transactions are those of store, providers do whatever they are asked without being asked,
// and orders have numbers that count nowhere.
func (s *Service) Within(store ports.Store) *Service {
	r := s.within(store)
	canceler, lines, orders, capturer, attention := *s.Canceler, *s.Lines, *s.Orders, *s.Capturer, *s.Attention
	canceler.refunds, lines.refunds, orders.refunds, capturer.refunds, attention.refunds = r, r, r, r, r
	return &Service{refunder: r, Canceler: &canceler, Lines: &lines, Orders: &orders, Capturer: &capturer, Attention: &attention}
}

func (s *refunder) within(store ports.Store) *refunder {
	r := *s
	r.store, r.calls.Store = store, store
	r.numbers = placement.Numbers{}.At(s.now)
	r.failpoint, r.trial = func(string) {}, true
	r.connections.Providers = make(map[string]ports.Provider, len(s.connections.Providers))
	for name, p := range s.connections.Providers {
		r.connections.Providers[name] = &obliging{Provider: p}
	}
	return &r
}

// obliging stands for a provider within a preview: it does what it is asked at once. What its adapter would refuse to send is
// refused.
type obliging struct {
	ports.Provider

	asked ports.ProviderRequest // last; nil for nothing
}

// Build implements ports.Provider.
func (o *obliging) Build(conn ports.Connection, r ports.ProviderRequest) ([]byte, error) {
	o.asked = r
	return o.Provider.Build(conn, r)
}

// Ready implements ports.Provider.
func (*obliging) Ready(ports.Connection) error { return nil }

// Do implements ports.Provider.
func (*obliging) Do(context.Context, ports.Connection, ports.ProviderCall) (ports.Outcome, error) {
	return ports.Outcome{}, nil
}

// Lookup implements ports.Provider.
func (o *obliging) Lookup(_ context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	found := ports.ProviderPayment{
		State: ports.ProviderAuthorized, PaymentID: ref.PaymentID, ProviderID: ref.ProviderPaymentID, AccountKey: conn.AccountKey,
		Environment: conn.Environment,
	}
	if asked, ok := o.asked.(ports.CaptureRequest); ok {
		found.State, found.Amount = ports.ProviderPaid, asked.Amount
	}
	if _, ok := o.asked.(ports.VoidRequest); ok {
		found.State = ports.ProviderCanceled
	}
	return found, nil
}

// LookupRefund implements ports.Provider.
func (*obliging) LookupRefund(_ context.Context, _ ports.Connection, ref ports.RefundRef) (ports.ProviderRefund, error) {
	id := ref.ProviderID
	if id == "" {
		id = "preview:" + ref.Key
	}
	return ports.ProviderRefund{State: ports.RefundSucceeded, ProviderID: id, Amount: ref.Amount}, nil
}
