package returnrequests

import (
	"context"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/ports"
)

// RefundFollower moves return requests along with the refunds that pay them out; it implements
// refunds.ReturnFollower.
type RefundFollower struct {
	Now   func() time.Time
	NewID func() string
}

// errAmountChanged says that a return comes to something else than the refund that was about to be requested for it.
var errAmountChanged = payment.ErrRefundInProgress.WithMessage("What this return refunds has just changed. Try again.")

// FollowRefund moves a return request and its locked order o along with the refund f, in the transaction that
// records a step of f. Errors: returns.ErrTransition, payment.ErrExceedsPaid and, for another amount than the
// return comes to now, payment.ErrRefundInProgress, all before the provider was asked.
func (rf RefundFollower) FollowRefund(
	ctx context.Context, tx ports.Tx, o order.Order, f payment.Refund,
) (order.Order, []collection.Change, error) {
	record, err := tx.Records.Lock(ctx, returns.Schema, f.ReturnRequest)
	if err != nil {
		return o, nil, err
	}
	all, err := requestsOf(ctx, tx.Records, o.ID)
	if err != nil {
		return o, nil, err
	}
	x := orderReturns{order: o, requests: all, request: returns.FromRecord(record)}
	before := x.request
	if f.State == payment.RefundRequested || f.Provider == payment.CustomProvider {
		if x.request, err = x.request.BeginRefund(f.ID); err != nil {
			return o, nil, err
		}
		if f.Amount != x.request.RefundAmount { // fewer units were received since the amount was read
			return o, nil, errAmountChanged
		}
		if left := o.Paid.Minus(o.Refunded); left.Minor < 0 || f.State == payment.RefundRequested && left.Minor < f.Amount.Minor {
			return o, nil, payment.ExceedsPaid(left)
		}
	}
	x.request = x.request.ApplyRefund(f, strings.TrimPrefix(f.Note, refundReason(o)+"\n"), rf.Now())
	x = x.withReturnedUnits(before)
	switch {
	case before.Status != returns.Refunded && x.request.Status == returns.Refunded:
		x = x.withEndedRequest()
	case before.Status == returns.Refunded && x.request.Status != returns.Refunded:
		x.order = x.order.ReopenReturn()
	}
	change := collection.NewChange(returns.Schema, record, x.request.Record(), rf.NewID(), rf.Now())
	if len(change.ChangedFields()) == 0 {
		return x.order, nil, nil
	}
	return x.order, []collection.Change{change}, nil
}
