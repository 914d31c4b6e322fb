package payments_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// custom retrieves a custom session by whichever id is given.
func (b *bed) custom(providerSession, providerPayment string) paymentbed.Answer {
	b.T.Helper()
	answer, err := b.Payments.Custom.Status(b.T.Context(), b.Server("", "paymentSessions.custom.retrieve", ""), providerSession,
		providerPayment)
	if err != nil {
		b.T.Fatal(err)
	}
	return b.Read(answer.Bytes())
}

func TestCustomConfirmPlacesTheOrder(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		clear(b.Providers) // none is called
		id := b.Checkout("mug").Text("checkout.id")
		opened := b.CustomSession(id, "ps-1")
		if opened.Text("paymentSession.status") != "pending" || opened.Text("paymentSession.kind") != "custom" ||
			opened.Text("paymentSession.slotHeld") != "true" ||
			opened.At("paymentSession.connection") != nil || b.Level("mug").Reserved != 1 || len(b.All(order.Schema)) != 0 {
			t.Fatalf("%v %+v", opened, b.Level("mug"))
		}
		if got := b.custom("ps-1", ""); got.Text("status") != "pending" || got.Text("amount.amount") != "15000" ||
			got.Text("amount.currency") != "KRW" || got.At("orderId") != nil || len(got) != 3 {
			t.Errorf("%v", got)
		}
		b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
		done := b.Must(b.ConfirmCustom(paymentbed.Captured("ps-1", "pay-1", "evt-1")))
		placed := done.Text("order.id")
		if done.Text("order.status") != "paid" || done.Text("checkout.status") != "completed" ||
			done.Text("paymentSession.status") != "succeeded" || b.Level("mug").OnHand != 99 {
			t.Fatalf("%v", done)
		}
		for name, in := range map[string]payments.CustomPayment{
			"the same event":               paymentbed.Captured("ps-1", "pay-1", "evt-1"),
			"another event of the payment": paymentbed.Captured("ps-1", "pay-1", "evt-2"),
		} {
			if again := b.Must(b.ConfirmCustom(in)); again.Text("order.id") != placed {
				t.Errorf("%s: %v", name, again)
			}
		}
		if len(b.All(order.Schema)) != 1 || len(b.All(payment.Transactions)) != 1 || b.Balance(placed) != 15000 {
			t.Errorf("%d orders, %d transactions, balance %d",
				len(b.All(order.Schema)), len(b.All(payment.Transactions)), b.Balance(placed))
		}
		if got := b.custom("", "pay-1"); got.Text("status") != "succeeded" || got.Text("orderId") != placed || len(got) != 3 {
			t.Errorf("%v", got)
		}
		if _, err := b.Payments.Custom.Status(t.Context(), b.Server("", "", ""), "", "pay-"); !isAbsent(err) {
			t.Errorf("half a payment id: %v", err)
		}
	})
}

func isAbsent(err error) bool {
	return err != nil && fault.From(err).Reason == ports.ErrNotFound.Reason
}

func TestMismatchedCustomConfirmChangesNothing(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.CustomSession(b.Checkout("mug").Text("checkout.id"), "ps-1")
		b.CustomSession(b.Checkout("mug").Text("checkout.id"), "ps-2")
		for name, change := range map[string]func(*payments.CustomPayment){
			"one won less":     func(in *payments.CustomPayment) { in.Captured.Minor-- },
			"one won more":     func(in *payments.CustomPayment) { in.Captured.Minor++ },
			"another currency": func(in *payments.CustomPayment) { in.Captured.Currency = "JPY" },
		} {
			in := paymentbed.Captured("ps-1", "pay-1", "evt-1")
			change(&in)
			a, err := b.ConfirmCustom(in)
			paymentbed.Refused(t, name, a, err, payment.ErrPaymentMismatch)
			if a.Fault != nil {
				t.Errorf("%s: money that was captured is refused for ever: %+v", name, a)
			}
		}
		a, err := b.ConfirmCustom(paymentbed.Captured("ps-9", "pay-1", "evt-1"))
		paymentbed.Refused(t, "an unknown provider session", a, err, ports.ErrNotFound)
		if got := b.custom("ps-1", ""); got.Text("status") != "pending" || len(b.All(order.Schema)) != 0 ||
			len(b.All(payment.Transactions)) != 0 {
			t.Fatalf("%v", got)
		}

		// refused confirms recorded no event
		first := b.Must(b.ConfirmCustom(paymentbed.Captured("ps-1", "pay-1", "evt-1"))).Text("order.id")
		a, err = b.ConfirmCustom(paymentbed.Captured("ps-1", "pay-2", "evt-2"))
		paymentbed.Refused(t, "a second payment for one session", a, err, payment.ErrPaymentMismatch)
		a, err = b.ConfirmCustom(paymentbed.Captured("ps-2", "pay-1", "evt-2"))
		paymentbed.Refused(t, "one payment for two sessions", a, err, ports.ErrAlreadyRecorded)
		a, err = b.ConfirmCustom(paymentbed.Captured("ps-2", "pay-2", "evt-1"))
		paymentbed.Refused(t, "one event for two payments", a, err, payment.ErrEventReused)
		a, err = b.ConfirmCustom(paymentbed.Captured("ps-1", "pay-2", "evt-1"))
		paymentbed.Refused(t, "one event with another payment", a, err, payment.ErrEventReused)
		b.Must(b.Payments.Custom.Open(t.Context(), b.Server(paymentbed.Key(), "", ""), payments.CustomSessionInput{
			Checkout: b.Checkout("mug").Text("checkout.id"), ProviderSession: "ps-3", ProviderName: "Other Bank",
		}))
		a, err = b.ConfirmCustom(paymentbed.Captured("ps-3", "pay-1", "evt-3"))
		paymentbed.Refused(t, "one payment at two providers", a, err, ports.ErrAlreadyRecorded)
		if got := b.custom("ps-2", ""); got.Text("status") != "pending" || len(b.All(order.Schema)) != 1 ||
			len(b.All(payment.Transactions)) != 1 {
			t.Errorf("%v", got)
		}
		if second := b.Must(b.ConfirmCustom(paymentbed.Captured("ps-2", "pay-2", "evt-2"))).Text("order.id"); second == first ||
			second == "" {
			t.Errorf("%s and %s", first, second)
		}
	})
}

func TestProviderSessionIsUnique(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.Checkout("mug").Text("checkout.id")
		first := b.CustomSession(id, "ps-1").Text("paymentSession.id")
		a, err := b.OpenCustom(id, "ps-1")
		if again := b.Must(a, err); a.Result != ports.ReceiptOK || again.Text("paymentSession.id") != first {
			t.Errorf("%+v", a)
		}
		a, err = b.OpenCustom(id, "ps-2")
		paymentbed.Refused(t, "another provider session while the slot is held", a, err, payment.ErrSlotHeld)
		other := b.Checkout("mug").Text("checkout.id")
		a, err = b.OpenCustom(other, "ps-1")
		paymentbed.Refused(t, "the provider session of another checkout", a, err, payment.ErrProviderSessionUsed)
		a, err = b.Payments.Sessions.Open(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.create", ""),
			paymentbed.WidgetSession(id))
		paymentbed.Refused(t, "a widget while the slot is held", a, err, payment.ErrSlotHeld)
		paying := b.Pay(other)
		a, err = b.OpenCustom(other, "ps-3")
		paymentbed.Refused(t, "a custom session while a widget holds the slot", a, err, payment.ErrSlotHeld)

		in := paymentbed.Confirmation(paying, "any-key")
		in.Session, in.OrderID = first, b.Get(payment.Sessions, first).Text("paymentId")
		a, err = b.Payments.Sessions.Confirm(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.confirm", ""), in)
		paymentbed.Refused(t, "a widget's confirm", a, err, payment.ErrPaymentMismatch)
		for _, name := range []string{
			paying.Text("action.orderId"), paying.Text("paymentSession.id"), paying.Text("paymentSession.providerSessionId"),
		} {
			if name == "" {
				continue
			}
			a, err = b.ConfirmCustom(paymentbed.Captured(name, "pay-1", "evt-1"))
			paymentbed.Refused(t, "a custom confirm of a widget", a, err, ports.ErrNotFound)
		}
		outsider := newBed(t, b.Store)
		a, err = outsider.ConfirmCustom(paymentbed.Captured("ps-1", "pay-1", "evt-1"))
		paymentbed.Refused(t, "another shop's session", a, err, ports.ErrNotFound)
		outsider.CustomSession(outsider.Checkout("mug").Text("checkout.id"), "ps-1")
	})
}

func TestOnlyTheServerCancelsACustomSession(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		opened := b.Checkout("mug")
		id := opened.Text("checkout.id")
		first := b.CustomSession(id, "ps-1").Text("paymentSession.id")
		a, err := b.Payments.Sessions.Cancel(t.Context(),
			b.Guest(paymentbed.Key(), "paymentSessions.cancel", opened.Text("checkoutToken")), first)
		paymentbed.Refused(t, "a shopper's word", a, err, payment.ErrSlotHeld)
		ended := b.Must(b.Payments.Sessions.Cancel(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.cancel", ""), first))
		if ended.Text("paymentSession.status") != "canceled" || ended.Text("paymentSession.slotHeld") != "false" ||
			b.Level("mug").Reserved != 0 {
			t.Fatalf("%v %+v", ended, b.Level("mug"))
		}
		a, err = b.Payments.Sessions.Cancel(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.cancel", ""), first)
		paymentbed.Refused(t, "canceling again", a, err, payment.ErrSessionTerminal)
		a, err = b.OpenCustom(id, "ps-1")
		paymentbed.Refused(t, "a closed provider session", a, err, payment.ErrProviderSessionUsed)

		second := b.CustomSession(id, "ps-2").Text("paymentSession.id")
		b.Must(b.Payments.Sessions.Release(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.release", ""), second,
			payments.ReleaseRequest{Note: "The buyer called."}))
		// money that came all the same
		if done := b.Must(b.ConfirmCustom(paymentbed.Captured("ps-1", "pay-1", "evt-1"))); done.Text("order.status") != "paid" {
			t.Errorf("%v", done)
		}
		a, err = b.ConfirmCustom(paymentbed.Captured("ps-2", "pay-2", "evt-2"))
		paymentbed.Refused(t, "money for a checkout that has its order", a, err, payment.ErrRequiresAttention)
		if len(b.All(order.Schema)) != 1 || len(b.All(payment.Transactions)) != 2 || b.Balance("") != 15000 {
			t.Errorf("%d orders, %d transactions, %d without order",
				len(b.All(order.Schema)), len(b.All(payment.Transactions)), b.Balance(""))
		}
	})
}

func TestLateCustomPaymentRequiresAttention(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		expired := b.Checkout("mug").Text("checkout.id")
		b.CustomSession(expired, "ps-late")
		short := b.Checkout("9 lamp")
		b.CustomSession(short.Text("checkout.id"), "ps-short")
		b.Advance(checkout.Lifetime + time.Hour)
		b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
		if s := b.All(payment.Sessions); len(s) != 2 || s[0].Text("observation") != "expired" || !s[0].Bool("slotHeld") ||
			b.Level("lamp").Reserved != 0 {
			t.Fatalf("%v", s)
		}
		for range 3 {
			b.Pay(b.Checkout("9 lamp").Text("checkout.id"))
		}
		if done := b.Must(b.ConfirmCustom(paymentbed.Captured("ps-late", "pay-1", "evt-1"))); done.Text("order.status") != "paid" {
			t.Errorf("%v", done)
		}
		in := paymentbed.Captured("ps-short", "pay-2", "evt-2")
		in.Captured = paymentbed.KRW(b.total(short))
		for range 2 {
			a, err := b.ConfirmCustom(in)
			paymentbed.Refused(t, "money without goods", a, err, payment.ErrRequiresAttention)
		}
		if got := b.custom("", "pay-2"); got.Text("status") != "requires_attention" || got.At("orderId") != nil ||
			b.Balance("") != in.Captured.Minor || len(b.All(payment.Transactions)) != 2 {
			t.Errorf("%v, %d in the ledger", got, b.Balance(""))
		}
	})
}

func TestCustomConfirmAfterResolution(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		for name, c := range map[string]struct {
			as   payment.Resolution
			then error
		}{
			"it became the order":         {payment.ResolutionPlaced, nil},
			"it was dealt with elsewhere": {payment.ResolutionDismissed, payment.ErrSessionTerminal},
		} {
			short := b.Checkout("9 lamp")
			ps := "ps-" + string(c.as)
			id := b.CustomSession(short.Text("checkout.id"), ps).Text("paymentSession.id")
			b.Must(b.Payments.Sessions.Release(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.release", ""), id,
				payments.ReleaseRequest{Note: "Nobody paid."}))
			var held []string // until too few are left
			for l := b.Level("lamp"); l.OnHand-l.Reserved >= 9; l = b.Level("lamp") {
				held = append(held, b.Pay(b.Checkout("9 lamp").Text("checkout.id")).Text("paymentSession.id"))
			}
			in := paymentbed.Captured(ps, "pay-"+ps, "evt-"+ps)
			in.Captured = paymentbed.KRW(b.total(short))
			a, err := b.ConfirmCustom(in)
			paymentbed.Refused(t, name+": at first", a, err, payment.ErrRequiresAttention)
			for _, other := range held {
				b.Must(b.Payments.Sessions.Cancel(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.cancel", ""), other))
			}
			done := b.Must(b.Refunds.Attention.Resolve(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.resolve", ""),
				refunds.ResolveRequest{Session: id, As: c.as, Note: "Looked at it."}))
			a, err = b.ConfirmCustom(in)
			if c.then != nil {
				paymentbed.Refused(t, name, a, err, c.then)
			} else if again := b.Must(a, err); again.Text("order.id") == "" || again.Text("order.id") != done.Text("order.id") {
				t.Errorf("%s: %v, then %v", name, done, again)
			}
		}
		if len(b.All(order.Schema)) != 1 || len(b.All(payment.Transactions)) != 2 {
			t.Errorf("%d orders, %d transactions", len(b.All(order.Schema)), len(b.All(payment.Transactions)))
		}
	})
}

func TestInvalidProviderIDsAreRefused(t *testing.T) {
	b := newBed(t, shops.SQLite())
	id := b.Checkout("mug").Text("checkout.id")
	for name, bad := range map[string]string{
		"nothing": "", "a space": "ps 1", "a line break": "ps\n1", "a null": "ps\x001", "no text": "ps\xff",
		"too long": strings.Repeat("p", 256), "an invisible mark": "ps\u200b1",
	} {
		a, err := b.OpenCustom(id, bad)
		paymentbed.Refused(t, "a session that is "+name, a, err, fault.ErrValidation)
		a, err = b.ConfirmCustom(paymentbed.Captured("ps-1", bad, "evt-1"))
		paymentbed.Refused(t, "a payment that is "+name, a, err, fault.ErrValidation)
		a, err = b.ConfirmCustom(paymentbed.Captured("ps-1", "pay-1", bad))
		paymentbed.Refused(t, "an event that is "+name, a, err, fault.ErrValidation)
	}
	long := strings.Repeat("p", 255)
	b.CustomSession(id, long)
	a, err := b.Payments.Custom.Confirm(t.Context(), b.Server("key-"+long[:200], "", ""), paymentbed.Captured(long[:100], "pay-1", "evt-1"))
	paymentbed.Refused(t, "a key made of the provider session", a, err, idempotency.ErrKeyDerived)
}

// total is the total of a checkout, in minor units.
func (b *bed) total(opened paymentbed.Answer) int64 {
	b.T.Helper()
	m, err := money.Parse(opened.Text("checkout.totals.total"), "KRW")
	if err != nil {
		b.T.Fatal(err)
	}
	return m.Minor
}
