package returnrequests

import (
	"context"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/preview"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/ports"
)

// Service is the use cases.
type Service struct {
	Store       ports.Store
	Idempotency *idempotency.Runner
	Refunds     *refunds.Service // made with a RefundFollower
	Vault       ports.Vault      // seals the accounts of refunds
	Now         func() time.Time
	NewID       func() string
}

func (r *Service) atomically(ctx context.Context, c idempotency.Call, fn func(ctx context.Context, tx ports.Tx) error) error {
	return r.Store.Atomically(ctx, ports.ForPrincipal(c.Principal), fn)
}

// orderReturns is a locked order with its return requests.
type orderReturns struct {
	orderRecord   collection.Record // of the order
	order         order.Order
	requests      []returns.Request // oldest first, closed ones included
	requestRecord collection.Record // of the request that the call is about; nil for a new one
	request       returns.Request
	previewed     bool           // there are previews of what is done with it
	received      *returns.Quote // what it comes to, once it was received; nil for other steps
}

// lockOrder locks an order that the caller may act on and reads its return requests. Errors: ports.ErrNotFound.
func lockOrder(ctx context.Context, tx ports.Tx, c idempotency.Call, id string) (x orderReturns, err error) {
	if x.orderRecord, err = tx.Records.Lock(ctx, order.Schema, id); err != nil {
		return x, err
	}
	x.order = order.FromRecord(x.orderRecord)
	if err := checkReachable(c, x.order.Environment, x.order.Customer); err != nil {
		return x, err
	}
	x.requests, err = requestsOf(ctx, tx.Records, id)
	return x, err
}

// lockRequest locks a return request that the caller may act on, and its order before it. Errors:
// ports.ErrNotFound.
func lockRequest(ctx context.Context, tx ports.Tx, c idempotency.Call, id string) (x orderReturns, err error) {
	found, err := tx.Records.Get(ctx, returns.Schema, id)
	if err != nil {
		return x, err
	}
	if x, err = lockOrder(ctx, tx, c, found.Text("order")); err != nil {
		return x, err
	}
	if x.requestRecord, err = tx.Records.Lock(ctx, returns.Schema, id); err != nil {
		return x, err
	}
	x.request = returns.FromRecord(x.requestRecord)
	return x, nil
}

// requestsOf lists the return requests of an order, oldest first.
func requestsOf(ctx context.Context, reader ports.Reader, orderID string) (all []returns.Request, err error) {
	s := returns.Schema
	oldest := s.SortBy("id")
	records, err := ports.FindAll(ctx, reader, collection.Query{
		Schema: s, Where: s.Where("order", collection.Equals, orderID), Sort: oldest,
	})
	for _, r := range records {
		all = append(all, returns.FromRecord(r))
	}
	return all, err
}

// others is the order of x with its return requests besides the one that the call is about.
func (x orderReturns) others(mode money.Rounding) returns.OrderReturns {
	s := x.toDomain(mode)
	s.OtherRequests = slices.DeleteFunc(slices.Clone(x.requests), func(r returns.Request) bool { return r.ID == x.request.ID })
	return s
}

func (x orderReturns) toDomain(mode money.Rounding) returns.OrderReturns {
	return returns.OrderReturns{Order: x.order, OtherRequests: x.requests, Rounding: mode}
}

// hasOtherOpenRequest reports whether the order has another open request than the one that x is about.
func (x orderReturns) hasOtherOpenRequest() bool {
	for _, other := range x.requests {
		if other.ID != x.request.ID && other.Status.Open() {
			return true
		}
	}
	return false
}

// withEndedRequest is x after its request ended: the order leaves the return statuses unless other requests
// are open.
func (x orderReturns) withEndedRequest() orderReturns {
	if !x.hasOtherOpenRequest() {
		x.order = x.order.EndReturns()
	}
	return x
}

// write stores the changes of the order and the request, and returns both as they will be read.
func (r *Service) write(ctx context.Context, tx ports.Tx, x orderReturns) (orderReturns, error) {
	changes := r.changes(&x)
	if len(changes) == 0 {
		return x, nil
	}
	return x, tx.Records.Write(ctx, changes...)
}

func (r *Service) changes(x *orderReturns) (list []collection.Change) {
	for _, one := range []struct {
		schema *collection.Schema
		record *collection.Record
		after  collection.Record
	}{{order.Schema, &x.orderRecord, x.order.Record()}, {returns.Schema, &x.requestRecord, x.request.Record()}} {
		ch := collection.NewChange(one.schema, *one.record, one.after, r.NewID(), r.Now())
		if *one.record == nil || len(ch.ChangedFields()) > 0 {
			list = append(list, ch)
			*one.record = one.after
		}
	}
	return list
}

// body is the answer {returnRequest, order}, with an outcome where there are previews.
func (x orderReturns) body(c idempotency.Call) *reply.Body {
	members := x.members()
	if x.received != nil {
		members = append(members, receiptMember(x.received))
	}
	if x.previewed {
		return c.Body(append(members, preview.None)...)
	}
	return c.Body(x.members()...)
}

func (x orderReturns) members() []reply.Member {
	return []reply.Member{
		{Name: "returnRequest", Schema: returns.Schema, Record: x.requestRecord}, {Name: "order", Schema: order.Schema, Record: x.orderRecord},
	}
}
