package refunds_test

import (
	"context"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestAttentionCaseSuggestsAResolution(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		old, _, session := b.Superseded()
		r, s := b.Get(checkout.Schema, old.Text("checkout.id")), b.Get(payment.Sessions, session.Text("paymentSession.id"))
		if r.Text("suggestedAction") != "refund" || r.Text("attentionSession") != s.ID() || r.Text("reason") != payment.ReasonLate ||
			s.Text("suggestedAction") != "refund" {
			t.Errorf("%v\n%v", r, s)
		}
		if q := b.AttentionQueue(checkout.Schema); len(q) != 1 || q[0] != r.ID() {
			t.Error(q)
		}
		if q := b.AttentionQueue(payment.Sessions); len(q) != 1 || q[0] != s.ID() {
			t.Error(q)
		}
		w := paymentbed.NewWeb(b.Bed)
		_, seen := w.Ask("GET", "/server/commerce/checkouts/"+r.ID(), "", "X-API-Key", "sk")
		if seen.Text("status") != "requires_attention" || seen.Text("reason") != payment.ReasonLate ||
			seen.Text("checkout.suggestedAction") != "refund" || seen.Text("checkout.attentionSession") != s.ID() {
			t.Error(seen)
		}
		_, seen = w.Ask("GET", "/commerce/checkouts/"+r.ID(), "", "X-Client-Key", "pk", "X-Checkout-Token", old.Text("checkoutToken"))
		if seen.Text("reason") != payment.ReasonLate || seen.At("checkout.suggestedAction") != nil ||
			seen.At("checkout.attentionSession") != nil {
			t.Errorf("a shopper sees the operator's business: %v", seen)
		}
	})
}

func TestResolvePlacesWhenStockIsBack(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		session := b.Pay(b.Checkout("9 lamp").Text("checkout.id"))
		paymentKey := b.Approve(session, "approve")
		b.Must(b.Payments.Sessions.Release(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.release", ""),
			session.Text("paymentSession.id"), payments.ReleaseRequest{Note: "Nobody paid."}))
		var others []paymentbed.Answer
		for range 3 {
			others = append(others, b.Pay(b.Checkout("9 lamp").Text("checkout.id")))
		}
		b.CaptureAtBank(session, paymentKey)
		b.SettleSession(session)
		s := b.Get(payment.Sessions, session.Text("paymentSession.id"))
		r := b.Get(checkout.Schema, s.Text("checkout"))
		if s.Text("reason") != payment.ReasonStock || s.Text("suggestedAction") != "place_after_restock" ||
			r.Text("suggestedAction") != "place_after_restock" {
			t.Fatalf("%v %v", s, r)
		}
		a, err := b.Resolve(session, payment.ResolutionPlaced)
		paymentbed.Refused(t, "while the goods are away", a, err, ports.ErrOutOfStock)
		if q := b.AttentionQueue(checkout.Schema); len(q) != 1 {
			t.Error("a refused resolution ended the case")
		}
		b.Must(b.Payments.Sessions.Cancel(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.cancel", ""),
			others[0].Text("paymentSession.id")))
		done := b.Must(b.Resolve(session, payment.ResolutionPlaced))
		id := done.Text("order.id")
		if id == "" || done.Text("checkout.status") != "completed" || done.Text("checkout.order") != id ||
			done.At("checkout.reason") != nil || done.Text("paymentSession.status") != "succeeded" ||
			done.Text("paymentSession.resolution") != "placed" || done.Text("paymentSession.order") != id ||
			done.Text("paymentSession.note") != "Called the buyer." {
			t.Errorf("%v", done)
		}
		b.wantMovedByKey(inventory.Sold, id)
		if b.Balance(id) != 453000 || b.Balance("") != 0 {
			t.Errorf("the ledger has %d, and %d for no order", b.Balance(id), b.Balance(""))
		}
		if tx := b.All(payment.Transactions); len(tx) != 1 || tx[0].Text("order") != id {
			t.Errorf("%v", tx)
		}
		if l := b.Level("lamp"); l.OnHand != 21 || l.Reserved != 18 {
			t.Errorf("%+v", l)
		}
		if len(b.AttentionQueue(checkout.Schema))+len(b.AttentionQueue(payment.Sessions)) != 0 {
			t.Error("the case is not resolved")
		}
		b.SettleSession(session)
		if len(b.All(order.Schema)) != 1 || len(b.All(payment.Transactions)) != 1 {
			t.Error("a later look booked it again")
		}
		a, err = b.Resolve(session, payment.ResolutionPlaced)
		paymentbed.Refused(t, "placing it again", a, err, payment.ErrAttentionNotRequired)
	})
}

func TestDismissedPaymentLeavesAttention(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		old, newer, session := b.Superseded()
		done := b.Must(b.Resolve(session, payment.ResolutionDismissed))
		if done.At("order") != nil || done.Text("checkout.status") != "canceled" || done.Text("paymentSession.status") != "canceled" ||
			done.Text("paymentSession.resolution") != "dismissed" || done.Text("checkout.supersededBy") != newer.Text("checkout.id") {
			t.Errorf("%v", done)
		}
		if len(b.AttentionQueue(checkout.Schema))+len(b.AttentionQueue(payment.Sessions)) != 0 || b.Balance("") != 15000 {
			t.Error("the case is not resolved, or the payment is missing")
		}
		b.SettleSession(session)
		if r := b.Get(checkout.Schema, old.Text("checkout.id")); r.Text("status") != "canceled" || len(b.All(payment.Transactions)) != 1 {
			t.Errorf("a later look booked it again: %v", r)
		}
		a, err := b.Confirm(session, "whatever")
		paymentbed.Refused(t, "confirming it", a, err, payment.ErrSessionTerminal)
		again := b.Pay(newer.Text("checkout.id"))
		b.Must(b.Confirm(again, b.Approve(again, "approve")))
	})
}

func TestResolveRefusesToPlace(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		_, newer, late := b.Superseded()
		again := b.Pay(newer.Text("checkout.id"))
		b.Must(b.Confirm(again, b.Approve(again, "approve")))
		a, err := b.Resolve(late, payment.ResolutionPlaced)
		paymentbed.Refused(t, "a cart that was ordered otherwise", a, err, checkout.ErrNotOpen)
		a, err = b.Resolve(again, payment.ResolutionDismissed)
		paymentbed.Refused(t, "a payment that is well", a, err, payment.ErrAttentionNotRequired)

		other := b.Pay(b.Checkout("mug").Text("checkout.id"))
		paymentKey := b.Approve(other, "approve")
		b.BankFaults(`{"wrongAmountNext":1}`)
		a, err = b.Confirm(other, paymentKey)
		paymentbed.Refused(t, "a wrong amount", a, err, payment.ErrPaymentMismatch)
		if s := b.Get(payment.Sessions, other.Text("paymentSession.id")); s.Text("suggestedAction") != "compare_amounts" {
			t.Error(s)
		}
		a, err = b.Resolve(other, payment.ResolutionPlaced)
		paymentbed.Refused(t, "an order for other money", a, err, payment.ErrPaymentMismatch)
		a, err = b.Resolve(paymentbed.Answer{"paymentSession": map[string]any{"id": shops.NewID()}}, payment.ResolutionPlaced)
		paymentbed.Refused(t, "no session", a, err, ports.ErrNotFound)
		if len(b.All(order.Schema)) != 1 || b.Balance("") != 30001 {
			t.Errorf("%d orders, %d", len(b.All(order.Schema)), b.Balance(""))
		}
	})
}

// A checkout with two late payments requires attention until both are resolved.
func TestCheckoutLeavesAttentionWithItsLastPayment(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.Checkout("mug").Text("checkout.id")
		var sessions []paymentbed.Answer
		var keys []string
		for range 2 {
			s := b.Pay(id)
			sessions, keys = append(sessions, s), append(keys, b.Approve(s, "approve"))
			b.Must(b.Payments.Sessions.Release(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.release", ""),
				s.Text("paymentSession.id"), payments.ReleaseRequest{Note: "Nobody paid."}))
			b.AssumeClosed(s)
		}
		b.Must(b.Checkouts.Create(t.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""),
			b.CheckoutInput(b.Get(checkout.Schema, id).Text("cart"))))
		for i, s := range sessions {
			b.CaptureAtBank(s, keys[i])
			b.SettleSession(s)
		}
		if r := b.Get(checkout.Schema, id); r.Text("attentionSession") != sessions[1].Text("paymentSession.id") ||
			len(b.AttentionQueue(payment.Sessions)) != 2 {
			t.Fatalf("%v", r)
		}
		left := b.Must(b.Resolve(sessions[1], payment.ResolutionDismissed))
		if left.Text("checkout.status") != "requires_attention" ||
			left.Text("checkout.attentionSession") != sessions[0].Text("paymentSession.id") ||
			left.Text("checkout.reason") != payment.ReasonLate {
			t.Errorf("%v", left)
		}
		if done := b.Must(b.Resolve(sessions[0], payment.ResolutionDismissed)); done.Text("checkout.status") != "canceled" ||
			len(b.AttentionQueue(checkout.Schema)) != 0 {
			t.Errorf("%v", done)
		}
	})
}

// unknownProvider is the sandbox as a provider that reports an unknown state.
type unknownProvider struct{ ports.Provider }

func (o unknownProvider) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	p, err := o.Provider.Lookup(ctx, conn, ref)
	p.State = ports.ProviderUnknown
	return p, err
}

func TestUnknownPaymentCanBeDismissed(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		bank := b.Providers["sandbox"]
		session := b.Pay(b.Checkout("mug").Text("checkout.id"))
		b.Providers["sandbox"] = unknownProvider{bank}
		b.SettleSession(session)
		s := b.Get(payment.Sessions, session.Text("paymentSession.id"))
		if s.Text("reason") != payment.ReasonUnknown || s.Text("suggestedAction") != "look_at_provider" || !s.Bool("slotHeld") {
			t.Fatalf("%v", s)
		}
		a, err := b.Resolve(session, payment.ResolutionPlaced)
		paymentbed.Refused(t, "an order for money nobody saw", a, err, payment.ErrNotPaid)
		done := b.Must(b.Resolve(session, payment.ResolutionDismissed))
		if done.Text("checkout.status") != "open" || done.Text("checkout.paymentSlot.held") != "false" ||
			done.Text("paymentSession.status") != "canceled" || done.Text("paymentSession.resolution") != "" ||
			b.Level("mug").Reserved != 0 {
			t.Errorf("%v %+v", done, b.Level("mug"))
		}
		b.Providers["sandbox"] = bank
		b.CaptureAtBank(session, b.Approve(session, "approve"))
		b.SettleSession(session)
		if len(b.All(order.Schema)) != 1 {
			t.Error("money that came after all was dropped")
		}
	})
}

// Concurrent resolutions place one order; the other operators are told that the case is resolved.
func TestConcurrentResolvesPlaceOneOrder(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		_, newer, session := b.Superseded()
		won := make([]bool, 8)
		shops.Concurrently(len(won), func(i int) {
			a, err := b.Resolve(session, payment.ResolutionPlaced)
			if err == nil && a.Fault != nil {
				err = a.Fault
			}
			if won[i] = err == nil; !won[i] && fault.From(err).Reason != payment.ErrAttentionNotRequired.Reason {
				t.Errorf("%v", err)
			}
		})
		n := 0
		for _, w := range won {
			if w {
				n++
			}
		}
		if n != 1 || len(b.All(order.Schema)) != 1 || b.Level("mug").OnHand != 99 ||
			b.Get(checkout.Schema, newer.Text("checkout.id")).Text("status") != "canceled" {
			t.Errorf("%d operators placed %d orders", n, len(b.All(order.Schema)))
		}
	})
}

func TestResolveAccess(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		w := paymentbed.NewWeb(b.Bed)
		old, _, session := b.Superseded()
		path := "/commerce/payment-sessions/" + session.Text("paymentSession.id") + "/resolve"
		const place = `{"action":"place","note":"Called the buyer."}`
		for name, c := range map[string]struct {
			path, body string
			headers    []string
			status     int
		}{
			"a shopper": {path, place, []string{"X-Client-Key", "pk", "X-Checkout-Token", old.Text("checkoutToken")}, 404},
			"a shopper at the server": {
				"/server" + path, place, []string{"X-Client-Key", "pk", "X-Checkout-Token", old.Text("checkoutToken")}, 403,
			},
			"a key that may read":  {"/server" + path, place, []string{"X-API-Key", "sk_reader"}, 403},
			"another shop":         {"/server" + path, place, []string{"X-API-Key", "sk_stranger"}, 404},
			"another environment":  {"/server" + path, place, []string{"X-API-Key", "sk_live"}, 404},
			"no note":              {"/server" + path, `{"action":"place"}`, []string{"X-API-Key", "sk"}, 400},
			"a blank note":         {"/server" + path, `{"action":"place","note":" "}`, []string{"X-API-Key", "sk"}, 400},
			"no action":            {"/server" + path, `{"note":"x"}`, []string{"X-API-Key", "sk"}, 400},
			"another action":       {"/server" + path, `{"action":"keep","note":"x"}`, []string{"X-API-Key", "sk"}, 400},
			"an action of no text": {"/server" + path, `{"action":["place"],"note":"x"}`, []string{"X-API-Key", "sk"}, 400},
			"a key made of the id": {
				"/server" + path, place, []string{"X-API-Key", "sk", "Idempotency-Key", "key-" + session.Text("paymentSession.id")}, 400,
			},
		} {
			if status, answer := w.Ask("POST", c.path, c.body,
				append([]string{"Idempotency-Key", paymentbed.Key()}, c.headers...)...); status != c.status {
				t.Errorf("%s: %d %v", name, status, answer)
			}
		}
		if status, answer := w.Ask("POST", "/server"+path, place, "X-API-Key", "sk"); status != 400 ||
			answer.Reason() != "idempotency_key_required" {
			t.Errorf("%d %v", status, answer)
		}
		if q := b.AttentionQueue(checkout.Schema); len(q) != 1 {
			t.Fatal("it is resolved")
		}
		k := paymentbed.Key()
		status, done := w.Ask("POST", "/server"+path, place, "X-API-Key", "sk", "Idempotency-Key", k)
		_, again := w.Ask("POST", "/server"+path, place, "X-API-Key", "sk", "Idempotency-Key", k)
		if status != 200 || done.Text("order.status") != "paid" || again.Text("raw") != done.Text("raw") ||
			again.Text("replayed") != "true" {
			t.Errorf("%d %v\n%v", status, done, again)
		}
	})
}

// A cart never gets a second order: a payment of another checkout of the cart requires attention, however
// late it comes.
func TestPaymentForAnOrderedCartRequiresAttention(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		cartID := b.Cart(nil, "mug")
		first := b.CheckoutOf(cartID)
		session := b.Pay(first.Text("checkout.id"))
		paymentKey := b.Approve(session, "approve")
		b.Release(session)
		b.AssumeClosed(session)
		newer := b.Pay(b.CheckoutOf(cartID).Text("checkout.id"))
		b.Must(b.Confirm(newer, b.Approve(newer, "approve")))
		b.CaptureAtBank(session, paymentKey)
		for range 2 {
			b.SettleSession(session)
		}
		if q := b.AttentionQueue(checkout.Schema); len(q) != 1 || q[0] != first.Text("checkout.id") {
			t.Errorf("%v", q)
		}
		if len(b.All(order.Schema)) != 1 || len(b.All(payment.Transactions)) != 2 || b.Balance("") != 15000 || b.Level("mug").OnHand != 99 {
			t.Errorf("%v %+v", b.All(payment.Transactions), b.Level("mug"))
		}
	})
}
