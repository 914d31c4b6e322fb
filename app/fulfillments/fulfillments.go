package fulfillments

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/carrier"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Service implements the operations on fulfillments.
type Service struct {
	Store       ports.Store
	Idempotency *idempotency.Runner
	Now         func() time.Time
	NewID       func() string
}

// FulfillmentInput is a parcel to be created for one fulfillment order.
type FulfillmentInput struct {
	FulfillmentOrder string       // the fulfillment order
	Items            []order.Item // nil: everything open
	Tracking         order.Tracking
}

// Create creates a fulfillment and responds with {fulfillment, fulfillmentOrder, order}. Errors: those of
// access.RequireOperator and order.Goods.CreateFulfillment, ports.ErrNotFound.
func (f *Service) Create(ctx context.Context, c idempotency.Call, in FulfillmentInput) (idempotency.Response, error) {
	id := f.NewID()
	return f.execute(ctx, c, command{
		schema: order.FulfillmentOrders, id: in.FulfillmentOrder, fulfillment: id, result: ports.ReceiptCreated,
		apply: func(g order.OrderFulfillment) (order.OrderFulfillment, error) {
			return g.CreateFulfillment(order.NewFulfillment{
				ID: id, FulfillmentOrder: in.FulfillmentOrder, Items: in.Items, Tracking: normalizeTracking(in.Tracking),
			}, f.Now())
		},
	})
}

// Ship marks a fulfillment as shipped and responds as Create does. Errors: those of access.RequireOperator
// and order.Goods.Ship, ports.ErrNotFound.
func (f *Service) Ship(ctx context.Context, c idempotency.Call, id string, t order.Tracking) (idempotency.Response, error) {
	return f.runOnFulfillment(ctx, c, id, func(g order.OrderFulfillment) (order.OrderFulfillment, error) {
		return g.Ship(id, normalizeTracking(t), f.Now())
	})
}

// Deliver marks a fulfillment as delivered and responds as Create does. Errors: those of
// access.RequireOperator and order.Goods.Deliver, ports.ErrNotFound.
func (f *Service) Deliver(ctx context.Context, c idempotency.Call, id string) (idempotency.Response, error) {
	return f.runOnFulfillment(ctx, c, id, func(g order.OrderFulfillment) (order.OrderFulfillment, error) { return g.Deliver(id, f.Now()) })
}

// Cancel cancels a fulfillment that was not shipped, returns its units to the fulfillment order, and responds
// as Create does. Errors: those of access.RequireOperator and order.Goods.CancelFulfillment,
// ports.ErrNotFound.
func (f *Service) Cancel(ctx context.Context, c idempotency.Call, id string) (idempotency.Response, error) {
	return f.runOnFulfillment(ctx, c, id, func(g order.OrderFulfillment) (order.OrderFulfillment, error) {
		return g.CancelFulfillment(id, f.Now())
	})
}

// Track corrects the tracking of a fulfillment and responds as Create does. Errors: those of
// access.RequireOperator and order.Goods.UpdateTracking, ports.ErrNotFound.
func (f *Service) Track(ctx context.Context, c idempotency.Call, id string, t order.Tracking) (idempotency.Response, error) {
	return f.runOnFulfillment(ctx, c, id, func(g order.OrderFulfillment) (order.OrderFulfillment, error) {
		return g.UpdateTracking(id, normalizeTracking(t))
	})
}

// normalizeTracking is tracking with its number normalized for storage.
func normalizeTracking(t order.Tracking) order.Tracking {
	if number, err := carrier.NormalizeNumber(t.Carrier, t.Number); err == nil {
		t.Number = number
	}
	return t
}

// Complete marks units that do not ship as done, nil for everything open, and responds with
// {fulfillmentOrder, order}. Errors: those of access.RequireOperator and order.Goods.CompleteItems,
// ports.ErrNotFound.
func (f *Service) Complete(ctx context.Context, c idempotency.Call, work string, items []order.Item) (idempotency.Response, error) {
	return f.execute(ctx, c, command{
		schema: order.FulfillmentOrders, id: work, result: ports.ReceiptOK,
		apply: func(g order.OrderFulfillment) (order.OrderFulfillment, error) {
			return g.CompleteItems(work, items, f.Now())
		},
	})
}

func (f *Service) runOnFulfillment(ctx context.Context, c idempotency.Call, id string, decide transition) (idempotency.Response, error) {
	return f.execute(ctx, c, command{schema: order.Fulfillments, id: id, fulfillment: id, result: ports.ReceiptOK, apply: decide})
}

// transition changes the fulfillment state of an order.
type transition func(order.OrderFulfillment) (order.OrderFulfillment, error)

// command is a requested change.
type command struct {
	schema      *collection.Schema // of the named record
	id          string
	fulfillment string // the fulfillment in the response; "" for none
	result      ports.ReceiptResult
	apply       transition
}

// execute runs a command, once per idempotency key if one was sent. Admins, editors, and secret keys with the
// write scope may.
func (f *Service) execute(ctx context.Context, c idempotency.Call, t command) (idempotency.Response, error) {
	if err := access.RequireOperator(c.Principal, tenant.FulfillOrders); err != nil {
		return idempotency.Response{}, err
	}
	work := func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
		err = f.Store.Atomically(ctx, ports.ForTenant(c.Principal.Tenant.ID), func(ctx context.Context, tx ports.Tx) error {
			if receipt, err = f.executeIn(ctx, tx, c, t); err != nil {
				return err
			}
			return claim.Save(ctx, tx, receipt)
		})
		return receipt, err
	}
	answer, _, err := f.Idempotency.RunOptional(ctx, c, work, t.id)
	return answer, err
}

// executeIn runs a command within a transaction.
func (f *Service) executeIn(ctx context.Context, tx ports.Tx, c idempotency.Call, t command) (idempotency.Receipt, error) {
	named, err := tx.Records.Get(ctx, t.schema, t.id)
	if err != nil {
		return idempotency.Receipt{}, err
	}
	if tenant.Environment(named.Text("environment")) != c.Principal.Environment {
		return idempotency.Receipt{}, ports.ErrNotFound
	}
	found, err := LockGoods(ctx, tx, named.Text("order"))
	if err != nil {
		return idempotency.Receipt{}, err
	}
	next, err := t.apply(found.OrderFulfillment)
	if err != nil {
		return idempotency.Receipt{}, err
	}
	now := f.Now()
	written, err := found.Changes(ctx, tx, next, now, f.NewID)
	if err != nil {
		return idempotency.Receipt{}, err
	}
	if err := tx.Records.Write(ctx, written...); err != nil {
		return idempotency.Receipt{}, err
	}
	shown := found.withWritten(written).answerMembers(t)
	receipt := c.Receipt(t.result, c.Body(shown...), nil, now, now.Add(idempotency.Retention))
	receipt.Record, receipt.Sequence = found.Order.ID, shown[0].Record.Sequence()
	return receipt, nil
}
