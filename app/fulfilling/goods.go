package fulfilling

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/ports"
)

// Found is the goods of an order whose row is locked, and the records they were read from.
type Found struct {
	order.Goods

	record  collection.Record            // of the order
	records map[string]collection.Record // of everything, by id
}

// Open locks an order and reads its goods. Errors: ports.ErrAbsent.
func Open(ctx context.Context, tx ports.Tx, id string) (Found, error) {
	r, err := tx.Records.Lock(ctx, order.Schema, id)
	if err != nil {
		return Found{}, err
	}
	x, err := Around(ctx, tx, order.FromRecord(r))
	x.record, x.records[id] = r, r
	return x, err
}

// Around reads the goods of an order for a caller who has its lock, and writes the order too: Edits is for them.
func Around(ctx context.Context, tx ports.Tx, o order.Order) (Found, error) {
	x := Found{Goods: order.Goods{Order: o}, records: map[string]collection.Record{}}
	work, err := x.read(ctx, tx, order.FulfillmentOrders)
	if err != nil {
		return x, err
	}
	for _, w := range work {
		x.Work = append(x.Work, order.FulfillmentOrderFrom(w))
	}
	parcels, err := x.read(ctx, tx, order.Fulfillments)
	for _, f := range parcels {
		x.Fulfillments = append(x.Fulfillments, order.FulfillmentFrom(f))
	}
	return x, err
}

// read lists the records of s that belong to the order, oldest first.
func (x Found) read(ctx context.Context, tx ports.Tx, s *collection.Schema) ([]collection.Record, error) {
	oldest := []collection.Order{{Path: s.Where("createdAt", collection.Exists, true).Path}}
	all, err := ports.All(ctx, tx.Records, collection.Query{Schema: s, Where: s.Where("order", collection.Equals, x.Order.ID), Sort: oldest})
	for _, r := range all {
		x.records[r.ID()] = r
	}
	return all, err
}

// Edit is one record before and after; Before is nil for a new one.
type Edit struct {
	Schema        *collection.Schema
	Before, After collection.Record
}

// Edits is the step from x to next in everything but the order, for a caller who writes that too. Records that stay as they
// are may be among them.
func (x Found) Edits(next order.Goods) []Edit {
	edits := make([]Edit, 0, len(next.Work)+len(next.Fulfillments))
	for _, w := range next.Work {
		edits = append(edits, Edit{order.FulfillmentOrders, x.records[w.ID], w.Record()})
	}
	for _, f := range next.Fulfillments {
		edits = append(edits, Edit{order.Fulfillments, x.records[f.ID], f.Record()})
	}
	return edits
}

// Changes is the step from x, which was opened, to next at now: one change for each record that differs, the order included.
func (x Found) Changes(next order.Goods, now time.Time, newID func() string) []collection.Change {
	var changes []collection.Change
	for _, e := range append(x.Edits(next), Edit{order.Schema, x.record, next.Order.Record()}) {
		c := collection.NewChange(e.Schema, e.Before, e.After, newID(), now)
		if e.Before == nil || len(c.Changed()) > 0 {
			changes = append(changes, c)
		}
	}
	return changes
}

// after is x with the records as they were written.
func (x Found) after(written []collection.Change) Found {
	for _, c := range written {
		x.records[c.ID()] = c.After
	}
	return x
}

// members are the records that a task answers.
func (x Found) members(t task) []once.Member {
	work, parcel := x.records[t.id], x.records[t.shows]
	if parcel != nil {
		work = x.records[parcel.Text("fulfillmentOrder")]
	}
	all := []once.Member{
		{Name: "fulfillmentOrder", Schema: order.FulfillmentOrders, Record: work},
		{Name: "order", Schema: order.Schema, Record: x.records[x.Order.ID]},
	}
	if t.shows == "" {
		return all
	}
	return append([]once.Member{{Name: "fulfillment", Schema: order.Fulfillments, Record: parcel}}, all...)
}
