package fulfillments

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/carrier"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/ports"
)

// matchedRow is a row with the fulfillment order it refers to.
type matchedRow struct {
	carrier.Entry

	fulfillmentOrder, order string // ids
	orderNumber             string // of the order
}

// applyBatch applies a batch of rows. Rows that change nothing or are refused are decided without locks; the
// others are decided again under the locks of their orders, several of them per transaction.
func (c carrierRun) applyBatch(ctx context.Context, batch []carrier.Entry) error {
	if len(batch) == 0 {
		return nil
	}
	from := c.Store.Read(ports.ForPrincipal(c.by))
	parcels, orders, err := c.matchRows(ctx, from, batch)
	if err != nil || len(parcels) == 0 {
		return err
	}
	goods, err := loadManyGoods(ctx, from, orders)
	if err != nil {
		return err
	}
	if err := c.catchUp(goods); err != nil {
		return err
	}
	var looked []RowResult
	var due []matchedRow
	for _, x := range parcels {
		_, said, err := c.applyRow(goods[x.order].OrderFulfillment, x)
		if err == nil && said == RowApplied {
			due = append(due, x)
			continue
		}
		if looked, err = record(looked, x, said, err); err != nil {
			return err
		}
	}
	c.addAll(looked)
	if c.trial != nil {
		return c.try(ctx, from, goods, due)
	}
	return c.commitAll(ctx, due)
}

// addAll adds results to the report.
func (c carrierRun) addAll(results []RowResult) {
	for _, x := range results {
		c.report.add(x)
	}
}

// commitAll ships parcels, commitBatchRows at a time, and two such batches at once where they have nothing in common: while
// one waits for the database, the other is decided.
func (c carrierRun) commitAll(ctx context.Context, due []matchedRow) error {
	batches := slices.Collect(slices.Chunk(due, commitBatchRows))
	for len(batches) > 0 {
		n := 1
		if len(batches) > 1 && areIndependent(batches[0], batches[1]) {
			n = 2
		}
		var done [2][]RowResult
		var errs [2]error
		background.Parallel(n, func(i int) { done[i], errs[i] = c.commit(ctx, batches[i]) })
		for i := range n {
			c.addAll(done[i])
		}
		if err := errors.Join(errs[:]...); err != nil {
			return err
		}
		batches = batches[n:]
	}
	return nil
}

// areIndependent reports whether two batches have neither an order nor a tracking number in common.
func areIndependent(a, b []matchedRow) bool {
	seen := make(map[string]bool, 2*len(a))
	for _, x := range a {
		seen[x.order], seen[x.Tracking.Number] = true, true
	}
	return !slices.ContainsFunc(b, func(x matchedRow) bool { return seen[x.order] || seen[x.Tracking.Number] })
}

// commit ships parcels in one transaction.
func (c carrierRun) commit(ctx context.Context, due []matchedRow) (done []RowResult, err error) {
	ids := map[string]bool{}
	for _, x := range due {
		ids[x.order] = true
	}
	sorted := slices.Sorted(maps.Keys(ids))
	locks := make([]ports.Ref, len(sorted))
	for i, id := range sorted {
		locks[i] = ports.Ref{Schema: order.Schema, ID: id}
	}
	scope := ports.ForPrincipal(c.by)
	scope.Prefetch = &ports.Prefetch{Lock: locks, Alone: true} // it reads what the orders have
	err = c.Store.Atomically(ctx, scope, func(ctx context.Context, tx ports.Tx) error {
		orders := make([]collection.Record, len(sorted))
		for i, id := range sorted {
			if orders[i], err = tx.Records.Lock(ctx, order.Schema, id); err != nil {
				return err
			}
		}
		goods, err := loadManyGoods(ctx, tx.Records, orders)
		if err != nil {
			return err
		}
		twice, err := c.findTrackingOwners(ctx, tx.Records, due)
		if err != nil {
			return err
		}
		next, outcome, err := c.applyRows(goods, due, twice)
		if err != nil {
			return err
		}
		done = outcome
		var changes []collection.Change
		for _, id := range sorted {
			more, err := goods[id].Changes(ctx, tx, next[id], c.Now(), c.NewID)
			if err != nil {
				return err
			}
			changes = append(changes, more...)
		}
		if len(changes) == 0 {
			return nil
		}
		return tx.Records.Write(ctx, changes...)
	})
	if err != nil {
		return nil, err
	}
	return done, nil
}

// applyRows decides rows in order, each on the result of the previous ones. Errors: those that concern the
// whole run.
func (c *CarrierFiles) applyRows(
	goods map[string]*OrderGoods, due []matchedRow, twice map[order.Tracking][]trackingOwner,
) (next map[string]order.OrderFulfillment, done []RowResult, err error) {
	next = make(map[string]order.OrderFulfillment, len(goods))
	for id, x := range goods {
		next[id] = x.OrderFulfillment
	}
	for _, x := range due {
		before := next[x.order]
		after, said, err := c.applyRow(before, x)
		shipped := err == nil && said == RowApplied
		if done, err = record(done, x, said, err); err != nil {
			return nil, nil, err
		}
		if shipped {
			next[x.order] = after
			last := &done[len(done)-1]
			*last = last.shipping(before, after)
			last.Note = sharedTracking(x, twice)
		}
	}
	return next, done, nil
}

// applyRow applies a row to the fulfillment state of its order: it ships everything open of its fulfillment
// order, or the pending fulfillment with this number. Errors: those of order.Goods.CreateFulfillment and
// order.Goods.Ship, ErrAlreadySent, ErrPacked, ErrSentWithoutNumber, ErrNothingLeft.
func (c *CarrierFiles) applyRow(g order.OrderFulfillment, x matchedRow) (order.OrderFulfillment, RowStatus, error) {
	for _, f := range g.Fulfillments {
		if f.FulfillmentOrder != x.fulfillmentOrder || f.State == order.FulfillmentCanceled ||
			!sameTrackingNumber(f.Tracking, x.Tracking.Number) {
			continue
		}
		switch {
		case f.State == order.FulfillmentPending:
			g, err := g.Ship(f.ID, x.Tracking, c.Now())
			return g, RowApplied, err
		case f.Tracking.Carrier != x.Tracking.Carrier:
			return g, RowUnchanged, ErrAlreadySent.WithMessage(
				"Fulfillment order %s was already shipped with this tracking number, by %s. If that is wrong, correct the fulfillment.",
				x.fulfillmentOrder, f.Tracking.Carrier)
		}
		return g, RowUnchanged, nil
	}
	id := c.NewID()
	packed, err := g.CreateFulfillment(order.NewFulfillment{ID: id, FulfillmentOrder: x.fulfillmentOrder, Tracking: x.Tracking}, c.Now())
	if err != nil {
		return g, RowUnchanged, explainRefusal(g, x, err)
	}
	sent, err := packed.Ship(id, x.Tracking, c.Now())
	return sent, RowApplied, err
}

// The refusals of a row whose fulfillment order has nothing open. Each is mended another way.
var (
	ErrAlreadySent = fault.New(fault.Conflict, "carrier_row_sent_already", "This was already shipped with another tracking number or carrier.")
	ErrPacked      = fault.New(fault.Conflict, "carrier_row_packed",
		"All units are packed in a fulfillment that was not sent. Ship or cancel that one.")
	ErrSentWithoutNumber = fault.New(fault.Conflict, "carrier_row_sent_unnumbered",
		"This was already shipped without a tracking number. To add this one, correct the fulfillment.")
	ErrNothingLeft = fault.New(fault.Conflict, "carrier_row_nothing_left", "The fulfillment order has nothing left to ship.")
)

// explainRefusal returns a more specific error when nothing could be packed.
func explainRefusal(g order.OrderFulfillment, x matchedRow, err error) error {
	switch fault.From(err).Reason {
	case order.ErrNotShippable.Reason:
		return order.ErrNotShippable.WithMessage("Fulfillment order %s does not ship: complete it manually.", x.fulfillmentOrder)
	case order.ErrUnitsExceeded.Reason:
	default:
		return err
	}
	for _, f := range slices.Backward(g.Fulfillments) {
		switch {
		case f.FulfillmentOrder != x.fulfillmentOrder || f.State == order.FulfillmentCanceled:
		case f.State == order.FulfillmentPending:
			return ErrPacked.WithMessage("All units of fulfillment order %s are in fulfillment %s. Ship or cancel that one.",
				x.fulfillmentOrder, f.ID)
		case f.Tracking.Number == "":
			return ErrSentWithoutNumber.WithMessage(
				"Fulfillment order %s was already shipped without a tracking number. To add this one, correct the fulfillment.",
				x.fulfillmentOrder)
		default:
			return ErrAlreadySent.WithMessage(
				"Fulfillment order %s was already shipped by %s with number %s. If that is wrong, correct the fulfillment.",
				x.fulfillmentOrder, f.Tracking.Carrier, f.Tracking.Number)
		}
	}
	return ErrNothingLeft.WithMessage("Fulfillment order %s has nothing left to ship.", x.fulfillmentOrder)
}

// sameTrackingNumber compares a stored number, which may be from before numbers were normalized, with one
// from a file.
func sameTrackingNumber(stored order.Tracking, number string) bool {
	return stored.Number == number || normalizeTracking(stored).Number == number
}

// record adds what became of a row to done. Errors: those that concern the whole run.
func record(done []RowResult, x matchedRow, status RowStatus, err error) ([]RowResult, error) {
	switch {
	case err != nil && !isRowRefusal(err):
		return done, err
	case err != nil:
		return append(done, refusedRow(x, err)), nil
	}
	return append(done, resultOf(x, status)), nil
}
