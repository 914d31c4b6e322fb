package fulfilling

import (
	"context"
	"fmt"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/waybill"
	"github.com/cartwright-dev/cartwright/ports"
)

// resolve finds what the rows of a batch mean, and their orders. Rows that mean nothing of the caller's are refused.
func (c *CarrierFiles) resolve(ctx context.Context, from ports.Reader, p tenant.Principal, batch []waybill.Entry, report *CarrierReport) (parcels []parcel, orders []collection.Record, err error) {
	named, err := namedWork(ctx, from, p, batch)
	if err != nil {
		return nil, nil, err
	}
	numbered, err := numberedWork(ctx, from, p, batch)
	if err != nil {
		return nil, nil, err
	}
	var ids []string
	for _, work := range named {
		ids = append(ids, work.Text("order"))
	}
	owners, err := from.GetMany(ctx, order.Schema, ids)
	if err != nil {
		return nil, nil, err
	}
	seen := map[string]bool{}
	for _, e := range batch {
		x := parcel{Entry: e}
		var owner collection.Record
		var err error
		if e.FulfillmentOrder != "" {
			x.work, owner, err = byID(e, named, owners)
		} else {
			x.work, owner, err = byNumber(e, numbered)
		}
		if err != nil {
			report.refuse(e.Row, sentence(err))
			continue
		}
		x.number = owner.Text("orderNumber")
		if x.order = owner.ID(); !seen[x.order] {
			seen[x.order] = true
			orders = append(orders, owner)
		}
		parcels = append(parcels, x)
	}
	return parcels, orders, nil
}

// namedWork is the fulfillment orders that rows name, by id, of the caller's environment.
func namedWork(ctx context.Context, from ports.Reader, p tenant.Principal, batch []waybill.Entry) (map[string]collection.Record, error) {
	var ids []string
	for _, e := range batch {
		if e.FulfillmentOrder != "" && !slices.Contains(ids, e.FulfillmentOrder) {
			ids = append(ids, e.FulfillmentOrder)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := from.GetMany(ctx, order.FulfillmentOrders, ids)
	for id, work := range found {
		if work.Text("environment") != string(p.Environment) {
			delete(found, id)
		}
	}
	return found, err
}

// numbered is an order with the ids of its fulfillment orders that ship.
type numbered struct {
	order collection.Record
	work  []string
}

// numberedWork is the orders that rows name by nothing but their number.
func numberedWork(ctx context.Context, from ports.Reader, p tenant.Principal, batch []waybill.Entry) (map[string]*numbered, error) {
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
	orders, err := ports.All(ctx, from, collection.Query{Schema: order.Schema, Environment: env, Where: oneOf(order.Schema, "orderNumber", numbers), Sort: by(order.Schema, "id")})
	if err != nil {
		return nil, err
	}
	all := make(map[string]*numbered, len(orders))
	owner := make(map[string]*numbered, len(orders))
	ids := make([]string, len(orders))
	for i, r := range orders {
		x := &numbered{order: r}
		ids[i], all[r.Text("orderNumber")], owner[r.ID()] = r.ID(), x, x
	}
	s := order.FulfillmentOrders
	ships := collection.And{oneOf(s, "order", ids), s.Where("type", collection.Equals, order.ShippingWork)}
	works, err := ports.All(ctx, from, collection.Query{Schema: s, Environment: env, Where: ships, Sort: by(s, "id")})
	for _, w := range works {
		x := owner[w.Text("order")]
		x.work = append(x.work, w.ID())
	}
	return all, err
}

// byID is what a row means that names a fulfillment order.
func byID(e waybill.Entry, works, owners map[string]collection.Record) (work string, owner collection.Record, err error) {
	found, ok := works[e.FulfillmentOrder]
	if ok {
		owner, ok = owners[found.Text("order")]
	}
	if !ok {
		return "", nil, fault.ErrNotFound.Saying("There is no fulfillment order %s.", e.FulfillmentOrder)
	}
	number := owner.Text("orderNumber")
	if e.OrderNumber != "" && !e.Rounded() && !slices.Contains(e.OrderNumbers(), number) {
		return "", nil, fault.ErrNotFound.Saying("Fulfillment order %s is of order %s, not of %s.", e.FulfillmentOrder, number, e.OrderNumber)
	}
	return found.ID(), owner, nil
}

// byNumber is what a row means that names an order.
func byNumber(e waybill.Entry, orders map[string]*numbered) (work string, owner collection.Record, err error) {
	var x *numbered
	for _, number := range e.OrderNumbers() {
		if x = orders[number]; x != nil {
			break
		}
	}
	switch {
	case x == nil:
		return "", nil, e.Unknown()
	case len(x.work) == 0:
		return "", nil, order.ErrNotShippable.Saying("Order %s has nothing to ship: its lines are completed by hand.", e.OrderNumber)
	case len(x.work) > 1:
		return "", nil, waybill.ErrNameless.Saying("Order %s has several fulfillment orders that ship: name one of them in the column fulfillmentOrder.", e.OrderNumber)
	}
	return x.work[0], x.order, nil
}

// used is the order that has a tracking number already.
type used struct{ order, number string }

// twice is who has the tracking numbers of rows already, by carrier and number: what is neither canceled nor the row's own.
func (c *CarrierFiles) twice(ctx context.Context, from ports.Reader, p tenant.Principal, due []parcel) (map[order.Tracking][]used, error) {
	var numbers []string
	for _, x := range due {
		numbers = append(numbers, x.Tracking.Number)
	}
	s := order.Fulfillments
	where := collection.And{oneOf(s, "trackingNumber", numbers), s.Where("status", collection.NotEquals, string(order.FulfillmentCanceled))}
	found, err := ports.All(ctx, from, collection.Query{Schema: s, Environment: string(p.Environment), Where: where, Sort: by(s, "id")})
	if err != nil || len(found) == 0 {
		return map[order.Tracking][]used{}, err
	}
	var ids []string
	for _, r := range found {
		ids = append(ids, r.Text("order"))
	}
	orders, err := from.GetMany(ctx, order.Schema, ids)
	all := make(map[order.Tracking][]used, len(found))
	for _, r := range found {
		t := order.FulfillmentFrom(r).Tracking
		all[t] = append(all[t], used{r.Text("order"), orders[r.Text("order")].Text("orderNumber")})
	}
	return all, err
}

// warn notes when the number of a row that was applied is another order's too, and remembers that the row has it now.
func (o *outcomes) warn(x parcel, twice map[order.Tracking][]used) {
	for _, u := range twice[x.Tracking] {
		if u.order != x.order {
			o.warnings = append(o.warnings, RowNote{x.Row, fmt.Sprintf("The tracking number %s is that of order %s, too. The row was applied all the same.", x.Tracking.Number, u.number)})
			break
		}
	}
	twice[x.Tracking] = append(twice[x.Tracking], used{x.order, x.number})
}
