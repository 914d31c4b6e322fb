package payments_test

import (
	"net/http"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// The buyer pays on the open page of a released session while another one holds the slot: that is the order,
// and the other one is closed.
func TestMoneyThatFitsBecomesTheOrderWhoeverHoldsTheSlot(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		x := b.Checkout("mug")
		id := x.Text("checkout.id")
		first := b.Pay(id)
		firstKey := b.Approve(first, "approve")
		b.Release(first)
		second := b.Pay(id)
		secondKey := b.Approve(second, "approve")
		b.CaptureAtBank(first, firstKey)
		if got := settled(t, b, first); got.Status != payment.StatusSucceeded || got.Order == "" {
			t.Fatalf("%+v", got.State)
		}
		b.bought(first)
		c := b.Get(checkout.Schema, id)
		slot := c.Group("paymentSlot")
		if c.Text("status") != "completed" || slot.Bool("held") || slot.Text("paymentSession") != first.Text("paymentSession.id") {
			t.Errorf("%v", c)
		}
		a, err := b.Confirm(second, secondKey)
		paymentbed.Refused(t, "taking money for the second one", a, err, payment.ErrSessionTerminal)
		a, err = b.Payments.Sessions.Open(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.create", ""), paymentbed.WidgetSession(id))
		paymentbed.Refused(t, "a third one", a, err, checkout.ErrNotOpen)
		a, err = b.Checkouts.Create(t.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""),
			b.CheckoutInput(x.Text("checkout.cart")))
		paymentbed.Refused(t, "a new checkout", a, err, cart.ErrNotActive)

		b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
		if status := b.TryCaptureAtBank(second, secondKey); status != http.StatusConflict {
			t.Errorf("the page of the second one can still be paid: %d", status)
		}
		if r := b.Get(payment.Sessions, second.Text("paymentSession.id")); r.Text("status") != "canceled" || r.Bool("slotHeld") ||
			payment.SessionFrom(r).MayBePaid() {
			t.Errorf("%v", r)
		}
	})
}

// Money that comes before the provider was asked to close is late: the operator is advised to refund it.
func TestSecondPaymentOfACartIsSuggestedForRefund(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.Checkout("mug").Text("checkout.id")
		first := b.Pay(id)
		firstKey := b.Approve(first, "approve")
		b.Release(first)
		second := b.Pay(id)
		b.CaptureAtBank(second, b.Approve(second, "approve"))
		b.CaptureAtBank(first, firstKey)
		settled(t, b, first)
		if got := settled(t, b, second); got.Status != payment.StatusRequiresAttention || got.Advice() != checkout.AdviceRefund {
			t.Errorf("%+v", got.State)
		}
		if len(b.All(order.Schema)) != 1 || len(b.All(payment.Transactions)) != 2 || b.Balance("") != 15000 {
			t.Errorf("%v", b.All(payment.Transactions))
		}
		b.Must(b.Resolve(second, payment.ResolutionRefunded))
		if b.Balance("") != 0 {
			t.Error("the second payment is kept")
		}
	})
}

// Money of another amount keeps nobody from paying the right one; once that is the order, the other money is
// to be refunded.
func TestOtherMoneyIsSuggestedForRefundOnceTheCartIsOrdered(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		x, first, firstKey := b.moved()
		id := x.Text("checkout.id")
		second := b.Pay(id)
		b.CaptureAtBank(first, firstKey)
		if got := settled(t, b, first); got.Advice() != checkout.AdviceCompare {
			t.Fatalf("%+v", got.State)
		}
		a, err := b.Checkouts.Create(t.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""),
			b.CheckoutInput(x.Text("checkout.cart")))
		paymentbed.Refused(t, "a new checkout beside the held slot", a, err, payment.ErrSlotHeld)
		b.Must(b.Confirm(second, b.Approve(second, "approve")))
		r := b.Get(payment.Sessions, first.Text("paymentSession.id"))
		if r.Text("suggestedAction") != "refund" || b.Get(checkout.Schema, id).Text("status") != "completed" ||
			len(b.AttentionQueue(payment.Sessions)) != 1 {
			t.Errorf("%v", r)
		}
	})
}

func TestNewCheckoutClosesReleasedSessionsFirst(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		x := b.Checkout("mug")
		cartID := x.Text("checkout.cart")
		s := b.Pay(x.Text("checkout.id"))
		paymentKey := b.Approve(s, "approve")
		b.Release(s)

		unreachable := true
		b.interpose(func(call ports.ProviderCall) error {
			if unreachable && call.Operation == "close" {
				return ports.ErrProviderUnavailable
			}
			return nil
		})
		key := paymentbed.Key()
		checkOut := func() (idempotency.Response, error) {
			return b.Checkouts.Create(t.Context(), b.Server(key, "checkouts.create", ""), b.CheckoutInput(cartID))
		}
		a, err := checkOut()
		paymentbed.Refused(t, "while the provider does not answer", a, err, ports.ErrProviderUnavailable)
		unreachable = false
		b.Must(checkOut()) // under the same key
		if status := b.TryCaptureAtBank(s, paymentKey); status != http.StatusConflict {
			t.Errorf("the replaced checkout can still be paid: %d", status)
		}
		if r := b.Get(payment.Sessions, s.Text("paymentSession.id")); payment.SessionFrom(r).MayBePaid() {
			t.Errorf("%v", r)
		}
	})
}

// What was paid before it could be closed is the order, and there is nothing to check out any more.
func TestNewCheckoutFindsThePaymentOfAReleasedSession(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		x := b.Checkout("mug")
		s := b.Pay(x.Text("checkout.id"))
		b.CaptureAtBank(s, b.Approve(s, "approve"))
		b.Release(s)
		a, err := b.Checkouts.Create(t.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""),
			b.CheckoutInput(x.Text("checkout.cart")))
		paymentbed.Refused(t, "a new checkout", a, err, cart.ErrNotActive)
		b.bought(s)
	})
}

// Nobody can be asked about a custom session: the cart waits until the shop's server says that it is closed.
func TestReleasedCustomSessionKeepsTheCart(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		x := b.Checkout("mug")
		s := b.CustomSession(x.Text("checkout.id"), "bank-session-1")
		b.Release(s)
		a, err := b.Checkouts.Create(t.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""),
			b.CheckoutInput(x.Text("checkout.cart")))
		paymentbed.Refused(t, "a new checkout", a, err, payment.ErrSlotHeld)
		b.Must(b.Payments.Sessions.Cancel(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.cancel", ""), s.Text("paymentSession.id")))
		b.CheckoutOf(x.Text("checkout.cart"))
	})
}

// A page that was never handed out cannot be paid: releasing such a session leaves nothing to close.
func TestPreviewOfAReleaseTellsWhatHappens(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.Pay(b.Checkout("mug").Text("checkout.id")).Text("paymentSession.id")
		release := func(preview bool) (idempotency.Response, error) {
			key := paymentbed.Key()
			if preview {
				key = ""
			}
			in := payments.ReleaseRequest{Note: "The shopper called.", Preview: preview}
			return b.Payments.Sessions.Release(t.Context(), b.Server(key, "paymentSessions.release", id), id, in)
		}
		b.WantPreview("held", release)
		b.WantPreview("free", release)
	})
}

func TestReleasedSessionWithoutAPageKeepsNothing(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.interpose(func(ports.ProviderCall) error { return ports.ErrProviderUnavailable })
		x := b.Checkout("mug")
		a, err := b.Payments.Sessions.Open(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.create", ""),
			paymentbed.WidgetSession(x.Text("checkout.id")))
		paymentbed.Refused(t, "a prepare", a, err, ports.ErrProviderUnavailable)
		b.Must(b.Payments.Sessions.Release(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.release", ""),
			b.All(payment.Sessions)[0].ID(), payments.ReleaseRequest{Note: "The provider is down."}))
		b.CheckoutOf(x.Text("checkout.cart"))
	})
}
