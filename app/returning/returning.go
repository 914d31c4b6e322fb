// Package returning is the way back of what was sold: return requests, from the wish of a customer to the money. Contract 9.
//
// Decisions of our own. All of it is found beside the collections, for operators, the shop's server and customers alike.
// Customers see, ask for and cancel returns of their own orders; they name lines, units and reasons, and nothing about
// money: shipping given back and the fee for the way back are those of the order's policy. Editors do everything but the
// refund, which admins and secret keys that write do. Amounts that are left out are 0. A return of an order that never was
// delivered cannot be looked at either; one of which everything came back can.
//
// Money goes back through buying.Refund under a key of the request: however often and by however many it is asked for, once.
// The request follows its refund in the transaction that writes that down, wherever it comes from: the call, the watch, a
// webhook. A refund that the provider refuses leaves the request as it was, with the reason, and may be asked for again. One
// that the bank does later counts as done; if it fails then, the request is open again and the order in return_processing, but
// one of which every unit came back, which stays returned and is owed. Where nothing has to go back nobody is asked.
//
// Every change locks the order first, then the request, then stock; requests of one order are decided one after the other.
package returning

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/ports"
)

// Returning is the use cases. Its Follow has to be told to the Buying that refunds.
type Returning struct {
	Store  ports.Store
	Once   *once.Runner
	Buying *buying.Buying // refunds, and tells Follow
	Now    func() time.Time
	NewID  func() string
}

func (r *Returning) atomically(ctx context.Context, c once.Call, fn func(ctx context.Context, tx ports.Tx) error) error {
	return r.Store.Atomically(ctx, ports.For(c.Principal), fn)
}

// opened is an order, locked, with everything that comes back of it.
type opened struct {
	record    collection.Record // of the order
	order     order.Order
	all       []returns.Request // oldest first, those that do not count among them
	requested collection.Record // of the request that the call is about; nil for a new one
	request   returns.Request
}

// open locks an order that c may reach and reads its return requests. Errors: ports.ErrAbsent.
func open(ctx context.Context, tx ports.Tx, c once.Call, id string) (x opened, err error) {
	if x.record, err = tx.Records.Lock(ctx, order.Schema, id); err != nil {
		return x, err
	}
	x.order = order.FromRecord(x.record)
	if err := reaches(c, x.order.Environment, x.order.Customer); err != nil {
		return x, err
	}
	x.all, err = requestsOf(ctx, tx.Records, id)
	return x, err
}

// openRequest locks a return request that c may reach, and its order before it. Errors: ports.ErrAbsent.
func openRequest(ctx context.Context, tx ports.Tx, c once.Call, id string) (x opened, err error) {
	found, err := tx.Records.Get(ctx, returns.Schema, id)
	if err != nil {
		return x, err
	}
	if x, err = open(ctx, tx, c, found.Text("order")); err != nil {
		return x, err
	}
	if x.requested, err = tx.Records.Lock(ctx, returns.Schema, id); err != nil {
		return x, err
	}
	x.request = returns.FromRecord(x.requested)
	return x, nil
}

// requestsOf lists the return requests of an order, oldest first.
func requestsOf(ctx context.Context, reader ports.Reader, orderID string) (all []returns.Request, err error) {
	s := returns.Schema
	oldest := []collection.Order{{Path: s.Where("id", collection.Exists, true).Path}}
	records, err := ports.All(ctx, reader, collection.Query{Schema: s, Where: s.Where("order", collection.Equals, orderID), Sort: oldest})
	for _, r := range records {
		all = append(all, returns.FromRecord(r))
	}
	return all, err
}

func (x opened) sale(mode money.Rounding) returns.Sale {
	return returns.Sale{Order: x.order, Others: x.all, Rounding: mode}
}

// othersOpen reports whether anything is to be done about another request of the order than the one that x is about.
func (x opened) othersOpen() bool {
	for _, other := range x.all {
		if other.ID != x.request.ID && other.Status.Open() {
			return true
		}
	}
	return false
}

// ended is x when its request ended: the order goes on unless others are open.
func (x opened) ended() opened {
	if !x.othersOpen() {
		x.order = x.order.EndReturns()
	}
	return x
}

// write stores what is different of the order and the request, with their events, and returns both as they are read then.
func (r *Returning) write(ctx context.Context, tx ports.Tx, x opened) (opened, error) {
	changes := r.changes(&x)
	if len(changes) == 0 {
		return x, nil
	}
	return x, tx.Records.Write(ctx, changes...)
}

func (r *Returning) changes(x *opened) (list []collection.Change) {
	for _, one := range []struct {
		schema *collection.Schema
		record *collection.Record
		after  collection.Record
	}{{order.Schema, &x.record, x.order.Record()}, {returns.Schema, &x.requested, x.request.Record()}} {
		ch := collection.NewChange(one.schema, *one.record, one.after, r.NewID(), r.Now())
		if *one.record == nil || len(ch.Changed()) > 0 {
			list = append(list, ch)
			*one.record = one.after
		}
	}
	return list
}

// body is the answer to what changes a request.
func (x opened) body(c once.Call) []byte {
	return c.Body(once.Member{Name: "returnRequest", Schema: returns.Schema, Record: x.requested}, once.Member{Name: "order", Schema: order.Schema, Record: x.record})
}
