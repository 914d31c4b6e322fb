package portone

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/ports"
)

// refundStates maps PortOne's cancellation states to ours.
var refundStates = map[string]ports.RefundState{
	"SUCCEEDED": ports.RefundSucceeded, "REQUESTED": ports.RefundPending, statusFailed: ports.RefundFailed,
}

// LookupRefund finds a refund among the cancellations of its payment: by its own id, else the first of its
// amount that did not fail and is not another refund of ours. If there are two, one was made in the console,
// and it does not matter which: PortOne reports no balance after either.
func (p *Provider) LookupRefund(ctx context.Context, conn ports.Connection, ref ports.RefundRef) (found ports.ProviderRefund, err error) {
	s, _, err := p.payment(ctx, conn, ref.PaymentID)
	if err != nil {
		return found, err
	}
	for _, c := range s.Cancellations {
		amount, whole := parseMinorUnits(c.TotalAmount)
		ours := whole && amount == ref.Amount.Minor && c.Status != statusFailed && !slices.Contains(ref.OtherRefundIDs, c.ID)
		if ref.ProviderID != "" {
			ours = c.ID == ref.ProviderID
		}
		if ours {
			return c.toRefund(money.Of(amount, money.Currency(s.Currency))), nil
		}
	}
	return ports.ProviderRefund{State: ports.RefundAbsent}, nil
}

// toRefund converts a cancellation.
func (c cancellationResponse) toRefund(amount money.Money) ports.ProviderRefund {
	state, known := refundStates[c.Status]
	if !known {
		state = ports.RefundPending
	}
	found := ports.ProviderRefund{State: state, ProviderID: c.ID, Amount: amount}
	if taxFree, told := parseMinorUnits(c.TaxFree); told {
		found.TaxFree = money.Of(taxFree, amount.Currency)
	}
	if vat, told := parseMinorUnits(c.VAT); told {
		found.VAT = money.Of(vat, amount.Currency)
	}
	return found
}
