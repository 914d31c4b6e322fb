package fulfillments

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// OrderGoods is the fulfillment state of an order whose row is locked, and the records it was read from.
type OrderGoods struct {
	order.OrderFulfillment

	record  collection.Record            // of the order
	records map[string]collection.Record // of everything, by id
}

// LockGoods locks an order and reads its fulfillment state. Errors: ports.ErrNotFound.
func LockGoods(ctx context.Context, tx ports.Tx, id string) (OrderGoods, error) {
	r, err := tx.Records.Lock(ctx, order.Schema, id)
	if err != nil {
		return OrderGoods{}, err
	}
	x, err := LoadGoods(ctx, tx, order.FromRecord(r))
	x.record, x.records[id] = r, r
	return x, err
}

// LoadGoods reads the fulfillment state of an order for a caller who has locked it and also writes the order:
// use Edits then.
func LoadGoods(ctx context.Context, tx ports.Tx, o order.Order) (OrderGoods, error) {
	x := OrderGoods{OrderFulfillment: order.OrderFulfillment{Order: o}, records: map[string]collection.Record{}}
	work, err := x.listByOrder(ctx, tx, order.FulfillmentOrders)
	if err != nil {
		return x, err
	}
	for _, w := range work {
		x.FulfillmentOrders = append(x.FulfillmentOrders, order.FulfillmentOrderFrom(w))
	}
	parcels, err := x.listByOrder(ctx, tx, order.Fulfillments)
	for _, f := range parcels {
		x.Fulfillments = append(x.Fulfillments, order.FulfillmentFrom(f))
	}
	return x, err
}

// listByOrder lists the records of s that belong to the order, oldest first.
func (x OrderGoods) listByOrder(ctx context.Context, tx ports.Tx, s *collection.Schema) ([]collection.Record, error) {
	oldest := s.SortBy("createdAt")
	all, err := ports.FindAll(ctx, tx.Records, collection.Query{
		Schema: s, Where: s.Where("order", collection.Equals, x.Order.ID), Sort: oldest,
	})
	for _, r := range all {
		x.records[r.ID()] = r
	}
	return all, err
}

// RecordEdit is one record before and after a change; Before is nil for a new one.
type RecordEdit struct {
	Schema        *collection.Schema
	Before, After collection.Record
}

// Edits are the edits from x to next of all records but the order, for a caller who writes that too.
// Unchanged records may be included.
func (x OrderGoods) Edits(next order.OrderFulfillment) []RecordEdit {
	edits := make([]RecordEdit, 0, len(next.FulfillmentOrders)+len(next.Fulfillments))
	for _, w := range next.FulfillmentOrders {
		edits = append(edits, RecordEdit{order.FulfillmentOrders, x.records[w.ID], w.Record()})
	}
	for _, f := range next.Fulfillments {
		edits = append(edits, RecordEdit{order.Fulfillments, x.records[f.ID], f.Record()})
	}
	return edits
}

// Changes are the changes from x to next at now: one for each record that differs, including the order. When the last goods
// leave, an authorized payment that waits for that is captured soon.
func (x OrderGoods) Changes(
	ctx context.Context, tx ports.Tx, next order.OrderFulfillment, now time.Time, newID func() string,
) ([]collection.Change, error) {
	var changes []collection.Change
	for _, e := range append(x.Edits(next), RecordEdit{order.Schema, x.record, next.Order.Record()}) {
		c := collection.NewChange(e.Schema, e.Before, e.After, newID(), now)
		if e.Before == nil || len(c.ChangedFields()) > 0 {
			changes = append(changes, c)
		}
	}
	return changes, x.ScheduleCapture(ctx, tx, next.Order, now)
}

// ScheduleCapture has an authorized payment captured soon that waited for what x became: the last goods have left.
func (x OrderGoods) ScheduleCapture(ctx context.Context, tx ports.Tx, next order.Order, now time.Time) error {
	if !next.DueCapture() || x.Order.DueCapture() {
		return nil
	}
	s, err := tx.Records.Get(ctx, payment.Sessions, next.Authorization.Session)
	if err != nil {
		return err
	}
	return tx.PaymentTasks.Schedule(ctx, payments.AuthorizationTask(payment.SessionFrom(s), now, now))
}

// withWritten is x with the records as they were written.
func (x OrderGoods) withWritten(written []collection.Change) OrderGoods {
	for _, c := range written {
		x.records[c.ID()] = c.After
	}
	return x
}

// answerMembers are the records that a task answers.
func (x OrderGoods) answerMembers(t command) []reply.Member {
	work, parcel := x.records[t.id], x.records[t.fulfillment]
	if parcel != nil {
		work = x.records[parcel.Text("fulfillmentOrder")]
	}
	all := []reply.Member{
		{Name: "fulfillmentOrder", Schema: order.FulfillmentOrders, Record: work},
		{Name: "order", Schema: order.Schema, Record: x.records[x.Order.ID]},
	}
	if t.fulfillment == "" {
		return all
	}
	return append([]reply.Member{{Name: "fulfillment", Schema: order.Fulfillments, Record: parcel}}, all...)
}
