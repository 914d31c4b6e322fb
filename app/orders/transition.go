package orders

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/app/preview"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// MaxNoteLength is how many characters the note of a step has at most.
const MaxNoteLength = 500

// Transition is a manual transition.
type Transition struct {
	To      order.Status
	Note    string
	Account *payment.RefundAccount // of the refund of a cancel, as in refunds.CancelRequest
	Preview bool                   // tell what it would do, and do nothing
}

// Transition makes a manual transition of an order and answers {order, outcome}. A preview answers what it would do, with the order as
// it is. Errors: those of idempotency and
// access.RequireOperator, ports.ErrNotFound, order.ErrTransition, and those of
// refunds.OrderCanceler.CancelOrder for a cancel.
func (o *Service) Transition(ctx context.Context, c idempotency.Call, id string, s Transition) (idempotency.Response, error) {
	if err := access.RequireOperator(c.Principal, permissionTo(s.To)); err != nil {
		return idempotency.Response{}, err
	}
	if s.To == order.Canceled {
		return o.cancel(ctx, c, id, refunds.CancelRequest{Reason: cmp.Or(s.Note, defaultCancelReason), Account: s.Account, Preview: s.Preview})
	}
	if s.Preview {
		return o.preview(ctx, c, id, s)
	}
	work := func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
		err = o.Store.Atomically(ctx, ports.ForTenant(c.Principal.Tenant.ID), func(ctx context.Context, tx ports.Tx) error {
			if receipt, err = o.transition(ctx, tx, c, id, s); err != nil {
				return err
			}
			return claim.Save(ctx, tx, receipt)
		})
		return receipt, err
	}
	answer, _, err := o.Idempotency.RunOptional(ctx, c, work, id)
	return answer, err
}

// preview answers what Transition would do now.
func (o *Service) preview(ctx context.Context, c idempotency.Call, id string, s Transition) (idempotency.Response, error) {
	var shown collection.Record
	scope := ports.ForTenant(c.Principal.Tenant.ID)
	of, err := preview.Run(ctx, o.Store, scope, func(ctx context.Context, within ports.Store) error {
		return within.Atomically(ctx, scope, func(ctx context.Context, tx ports.Tx) (err error) {
			if shown, err = tx.Records.Get(ctx, order.Schema, id); err == nil {
				_, err = o.transition(ctx, tx, c, id, s)
			}
			return err
		})
	})
	if err != nil {
		return idempotency.Response{}, err
	}
	return preview.Answer(c, shown, of, reply.Member{Name: "order", Schema: order.Schema, Record: shown}), nil
}

// permissionTo is what moving an order to a status by hand takes.
func permissionTo(s order.Status) tenant.Permission {
	switch {
	case s.IsFulfillment():
		return tenant.FulfillOrders
	case s == order.Canceled:
		return tenant.CancelOrders
	}
	return tenant.RecordPayments
}

// defaultCancelReason is the reason of a cancel that gave none.
const defaultCancelReason = "Canceled by an operator."

func (o *Service) cancel(ctx context.Context, c idempotency.Call, id string, in refunds.CancelRequest) (idempotency.Response, error) {
	if c.Key == "" {
		c.Key = "step-" + strings.ReplaceAll(o.NewID(), "-", "")
	}
	return o.Canceler.CancelOrder(ctx, c, id, in)
}

func (o *Service) transition(ctx context.Context, tx ports.Tx, c idempotency.Call, id string, s Transition) (idempotency.Receipt, error) {
	x, err := fulfillments.LockGoods(ctx, tx, id)
	if err != nil {
		return idempotency.Receipt{}, err
	}
	if x.Order.Environment != c.Principal.Environment {
		return idempotency.Receipt{}, ports.ErrNotFound
	}
	now := o.Now()
	next, err := x.MoveByHand(s.To, s.Note, now, o.NewID)
	if err != nil {
		return idempotency.Receipt{}, err
	}
	changes, err := x.Changes(ctx, tx, next, now, o.NewID)
	if err != nil {
		return idempotency.Receipt{}, err
	}
	w := collection.NewChangeSet(now, o.NewID)
	w.Add(changes...)
	if x.Order.Paid.IsZero() && s.To == order.Paid && !next.Order.Paid.IsZero() {
		if _, err := payments.RecordManualPayment(ctx, tx, w, next.Order, s.Note); err != nil {
			return idempotency.Receipt{}, err
		}
	}
	if x.Order.Hold == order.HoldVoided && next.Order.Hold == "" {
		if err := payments.ResolveVoided(ctx, tx, w, id, s.Note); err != nil {
			return idempotency.Receipt{}, err
		}
	}
	if err := tx.Records.Write(ctx, w.List()...); err != nil {
		return idempotency.Receipt{}, err
	}
	after := recordWritten(w.List(), id)
	receipt := c.Receipt(ports.ReceiptOK, c.Body(reply.Member{Name: "order", Schema: order.Schema, Record: after}, preview.None), nil, now, time.Time{})
	receipt.About(after)
	return receipt, nil
}

// recordWritten is the record with that id as it was written.
func recordWritten(changes []collection.Change, id string) collection.Record {
	for _, c := range changes {
		if c.ID() == id {
			return c.After
		}
	}
	return nil
}
