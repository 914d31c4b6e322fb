package buying_test

import (
	"context"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/returning"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/ports"
)

// returnsOf is the use cases of returns in the process of i.
func returnsOf(i *buying.Buying) *returning.Returning {
	return &returning.Returning{Store: i.Store, Once: i.Once, Buying: i, Now: i.Now, NewID: i.NewID}
}

// delivered is a paid order that the buyer has.
func (b *bed) delivered(names ...string) (id string) {
	b.t.Helper()
	id = b.ordered(names...)
	b.rewrite(order.Schema, id, "status", "delivered")
	return id
}

func (b *bed) orderOf(id string) order.Order { return order.FromRecord(b.get(order.Schema, id)) }

func (b *bed) requestOf(id string) returns.Request {
	return returns.FromRecord(b.get(returns.Schema, id))
}

// wish asks for units of the lines of an order, one number per line.
func (b *bed) wish(orderID string, units ...int64) returning.Wish {
	w := returning.Wish{Order: orderID}
	for i, n := range units {
		if n > 0 {
			w.Lines = append(w.Lines, returning.WishLine{OrderLine: b.orderOf(orderID).Lines[i].ID, Quantity: n})
		}
	}
	return w
}

func (b *bed) askReturn(i *buying.Buying, w returning.Wish) (once.Answer, error) {
	return returnsOf(i).Create(b.t.Context(), b.server(key(), "returnRequests.create", w.Order), w)
}

// requested is a new return request.
func (b *bed) requested(w returning.Wish) (id string) {
	b.t.Helper()
	return b.must(b.askReturn(b.Buying, w)).text("returnRequest.id")
}

// approved is one that the shop agreed to.
func (b *bed) approved(w returning.Wish) (id string) {
	b.t.Helper()
	id = b.requested(w)
	b.must(b.step("approve", id))
	return id
}

func (b *bed) step(what, id string) (once.Answer, error) {
	return stepOf(b, b.server("", "returnRequests."+what, id), what, id)
}

func stepOf(b *bed, c once.Call, what, id string) (once.Answer, error) {
	r := returnsOf(b.Buying)
	switch what {
	case "approve":
		return r.Approve(b.t.Context(), c, id)
	case "receive":
		return r.Receive(b.t.Context(), c, id)
	case "reject":
		return r.Reject(b.t.Context(), c, id, "worn")
	case "cancel":
		return r.Cancel(b.t.Context(), c, id, "kept")
	}
	panic(what)
}

func (b *bed) payOut(i *buying.Buying, id string) (once.Answer, error) {
	return returnsOf(i).GiveBack(b.t.Context(), b.server(key(), "returnRequests.refund", id), id)
}

// wantReturn compares a request and its order.
func (b *bed) wantReturn(when, id, status, orderStatus string) {
	b.t.Helper()
	r := b.requestOf(id)
	if o := b.orderOf(r.Order); string(r.Status) != status || string(o.Status) != orderStatus {
		b.t.Errorf("%s: the return is %s and the order %s; want %s and %s", when, r.Status, o.Status, status, orderStatus)
	}
}

func TestAReturnFromTheWishToTheMoney(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.delivered("2 mug") // 24000 and 3000 of shipping
		w := b.wish(id, 2)
		w.InitialShippingRefund, w.ReturnShippingFee, w.Lines[0].RestockingFee = "3000", "2500", "1000"
		made := b.must(b.askReturn(b.Buying, w))
		r := made.text("returnRequest.id")
		if made.text("returnRequest.refundAmount") != "23500" || made.text("returnRequest.suggestedInitialShippingRefund") != "3000" || made.text("returnRequest.restockingFeeTotal") != "1000" || made.text("order.status") != "return_requested" {
			t.Errorf("%v", made)
		}
		b.wantReturn("asked for", r, "requested", "return_requested")
		b.must(b.step("approve", r))
		b.wantReturn("approved", r, "approved", "return_processing")
		b.must(b.step("receive", r))
		b.wantReturn("received", r, "received", "return_processing")
		if l := b.level("mug"); l.OnHand != 100 || b.orderOf(id).Lines[0].Returned != 2 {
			t.Errorf("%+v", l)
		}
		k := key()
		first, err := returnsOf(b.Buying).GiveBack(t.Context(), b.server(k, "returnRequests.refund", r), r)
		done := b.must(first, err)
		if done.text("returnRequest.status") != "refunded" || done.text("returnRequest.refundStatus") != "refunded" || done.text("order.status") != "returned" || done.text("order.paymentStatus") != "partially_refunded" {
			t.Errorf("%v", done)
		}
		b.wantMoney(id, 23500, "partially_refunded")
		again, err := returnsOf(b.instance()).GiveBack(t.Context(), b.server(k, "returnRequests.refund", r), r)
		if err != nil || string(again.Body) != string(first.Body) || !again.Replayed {
			t.Errorf("%s %v", again.Body, err)
		}
		if more := b.must(b.payOut(b.Buying, r)); more.text("returnRequest.status") != "refunded" {
			t.Errorf("%v", more)
		}
		if n := b.refunds(id); len(n) != 1 || n[0].Text("returnRequest") != r || b.requestOf(r).Transaction != n[0].ID() {
			t.Errorf("%v", n)
		}
		other, err := b.askReturn(b.Buying, b.wish(id, 1))
		refused(t, "what came back", other, err, order.ErrNotReturnable)
		b.wantSums("after a return", 3500, 0)
	})
}

func TestAPartOfAnOrderComesBack(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.ordered("3 mug", "course")
		b.rewrite(order.Schema, id, "status", "confirmed")
		one := b.approved(b.wish(id, 1, 0))
		two := b.requested(b.wish(id, 2, 1)) // while the first is open
		b.wantReturn("a second one", two, "requested", "return_processing")
		b.must(b.payOut(b.Buying, one)) // the shop lets the buyer keep it
		b.wantReturn("the first is paid out", one, "refunded", "return_processing")
		if l := b.level("mug"); l.OnHand != 97 {
			t.Errorf("what never came is not on the shelf: %+v", l)
		}
		b.must(b.step("reject", two))
		b.wantReturn("the second is rejected", two, "rejected", "confirmed")
		rest := b.approved(b.wish(id, 2, 1))
		b.must(b.step("receive", rest))
		b.must(b.payOut(b.Buying, rest))
		b.wantReturn("the rest", rest, "refunded", "returned")
		if l, c := b.level("mug"), b.level("course"); l.OnHand != 99 || c.OnHand != 999 {
			t.Errorf("%+v, %+v", l, c)
		}
		b.wantMoney(id, 66000, "partially_refunded") // all but the shipping
		b.wantSums("after both", 3000, 0)
	})
}

func TestARejectedReturnFreesWhatItHeld(t *testing.T) {
	for _, how := range []string{"reject", "cancel"} {
		t.Run(how, func(t *testing.T) {
			both(t, func(t *testing.T, b *bed) {
				id := b.delivered("2 mug")
				w := b.wish(id, 2)
				w.InitialShippingRefund = "3000"
				for _, from := range []string{"requested", "approved"} {
					r := b.requested(w)
					if from == "approved" {
						b.must(b.step("approve", r))
					}
					a, err := b.askReturn(b.Buying, b.wish(id, 1))
					refused(t, "nothing is left", a, err, returns.ErrQuantity)
					ended := b.must(b.step(how, r))
					if ended.text("returnRequest.statusReason") == "" {
						t.Errorf("%v", ended)
					}
					b.wantReturn(from, r, map[string]string{"reject": "rejected", "cancel": "canceled"}[how], "delivered")
					a, err = b.step("approve", r)
					refused(t, "it is over", a, err, returns.ErrTransition)
				}
				b.requested(w)
			})
		})
	}
}

func TestReturnsOfMoneyThatNobodyCanBeAskedFor(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		paid := b.ordered("mug")
		b.bridged(b.checkout("mug").text("checkout.id"), "ps-1")
		custom := b.must(b.vouch(captured("ps-1", "pay-1", "evt-1"))).text("order.id")
		o := b.orderOf(paid).Took(nil)
		o.ID, o.Number, o.Checkout, o.Source, o.Returns, o.Status = shops.NewID(), "imported-1", "", order.FromAPI, nil, order.Delivered
		b.atomically(func(ctx context.Context, tx ports.Tx) error {
			return tx.Records.Write(ctx, collection.NewChange(order.Schema, nil, o.Record(), shops.NewID(), b.now()))
		})
		b.rewrite(order.Schema, custom, "status", "delivered")
		b.Providers = nil // nobody is called
		stock := b.level("mug").OnHand
		for _, id := range []string{custom, o.ID} {
			w := b.wish(id, 1)
			w.InitialShippingRefund, w.AuditNote = "3000", "It came broken."
			r := b.approved(w)
			b.must(b.step("receive", r))
			b.must(b.payOut(b.Buying, r))
			b.wantReturn("by hand", r, "refunded", "returned")
			if got := b.orderOf(id); got.Refunded != krw(15000) || b.balance(id) != 0 || len(b.refunds(id)) != 1 {
				t.Errorf("%v went back, %d are left", got.Refunded, b.balance(id))
			}
		}
		if l := b.level("mug"); l.OnHand != stock+1 {
			t.Errorf("the imported order took none: %+v", l)
		}
	})
}

func TestWhereNothingHasToGoBackNobodyIsAsked(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.delivered("mug")
		w := b.wish(id, 1)
		w.Lines[0].RestockingFee = "12000"
		r := b.approved(w)
		b.Providers = nil
		done := b.must(b.payOut(b.Buying, r))
		if done.text("returnRequest.status") != "refunded" || done.at("returnRequest.refundStatus") != nil || done.text("order.status") != "returned" || len(b.refunds(id)) != 0 {
			t.Errorf("%v", done)
		}
		free := b.must(b.Complete(t.Context(), b.server(key(), "checkouts.complete", ""), b.checkout("gift").text("checkout.id"))).text("order.id")
		b.rewrite(order.Schema, free, "status", "delivered")
		b.must(b.payOut(b.Buying, b.approved(b.wish(free, 1))))
	})
}
