package payments_test

import (
	"errors"
	"regexp"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestCartToPaidOrder(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		cartID := b.Cart(nil, "2 mug", "course")
		opened := b.Must(b.Checkouts.Create(t.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""), b.CheckoutInput(cartID)))
		if opened.Text("checkout.totals.total") != "57000" || opened.Text("checkout.totals.shipping") != "3000" ||
			opened.Text("checkout.status") != "open" || opened.Text("checkoutToken") == "" {
			t.Fatalf("%v", opened)
		}
		session := b.Pay(opened.Text("checkout.id"))
		if session.Text("paymentSession.status") != "pending" || session.Text("action.type") != "widget" ||
			!regexp.MustCompile(`^[0-9A-Za-z]{6,40}$`).MatchString(session.Text("action.orderId")) {
			t.Fatalf("%v", session)
		}
		if l := b.Level("mug"); l.Reserved != 2 || l.OnHand != 100 {
			t.Errorf("while it is paid: %+v", l)
		}
		done := b.Must(b.Confirm(session, b.Approve(session, "approve")))
		if done.Text("order.status") != "paid" || done.Text("order.totalAmount") != "57000" ||
			done.Text("checkout.status") != "completed" || done.Text("paymentSession.status") != "succeeded" {
			t.Fatalf("%v", done)
		}
		if got := b.Balance(done.Text("order.id")); got != 57000 {
			t.Errorf("the ledger has %d", got)
		}
		if l := b.Level("mug"); l.Reserved != 0 || l.OnHand != 98 {
			t.Errorf("afterwards: %+v", l)
		}
		if tx := b.All(payment.Transactions); len(tx) != 1 || tx[0].Text("order") != done.Text("order.id") ||
			tx[0].Text("status") != "paid" {
			t.Errorf("%v", tx)
		}
		if work := b.All(order.FulfillmentOrders); len(work) != 2 {
			t.Errorf("%v", work)
		}
		if bought := b.Get(cart.Schema, cartID); bought.Text("status") != "completed" || bought.Int("revision") != 2 {
			t.Errorf("the cart is %s at revision %d", bought.Text("status"), bought.Int("revision"))
		}
		answer, err := b.Checkouts.Retrieve(t.Context(), b.Server("", "checkouts.retrieve", ""), opened.Text("checkout.id"))
		if union := b.Read(answer.Bytes()); err != nil || union.Text("status") != "completed" ||
			union.Text("order.id") != done.Text("order.id") {
			t.Errorf("%v %s", err, answer)
		}
		again := b.Must(b.Confirm(session, "whatever"))
		if again.Text("order.id") != done.Text("order.id") {
			t.Errorf("confirmed again: %v", again)
		}
	})
}

func TestFreeCheckoutCompletesWithoutPayment(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		cartID := b.Cart(nil, "gift")
		in := b.CheckoutInput(cartID)
		in.Address = nil // only digital goods
		opened := b.Must(b.Checkouts.Create(t.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""), in))
		if _, given := opened.At("checkout.totals").(map[string]any)["shipping"]; given ||
			opened.At("checkout.shippingAddress.recipientName") != nil {
			t.Errorf("%v", opened)
		}
		id := opened.Text("checkout.id")
		a, err := b.Payments.Sessions.Open(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.create", ""),
			paymentbed.WidgetSession(id))
		paymentbed.Refused(t, "paying nothing", a, err, payment.ErrNothingToPay)
		done := b.Must(b.Checkouts.CompleteFree(t.Context(), b.Server(paymentbed.Key(), "checkouts.complete", ""), id))
		again := b.Must(b.Checkouts.CompleteFree(t.Context(),
			b.Guest(paymentbed.Key(), "checkouts.complete", opened.Text("checkoutToken")), id))
		if done.Text("order.id") == "" || done.Text("order.id") != again.Text("order.id") || done.Text("order.status") != "paid" ||
			b.Level("gift").OnHand != 4 {
			t.Errorf("%v\n%v", done, again)
		}
	})
}

func TestOpenSessionRefusals(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		ctx := t.Context()
		create := func(c idempotency.Call, cartID string) (idempotency.Response, error) {
			return b.Checkouts.Create(ctx, c, b.CheckoutInput(cartID))
		}
		a, err := create(b.Server(paymentbed.Key(), "checkouts.create", ""), b.Cart(nil))
		paymentbed.Refused(t, "an empty cart", a, err, checkout.ErrCartEmpty)
		a, err = create(b.Server(paymentbed.Key(), "checkouts.create", ""), shops.NewID())
		paymentbed.Refused(t, "no cart", a, err, ports.ErrNotFound)
		a, err = create(b.Guest(paymentbed.Key(), "checkouts.create", "co_wrong"), b.Cart(nil, "mug"))
		paymentbed.Refused(t, "an outsider's cart", a, err, ports.ErrNotFound)

		in := b.CheckoutInput(b.Cart(nil, "mug"))
		in.Address = nil
		bare := b.Must(b.Checkouts.Create(ctx, b.Server(paymentbed.Key(), "checkouts.create", ""), in))
		a, err = b.Payments.Sessions.Open(ctx, b.Server(paymentbed.Key(), "paymentSessions.create", ""),
			paymentbed.WidgetSession(bare.Text("checkout.id")))
		paymentbed.Refused(t, "goods without an address", a, err, checkout.ErrAddressRequired)
		a, err = b.Checkouts.CompleteFree(ctx, b.Server(paymentbed.Key(), "checkouts.complete", ""), b.Checkout("mug").Text("checkout.id"))
		paymentbed.Refused(t, "completing what costs", a, err, checkout.ErrPaymentRequired)

		opened := b.Checkout("mug")
		paying := b.Pay(opened.Text("checkout.id"))
		other := paymentbed.WidgetSession(opened.Text("checkout.id"))
		other.SuccessURL = "https://shop.example/elsewhere"
		a, err = b.Payments.Sessions.Open(ctx, b.Server(paymentbed.Key(), "paymentSessions.create", ""), other)
		paymentbed.Refused(t, "another action", a, err, payment.ErrSlotHeld)
		if a.Fault == nil || a.Fault.Data["paymentSessionId"] != paying.Text("paymentSession.id") {
			t.Errorf("the holder is not named: %+v", a.Fault)
		}
		a, err = create(b.Server(paymentbed.Key(), "checkouts.create", ""), opened.Text("checkout.cart"))
		paymentbed.Refused(t, "a second checkout while one is paid", a, err, payment.ErrSlotHeld)
		for name, c := range map[string]idempotency.Call{"a wrong token": b.Guest(paymentbed.Key(), "", "co_wrong")} {
			if _, err := b.Checkouts.Retrieve(ctx, c, opened.Text("checkout.id")); !errors.Is(err, ports.ErrNotFound) {
				t.Errorf("%s: %v", name, err)
			}
			if _, err := b.Payments.Sessions.Retrieve(ctx, c, paying.Text("paymentSession.id")); !errors.Is(err, ports.ErrNotFound) {
				t.Errorf("%s: %v", name, err)
			}
		}
		wrong := paymentbed.Confirmation(paying, b.Approve(paying, "approve"))
		wrong.Amount.Minor--
		a, err = b.Payments.Sessions.Confirm(ctx, b.Server(paymentbed.Key(), "paymentSessions.confirm", ""), wrong)
		paymentbed.Refused(t, "another amount", a, err, payment.ErrPaymentMismatch)
		a, err = b.Payments.Sessions.Confirm(ctx, b.Server("key-of-"+opened.Text("checkout.id"), "paymentSessions.confirm", ""), wrong)
		paymentbed.Refused(t, "a key made from the checkout", a, err, idempotency.ErrKeyDerived)
		if b.Get(payment.Sessions, paying.Text("paymentSession.id")).Text("status") != "pending" {
			t.Error("a wrong confirmation changed the session")
		}
	})
}
