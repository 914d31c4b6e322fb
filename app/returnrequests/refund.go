package returnrequests

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/ports"
)

// RefundInput is how a return is refunded.
type RefundInput struct {
	// Account is where the money of a payment goes that is not refunded to where it came from; nil: where the request says.
	Account *payment.RefundAccount
	Preview bool // tell what it would do, and do nothing
}

// Refund refunds a return: through the provider, or by being recorded for a manual payment. It answers {returnRequest, order,
// outcome}. A refunded return answers the same again under any key, because the poller may settle the refund before a repeated
// call. A preview answers what it would do, as if the provider accepted, and needs no key. Errors: those of idempotency,
// ports.ErrNotFound, returns.ErrTransition and those of refunds.Service.Refund.
func (r *Service) Refund(ctx context.Context, c idempotency.Call, id string, in RefundInput) (idempotency.Response, error) {
	if err := authorize(c, actionRefund); err != nil {
		return idempotency.Response{}, err
	}
	if in.Preview {
		return r.preview(ctx, c, id, func(ctx context.Context, trial *Service) error {
			_, err := trial.refund(ctx, c, id, in.Account, nil)
			return err
		})
	}
	if err := c.CheckKey(id); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := r.Idempotency.RunClaimed(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
		return r.refund(ctx, c, id, in.Account, claim)
	})
	return answer, err
}

func (r *Service) refund(
	ctx context.Context, c idempotency.Call, id string, account *payment.RefundAccount, claim *idempotency.Claim,
) (idempotency.Receipt, error) {
	receipt, due, err := r.settleRefund(ctx, c, id, account, claim)
	if err != nil || due == nil {
		return receipt, err
	}
	due.By = c.Principal
	if _, err := r.Refunds.Refund(ctx, c.Principal.Tenant.ID, *due); err != nil {
		return receipt, r.recordShortfall(ctx, c, id, err)
	}
	receipt, due, err = r.settleRefund(ctx, c, id, account, claim)
	if err == nil && due != nil {
		err = ports.ErrProviderUnavailable.WithCause(errors.New("the refund was canceled concurrently"))
	}
	return receipt, err
}

// recordShortfall returns why a return could not be refunded. When too little of the payment is left, because
// it was refunded otherwise, it stores that with the request.
func (r *Service) recordShortfall(ctx context.Context, c idempotency.Call, id string, cause error) error {
	if !errors.Is(cause, payment.ErrExceedsPaid) {
		return cause
	}
	err := r.atomically(ctx, c, func(ctx context.Context, tx ports.Tx) error {
		x, err := lockRequest(ctx, tx, c, id)
		if err != nil {
			return err
		}
		x.request = x.request.FailRefund(fault.From(cause).Message)
		_, err = r.write(ctx, tx, x)
		return err
	})
	return cmp.Or(err, cause)
}

// settleRefund stores the answer if nothing is left to refund, or returns the refund that is due.
func (r *Service) settleRefund(
	ctx context.Context, c idempotency.Call, id string, account *payment.RefundAccount, claim *idempotency.Claim,
) (receipt idempotency.Receipt, due *refunds.Request, err error) {
	err = r.atomically(ctx, c, func(ctx context.Context, tx ports.Tx) error {
		x, err := lockRequest(ctx, tx, c, id)
		if err != nil {
			return err
		}
		due, x.previewed = nil, true
		if x.request.Status != returns.Refunded {
			if err := x.request.CheckTransition(returns.Refunded); err != nil {
				return err
			}
			if !x.request.RefundAmount.IsZero() {
				due, err = r.dueRefund(x, account)
				return err
			}
			if x, err = x.withSettledRequest(r.Now()); err != nil {
				return err
			}
			if x, err = r.write(ctx, tx, x); err != nil {
				return err
			}
		}
		receipt = r.newReceipt(c, x)
		return claim.Save(ctx, tx, receipt)
	})
	return receipt, due, err
}

// dueRefund is the refund of the request of x, to an account; nil: to the one that it was requested with.
func (r *Service) dueRefund(x orderReturns, account *payment.RefundAccount) (_ *refunds.Request, err error) {
	kept := account == nil
	if kept {
		account, err = r.accountOf(x.request)
	}
	id := x.request.ID
	return &refunds.Request{
		Order: x.order.ID, Amount: &x.request.RefundAmount, Parts: x.inOrder().RefundParts(x.request),
		Reason: refundReason(x.order), Key: "return:" + id, Return: id,
		Account: account, AccountKept: kept,
	}, err
}

// inOrder is the order of x with the other requests of it.
func (x orderReturns) inOrder() returns.OrderReturns {
	others := slices.DeleteFunc(slices.Clone(x.requests), func(r returns.Request) bool { return r.ID == x.request.ID })
	return returns.OrderReturns{Order: x.order, OtherRequests: others}
}

// withSettledRequest is x after its request was completed without a refund.
func (x orderReturns) withSettledRequest(now time.Time) (_ orderReturns, err error) {
	before := x.request
	x.request, err = before.MarkRefunded(now)
	return x.withReturnedUnits(before).withEndedRequest(), err
}

// withReturnedUnits is x with the units of its request counted as returned, if they were not before.
func (x orderReturns) withReturnedUnits(before returns.Request) orderReturns {
	if !before.UnitsReturned() && x.request.UnitsReturned() {
		x.order = x.order.AddReturned(x.request.Units())
	}
	return x
}

// refundReason is sent to the provider and stored with the transaction.
func refundReason(o order.Order) string { return "Return of order " + o.Number }
