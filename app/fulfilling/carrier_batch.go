package fulfilling

import (
	"context"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/waybill"
	"github.com/cartwright-dev/cartwright/ports"
)

// parcel is a row whose fulfillment order was found.
type parcel struct {
	waybill.Entry

	work, order string // ids
	number      string // of the order
}

// apply does what a batch of rows says. Rows that say nothing new, or that are refused as things are, cost no lock; the
// others are decided anew under the locks of their orders, some of them in one transaction.
func (c *CarrierFiles) apply(ctx context.Context, p tenant.Principal, batch []waybill.Entry, report *CarrierReport) error {
	if len(batch) == 0 {
		return nil
	}
	from := c.Store.Read(ports.For(p))
	parcels, orders, err := c.resolve(ctx, from, p, batch, report)
	if err != nil || len(parcels) == 0 {
		return err
	}
	goods, err := goodsOf(ctx, from, orders)
	if err != nil {
		return err
	}
	var looked outcomes
	var due []parcel
	for _, x := range parcels {
		_, said, err := c.decide(goods[x.order].Goods, x)
		if err == nil && said == applied {
			due = append(due, x)
			continue
		}
		if err := looked.note(x.Row, said, err); err != nil {
			return err
		}
	}
	looked.into(report)
	for some := range slices.Chunk(due, batchRows) {
		done, err := c.commit(ctx, p, some)
		if err != nil {
			return err
		}
		done.into(report)
	}
	return nil
}

// commit sends parcels off in one transaction.
func (c *CarrierFiles) commit(ctx context.Context, p tenant.Principal, due []parcel) (done outcomes, err error) {
	ids := map[string]bool{}
	for _, x := range due {
		ids[x.order] = true
	}
	sorted := slices.Sorted(maps.Keys(ids))
	locks := make([]ports.Ref, len(sorted))
	for i, id := range sorted {
		locks[i] = ports.Ref{Schema: order.Schema, ID: id}
	}
	scope := ports.For(p)
	scope.Ahead = &ports.Ahead{Lock: locks}
	err = c.Store.Atomically(ctx, scope, func(ctx context.Context, tx ports.Tx) error {
		orders := make([]collection.Record, len(sorted))
		for i, id := range sorted {
			if orders[i], err = tx.Records.Lock(ctx, order.Schema, id); err != nil {
				return err
			}
		}
		goods, err := goodsOf(ctx, tx.Records, orders)
		if err != nil {
			return err
		}
		twice, err := c.twice(ctx, tx.Records, p, due)
		if err != nil {
			return err
		}
		next, outcome, err := c.decideAll(goods, due, twice)
		if err != nil {
			return err
		}
		done = outcome
		var changes []collection.Change
		for _, id := range sorted {
			changes = append(changes, goods[id].Changes(next[id], c.Now(), c.NewID)...)
		}
		if len(changes) == 0 {
			return nil
		}
		return tx.Records.Write(ctx, changes...)
	})
	if err != nil {
		return outcomes{}, err
	}
	return done, nil
}

// decideAll decides rows in their order: what an order became by one is what the next one of it finds. Errors: those that
// concern the whole run.
func (c *CarrierFiles) decideAll(goods map[string]*Found, due []parcel, twice map[order.Tracking][]used) (next map[string]order.Goods, done outcomes, err error) {
	next = make(map[string]order.Goods, len(goods))
	for id, x := range goods {
		next[id] = x.Goods
	}
	for _, x := range due {
		after, said, err := c.decide(next[x.order], x)
		if err := done.note(x.Row, said, err); err != nil {
			return nil, done, err
		}
		if err == nil && said == applied {
			next[x.order] = after
			done.warn(x, twice)
		}
	}
	return next, done, nil
}

// said is what a row turned out to say.
type said int

const (
	applied said = iota
	unchanged
)

// decide does what a row says to the goods of its order: what is open of its fulfillment order leaves, or the fulfillment
// that waits under this number does. Errors: those of order.Goods.Pack and order.Goods.Ship, ErrSent.
func (c *CarrierFiles) decide(g order.Goods, x parcel) (order.Goods, said, error) {
	for _, f := range g.Fulfillments {
		if f.Work != x.work || f.State == order.FulfillmentCanceled || !sameNumber(f.Tracking, x.Tracking.Number) {
			continue
		}
		switch {
		case f.State == order.FulfillmentPending:
			g, err := g.Ship(f.ID, x.Tracking, c.Now())
			return g, applied, err
		case f.Tracking.Carrier != x.Tracking.Carrier:
			return g, unchanged, ErrSent.Saying("Fulfillment order %s was sent off under this number already, by %s. If that is wrong, correct the fulfillment.", x.work, f.Tracking.Carrier)
		}
		return g, unchanged, nil
	}
	id := c.NewID()
	packed, err := g.Pack(order.Packing{ID: id, Work: x.work, Tracking: x.Tracking}, c.Now())
	if err != nil {
		return g, unchanged, explained(g, x, err)
	}
	sent, err := packed.Ship(id, x.Tracking, c.Now())
	return sent, applied, err
}

// ErrSent says that nothing is left to be sent under the number of a row.
var ErrSent = fault.New(fault.Conflict, "carrier_row_sent_already", "This was sent off already, under another number.")

// explained says more about why nothing could be packed.
func explained(g order.Goods, x parcel, err error) error {
	switch fault.From(err).Reason {
	case order.ErrNotShippable.Reason:
		return order.ErrNotShippable.Saying("Fulfillment order %s has nothing to ship: its lines are completed by hand.", x.work)
	case order.ErrUnitsExceeded.Reason:
	default:
		return err
	}
	for _, f := range slices.Backward(g.Fulfillments) {
		switch {
		case f.Work != x.work || f.State == order.FulfillmentCanceled:
		case f.State == order.FulfillmentPending:
			return ErrSent.Saying("All units of fulfillment order %s wait in fulfillment %s. Ship that one, or cancel it.", x.work, f.ID)
		case f.Tracking.Number == "":
			return ErrSent.Saying("Fulfillment order %s was sent off already, without a number. If it has this one, correct the fulfillment.", x.work)
		default:
			return ErrSent.Saying("Fulfillment order %s was sent off already, by %s under %s. If that is wrong, correct the fulfillment.", x.work, f.Tracking.Carrier, f.Tracking.Number)
		}
	}
	return ErrSent.Saying("Nothing of fulfillment order %s is left to be sent.", x.work)
}

// sameNumber compares a number that may be older than the rule to keep it as files have it with one of a file.
func sameNumber(stored order.Tracking, number string) bool {
	return stored.Number == number || normal(stored).Number == number
}

// outcomes is what became of some rows.
type outcomes struct {
	applied, unchanged int
	errors, warnings   []RowNote
}

// note keeps the outcome of a row. Errors: those that concern the whole run.
func (o *outcomes) note(row int, what said, err error) error {
	switch {
	case err != nil && !refused(err):
		return err
	case err != nil:
		o.errors = append(o.errors, RowNote{row, sentence(err)})
	case what == applied:
		o.applied++
	default:
		o.unchanged++
	}
	return nil
}

func (o *outcomes) into(r *CarrierReport) {
	r.Applied += o.applied
	r.Unchanged += o.unchanged
	r.Errors = append(r.Errors, o.errors...)
	r.Warnings = append(r.Warnings, o.warnings...)
}
