package portone

import (
	"context"
	"errors"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/ports"
)

// refundStates puts PortOne's words for a cancellation into ours.
var refundStates = map[string]ports.RefundState{
	"SUCCEEDED": ports.RefundSucceeded, "REQUESTED": ports.RefundPending, cancellationFails: ports.RefundFailed,
}

// LookupRefund finds a refund among the cancellations of its payment: by its own id, else the one of its amount that did not
// fail and is none of our others.
func (p *Provider) LookupRefund(ctx context.Context, conn ports.Connection, ref ports.RefundRef) (found ports.ProviderRefund, err error) {
	s, _, err := p.payment(ctx, conn, ref.PaymentID)
	if err != nil {
		return found, err
	}
	found.State = ports.RefundAbsent
	for _, c := range s.Cancellations {
		amount, whole := minor(c.TotalAmount)
		ours := whole && amount == ref.Amount.Minor && c.Status != cancellationFails && !slices.Contains(ref.Others, c.ID)
		if ref.ProviderID != "" {
			ours = c.ID == ref.ProviderID
		}
		switch {
		case !ours:
			continue
		case found.State != ports.RefundAbsent:
			return found, unreadable(errors.New("two cancellations could be the one that was asked for"))
		}
		state, known := refundStates[c.Status]
		if !known {
			state = ports.RefundPending
		}
		found = ports.ProviderRefund{State: state, ProviderID: c.ID, Amount: money.Of(amount, money.Currency(s.Currency))}
	}
	return found, nil
}
