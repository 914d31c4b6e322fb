package buying_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/returning"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/tenant"
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
		other, err := b.payOut(b.Buying, r)
		refused(t, "once more", other, err, returns.ErrTransition)
		if n := b.refunds(id); len(n) != 1 || n[0].Text("returnRequest") != r || b.requestOf(r).Transaction != n[0].ID() {
			t.Errorf("%v", n)
		}
		other, err = b.askReturn(b.Buying, b.wish(id, 1))
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

func TestARefusedRefundLeavesTheReturnAsItWas(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.delivered("mug")
		r := b.approved(b.wish(id, 1))
		b.must(b.step("receive", r))
		b.refundBehindOurBack(id, 1)
		k := key()
		a, err := returnsOf(b.Buying).GiveBack(t.Context(), b.server(k, "returnRequests.refund", r), r)
		if !errors.Is(err, ports.ErrProviderRejected) {
			t.Fatalf("%+v %v", a, err)
		}
		b.wantReturn("refused", r, "received", "return_processing")
		if got := b.requestOf(r); got.RefundStatus != "failed" || !strings.Contains(got.RefundProblem, "REMAINING_AMOUNT_CHANGED") || strings.Contains(got.RefundProblem, "Return of order") {
			t.Errorf("%+v", got)
		}
		a, err = returnsOf(b.Buying).GiveBack(t.Context(), b.server(k, "returnRequests.refund", r), r)
		if !errors.Is(err, ports.ErrProviderRejected) || len(b.refunds(id)) != 2 {
			t.Errorf("it may be tried again: %+v %v", a, err)
		}
	})
}

func TestARefundThatTheBankCannotDoIsOwed(t *testing.T) {
	for _, all := range []bool{true, false} {
		t.Run(map[bool]string{true: "everything", false: "a part"}[all], func(t *testing.T) {
			both(t, func(t *testing.T, b *bed) {
				id := b.delivered("2 mug")
				units, closed, open := int64(2), "returned", "returned"
				if !all {
					units, closed, open = 1, "delivered", "return_processing"
				}
				r := b.approved(b.wish(id, units))
				b.faults(`{"asyncRefundNext":1}`)
				done := b.must(b.payOut(b.Buying, r))
				if done.text("returnRequest.status") != "refunded" || done.text("returnRequest.refundStatus") != "pending" || done.text("order.paymentStatus") != "paid" {
					t.Errorf("%v", done)
				}
				b.wantReturn("on its way", r, "refunded", closed)
				b.bankDecides(id, "fail")
				b.wantReturn("it failed", r, "approved", open)
				b.wantMoney(id, 0, "paid")
				if got := b.requestOf(r); got.RefundStatus != "failed" || got.RefundProblem == "" || !got.RefundedAt.IsZero() {
					t.Errorf("%+v", got)
				}
				a, err := b.step("cancel", r)
				refused(t, "it is owed", a, err, returns.ErrTransition)
				b.must(b.payOut(b.Buying, r))
				b.wantReturn("once more", r, "refunded", closed)
				b.wantMoney(id, units*12000, "partially_refunded")
				if o := b.orderOf(id); o.Lines[0].Returned != units {
					t.Errorf("%d came back", o.Lines[0].Returned)
				}
				b.wantSums("in the end", 27000-units*12000, 0)
			})
		})
	}
}

func TestARefundThatTheBankDoesLaterStands(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.delivered("mug")
		r := b.approved(b.wish(id, 1))
		b.faults(`{"asyncRefundNext":1}`)
		b.must(b.payOut(b.Buying, r))
		b.bankDecides(id, "succeed")
		b.wantReturn("done", r, "refunded", "returned")
		b.wantMoney(id, 12000, "partially_refunded")
		if got := b.requestOf(r); got.RefundStatus != "refunded" {
			t.Errorf("%+v", got)
		}
		b.bankDecides(id, "fail") // told to be done before
		if err := b.webhooked(id); err != nil {
			t.Error(err)
		}
		b.wantReturn("taken back", r, "approved", "returned")
		b.wantMoney(id, 0, "paid")
	})
}

func TestReturnsOfMoneyThatNobodyCanBeAskedFor(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		paid := b.ordered("mug")
		b.bridged(b.checkout("mug").text("checkout.id"), "ps-1")
		custom := b.must(b.vouch(captured("ps-1", "pay-1", "evt-1"))).text("order.id")
		o := b.orderOf(paid)
		o.ID, o.Number, o.Checkout, o.Source, o.Returns, o.Status = newID(), "imported-1", "", order.FromAPI, nil, order.Delivered
		b.atomically(func(ctx context.Context, tx ports.Tx) error {
			return tx.Records.Write(ctx, collection.NewChange(order.Schema, nil, o.Record(), newID(), b.now()))
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

func TestACrashWhileAReturnIsPaidOutHeals(t *testing.T) {
	for _, point := range []string{buying.FailRefundBegun, buying.FailRefundSent} {
		for _, healer := range []string{"the watch", "another call"} {
			t.Run(point+" and "+healer, func(t *testing.T) {
				both(t, func(t *testing.T, b *bed) {
					id := b.delivered("mug")
					r := b.approved(b.wish(id, 1))
					died(t, func() { _, _ = b.payOut(b.dying(point), r) })
					b.wantReturn("dead", r, "approved", "return_processing")
					a, err := b.step("cancel", r)
					refused(t, "nobody knows about the money", a, err, payment.ErrRefundBusy)
					if healer == "the watch" {
						b.Sweep(t.Context(), ports.Of(b.shop.ID))
					} else {
						b.must(b.payOut(b.Buying, r))
					}
					b.wantReturn("healed", r, "refunded", "returned")
					b.wantMoney(id, 12000, "partially_refunded")
					b.wantSums("healed", 3000, 0)
				})
			})
		}
	}
}

func TestAnAnswerThatWasLostPaysOutOnce(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.delivered("mug")
		r := b.approved(b.wish(id, 1))
		b.faults(`{"dropResponseNext":1}`)
		k := key()
		if a, err := returnsOf(b.Buying).GiveBack(t.Context(), b.server(k, "returnRequests.refund", r), r); !errors.Is(err, ports.ErrProviderUnavailable) {
			t.Fatalf("%+v %v", a, err)
		}
		b.must(returnsOf(b.Buying).GiveBack(t.Context(), b.server(k, "returnRequests.refund", r), r))
		b.wantReturn("asked again", r, "refunded", "returned")
		b.wantMoney(id, 12000, "partially_refunded")
	})
}

func TestWhoMayDoWhatAboutReturns(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		ctx, r := t.Context(), returnsOf(b.Buying)
		id := b.delivered("4 mug")
		b.rewrite(order.Schema, id, "customer", b.customer())
		owner := b.orderOf(id).Customer
		as := func(change func(p *tenant.Principal)) once.Call {
			c := b.server(key(), "returnRequests", newID())
			change(&c.Principal)
			return c
		}
		user := func(role tenant.Role) func(p *tenant.Principal) {
			return func(p *tenant.Principal) { p.Kind, p.Role = tenant.User, role }
		}
		customer := func(id string) func(p *tenant.Principal) {
			return func(p *tenant.Principal) { p.Kind, p.ID = tenant.Customer, id }
		}
		look := func(c once.Call) error { _, _, err := r.Returnable(ctx, c, id); return err }
		preview := func(c once.Call) error { _, _, err := r.Preview(ctx, c, b.wish(id, 1)); return err }
		answered := func(a once.Answer, err error) error {
			if err == nil && a.Fault != nil {
				return a.Fault
			}
			return err
		}
		create := func(c once.Call) error { return answered(r.Create(ctx, c, b.wish(id, 1))) }
		step := func(what string) func(c once.Call) error {
			return func(c once.Call) error {
				x := b.requested(b.wish(id, 1))
				defer func() { _, _ = b.step("cancel", x) }()
				if what == "receive" || what == "refund" {
					b.must(b.step("approve", x))
				}
				if what == "refund" {
					return answered(r.GiveBack(ctx, c, x))
				}
				return answered(stepOf(b, c, what, x))
			}
		}
		for name, c := range map[string]struct {
			change func(p *tenant.Principal)
			want   string // look preview create approve receive reject cancel refund
		}{
			"a viewer":            {user(tenant.Viewer), "yes yes forbidden forbidden forbidden forbidden forbidden forbidden"},
			"an editor":           {user(tenant.Editor), "yes yes yes yes yes yes yes forbidden"},
			"a customer":          {customer(owner), "yes yes yes forbidden forbidden forbidden yes forbidden"},
			"another customer":    {customer("else"), "not_found not_found not_found forbidden forbidden forbidden not_found forbidden"},
			"a storefront":        {func(p *tenant.Principal) { p.Kind = tenant.ClientKey }, strings.Repeat("forbidden ", 8)},
			"nobody":              {func(p *tenant.Principal) { p.Kind = tenant.Anonymous }, strings.Repeat("unauthenticated ", 8)},
			"a key that reads":    {func(p *tenant.Principal) { p.CanWrite = false }, "yes yes " + strings.Repeat("forbidden ", 6)},
			"a key that writes":   {func(p *tenant.Principal) { p.CanRead = false }, "forbidden forbidden yes yes yes yes yes -"},
			"another environment": {func(p *tenant.Principal) { p.Environment = tenant.Live }, strings.Repeat("not_found ", 8)},
			"another shop":        {func(p *tenant.Principal) { p.Tenant.ID = tenant.ID(newID()) }, strings.Repeat("not_found ", 8)},
			"a shop that closed":  {func(p *tenant.Principal) { p.Tenant.CommerceEnabled = false }, "yes yes " + strings.Repeat("feature_disabled ", 6)},
		} {
			want := strings.Fields(c.want)
			for i, do := range []func(once.Call) error{look, preview, create, step("approve"), step("receive"), step("reject"), step("cancel"), step("refund")} {
				if want[i] == "-" {
					continue
				}
				got := "yes"
				if err := do(as(c.change)); err != nil {
					got = fault.From(err).Reason
				}
				if got != want[i] {
					t.Errorf("%s, %d: %s, want %s", name, i, got, want[i])
				}
			}
			for _, x := range b.all(returns.Schema) {
				if returns.FromRecord(x).Status == returns.Requested {
					b.must(b.step("cancel", x.ID()))
				}
			}
		}
	})
}

// customer is the account of somebody who buys.
func (b *bed) customer() string {
	b.t.Helper()
	return b.create(identity.Customers, `{"email":"`+newID()+`@example.com"}`)
}

func TestCustomersEnterNoMoney(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.delivered("2 mug")
		b.rewrite(order.Schema, id, "customer", b.customer())
		c := b.server(key(), "returnRequests.create", id)
		c.Principal.Kind, c.Principal.ID = tenant.Customer, b.orderOf(id).Customer
		w := b.wish(id, 2)
		w.ReturnShippingFee, w.InitialShippingRefund, w.AuditNote, w.Lines[0].RestockingFee, w.Lines[0].Restock = "0", "3000", "please", "0", new(false)
		_, _, err := returnsOf(b.Buying).Preview(t.Context(), c, w)
		var fields []string
		for _, f := range fault.From(err).Fields {
			fields = append(fields, f.Field)
		}
		if !slices.Equal(fields, []string{"lines.0.restockingFee", "lines.0.restock", "returnShippingFee", "initialShippingRefundAmount", "auditNote"}) {
			t.Errorf("%v", fields)
		}
		made := b.must(returnsOf(b.Buying).Create(t.Context(), c, b.wish(id, 2)))
		if made.text("returnRequest.initialShippingRefundAmount") != "3000" || made.text("returnRequest.refundAmount") != "27000" || made.at("returnRequest.auditNote") != nil || strings.Contains(made.text("order"), "cancelReason") {
			t.Errorf("%v", made)
		}
	})
}

func TestLookingAtReturnsChangesNothing(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.delivered("2 mug", "course")
		before := b.get(order.Schema, id)
		c := b.server("", "", "")
		_, v, err := returnsOf(b.Buying).Returnable(t.Context(), c, id)
		if err != nil || len(v.Lines) != 2 || v.Lines[0].UnitRefund != krw(12000) || !v.Lines[0].Shippable || v.Lines[1].Shippable || v.Suggested != krw(3000) || v.Cap != krw(3000) || v.AuditNoteRequired {
			t.Errorf("%+v %v", v, err)
		}
		_, q, err := returnsOf(b.Buying).Preview(t.Context(), c, b.wish(id, 1, 1))
		if err != nil || q.RefundAmount != krw(42000) {
			t.Errorf("%+v %v", q, err)
		}
		if after := b.get(order.Schema, id); after.Sequence() != before.Sequence() || len(b.all(returns.Schema)) != 0 {
			t.Errorf("%v", after)
		}
		paid := b.ordered("mug")
		if _, _, err := returnsOf(b.Buying).Returnable(t.Context(), c, paid); !errors.Is(err, order.ErrNotReturnable) {
			t.Error(err)
		}
		if _, _, err := returnsOf(b.Buying).Preview(t.Context(), c, b.wish(paid, 1)); !errors.Is(err, order.ErrNotReturnable) {
			t.Error(err)
		}
	})
}
