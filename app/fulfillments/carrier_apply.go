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
	"github.com/cartwright-dev/cartwright/domain/tenant"
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
func (c *CarrierFiles) applyBatch(ctx context.Context, p tenant.Principal, batch []carrier.Entry, report *CarrierReport) error {
	if len(batch) == 0 {
		return nil
	}
	from := c.Store.Read(ports.ForPrincipal(p))
	parcels, orders, err := c.matchRows(ctx, from, p, batch, report)
	if err != nil || len(parcels) == 0 {
		return err
	}
	goods, err := loadManyGoods(ctx, from, orders)
	if err != nil {
		return err
	}
	var looked batchResult
	var due []matchedRow
	for _, x := range parcels {
		_, said, err := c.applyRow(goods[x.order].OrderFulfillment, x)
		if err == nil && said == rowApplied {
			due = append(due, x)
			continue
		}
		if err := looked.record(x.Row, said, err); err != nil {
			return err
		}
	}
	looked.addTo(report)
	return c.commitAll(ctx, p, due, report)
}

// commitAll ships parcels, commitBatchRows at a time, and two such batches at once where they have nothing in common: while
// one waits for the database, the other is decided.
func (c *CarrierFiles) commitAll(ctx context.Context, p tenant.Principal, due []matchedRow, report *CarrierReport) error {
	batches := slices.Collect(slices.Chunk(due, commitBatchRows))
	for len(batches) > 0 {
		n := 1
		if len(batches) > 1 && areIndependent(batches[0], batches[1]) {
			n = 2
		}
		var done [2]batchResult
		var errs [2]error
		background.Parallel(n, func(i int) { done[i], errs[i] = c.commit(ctx, p, batches[i]) })
		for i := range n {
			done[i].addTo(report)
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
func (c *CarrierFiles) commit(ctx context.Context, p tenant.Principal, due []matchedRow) (done batchResult, err error) {
	ids := map[string]bool{}
	for _, x := range due {
		ids[x.order] = true
	}
	sorted := slices.Sorted(maps.Keys(ids))
	locks := make([]ports.Ref, len(sorted))
	for i, id := range sorted {
		locks[i] = ports.Ref{Schema: order.Schema, ID: id}
	}
	scope := ports.ForPrincipal(p)
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
		twice, err := c.findTrackingOwners(ctx, tx.Records, p, due)
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
		return batchResult{}, err
	}
	return done, nil
}

// applyRows decides rows in order, each on the result of the previous ones. Errors: those that concern the
// whole run.
func (c *CarrierFiles) applyRows(
	goods map[string]*OrderGoods, due []matchedRow, twice map[order.Tracking][]trackingOwner,
) (next map[string]order.OrderFulfillment, done batchResult, err error) {
	next = make(map[string]order.OrderFulfillment, len(goods))
	for id, x := range goods {
		next[id] = x.OrderFulfillment
	}
	for _, x := range due {
		after, said, err := c.applyRow(next[x.order], x)
		if err := done.record(x.Row, said, err); err != nil {
			return nil, done, err
		}
		if err == nil && said == rowApplied {
			next[x.order] = after
			done.warnSharedTracking(x, twice)
		}
	}
	return next, done, nil
}

// rowOutcome is the effect of a row.
type rowOutcome int

const (
	rowApplied rowOutcome = iota
	rowUnchanged
)

// applyRow applies a row to the fulfillment state of its order: it ships everything open of its fulfillment
// order, or the pending fulfillment with this number. Errors: those of order.Goods.CreateFulfillment and
// order.Goods.Ship, ErrAlreadySent.
func (c *CarrierFiles) applyRow(g order.OrderFulfillment, x matchedRow) (order.OrderFulfillment, rowOutcome, error) {
	for _, f := range g.Fulfillments {
		if f.FulfillmentOrder != x.fulfillmentOrder || f.State == order.FulfillmentCanceled ||
			!sameTrackingNumber(f.Tracking, x.Tracking.Number) {
			continue
		}
		switch {
		case f.State == order.FulfillmentPending:
			g, err := g.Ship(f.ID, x.Tracking, c.Now())
			return g, rowApplied, err
		case f.Tracking.Carrier != x.Tracking.Carrier:
			return g, rowUnchanged, ErrAlreadySent.WithMessage(
				"Fulfillment order %s was already shipped with this tracking number, by %s. If that is wrong, correct the fulfillment.",
				x.fulfillmentOrder, f.Tracking.Carrier)
		}
		return g, rowUnchanged, nil
	}
	id := c.NewID()
	packed, err := g.CreateFulfillment(order.NewFulfillment{ID: id, FulfillmentOrder: x.fulfillmentOrder, Tracking: x.Tracking}, c.Now())
	if err != nil {
		return g, rowUnchanged, explainRefusal(g, x, err)
	}
	sent, err := packed.Ship(id, x.Tracking, c.Now())
	return sent, rowApplied, err
}

// ErrAlreadySent refuses a row whose fulfillment order was shipped already under another number.
var ErrAlreadySent = fault.New(fault.Conflict, "carrier_row_sent_already", "This was already shipped with another tracking number.")

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
			return ErrAlreadySent.WithMessage("All units of fulfillment order %s are in fulfillment %s. Ship or cancel that one.",
				x.fulfillmentOrder, f.ID)
		case f.Tracking.Number == "":
			return ErrAlreadySent.WithMessage(
				"Fulfillment order %s was already shipped without a tracking number. To add this one, correct the fulfillment.",
				x.fulfillmentOrder)
		default:
			return ErrAlreadySent.WithMessage(
				"Fulfillment order %s was already shipped by %s with number %s. If that is wrong, correct the fulfillment.",
				x.fulfillmentOrder, f.Tracking.Carrier, f.Tracking.Number)
		}
	}
	return ErrAlreadySent.WithMessage("Fulfillment order %s has nothing left to ship.", x.fulfillmentOrder)
}

// sameTrackingNumber compares a stored number, which may be from before numbers were normalized, with one
// from a file.
func sameTrackingNumber(stored order.Tracking, number string) bool {
	return stored.Number == number || normalizeTracking(stored).Number == number
}

// batchResult is the result of several rows.
type batchResult struct {
	applied, unchanged int
	errors, warnings   []RowNote
}

// record stores the outcome of a row. Errors: those that concern the whole run.
func (o *batchResult) record(row int, what rowOutcome, err error) error {
	switch {
	case err != nil && !isRowRefusal(err):
		return err
	case err != nil:
		o.errors = append(o.errors, refusalNote(row, err))
	case what == rowApplied:
		o.applied++
	default:
		o.unchanged++
	}
	return nil
}

func (o *batchResult) addTo(r *CarrierReport) {
	r.Applied += o.applied
	r.Unchanged += o.unchanged
	r.Errors = append(r.Errors, o.errors...)
	r.Warnings = append(r.Warnings, o.warnings...)
}
