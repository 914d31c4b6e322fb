package bank

import (
	"net/http"
	"slices"
	"time"
)

// evidenceIn is how long the shop may answer a dispute.
const evidenceIn = 7 * 24 * time.Hour

// The statuses of a dispute.
const (
	disputeOpen  = "OPEN"
	disputeWon   = "WON"
	disputeLost  = "LOST"
	disputeEnded = "CLOSED" // an inquiry that became no dispute
)

// dispute is the complaint of a buyer at their bank about a payment. At most one of a payment is open.
type dispute struct {
	ID          string    `json:"id"`
	Status      string    `json:"status"`
	Reason      string    `json:"reason"`
	Amount      int64     `json:"amount"` // minor units
	Withdrawn   bool      `json:"withdrawn"`
	OpenedAt    time.Time `json:"openedAt"`
	EvidenceDue time.Time `json:"evidenceDue"`
}

// disputeRequest is the body of a script's call about a dispute.
type disputeRequest struct {
	Outcome string `json:"outcome"` // "open", "inquiry": open, but no money is taken; "won", "lost", "closed"
	Amount  int64  `json:"amount"`  // minor units of a dispute that is opened; 0 is what is captured and not refunded
	Reason  string `json:"reason"`
}

var (
	errNotDisputable = refuse(http.StatusConflict, "PAYMENT_NOT_DISPUTABLE", "The payment is not paid, or is disputed already.")
	errNoDispute     = refuse(http.StatusConflict, "NO_OPEN_DISPUTE", "No dispute of the payment is open.")
	errDisputeBody   = refuse(http.StatusBadRequest, "INVALID_REQUEST", "outcome: must be open, inquiry, won, lost or closed; amount: at most what is left")
)

// disputed is p after a step of its dispute.
func (p payment) disputed(in disputeRequest, now time.Time) (payment, []webhook, error) {
	i := slices.IndexFunc(p.Disputes, func(d dispute) bool { return d.Status == disputeOpen })
	ends := map[string]string{"won": disputeWon, "lost": disputeLost, "closed": disputeEnded}
	p.Disputes = slices.Clone(p.Disputes)
	switch in.Outcome {
	case "open", "inquiry":
		left := p.Captured - p.Refunded
		if in.Amount == 0 {
			in.Amount = left
		}
		switch {
		case i >= 0 || !p.paid():
			return p, nil, errNotDisputable
		case in.Amount <= 0 || in.Amount > left:
			return p, nil, errDisputeBody
		}
		p.Disputes = append(p.Disputes, dispute{
			ID: randomID("dsp_"), Status: disputeOpen, Reason: in.Reason, Amount: in.Amount, Withdrawn: in.Outcome == "open",
			OpenedAt: now, EvidenceDue: now.Add(evidenceIn),
		})
		return p, p.webhooksOf(now, "Transaction.DisputeCreated"), nil
	case "won", "lost", "closed":
		if i < 0 {
			return p, nil, errNoDispute
		}
		p.Disputes[i].Status = ends[in.Outcome]
		return p, p.webhooksOf(now, "Transaction.DisputeResolved"), nil
	}
	return p, nil, errDisputeBody
}

func (b *Server) disputeByScript(r *http.Request) (any, error) {
	var in disputeRequest
	if err := decodeScript(r, &in); err != nil {
		return nil, err
	}
	p, err := b.moveMoney(r.Context(), r.PathValue("id"), func(p payment, now time.Time) (payment, []webhook, error) {
		return p.disputed(in, now)
	})
	if err != nil {
		return nil, err
	}
	return p.Disputes[len(p.Disputes)-1], nil
}
