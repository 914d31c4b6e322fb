package fulfillments

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// BatchRequest says what is put into a batch. Rule fulfillment-17.
type BatchRequest struct {
	Carrier     order.Carrier // whom it is made for; "": nobody in particular
	From, Until time.Time     // of the orders, as in CarrierExport
	IDs         []string      // of fulfillment orders; nil: the oldest open ones that are in no batch
	Note        string
}

// ParseBatchRequest parses a request as ParseCarrierExport does. ids and days exclude each other. Errors: fault.ErrValidation.
func ParseBatchRequest(carrierName, from, to, note string, ids []string) (BatchRequest, error) {
	x, err := ParseCarrierExport(carrierName, from, to, "")
	if err != nil {
		return BatchRequest{}, err
	}
	if ids != nil && (from != "" || to != "") {
		return BatchRequest{}, fault.Invalidf("ids", "Name fulfillment orders or days, not both.")
	}
	if err := checkBatchIDs(ids); err != nil {
		return BatchRequest{}, err
	}
	return BatchRequest{Carrier: x.Carrier, From: x.From, Until: x.Until, IDs: ids, Note: note}, nil
}

// checkBatchIDs refuses an empty list, too many ids, and one that is named twice. Errors: fault.ErrValidation.
func checkBatchIDs(ids []string) error {
	switch {
	case ids == nil:
		return nil
	case len(ids) == 0:
		return fault.Invalidf("ids", "Name at least one fulfillment order, or leave the list out for all of them.")
	case len(ids) > order.MaxCarrierBatch:
		return fault.Invalidf("ids", "A batch has at most %d fulfillment orders.", order.MaxCarrierBatch)
	case len(slices.Compact(slices.Sorted(slices.Values(ids)))) < len(ids):
		return fault.Invalidf("ids", "A fulfillment order is named twice.")
	}
	return nil
}

// MayBatch admits those who fulfill orders, and commands. Errors: those of access.RequireOperator.
func (c *CarrierFiles) MayBatch(p tenant.Principal) error {
	if p.Kind == tenant.System && p.Tenant.CommerceEnabled {
		return nil
	}
	return c.MayImport(p)
}

// maxBatchAttempts is how often a batch is decided anew because others were faster. Each time one of them got on.
const maxBatchAttempts = 100

// errPlanAgain says that others took everything that was planned.
var errPlanAgain = errors.New("what was planned is taken")

// CreateBatch puts open fulfillment orders into a new batch and answers {carrierBatch, more}: all that are named, or else the
// oldest that are in no batch, at most order.MaxCarrierBatch; more tells that there are others. Errors: those of access.RequireOperator and
// of idempotency, order.ErrBatchEmpty, those of order.OrderFulfillment.AddToBatch, ports.ErrNotFound.
func (c *CarrierFiles) CreateBatch(ctx context.Context, call idempotency.Call, x BatchRequest) (idempotency.Response, error) {
	if err := c.MayBatch(call.Principal); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := c.Idempotency.RunOptional(ctx, call, func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
		for range maxBatchAttempts {
			plan, err := c.planBatch(ctx, call.Principal, x)
			if err != nil {
				return idempotency.Receipt{}, err
			}
			receipt, err := c.writeBatch(ctx, call, x, plan, claim)
			if !errors.Is(err, errPlanAgain) && !errors.Is(err, ports.ErrDuplicate) { // of the number
				return receipt, err
			}
		}
		return idempotency.Receipt{}, ports.ErrStale
	})
	return answer, err
}

// batchPlan is what a batch may consist of.
type batchPlan struct {
	work   []string // ids of fulfillment orders
	orders []string // ids of their orders, each once and sorted
	more   bool     // there is work that does not fit
}

// planBatch finds what is to be put into a batch. Errors: ports.ErrNotFound, order.ErrBatchEmpty.
func (c *CarrierFiles) planBatch(ctx context.Context, p tenant.Principal, x BatchRequest) (plan batchPlan, err error) {
	from := c.Store.Read(ports.ForPrincipal(p))
	owners := map[string]bool{}
	if x.IDs != nil {
		if plan.work, owners, err = findNamed(ctx, from, p, x.IDs); err != nil {
			return plan, err
		}
	}
	for after, more := "", x.IDs == nil; more && !plan.more; {
		var page []collection.Record
		if page, more, err = c.findUnbatched(ctx, from, p, x, after); err != nil {
			return plan, err
		}
		for _, w := range page {
			if plan.more = len(plan.work) == order.MaxCarrierBatch; plan.more {
				break
			}
			plan.work = append(plan.work, w.ID())
			owners[w.Text("order")], after = true, w.ID()
		}
	}
	if len(plan.work) == 0 {
		return plan, order.ErrBatchEmpty
	}
	plan.orders = slices.Sorted(maps.Keys(owners))
	return plan, nil
}

// findNamed checks that fulfillment orders are there, and finds their orders. Errors: ports.ErrNotFound.
func findNamed(ctx context.Context, from ports.Reader, p tenant.Principal, ids []string) ([]string, map[string]bool, error) {
	found, err := from.GetMany(ctx, order.FulfillmentOrders, ids, nil)
	if err != nil {
		return nil, nil, err
	}
	owners := map[string]bool{}
	for _, id := range ids {
		if found[id].Text("environment") != string(p.Environment) {
			return nil, nil, fault.ErrNotFound.WithMessage("There is no fulfillment order %s.", id).WithData("fulfillmentOrder", id)
		}
		owners[found[id].Text("order")] = true
	}
	return ids, owners, nil
}

// findUnbatched is a page of the fulfillment orders after an id that are in no batch and have units to ship; more tells that
// there may be others after the last one that was looked at.
func (c *CarrierFiles) findUnbatched(
	ctx context.Context, from ports.Reader, p tenant.Principal, x BatchRequest, after string,
) (page []collection.Record, more bool, err error) {
	s := order.FulfillmentOrders
	for more = true; more && len(page) == 0; {
		var found []collection.Record
		where := append(unbatched(x), s.Where("id", collection.GreaterThan, after))
		found, more, err = findByStatus(ctx, from, p.Environment, s, where, []string{order.FulfillmentOrderOpen, order.FulfillmentOrderInProgress})
		if err != nil || len(found) == 0 {
			return nil, false, err
		}
		after = found[len(found)-1].ID()
		if page, err = keepToShip(ctx, from, found); err != nil {
			return nil, false, err
		}
	}
	return page, more, nil
}

// unbatched is the condition of fulfillment orders that may be put into a batch, but for their own status.
func unbatched(x BatchRequest) collection.And {
	s := order.FulfillmentOrders
	where := collection.And{
		s.Where("type", collection.Equals, order.ShippingFulfillmentOrder), s.Where("carrierBatch", collection.Exists, false),
	}
	of := func(c collection.Comparison) collection.Comparison {
		c.Path = slices.Concat(s.Where("order", collection.Exists, true).Path, c.Path)
		return c
	}
	statuses := make([]any, len(order.ExportedStatuses))
	for i, status := range order.ExportedStatuses {
		statuses[i] = string(status)
	}
	where = append(where, of(order.Schema.Where("status", collection.In, statuses...)))
	if !x.From.IsZero() {
		where = append(where, of(order.Schema.Where("placedAt", collection.GreaterThanEqual, x.From)))
	}
	if !x.Until.IsZero() {
		where = append(where, of(order.Schema.Where("placedAt", collection.LessThan, x.Until)))
	}
	return where
}

// keepToShip are those of fulfillment orders that have units to ship.
func keepToShip(ctx context.Context, from ports.Reader, work []collection.Record) (kept []collection.Record, err error) {
	goods, err := ReadGoods(ctx, from, work, nil)
	for _, w := range work {
		if g := goods[w.Text("order")]; g != nil && len(g.ToShip(w.ID())) > 0 {
			kept = append(kept, w)
		}
	}
	return kept, err
}

// ReadGoods reads the fulfillment state of the orders of fulfillment orders, by order id, without a transaction: for showing it.
// The orders take room; nil has no end. Errors: collection.ErrAnswerTooLarge.
func ReadGoods(
	ctx context.Context, from ports.Reader, work []collection.Record, room *collection.Room,
) (map[string]*OrderGoods, error) {
	ids := make([]string, len(work))
	for i, w := range work {
		ids[i] = w.Text("order")
	}
	found, err := from.GetMany(ctx, order.Schema, ids, room)
	if err != nil {
		return nil, err
	}
	return loadManyGoods(ctx, from, slices.Collect(maps.Values(found)))
}

// writeBatch decides a plan again under the locks of its orders, and stores the batch with its receipt: of fulfillment orders
// that were found, those that somebody else took meanwhile are left out; of named ones, none may be. Errors: errPlanAgain,
// ports.ErrDuplicate if another batch got the number, those of order.OrderFulfillment.AddToBatch.
func (c *CarrierFiles) writeBatch(
	ctx context.Context, call idempotency.Call, x BatchRequest, plan batchPlan, claim *idempotency.Claim,
) (receipt idempotency.Receipt, err error) {
	err = c.underLocks(ctx, call.Principal, plan.orders, func(ctx context.Context, tx ports.Tx, goods map[string]*OrderGoods) error {
		b := order.CarrierBatch{
			ID: c.NewID(), Tenant: call.Principal.Tenant.ID, Environment: call.Principal.Environment, Carrier: x.Carrier, Note: x.Note,
			CreatedBy: call.Principal.Actor(),
		}
		owner := ownersOf(goods)
		var changes []collection.Change
		for _, id := range plan.work {
			g := goods[owner[id]]
			if g == nil {
				return fault.ErrNotFound
			}
			next, err := g.AddToBatch(id, b.ID)
			switch {
			case err != nil && x.IDs != nil:
				return err
			case err != nil:
				continue
			}
			changes = append(changes, c.put(g, next, id))
		}
		if b.Count = int64(len(changes)); b.Count == 0 {
			return errPlanAgain
		}
		if b.Number, err = nextBatchNumber(ctx, tx, b.Environment); err != nil {
			return err
		}
		made := collection.NewChange(order.CarrierBatches, nil, b.Record(), c.NewID(), c.Now())
		if err := tx.Records.Write(ctx, append(changes, made)...); err != nil {
			return err
		}
		receipt = c.batchReceipt(call, ports.ReceiptCreated, made.After, reply.Member{Name: "more", Value: plan.more})
		return claim.Save(ctx, tx, receipt)
	})
	return receipt, err
}

// underLocks runs decide in a transaction that has locked orders, with their fulfillment state by id. ids are sorted.
func (c *CarrierFiles) underLocks(
	ctx context.Context, p tenant.Principal, ids []string, decide func(context.Context, ports.Tx, map[string]*OrderGoods) error,
) error {
	scope := ports.ForPrincipal(p)
	scope.Prefetch = &ports.Prefetch{Alone: true} // it reads what the orders have
	for _, id := range ids {
		scope.Prefetch.Lock = append(scope.Prefetch.Lock, ports.Ref{Schema: order.Schema, ID: id})
	}
	return c.Store.Atomically(ctx, scope, func(ctx context.Context, tx ports.Tx) error {
		goods := map[string]*OrderGoods{}
		for part := range slices.Chunk(ids, collection.MaxLimit) {
			orders := make([]collection.Record, len(part))
			for i, id := range part {
				var err error
				if orders[i], err = tx.Records.Lock(ctx, order.Schema, id); err != nil {
					return err
				}
			}
			found, err := loadManyGoods(ctx, tx.Records, orders)
			if err != nil {
				return err
			}
			maps.Copy(goods, found)
		}
		return decide(ctx, tx, goods)
	})
}

// ownersOf are the ids of the orders of fulfillment orders, by theirs.
func ownersOf(goods map[string]*OrderGoods) map[string]string {
	owner := map[string]string{}
	for id, g := range goods {
		for _, w := range g.FulfillmentOrders {
			owner[w.ID] = id
		}
	}
	return owner
}

// put replaces the fulfillment state of an order by next, of which one fulfillment order differs, and returns its change.
func (c *CarrierFiles) put(g *OrderGoods, next order.OrderFulfillment, id string) collection.Change {
	g.OrderFulfillment = next
	i := slices.IndexFunc(next.FulfillmentOrders, func(w order.FulfillmentOrder) bool { return w.ID == id })
	return collection.NewChange(order.FulfillmentOrders, g.records[id], next.FulfillmentOrders[i].Record(), c.NewID(), c.Now())
}

// nextBatchNumber is the number after the last one. The lock on the batch that has it lets numbers be drawn one after another;
// where two draw one all the same, the database refuses the second.
func nextBatchNumber(ctx context.Context, tx ports.Tx, env tenant.Environment) (int64, error) {
	s := order.CarrierBatches
	for known := ""; ; {
		last, err := tx.Records.Find(ctx, collection.Query{
			Schema: s, Environment: string(env), Limit: 1, Page: 1, SkipCount: true,
			Sort: s.SortByLast("number"),
		})
		switch {
		case err != nil:
			return 0, err
		case len(last.Docs) == 0:
			return 1, nil
		case last.Docs[0].ID() == known:
			return last.Docs[0].Int("number") + 1, nil
		}
		known = last.Docs[0].ID()
		if _, err := tx.Records.Lock(ctx, s, known); err != nil {
			return 0, err
		}
	}
}

// batchReceipt is the receipt of a call that answers a batch.
func (c *CarrierFiles) batchReceipt(
	call idempotency.Call, result ports.ReceiptResult, batch collection.Record, more ...reply.Member,
) idempotency.Receipt {
	now := c.Now()
	body := call.Body(append([]reply.Member{{Name: "carrierBatch", Schema: order.CarrierBatches, Record: batch}}, more...)...)
	receipt := call.Receipt(result, body, nil, now, now.Add(idempotency.Retention))
	receipt.About(batch)
	return receipt
}
