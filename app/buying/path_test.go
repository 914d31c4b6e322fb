package buying_test

import (
	"errors"
	"regexp"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestACartBecomesAPaidOrder(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		cartID := b.cart(nil, "2 mug", "course")
		opened := b.must(b.Create(t.Context(), b.server(key(), "checkouts.create", ""), b.newCheckout(cartID)))
		if opened.text("checkout.totals.total") != "57000" || opened.text("checkout.totals.shipping") != "3000" || opened.text("checkout.status") != "open" || opened.text("checkoutToken") == "" {
			t.Fatalf("%v", opened)
		}
		session := b.pay(opened.text("checkout.id"))
		if session.text("paymentSession.status") != "pending" || session.text("action.type") != "widget" || !regexp.MustCompile(`^[0-9A-Za-z]{6,40}$`).MatchString(session.text("action.orderId")) {
			t.Fatalf("%v", session)
		}
		if l := b.level("mug"); l.Reserved != 2 || l.OnHand != 100 {
			t.Errorf("while it is paid: %+v", l)
		}
		done := b.must(b.confirm(session, b.approve(session, "approve")))
		if done.text("order.status") != "paid" || done.text("order.totalAmount") != "57000" || done.text("checkout.status") != "completed" || done.text("paymentSession.status") != "succeeded" {
			t.Fatalf("%v", done)
		}
		if got := b.balance(done.text("order.id")); got != 57000 {
			t.Errorf("the books say %d", got)
		}
		if l := b.level("mug"); l.Reserved != 0 || l.OnHand != 98 {
			t.Errorf("afterwards: %+v", l)
		}
		if tx := b.all(payment.Transactions); len(tx) != 1 || tx[0].Text("order") != done.text("order.id") || tx[0].Text("status") != "paid" {
			t.Errorf("%v", tx)
		}
		if work := b.all(order.FulfillmentOrders); len(work) != 2 {
			t.Errorf("%v", work)
		}
		if bought := b.get(cart.Schema, cartID); bought.Text("status") != "completed" || bought.Int("revision") != 2 {
			t.Errorf("the cart is %s at revision %d", bought.Text("status"), bought.Int("revision"))
		}
		answer, err := b.Retrieve(t.Context(), b.server("", "checkouts.retrieve", ""), opened.text("checkout.id"))
		if union := b.read(answer); err != nil || union.text("status") != "completed" || union.text("order.id") != done.text("order.id") {
			t.Errorf("%v %s", err, answer)
		}
		again := b.must(b.confirm(session, "whatever"))
		if again.text("order.id") != done.text("order.id") {
			t.Errorf("confirmed again: %v", again)
		}
	})
}

func TestAFreeOrderNeedsNoPayment(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		cartID := b.cart(nil, "gift")
		in := b.newCheckout(cartID)
		in.Address = nil // only digital goods
		opened := b.must(b.Create(t.Context(), b.server(key(), "checkouts.create", ""), in))
		if _, given := opened.at("checkout.totals").(map[string]any)["shipping"]; given || opened.at("checkout.shippingAddress.recipientName") != nil {
			t.Errorf("%v", opened)
		}
		id := opened.text("checkout.id")
		a, err := b.OpenSession(t.Context(), b.server(key(), "paymentSessions.create", ""), session(id))
		refused(t, "paying nothing", a, err, payment.ErrNothingToPay)
		done := b.must(b.Complete(t.Context(), b.server(key(), "checkouts.complete", ""), id))
		again := b.must(b.Complete(t.Context(), b.guest(key(), "checkouts.complete", opened.text("checkoutToken")), id))
		if done.text("order.id") == "" || done.text("order.id") != again.text("order.id") || done.text("order.status") != "paid" || b.level("gift").OnHand != 4 {
			t.Errorf("%v\n%v", done, again)
		}
	})
}

// refused asserts a kept refusal or a plain one.
func refused(t *testing.T, name string, a once.Answer, err, want error) {
	t.Helper()
	if err == nil && a.Fault != nil {
		err = a.Fault
	}
	if !errors.Is(err, want) {
		t.Errorf("%s: got %v, want %v", name, err, want)
	}
}

func TestWhatCannotBePaid(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		ctx := t.Context()
		create := func(c once.Call, cartID string) (once.Answer, error) { return b.Create(ctx, c, b.newCheckout(cartID)) }
		a, err := create(b.server(key(), "checkouts.create", ""), b.cart(nil))
		refused(t, "an empty cart", a, err, checkout.ErrCartEmpty)
		a, err = create(b.server(key(), "checkouts.create", ""), shops.NewID())
		refused(t, "no cart", a, err, ports.ErrAbsent)
		a, err = create(b.guest(key(), "checkouts.create", "co_wrong"), b.cart(nil, "mug"))
		refused(t, "a stranger's cart", a, err, ports.ErrAbsent)

		in := b.newCheckout(b.cart(nil, "mug"))
		in.Address = nil
		bare := b.must(b.Create(ctx, b.server(key(), "checkouts.create", ""), in))
		a, err = b.OpenSession(ctx, b.server(key(), "paymentSessions.create", ""), session(bare.text("checkout.id")))
		refused(t, "goods without an address", a, err, checkout.ErrAddressRequired)
		a, err = b.Complete(ctx, b.server(key(), "checkouts.complete", ""), b.checkout("mug").text("checkout.id"))
		refused(t, "completing what costs", a, err, checkout.ErrPaymentRequired)

		opened := b.checkout("mug")
		paying := b.pay(opened.text("checkout.id"))
		other := session(opened.text("checkout.id"))
		other.SuccessURL = "https://shop.example/elsewhere"
		a, err = b.OpenSession(ctx, b.server(key(), "paymentSessions.create", ""), other)
		refused(t, "another action", a, err, payment.ErrSlotHeld)
		if a.Fault == nil || a.Fault.Data["paymentSessionId"] != paying.text("paymentSession.id") {
			t.Errorf("the holder is not named: %+v", a.Fault)
		}
		a, err = create(b.server(key(), "checkouts.create", ""), opened.text("checkout.cart"))
		refused(t, "a second checkout while one is paid", a, err, payment.ErrSlotHeld)
		for name, c := range map[string]once.Call{"a wrong token": b.guest(key(), "", "co_wrong")} {
			if _, err := b.Retrieve(ctx, c, opened.text("checkout.id")); !errors.Is(err, ports.ErrAbsent) {
				t.Errorf("%s: %v", name, err)
			}
			if _, err := b.Session(ctx, c, paying.text("paymentSession.id")); !errors.Is(err, ports.ErrAbsent) {
				t.Errorf("%s: %v", name, err)
			}
		}
		wrong := confirmation(paying, b.approve(paying, "approve"))
		wrong.Amount.Minor--
		a, err = b.Confirm(ctx, b.server(key(), "paymentSessions.confirm", ""), wrong)
		refused(t, "another amount", a, err, payment.ErrMismatch)
		a, err = b.Confirm(ctx, b.server("key-of-"+opened.text("checkout.id"), "paymentSessions.confirm", ""), wrong)
		refused(t, "a key made from the checkout", a, err, once.ErrKeyDerived)
		if b.get(payment.Sessions, paying.text("paymentSession.id")).Text("status") != "pending" {
			t.Error("a wrong confirmation changed the session")
		}
	})
}
