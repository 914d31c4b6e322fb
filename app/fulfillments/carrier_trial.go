package fulfillments

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/ports"
)

// trial is what a dry run has found so far. Nothing of it is stored, so later rows are decided on top of it. It takes some
// hundred bytes a row.
type trial struct {
	applied map[string][]matchedRow            // by order, in turn
	numbers map[order.Tracking][]trackingOwner // who would have a tracking number
}

// catchUp applies to goods what earlier rows of a dry run would have applied.
func (c carrierRun) catchUp(goods map[string]*OrderGoods) error {
	if c.trial == nil {
		return nil
	}
	for id, x := range goods {
		for _, row := range c.trial.applied[id] {
			after, _, err := c.applyRow(x.OrderFulfillment, row)
			switch {
			case err == nil:
				x.OrderFulfillment = after
			case !isRowRefusal(err): // else somebody else changed the order since
				return fault.From(err)
			}
		}
	}
	return nil
}

// try decides rows as commit does, and remembers what it found instead of writing it.
func (c carrierRun) try(ctx context.Context, from ports.Reader, goods map[string]*OrderGoods, due []matchedRow) error {
	if len(due) == 0 {
		return nil
	}
	twice, err := c.findTrackingOwners(ctx, from, due)
	if err != nil {
		return err
	}
	for _, x := range due {
		if _, seen := c.trial.numbers[x.Tracking]; seen {
			twice[x.Tracking] = append(twice[x.Tracking], c.trial.numbers[x.Tracking]...)
		}
	}
	_, done, err := c.applyRows(goods, due, twice)
	if err != nil {
		return err
	}
	for i, x := range due {
		if done[i].Status == RowApplied {
			c.trial.applied[x.order] = append(c.trial.applied[x.order], x)
			c.trial.numbers[x.Tracking] = append(c.trial.numbers[x.Tracking], trackingOwner{x.order, x.orderNumber})
		}
	}
	c.addAll(done)
	return nil
}
