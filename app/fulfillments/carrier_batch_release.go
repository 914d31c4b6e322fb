package fulfillments

import (
	"context"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// ReleaseBatch takes fulfillment orders out of a batch, so that they are exported again, and answers {carrierBatch}: all that
// are named, or else all that are neither shipped nor canceled. Errors: those of access.RequireOperator and of idempotency,
// ports.ErrNotFound, fault.ErrValidation, those of order.OrderFulfillment.ReleaseFromBatch.
func (c *CarrierFiles) ReleaseBatch(ctx context.Context, call idempotency.Call, id string, ids []string) (idempotency.Response, error) {
	if err := c.MayBatch(call.Principal); err != nil {
		return idempotency.Response{}, err
	}
	if err := checkBatchIDs(ids); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := c.Idempotency.RunOptional(ctx, call, func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
		return c.release(ctx, call, id, ids, claim)
	}, id)
	return answer, err
}

func (c *CarrierFiles) release(
	ctx context.Context, call idempotency.Call, id string, ids []string, claim *idempotency.Claim,
) (receipt idempotency.Receipt, err error) {
	_, work, err := c.readBatch(ctx, call.Principal, id)
	if err != nil {
		return receipt, err
	}
	owners, released := map[string]bool{}, ids
	for _, w := range work {
		if owners[w.Text("order")] = true; ids == nil {
			released = append(released, w.ID())
		}
	}
	err = c.underLocks(ctx, call.Principal, slices.Sorted(maps.Keys(owners)), func(ctx context.Context, tx ports.Tx, goods map[string]*OrderGoods) error {
		changes, err := c.takeOut(goods, id, released, ids != nil)
		if err != nil {
			return err
		}
		before, err := tx.Records.Lock(ctx, order.CarrierBatches, id)
		if err != nil {
			return err
		}
		after := before
		if len(changes) > 0 {
			b := order.CarrierBatchFrom(before)
			b.Released += int64(len(changes))
			change := collection.NewChange(order.CarrierBatches, before, b.Record(), c.NewID(), c.Now())
			if err := tx.Records.Write(ctx, append(changes, change)...); err != nil {
				return err
			}
			after = change.After
		}
		receipt = c.batchReceipt(call, ports.ReceiptOK, after)
		return claim.Save(ctx, tx, receipt)
	})
	return receipt, err
}

// takeOut are the changes that take fulfillment orders out of a batch. Where they were not named, those that cannot be taken out
// any more stay.
func (c *CarrierFiles) takeOut(goods map[string]*OrderGoods, batch string, ids []string, named bool) ([]collection.Change, error) {
	owner := ownersOf(goods)
	var changes []collection.Change
	for _, id := range ids {
		g := goods[owner[id]]
		if g == nil {
			return nil, order.ErrNotInBatch.WithData("fulfillmentOrder", id)
		}
		next, err := g.ReleaseFromBatch(id, batch)
		switch {
		case err == nil:
			changes = append(changes, c.put(g, next, id))
		case named:
			return nil, err
		}
	}
	return changes, nil
}

// readBatch reads a batch and the fulfillment orders in it, in the environment of the caller. Errors: ports.ErrNotFound.
func (c *CarrierFiles) readBatch(ctx context.Context, p tenant.Principal, id string) (batch collection.Record, work []collection.Record, err error) {
	return ReadBatch(ctx, c.Store.Read(ports.ForPrincipal(p)), p.Environment, id)
}

// ReadBatch reads a batch of an environment and the fulfillment orders in it, by id. Errors: ports.ErrNotFound.
func ReadBatch(
	ctx context.Context, from ports.Reader, env tenant.Environment, id string,
) (batch collection.Record, work []collection.Record, err error) {
	if batch, err = ports.GetInEnvironment(ctx, from, order.CarrierBatches, env, id); err != nil {
		return nil, nil, err
	}
	s := order.FulfillmentOrders
	work, err = ports.FindAll(ctx, from, collection.Query{
		Schema: s, Environment: string(env), Where: s.Where("carrierBatch", collection.Equals, id), Sort: s.SortBy("id"),
	})
	return batch, work, err
}

// BatchProgressFields declares the progress of a batch.
var BatchProgressFields = []collection.Field{
	{Name: "open", Kind: collection.Integer, Required: true, NonNull: true, Doc: "Fulfillment orders in it of which nothing was packed."},
	{Name: "inProgress", Kind: collection.Integer, Required: true, NonNull: true, Doc: "Those that are packed or shipped in part."},
	{Name: "shipped", Kind: collection.Integer, Required: true, NonNull: true, Doc: "Those that have left altogether."},
	{Name: "canceled", Kind: collection.Integer, Required: true, NonNull: true, Doc: "Those that were canceled."},
	{Name: "changed", Kind: collection.Integer, Required: true, NonNull: true, Doc: "Those, open or in progress, that changed after the export."},
}

// ShowBatch answers {carrierBatch, progress}: how far what is in it is. Errors: those of access.Allowed, ports.ErrNotFound.
func (c *CarrierFiles) ShowBatch(ctx context.Context, call idempotency.Call, id string) (idempotency.Response, error) {
	if err := requireBatchAccess(call.Principal); err != nil {
		return idempotency.Response{}, err
	}
	batch, records, err := c.readBatch(ctx, call.Principal, id)
	if err != nil {
		return idempotency.Response{}, err
	}
	work := make([]order.FulfillmentOrder, len(records))
	for i, r := range records {
		work[i] = order.FulfillmentOrderFrom(r)
	}
	p := order.ProgressOf(work)
	return idempotency.Response{
		Result: ports.ReceiptOK, RequestID: call.RequestID,
		Body: call.Body(
			reply.Member{Name: "carrierBatch", Schema: order.CarrierBatches, Record: batch},
			reply.Member{Name: "progress", Fields: BatchProgressFields, Record: collection.Record{
				"open": p.Open, "inProgress": p.InProgress, "shipped": p.Shipped, "canceled": p.Canceled, "changed": p.Changed,
			}},
		),
	}, nil
}
