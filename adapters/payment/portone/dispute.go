package portone

import (
	"cmp"
	"time"

	"github.com/cartwright-dev/cartwright/domain/payment"
)

// disputeResponse is a dispute of a payment. Fact portone-23.
type disputeResponse struct {
	Status    string `json:"status"`
	ID        string `json:"pgDisputeId"`
	Reason    string `json:"reason"`
	CreatedAt string `json:"createdAt"`
}

// toDispute converts a dispute. One that its gateway does not name is known by the time at which it began.
func (d disputeResponse) toDispute() payment.SeenDispute {
	at, err := time.Parse(time.RFC3339, d.CreatedAt)
	if err != nil {
		at = time.Time{}
	}
	seen := payment.SeenDispute{
		ProviderID: cmp.Or(d.ID, d.CreatedAt), Status: payment.DisputeNeedsResponse, Reason: d.Reason, OpenedAt: at.UTC(),
	}
	if d.Status == "RESOLVED" {
		seen.Status = payment.DisputeClosed
	}
	return seen
}
