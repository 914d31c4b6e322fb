package paymentbed

import (
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/returnrequests"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/returns"
)

// DeliveredOrder is the id of a paid and delivered order.
func (b *Bed) DeliveredOrder(names ...string) (id string) {
	b.T.Helper()
	id = b.PaidOrder(names...)
	b.Rewrite(order.Schema, id, "status", "delivered")
	return id
}

// RequestOf is a return request.
func (b *Bed) RequestOf(id string) returns.Request {
	return returns.FromRecord(b.Get(returns.Schema, id))
}

// ReturnInput asks to return units of the lines of an order, one number per line.
func (b *Bed) ReturnInput(orderID string, units ...int64) returnrequests.Input {
	w := returnrequests.Input{Order: orderID}
	for i, n := range units {
		if n > 0 {
			w.Lines = append(w.Lines, returnrequests.LineInput{OrderLine: b.OrderOf(orderID).Lines[i].ID, Quantity: n})
		}
	}
	return w
}

// RequestReturn creates a return request.
func (b *Bed) RequestReturn(i *Instance, w returnrequests.Input) (idempotency.Response, error) {
	return i.Returns.Create(b.T.Context(), b.Server(Key(), "returnRequests.create", w.Order), w)
}

// RequestedReturn is the id of a new return request.
func (b *Bed) RequestedReturn(w returnrequests.Input) (id string) {
	b.T.Helper()
	return b.Must(b.RequestReturn(b.Instance, w)).Text("returnRequest.id")
}

// ApprovedReturn is the id of an approved return request.
func (b *Bed) ApprovedReturn(w returnrequests.Input) (id string) {
	b.T.Helper()
	id = b.RequestedReturn(w)
	b.Must(b.ReturnStep("approve", id))
	return id
}

// ReturnStep moves a return request as the shop's server.
func (b *Bed) ReturnStep(what, id string) (idempotency.Response, error) {
	return ReturnStepOf(b, b.Server("", "returnRequests."+what, id), what, id)
}

// ReturnStepOf moves a return request as the caller of c.
func ReturnStepOf(b *Bed, c idempotency.Call, what, id string) (idempotency.Response, error) {
	r := b.Returns
	switch what {
	case "approve":
		return r.Approve(b.T.Context(), c, id)
	case "receive":
		return r.Receive(b.T.Context(), c, id, returnrequests.Receipt{})
	case "reject":
		return r.Reject(b.T.Context(), c, id, "worn")
	case "cancel":
		return r.Cancel(b.T.Context(), c, id, "kept")
	}
	panic(what)
}

// PayOut refunds a return request.
func (b *Bed) PayOut(i *Instance, id string) (idempotency.Response, error) {
	return i.Returns.Refund(b.T.Context(), b.Server(Key(), "returnRequests.refund", id), id, returnrequests.RefundInput{})
}

// WantReturn asserts the status of a return request and of its order.
func (b *Bed) WantReturn(when, id, status, orderStatus string) {
	b.T.Helper()
	r := b.RequestOf(id)
	if o := b.OrderOf(r.Order); string(r.Status) != status || string(o.Status) != orderStatus {
		b.T.Errorf("%s: the return is %s and the order %s; want %s and %s", when, r.Status, o.Status, status, orderStatus)
	}
}
