package returnrequests

import (
	"context"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/ports"
)

// Approve accepts a return: its order is in return_processing. Errors, as of the other steps: ports.ErrNotFound,
// returns.ErrTransition, payment.ErrRefundInProgress.
func (r *Service) Approve(ctx context.Context, c idempotency.Call, id string) (idempotency.Response, error) {
	return r.runStep(ctx, c, actionDecide, id, func(_ context.Context, _ ports.Tx, x orderReturns) (_ orderReturns, err error) {
		x.request, err = x.request.Approve(r.Now())
		x.order = x.order.ProcessReturn()
		return x, err
	})
}

// Receipt is what arrived of a return.
type Receipt struct {
	Lines   []returns.Arrival // what came of some lines; of the others everything
	Preview bool              // tell what receiving it would do, and do nothing
}

// Receive records that the goods of a return have arrived: its units count as returned, and those to be sold again are restocked. Where
// fewer came than were asked for, less is refunded; the answer has the amounts as receipt. A preview answers what it would do. Errors
// besides those of the other steps: fault.ErrValidation.
func (r *Service) Receive(ctx context.Context, c idempotency.Call, id string, in Receipt) (idempotency.Response, error) {
	var received *returns.Quote
	step := func(ctx context.Context, tx ports.Tx, x orderReturns) (_ orderReturns, err error) {
		before := x.request
		x.previewed = true
		if x.request, err = before.ReceiveOnly(x.others(c.Principal.Tenant.Rounding), in.Lines, r.Now()); err != nil {
			return x, err
		}
		x = x.withReturnedUnits(before)
		x.received, received = &x.request.Quote, &x.request.Quote
		cause := ports.StockCause{Kind: inventory.Returned, Order: x.order.ID, ReturnRequest: x.request.ID, Actor: c.Principal.Actor()}
		return x, tx.Stock.Restock(ctx, x.order.Tenant, x.order.Environment, x.request.RestockUnits(x.order), cause)
	}
	if !in.Preview {
		return r.runStep(ctx, c, actionDecide, id, step)
	}
	if err := authorize(c, actionDecide); err != nil {
		return idempotency.Response{}, err
	}
	return r.preview(ctx, c, id, func(ctx context.Context, trial *Service) error {
		_, err := trial.step(ctx, c, id, step, nil)
		return err
	}, func() reply.Member { return receiptMember(received) })
}

// receiptMember is what a received return comes to, as a member of the answer.
func receiptMember(q *returns.Quote) reply.Member {
	return reply.Member{Name: "receipt", Fields: returns.AmountFields, Record: q.Record()}
}

// Reject refuses a return. Its units and amounts may be returned again, and with the last open return its
// order has the status it had before.
func (r *Service) Reject(ctx context.Context, c idempotency.Call, id, reason string) (idempotency.Response, error) {
	return r.endRequest(ctx, c, actionDecide, id, returns.Rejected, reason)
}

// Cancel withdraws a return, with the effects of Reject.
func (r *Service) Cancel(ctx context.Context, c idempotency.Call, id, reason string) (idempotency.Response, error) {
	return r.endRequest(ctx, c, actionRequest, id, returns.Canceled, reason)
}

func (r *Service) endRequest(
	ctx context.Context, c idempotency.Call, t action, id string, as returns.Status, reason string,
) (idempotency.Response, error) {
	return r.runStep(ctx, c, t, id, func(_ context.Context, _ ports.Tx, x orderReturns) (_ orderReturns, err error) {
		x.request, err = x.request.EndAs(as, strings.TrimSpace(reason))
		return x.withEndedRequest(), err
	})
}

// stepFunc is one step of a locked return.
type stepFunc func(context.Context, ports.Tx, orderReturns) (orderReturns, error)

// runStep makes one step of a return, under a key if the call has one.
func (r *Service) runStep(ctx context.Context, c idempotency.Call, t action, id string, do stepFunc) (idempotency.Response, error) {
	if err := authorize(c, t); err != nil {
		return idempotency.Response{}, err
	}
	work := func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
		return r.step(ctx, c, id, do, claim)
	}
	answer, _, err := r.Idempotency.RunOptional(ctx, c, work, id)
	return answer, err
}

// step makes one step of a return in a transaction of its own.
func (r *Service) step(
	ctx context.Context, c idempotency.Call, id string, do stepFunc, claim *idempotency.Claim,
) (receipt idempotency.Receipt, err error) {
	err = r.atomically(ctx, c, func(ctx context.Context, tx ports.Tx) error {
		x, err := lockRequest(ctx, tx, c, id)
		if err != nil {
			return err
		}
		if x, err = do(ctx, tx, x); err != nil {
			return err
		}
		if x, err = r.write(ctx, tx, x); err != nil {
			return err
		}
		receipt = r.newReceipt(c, x)
		return claim.Save(ctx, tx, receipt)
	})
	return receipt, err
}

func (r *Service) newReceipt(c idempotency.Call, x orderReturns) idempotency.Receipt {
	receipt := c.Receipt(ports.ReceiptOK, x.body(c), nil, r.Now(), time.Time{})
	receipt.About(x.requestRecord)
	return receipt
}
