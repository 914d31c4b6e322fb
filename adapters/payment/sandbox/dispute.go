package sandbox

import (
	"time"

	domain "github.com/cartwright-dev/cartwright/domain/payment"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/ports"
)

// disputeResponse is a dispute of a payment.
type disputeResponse struct {
	ID          string    `json:"id"`
	Status      string    `json:"status"`
	Reason      string    `json:"reason"`
	Amount      int64     `json:"amount"`
	Withdrawn   bool      `json:"withdrawn"`
	OpenedAt    time.Time `json:"openedAt"`
	EvidenceDue time.Time `json:"evidenceDue"`
}

var disputeStatuses = map[string]domain.DisputeStatus{
	"OPEN": domain.DisputeNeedsResponse, "WON": domain.DisputeWon, "LOST": domain.DisputeLost, "CLOSED": domain.DisputeClosed,
}

// addTo adds d, and what the bank took for it, to its payment.
func (d disputeResponse) addTo(found *ports.ProviderPayment) {
	amount := money.Of(d.Amount, found.Amount.Currency)
	found.Disputes = append(found.Disputes, domain.SeenDispute{
		ProviderID: d.ID, Status: disputeStatuses[d.Status], Reason: d.Reason, Amount: amount, EvidenceDue: d.EvidenceDue, OpenedAt: d.OpenedAt,
	})
	if d.Withdrawn {
		found.Gone = append(found.Gone, domain.MoneyGone{
			ProviderID: d.ID, Amount: amount, Cause: domain.CauseDispute, Returned: d.Status == "WON",
		})
	}
}
