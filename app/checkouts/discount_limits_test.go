package checkouts_test

import (
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
)

// pay tries to open a widget session.
func (b *bed) pay(checkoutID string) (idempotency.Response, error) {
	return b.Payments.Sessions.Open(b.T.Context(), b.Server(paymentbed.Key(), "paymentSessions.create", ""),
		paymentbed.WidgetSession(checkoutID))
}

// checkoutsWith makes checkouts of carts with a code.
func (b *bed) checkoutsWith(n int, code, product string) (ids []string) {
	b.T.Helper()
	for range n {
		ids = append(ids, b.CheckoutOf(b.Cart([]string{code}, product)).Text("checkout.id"))
	}
	return ids
}

// Whoever takes the slot takes it within the limit of that moment, not of the checkout's.
func TestSlotIsTakenWithinPresentLimits(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		for limit, refusal := range map[string]error{"usageLimit": discount.ErrUsageLimit, "perCustomerLimit": discount.ErrCustomerLimit} {
			code := strings.ToUpper(limit)
			d := b.Create(discount.Schema, `{"code":"`+code+`","type":"percentage","value":10,"`+limit+`":3}`)
			ids := b.checkoutsWith(3, code, "mug")
			b.Change(discount.Schema, d, `{"`+limit+`":1}`)
			first := b.Pay(ids[0])
			b.Must(b.Confirm(first, b.Approve(first, "approve")))
			for _, id := range ids[1:] {
				a, err := b.pay(id)
				paymentbed.Refused(t, limit, a, err, refusal)
			}
			b.Change(discount.Schema, d, `{"`+limit+`":2}`)
			b.Pay(ids[1])
		}
		if n := len(b.All(order.Schema)); n != 2 {
			t.Errorf("%d orders", n)
		}
	})
}

// The same holds for a checkout that costs nothing, whose order is placed at once.
func TestFreeCheckoutIsCompletedWithinPresentLimits(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d := b.Create(discount.Schema, `{"code":"FREE","type":"percentage","value":100,"usageLimit":3}`)
		ids := b.checkoutsWith(3, "FREE", "course")
		complete := func(id string) (idempotency.Response, error) {
			return b.Checkouts.CompleteFree(t.Context(), b.Server(paymentbed.Key(), "checkouts.complete", ""), id)
		}
		b.Change(discount.Schema, d, `{"usageLimit":1}`)
		b.Must(complete(ids[0]))
		a, err := complete(ids[1])
		paymentbed.Refused(t, "beyond the limit", a, err, discount.ErrUsageLimit)
		b.Change(discount.Schema, d, `{"usageLimit":3,"isActive":false}`)
		a, err = complete(ids[1])
		paymentbed.Refused(t, "switched off", a, err, discount.ErrInactive)
	})
}

// A code that was switched off or renamed opens no further payment. One whose slot was taken before is kept.
func TestSlotIsNotTakenWithACodeThatIsOff(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		for change, refusal := range map[string]error{`{"isActive":false}`: discount.ErrInactive, `{"code":"OTHER"}`: discount.ErrNotFound} {
			d := b.Create(discount.Schema, `{"code":"SWITCH","type":"percentage","value":10}`)
			ids := b.checkoutsWith(3, "SWITCH", "mug")
			held := b.Pay(ids[0])
			b.Change(discount.Schema, d, change)
			a, err := b.pay(ids[1])
			paymentbed.Refused(t, change, a, err, refusal)
			a, err = b.OpenCustom(ids[2], "session-"+d)
			paymentbed.Refused(t, change, a, err, refusal)
			b.Must(b.Confirm(held, b.Approve(held, "approve")))
			b.Change(discount.Schema, d, `{"code":"GONE-`+d[:8]+d[24:]+`"}`)
		}
		if n := len(b.All(payment.Sessions)); n != 2 {
			t.Errorf("%d sessions", n)
		}
	})
}
