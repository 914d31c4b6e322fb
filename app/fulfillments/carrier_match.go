package fulfillments

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/carrier"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// matchRows finds the fulfillment orders and orders of a batch of rows. Rows that match nothing of the
// caller's are refused.
func (c carrierRun) matchRows(ctx context.Context, from ports.Reader, batch []carrier.Entry) (parcels []matchedRow, orders []collection.Record, err error) {
	named, err := fulfillmentOrdersByID(ctx, from, c.by, batch)
	if err != nil {
		return nil, nil, err
	}
	numbered, err := ordersByNumber(ctx, from, c.by, batch)
	if err != nil {
		return nil, nil, err
	}
	var ids []string
	for _, work := range named {
		ids = append(ids, work.Text("order"))
	}
	owners, err := from.GetMany(ctx, order.Schema, ids, nil)
	if err != nil {
		return nil, nil, err
	}
	seen := map[string]bool{}
	for _, e := range batch {
		x := matchedRow{Entry: e}
		var owner collection.Record
		var err error
		if e.FulfillmentOrder != "" {
			x.fulfillmentOrder, owner, err = matchByID(e, named, owners)
		} else {
			x.fulfillmentOrder, owner, err = matchByNumber(e, numbered)
		}
		if err != nil {
			c.report.add(refusedRow(x, err))
			continue
		}
		x.orderNumber = owner.Text("orderNumber")
		if x.order = owner.ID(); !seen[x.order] {
			seen[x.order] = true
			orders = append(orders, owner)
		}
		parcels = append(parcels, x)
	}
	return parcels, orders, nil
}

// fulfillmentOrdersByID are the fulfillment orders that rows refer to, by id, in the caller's environment.
func fulfillmentOrdersByID(
	ctx context.Context, from ports.Reader, p tenant.Principal, batch []carrier.Entry,
) (map[string]collection.Record, error) {
	var ids []string
	for _, e := range batch {
		if e.FulfillmentOrder != "" && !slices.Contains(ids, e.FulfillmentOrder) {
			ids = append(ids, e.FulfillmentOrder)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := from.GetMany(ctx, order.FulfillmentOrders, ids, nil)
	for id, work := range found {
		if work.Text("environment") != string(p.Environment) {
			delete(found, id)
		}
	}
	return found, err
}

// orderMatch is an order with the ids of its shipping fulfillment orders.
type orderMatch struct {
	order             collection.Record
	fulfillmentOrders []string
}

// ordersByNumber are the orders of rows that only have an order number.
func ordersByNumber(ctx context.Context, from ports.Reader, p tenant.Principal, batch []carrier.Entry) (map[string]*orderMatch, error) {
	var numbers []string
	for _, e := range batch {
		if e.FulfillmentOrder != "" {
			continue
		}
		for _, number := range e.OrderNumbers() {
			if !slices.Contains(numbers, number) {
				numbers = append(numbers, number)
			}
		}
	}
	if len(numbers) == 0 {
		return nil, nil
	}
	env := string(p.Environment)
	orders, err := ports.FindAll(ctx, from, collection.Query{
		Schema: order.Schema, Environment: env, Where: collection.FieldIn(order.Schema, "orderNumber", numbers),
		Sort: order.Schema.SortBy("id"),
	})
	if err != nil {
		return nil, err
	}
	all := make(map[string]*orderMatch, len(orders))
	owner := make(map[string]*orderMatch, len(orders))
	ids := make([]string, len(orders))
	for i, r := range orders {
		x := &orderMatch{order: r}
		ids[i], all[r.Text("orderNumber")], owner[r.ID()] = r.ID(), x, x
	}
	s := order.FulfillmentOrders
	ships := collection.And{collection.FieldIn(s, "order", ids), s.Where("type", collection.Equals, order.ShippingFulfillmentOrder)}
	works, err := ports.FindAll(ctx, from, collection.Query{Schema: s, Environment: env, Where: ships, Sort: s.SortBy("id")})
	for _, w := range works {
		x := owner[w.Text("order")]
		x.fulfillmentOrders = append(x.fulfillmentOrders, w.ID())
	}
	return all, err
}

// matchByID returns the fulfillment order and order of a row with a fulfillment order id.
func matchByID(e carrier.Entry, works, owners map[string]collection.Record) (work string, owner collection.Record, err error) {
	found, ok := works[e.FulfillmentOrder]
	if ok {
		owner, ok = owners[found.Text("order")]
	}
	if !ok {
		return "", nil, carrier.ErrNoSuchFulfillmentOrder.WithMessage("There is no fulfillment order %s.", e.FulfillmentOrder)
	}
	number := owner.Text("orderNumber")
	if e.OrderNumber != "" && !e.OrderNumberRounded() && !slices.Contains(e.OrderNumbers(), number) {
		return "", nil, carrier.ErrOrderMismatch.WithMessage("Fulfillment order %s belongs to order %s, not %s.",
			e.FulfillmentOrder, number, e.OrderNumber)
	}
	return found.ID(), owner, nil
}

// matchByNumber returns the fulfillment order and order of a row with an order number.
func matchByNumber(e carrier.Entry, orders map[string]*orderMatch) (work string, owner collection.Record, err error) {
	var x *orderMatch
	for _, number := range e.OrderNumbers() {
		if x = orders[number]; x != nil {
			break
		}
	}
	switch {
	case x == nil:
		return "", nil, e.NotFoundError()
	case len(x.fulfillmentOrders) == 0:
		return "", nil, order.ErrNotShippable.WithMessage("Order %s does not ship: complete its lines manually.", e.OrderNumber)
	case len(x.fulfillmentOrders) > 1:
		return "", nil, carrier.ErrSeveral.WithMessage(
			"Order %s has several fulfillment orders that ship: name one in the column fulfillmentOrder.", e.OrderNumber)
	}
	return x.fulfillmentOrders[0], x.order, nil
}

// trackingOwner is an order that already has a tracking number.
type trackingOwner struct{ order, number string }

// findTrackingOwners returns, by carrier and number, the other orders whose fulfillments (not canceled)
// already have the tracking numbers of rows.
func (c carrierRun) findTrackingOwners(ctx context.Context, from ports.Reader, due []matchedRow) (map[order.Tracking][]trackingOwner, error) {
	var numbers []string
	for _, x := range due {
		numbers = append(numbers, x.Tracking.Number)
	}
	s := order.Fulfillments
	where := collection.And{
		collection.FieldIn(s, "trackingNumber", numbers), s.Where("status", collection.NotEquals, string(order.FulfillmentCanceled)),
	}
	found, err := ports.FindAll(ctx, from, collection.Query{
		Schema: s, Environment: string(c.by.Environment), Where: where, Sort: s.SortBy("id"),
	})
	if err != nil || len(found) == 0 {
		return map[order.Tracking][]trackingOwner{}, err
	}
	var ids []string
	for _, r := range found {
		ids = append(ids, r.Text("order"))
	}
	orders, err := from.GetMany(ctx, order.Schema, ids, nil)
	all := make(map[order.Tracking][]trackingOwner, len(found))
	for _, r := range found {
		t := order.FulfillmentFrom(r).Tracking
		all[t] = append(all[t], trackingOwner{r.Text("order"), orders[r.Text("order")].Text("orderNumber")})
	}
	return all, err
}

// sharedTracking is what to look at if the number of an applied row also belongs to another order, else nil. It records that the
// row has the number now.
func sharedTracking(x matchedRow, twice map[order.Tracking][]trackingOwner) *fault.Error {
	owners := twice[x.Tracking]
	twice[x.Tracking] = append(owners, trackingOwner{x.order, x.orderNumber})
	for _, u := range owners {
		if u.order != x.order {
			return carrier.ErrNumberShared.WithMessage("The tracking number %s is also used by order %s.", x.Tracking.Number, u.number).
				WithData("trackingNumber", x.Tracking.Number).WithData("orderNumber", u.number)
		}
	}
	return nil
}
