package buying_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// bridged opens a custom session of a new checkout and returns its answer.
func (b *bed) bridged(checkoutID, providerSession string) said {
	b.t.Helper()
	return b.must(b.openCustom(checkoutID, providerSession))
}

func (b *bed) openCustom(checkoutID, providerSession string) (once.Answer, error) {
	return b.OpenCustom(b.t.Context(), b.server(key(), "paymentSessions.custom.create", ""), buying.NewCustom{
		Checkout: checkoutID, ProviderSession: providerSession, ProviderName: "Corner Bank",
	})
}

// captured is what the caller verified: 15000 KRW, unless changed.
func captured(providerSession, paymentID, event string) buying.CustomPayment {
	return buying.CustomPayment{ProviderSession: providerSession, ProviderPayment: paymentID, Event: event, Captured: krw(15000)}
}

func (b *bed) vouch(in buying.CustomPayment) (once.Answer, error) {
	return b.ConfirmCustom(b.t.Context(), b.server(key(), "paymentSessions.custom.confirm", ""), in)
}

// custom retrieves by the one that is given.
func (b *bed) custom(providerSession, providerPayment string) said {
	b.t.Helper()
	answer, err := b.Custom(b.t.Context(), b.server("", "paymentSessions.custom.retrieve", ""), providerSession, providerPayment)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.read(answer)
}

func TestACustomPaymentBecomesAnOrderAtItsConfirm(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		b.Providers = nil // nobody is called
		id := b.checkout("mug").text("checkout.id")
		opened := b.bridged(id, "ps-1")
		if opened.text("paymentSession.status") != "pending" || opened.text("paymentSession.kind") != "custom" || opened.text("paymentSession.slotHeld") != "true" ||
			opened.at("paymentSession.connection") != nil || b.level("mug").Reserved != 1 || len(b.all(order.Schema)) != 0 {
			t.Fatalf("%v %+v", opened, b.level("mug"))
		}
		if got := b.custom("ps-1", ""); got.text("status") != "pending" || got.text("amount.amount") != "15000" || got.text("amount.currency") != "KRW" || got.at("orderId") != nil || len(got) != 3 {
			t.Errorf("%v", got)
		}
		b.Sweep(t.Context(), ports.Of(b.shop.ID))
		done := b.must(b.vouch(captured("ps-1", "pay-1", "evt-1")))
		placed := done.text("order.id")
		if done.text("order.status") != "paid" || done.text("checkout.status") != "completed" || done.text("paymentSession.status") != "succeeded" || b.level("mug").OnHand != 99 {
			t.Fatalf("%v", done)
		}
		for name, in := range map[string]buying.CustomPayment{
			"the same event": captured("ps-1", "pay-1", "evt-1"), "another event of the payment": captured("ps-1", "pay-1", "evt-2"),
		} {
			if again := b.must(b.vouch(in)); again.text("order.id") != placed {
				t.Errorf("%s: %v", name, again)
			}
		}
		if len(b.all(order.Schema)) != 1 || len(b.all(payment.Transactions)) != 1 || b.balance(placed) != 15000 {
			t.Errorf("%d orders, %d transactions, balance %d", len(b.all(order.Schema)), len(b.all(payment.Transactions)), b.balance(placed))
		}
		if got := b.custom("", "pay-1"); got.text("status") != "succeeded" || got.text("orderId") != placed || len(got) != 3 {
			t.Errorf("%v", got)
		}
		if _, err := b.Custom(t.Context(), b.server("", "", ""), "", "pay-"); !isAbsent(err) {
			t.Errorf("half a payment id: %v", err)
		}
	})
}

func isAbsent(err error) bool { return err != nil && fault.From(err).Reason == ports.ErrAbsent.Reason }

func TestACustomConfirmThatDoesNotFitChangesNothing(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		b.bridged(b.checkout("mug").text("checkout.id"), "ps-1")
		b.bridged(b.checkout("mug").text("checkout.id"), "ps-2")
		for name, change := range map[string]func(*buying.CustomPayment){
			"one won less":     func(in *buying.CustomPayment) { in.Captured.Minor-- },
			"one won more":     func(in *buying.CustomPayment) { in.Captured.Minor++ },
			"another currency": func(in *buying.CustomPayment) { in.Captured.Currency = "JPY" },
		} {
			in := captured("ps-1", "pay-1", "evt-1")
			change(&in)
			a, err := b.vouch(in)
			refused(t, name, a, err, payment.ErrMismatch)
		}
		a, err := b.vouch(captured("ps-9", "pay-1", "evt-1"))
		refused(t, "an unknown provider session", a, err, ports.ErrAbsent)
		if got := b.custom("ps-1", ""); got.text("status") != "pending" || len(b.all(order.Schema)) != 0 || len(b.all(payment.Transactions)) != 0 {
			t.Fatalf("%v", got)
		}

		first := b.must(b.vouch(captured("ps-1", "pay-1", "evt-1"))).text("order.id") // what was refused told nothing
		a, err = b.vouch(captured("ps-1", "pay-2", "evt-2"))
		refused(t, "a second payment for one session", a, err, payment.ErrMismatch)
		a, err = b.vouch(captured("ps-2", "pay-1", "evt-2"))
		refused(t, "one payment for two sessions", a, err, ports.ErrMoneyKnown)
		a, err = b.vouch(captured("ps-2", "pay-2", "evt-1"))
		refused(t, "one event for two payments", a, err, payment.ErrEventReused)
		a, err = b.vouch(captured("ps-1", "pay-2", "evt-1"))
		refused(t, "one event with another payment", a, err, payment.ErrEventReused)
		b.must(b.OpenCustom(t.Context(), b.server(key(), "", ""), buying.NewCustom{Checkout: b.checkout("mug").text("checkout.id"), ProviderSession: "ps-3", ProviderName: "Other Bank"}))
		a, err = b.vouch(captured("ps-3", "pay-1", "evt-3"))
		refused(t, "one payment at two providers", a, err, ports.ErrMoneyKnown)
		if got := b.custom("ps-2", ""); got.text("status") != "pending" || len(b.all(order.Schema)) != 1 || len(b.all(payment.Transactions)) != 1 {
			t.Errorf("%v", got)
		}
		if second := b.must(b.vouch(captured("ps-2", "pay-2", "evt-2"))).text("order.id"); second == first || second == "" {
			t.Errorf("%s and %s", first, second)
		}
	})
}

func TestAProviderSessionBelongsToOnePaymentSession(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.checkout("mug").text("checkout.id")
		first := b.bridged(id, "ps-1").text("paymentSession.id")
		a, err := b.openCustom(id, "ps-1")
		if again := b.must(a, err); a.Result != ports.OK || again.text("paymentSession.id") != first {
			t.Errorf("%+v", a)
		}
		a, err = b.openCustom(id, "ps-2")
		refused(t, "another provider session while the slot is held", a, err, payment.ErrSlotHeld)
		other := b.checkout("mug").text("checkout.id")
		a, err = b.openCustom(other, "ps-1")
		refused(t, "the provider session of another checkout", a, err, payment.ErrSessionKnown)
		a, err = b.OpenSession(t.Context(), b.server(key(), "paymentSessions.create", ""), session(id))
		refused(t, "a widget while the slot is held", a, err, payment.ErrSlotHeld)
		paying := b.pay(other)
		a, err = b.openCustom(other, "ps-3")
		refused(t, "a custom session while a widget holds the slot", a, err, payment.ErrSlotHeld)

		in := confirmation(paying, "any-key")
		in.Session, in.OrderID = first, b.get(payment.Sessions, first).Text("paymentId")
		a, err = b.Confirm(t.Context(), b.server(key(), "paymentSessions.confirm", ""), in)
		refused(t, "a widget's confirm", a, err, payment.ErrMismatch)
		for _, name := range []string{paying.text("action.orderId"), paying.text("paymentSession.id"), paying.text("paymentSession.providerSessionId")} {
			if name == "" {
				continue
			}
			a, err = b.vouch(captured(name, "pay-1", "evt-1"))
			refused(t, "a custom confirm of a widget", a, err, ports.ErrAbsent)
		}
		stranger := newBed(t, b.store)
		a, err = stranger.vouch(captured("ps-1", "pay-1", "evt-1"))
		refused(t, "another shop's session", a, err, ports.ErrAbsent)
		stranger.bridged(stranger.checkout("mug").text("checkout.id"), "ps-1")
	})
}

func TestACustomSessionEndsOnTheServersWord(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		opened := b.checkout("mug")
		id := opened.text("checkout.id")
		first := b.bridged(id, "ps-1").text("paymentSession.id")
		a, err := b.Cancel(t.Context(), b.guest(key(), "paymentSessions.cancel", opened.text("checkoutToken")), first)
		refused(t, "a shopper's word", a, err, payment.ErrSlotHeld)
		ended := b.must(b.Cancel(t.Context(), b.server(key(), "paymentSessions.cancel", ""), first))
		if ended.text("paymentSession.status") != "canceled" || ended.text("paymentSession.slotHeld") != "false" || b.level("mug").Reserved != 0 {
			t.Fatalf("%v %+v", ended, b.level("mug"))
		}
		a, err = b.Cancel(t.Context(), b.server(key(), "paymentSessions.cancel", ""), first)
		refused(t, "canceling again", a, err, payment.ErrTerminal)
		a, err = b.openCustom(id, "ps-1")
		refused(t, "a closed provider session", a, err, payment.ErrSessionKnown)

		second := b.bridged(id, "ps-2").text("paymentSession.id")
		b.must(b.Release(t.Context(), b.server(key(), "paymentSessions.release", ""), second, "The buyer called."))
		if done := b.must(b.vouch(captured("ps-1", "pay-1", "evt-1"))); done.text("order.status") != "paid" { // money that came all the same
			t.Errorf("%v", done)
		}
		a, err = b.vouch(captured("ps-2", "pay-2", "evt-2"))
		refused(t, "money for a checkout that has its order", a, err, payment.ErrAttention)
		if len(b.all(order.Schema)) != 1 || len(b.all(payment.Transactions)) != 2 || b.balance("") != 15000 {
			t.Errorf("%d orders, %d transactions, %d without order", len(b.all(order.Schema)), len(b.all(payment.Transactions)), b.balance(""))
		}
	})
}

func TestLateCustomMoneyIsNeverDropped(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		expired := b.checkout("mug").text("checkout.id")
		b.bridged(expired, "ps-late")
		short := b.checkout("9 lamp")
		b.bridged(short.text("checkout.id"), "ps-short")
		b.advance(checkout.Lifetime + time.Hour)
		b.Sweep(t.Context(), ports.Of(b.shop.ID))
		if s := b.all(payment.Sessions); len(s) != 2 || s[0].Text("observation") != "expired" || !s[0].Bool("slotHeld") || b.level("lamp").Reserved != 0 {
			t.Fatalf("%v", s)
		}
		for range 3 {
			b.pay(b.checkout("9 lamp").text("checkout.id"))
		}
		if done := b.must(b.vouch(captured("ps-late", "pay-1", "evt-1"))); done.text("order.status") != "paid" {
			t.Errorf("%v", done)
		}
		in := captured("ps-short", "pay-2", "evt-2")
		in.Captured = krw(b.total(short))
		for range 2 {
			a, err := b.vouch(in)
			refused(t, "money without goods", a, err, payment.ErrAttention)
		}
		if got := b.custom("", "pay-2"); got.text("status") != "requires_attention" || got.at("orderId") != nil || b.balance("") != in.Captured.Minor || len(b.all(payment.Transactions)) != 2 {
			t.Errorf("%v, %d in the books", got, b.balance(""))
		}
	})
}

func TestNewsOfMoneyThatAnOperatorDealtWith(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		for name, c := range map[string]struct {
			as   payment.Resolution
			then error
		}{"it became the order": {payment.Placed, nil}, "it was dealt with elsewhere": {payment.Dismissed, payment.ErrTerminal}} {
			short := b.checkout("9 lamp")
			ps := "ps-" + string(c.as)
			id := b.bridged(short.text("checkout.id"), ps).text("paymentSession.id")
			b.must(b.Release(t.Context(), b.server(key(), "paymentSessions.release", ""), id, "Nobody paid."))
			var held []string // until too few are left
			for l := b.level("lamp"); l.OnHand-l.Reserved >= 9; l = b.level("lamp") {
				held = append(held, b.pay(b.checkout("9 lamp").text("checkout.id")).text("paymentSession.id"))
			}
			in := captured(ps, "pay-"+ps, "evt-"+ps)
			in.Captured = krw(b.total(short))
			a, err := b.vouch(in)
			refused(t, name+": at first", a, err, payment.ErrAttention)
			for _, other := range held {
				b.must(b.Cancel(t.Context(), b.server(key(), "paymentSessions.cancel", ""), other))
			}
			done := b.must(b.Resolve(t.Context(), b.server(key(), "paymentSessions.resolve", ""), buying.Resolving{Session: id, As: c.as, Note: "Looked at it."}))
			a, err = b.vouch(in)
			if c.then != nil {
				refused(t, name, a, err, c.then)
			} else if again := b.must(a, err); again.text("order.id") == "" || again.text("order.id") != done.text("order.id") {
				t.Errorf("%s: %v, then %v", name, done, again)
			}
		}
		if len(b.all(order.Schema)) != 1 || len(b.all(payment.Transactions)) != 2 {
			t.Errorf("%d orders, %d transactions", len(b.all(order.Schema)), len(b.all(payment.Transactions)))
		}
	})
}

func TestWhatIsNoIdentityIsRefused(t *testing.T) {
	b := newBed(t, shops.SQLite())
	id := b.checkout("mug").text("checkout.id")
	for name, bad := range map[string]string{
		"nothing": "", "a space": "ps 1", "a line break": "ps\n1", "a null": "ps\x001", "no text": "ps\xff", "too long": strings.Repeat("p", 256), "an invisible mark": "ps\u200b1",
	} {
		a, err := b.openCustom(id, bad)
		refused(t, "a session that is "+name, a, err, fault.ErrValidation)
		a, err = b.vouch(captured("ps-1", bad, "evt-1"))
		refused(t, "a payment that is "+name, a, err, fault.ErrValidation)
		a, err = b.vouch(captured("ps-1", "pay-1", bad))
		refused(t, "an event that is "+name, a, err, fault.ErrValidation)
	}
	long := strings.Repeat("p", 255)
	b.bridged(id, long)
	a, err := b.ConfirmCustom(t.Context(), b.server("key-"+long[:200], "", ""), captured(long[:100], "pay-1", "evt-1"))
	refused(t, "a key made of the provider session", a, err, once.ErrKeyDerived)
}

// total is what a checkout costs, in minor units.
func (b *bed) total(opened said) int64 {
	b.t.Helper()
	m, err := money.Parse(opened.text("checkout.totals.total"), "KRW")
	if err != nil {
		b.t.Fatal(err)
	}
	return m.Minor
}
