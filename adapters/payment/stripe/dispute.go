package stripe

import (
	"context"
	"fmt"
	"net/url"
	"time"

	api "github.com/stripe/stripe-go/v85"

	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// disputeStatuses maps Stripe's statuses to ours. A warning is an inquiry, for which no money is withdrawn. Fact stripe-10.
var disputeStatuses = map[api.DisputeStatus]payment.DisputeStatus{
	api.DisputeStatusWarningNeedsResponse: payment.DisputeNeedsResponse, api.DisputeStatusWarningUnderReview: payment.DisputeUnderReview,
	api.DisputeStatusWarningClosed: payment.DisputeClosed, api.DisputeStatusPrevented: payment.DisputeClosed,
	api.DisputeStatusNeedsResponse: payment.DisputeNeedsResponse, api.DisputeStatusUnderReview: payment.DisputeUnderReview,
	api.DisputeStatusWon: payment.DisputeWon, api.DisputeStatusLost: payment.DisputeLost,
}

// addDisputes adds to found the disputes of its payment, and what Stripe withdrew and reinstated for them.
func (p *Provider) addDisputes(ctx context.Context, conn ports.Connection, found *ports.ProviderPayment) error {
	var got struct {
		Object string         `json:"object"`
		Data   []*api.Dispute `json:"data"`
	}
	err := p.get(ctx, conn, "/v1/disputes", url.Values{"payment_intent": {found.ProviderID}, "limit": {"100"}}, &got)
	if err := expect(err, got.Object == "list"); err != nil {
		return err
	}
	for _, d := range got.Data {
		amount, readable := fromStripeUnits(d.Amount, string(d.Currency))
		if !readable {
			return ports.ErrProviderUnavailable.WithCause(fmt.Errorf("stripe: dispute %s of %d %s", d.ID, d.Amount, d.Currency))
		}
		one := payment.SeenDispute{
			ProviderID: d.ID, Status: disputeStatuses[d.Status], Reason: string(d.Reason), Amount: amount, OpenedAt: time.Unix(d.Created, 0).UTC(),
		}
		if one.Status == "" {
			one.Status = payment.DisputeUnderReview // unknown: not decided, as far as we know
		}
		if e := d.EvidenceDetails; e != nil && e.DueBy > 0 {
			one.EvidenceDue = time.Unix(e.DueBy, 0).UTC()
		}
		found.Disputes = append(found.Disputes, one)
		if taken, given := movements(d); taken > 0 {
			found.Gone = append(found.Gone, payment.MoneyGone{
				ProviderID: d.ID, Amount: amount, Cause: payment.CauseDispute, Returned: given >= taken,
			})
		}
	}
	return nil
}

// movements counts the withdrawals for a dispute, and the reinstatements. Their amounts are in the currency of the
// account, and include what exchange cost.
func movements(d *api.Dispute) (taken, given int) {
	for _, m := range d.BalanceTransactions {
		if m.Amount < 0 {
			taken++
		} else {
			given++
		}
	}
	return taken, given
}
