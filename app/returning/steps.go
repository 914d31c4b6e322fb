package returning

import (
	"context"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/ports"
)

// Approve agrees to a return: its order is in return_processing. Errors, as with the other steps: ports.ErrAbsent,
// returns.ErrTransition, payment.ErrRefundBusy.
func (r *Returning) Approve(ctx context.Context, c once.Call, id string) (once.Answer, error) {
	return r.step(ctx, c, decide, id, func(_ context.Context, _ ports.Tx, x opened) (_ opened, err error) {
		x.request, err = x.request.Approve(r.Now())
		x.order = x.order.ProcessReturn()
		return x, err
	})
}

// Receive says that the goods of a return are here: its units count as returned, and those that are to be sold again are on
// the shelf.
func (r *Returning) Receive(ctx context.Context, c once.Call, id string) (once.Answer, error) {
	return r.step(ctx, c, decide, id, func(ctx context.Context, tx ports.Tx, x opened) (_ opened, err error) {
		before := x.request
		if x.request, err = before.Receive(r.Now()); err != nil {
			return x, err
		}
		x = x.counted(before)
		return x, tx.Stock.Restock(ctx, x.order.Tenant, x.order.Environment, x.request.Shelved(x.order))
	})
}

// Reject refuses a return. Its units and amounts are free again, and with the last open return its order is where it was.
func (r *Returning) Reject(ctx context.Context, c once.Call, id, reason string) (once.Answer, error) {
	return r.end(ctx, c, decide, id, returns.Rejected, reason)
}

// Cancel takes a return back, as Reject does.
func (r *Returning) Cancel(ctx context.Context, c once.Call, id, reason string) (once.Answer, error) {
	return r.end(ctx, c, ask, id, returns.Canceled, reason)
}

func (r *Returning) end(ctx context.Context, c once.Call, t task, id string, as returns.Status, reason string) (once.Answer, error) {
	return r.step(ctx, c, t, id, func(_ context.Context, _ ports.Tx, x opened) (_ opened, err error) {
		x.request, err = x.request.End(as, strings.TrimSpace(reason))
		return x.ended(), err
	})
}

// step does one step of a return, under a key if the call has one.
func (r *Returning) step(
	ctx context.Context, c once.Call, t task, id string, do func(context.Context, ports.Tx, opened) (opened, error),
) (once.Answer, error) {
	if err := may(c, t); err != nil {
		return once.Answer{}, err
	}
	work := func(ctx context.Context, claim *once.Claim) (receipt ports.Receipt, err error) {
		err = r.atomically(ctx, c, func(ctx context.Context, tx ports.Tx) error {
			x, err := openRequest(ctx, tx, c, id)
			if err != nil {
				return err
			}
			if x, err = do(ctx, tx, x); err != nil {
				return err
			}
			if x, err = r.write(ctx, tx, x); err != nil {
				return err
			}
			receipt = r.receipt(c, x)
			return claim.Keep(ctx, tx, receipt)
		})
		return receipt, err
	}
	answer, _, err := r.Once.RunOptional(ctx, c, work, id)
	return answer, err
}

func (r *Returning) receipt(c once.Call, x opened) ports.Receipt {
	receipt := c.Receipt(ports.OK, x.body(c), nil, r.Now(), time.Time{})
	receipt.Record = x.request.ID
	return receipt
}
