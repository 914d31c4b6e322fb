package ordering

import (
	"context"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/fulfilling"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// MaxNote is how many characters the note of a step has at most.
const MaxNote = 500

// Step is a step by hand.
type Step struct {
	To   order.Status
	Note string
}

// Take moves an order by hand and answers {order}. Errors: those of idempotency and access.Operator, ports.ErrAbsent,
// order.ErrTransition, and those of buying.CancelOrder for a cancel.
func (o *Ordering) Take(ctx context.Context, c once.Call, id string, s Step) (once.Answer, error) {
	may := []tenant.Role{tenant.Admin}
	if s.To.HandledByEditors() {
		may = append(may, tenant.Editor)
	}
	if err := access.Operator(c.Principal, may...); err != nil {
		return once.Answer{}, err
	}
	if s.To == order.Canceled {
		return o.cancel(ctx, c, id, s.Note)
	}
	work := func(ctx context.Context, claim *once.Claim) (receipt ports.Receipt, err error) {
		err = o.Store.Atomically(ctx, ports.Of(c.Principal.Tenant.ID), func(ctx context.Context, tx ports.Tx) error {
			if receipt, err = o.take(ctx, tx, c, id, s); err != nil {
				return err
			}
			return claim.Keep(ctx, tx, receipt)
		})
		return receipt, err
	}
	answer, _, err := o.Once.RunOptional(ctx, c, work, id)
	return answer, err
}

// canceledByHand is the reason of a cancel that gave none.
const canceledByHand = "Canceled by an operator."

func (o *Ordering) cancel(ctx context.Context, c once.Call, id, note string) (once.Answer, error) {
	if c.Key == "" {
		c.Key = "step-" + strings.ReplaceAll(o.NewID(), "-", "")
	}
	if note == "" {
		note = canceledByHand
	}
	return o.Buying.CancelOrder(ctx, c, id, note)
}

func (o *Ordering) take(ctx context.Context, tx ports.Tx, c once.Call, id string, s Step) (ports.Receipt, error) {
	x, err := fulfilling.Open(ctx, tx, id)
	if err != nil {
		return ports.Receipt{}, err
	}
	if x.Order.Environment != c.Principal.Environment {
		return ports.Receipt{}, ports.ErrAbsent
	}
	now := o.Now()
	next, err := x.MoveByHand(s.To, s.Note, now, o.NewID)
	if err != nil {
		return ports.Receipt{}, err
	}
	changes := x.Changes(next, now, o.NewID)
	if x.Order.Status == order.Pending && s.To == order.Paid && !next.Order.Total.IsZero() {
		paid, err := o.Buying.PaidByHand(ctx, tx, next.Order, s.Note)
		if err != nil {
			return ports.Receipt{}, err
		}
		changes = append(changes, paid)
	}
	if err := tx.Records.Write(ctx, changes...); err != nil {
		return ports.Receipt{}, err
	}
	receipt := c.Receipt(ports.OK, c.Body(once.Member{Name: "order", Schema: order.Schema, Record: written(changes, id)}), nil, now, time.Time{})
	receipt.Record = id
	return receipt, nil
}

// written is the record with that id as it was written.
func written(changes []collection.Change, id string) collection.Record {
	for _, c := range changes {
		if c.ID() == id {
			return c.After
		}
	}
	return nil
}
