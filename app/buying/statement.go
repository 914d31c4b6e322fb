package buying

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// Statement is what the provider says of a session's payment; it changes nothing. Errors: payment.ErrNotConfigured,
// ports.ErrProviderUnavailable, ports.ErrProviderRejected.
func (b *Buying) Statement(ctx context.Context, s payment.Session) (ports.ProviderPayment, error) {
	a, err := b.account(ctx, b.Store.Read(ports.Of(s.Tenant)), s)
	if err != nil {
		return ports.ProviderPayment{}, err
	}
	return a.provider.Lookup(ctx, a.Connection, ports.PaymentRef{
		PaymentID: s.PaymentID, ProviderSessionID: s.ProviderSessionID, ProviderPaymentID: s.ProviderPaymentID,
	})
}
