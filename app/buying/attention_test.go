package buying_test

import (
	"context"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// superseded is a checkout that a newer one took the place of, and whose released payment was paid all the same.
func (b *bed) superseded() (old, newer, session said) {
	b.t.Helper()
	cartID := b.cart(nil, "mug")
	create := func() said {
		return b.must(b.Create(b.t.Context(), b.server(key(), "checkouts.create", ""), b.newCheckout(cartID)))
	}
	old = create()
	session = b.pay(old.text("checkout.id"))
	paymentKey := b.approve(session, "approve")
	b.must(b.Release(b.t.Context(), b.server(key(), "paymentSessions.release", ""), session.text("paymentSession.id"), "Nobody paid."))
	newer = create()
	b.capture(session, paymentKey)
	b.settled(session)
	return old, newer, session
}

func (b *bed) settled(session said) {
	b.t.Helper()
	if _, err := b.Settle(b.t.Context(), b.shop.ID, session.text("paymentSession.id")); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bed) resolve(session said, as payment.Resolution) (once.Answer, error) {
	return b.Resolve(b.t.Context(), b.server(key(), "paymentSessions.resolve", ""), buying.Resolving{
		Session: session.text("paymentSession.id"), As: as, Note: "Called the buyer.",
	})
}

// queue is the ids of a collection that require attention, as an operator lists them.
func (b *bed) queue(s *collection.Schema) (ids []string) {
	b.t.Helper()
	page, err := b.store.Read(ports.Of(b.shop.ID)).Find(b.t.Context(), collection.Query{
		Schema: s, Environment: "test", Where: s.Where("status", collection.Equals, "requires_attention"), Limit: 10, Page: 1,
	})
	if err != nil {
		b.t.Fatal(err)
	}
	for _, r := range page.Docs {
		ids = append(ids, r.ID())
	}
	return ids
}

func TestTheQueueSaysWhatToDo(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		old, _, session := b.superseded()
		r, s := b.get(checkout.Schema, old.text("checkout.id")), b.get(payment.Sessions, session.text("paymentSession.id"))
		if r.Text("suggestedAction") != "refund" || r.Text("attentionSession") != s.ID() || r.Text("reason") != payment.ReasonLate || s.Text("suggestedAction") != "refund" {
			t.Errorf("%v\n%v", r, s)
		}
		if q := b.queue(checkout.Schema); len(q) != 1 || q[0] != r.ID() {
			t.Error(q)
		}
		if q := b.queue(payment.Sessions); len(q) != 1 || q[0] != s.ID() {
			t.Error(q)
		}
		w := newWeb(b)
		_, seen := w.ask("GET", "/server/commerce/checkouts/"+r.ID(), "", "X-API-Key", "sk")
		if seen.text("status") != "requires_attention" || seen.text("reason") != payment.ReasonLate || seen.text("checkout.suggestedAction") != "refund" || seen.text("checkout.attentionSession") != s.ID() {
			t.Error(seen)
		}
		_, seen = w.ask("GET", "/commerce/checkouts/"+r.ID(), "", "X-Client-Key", "pk", "X-Checkout-Token", old.text("checkoutToken"))
		if seen.text("reason") != payment.ReasonLate || seen.at("checkout.suggestedAction") != nil || seen.at("checkout.attentionSession") != nil {
			t.Errorf("a shopper sees the operator's business: %v", seen)
		}
	})
}

func TestMoneyWhoseGoodsAreBackIsPlaced(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		session := b.pay(b.checkout("9 lamp").text("checkout.id"))
		paymentKey := b.approve(session, "approve")
		b.must(b.Release(t.Context(), b.server(key(), "paymentSessions.release", ""), session.text("paymentSession.id"), "Nobody paid."))
		var others []said
		for range 3 {
			others = append(others, b.pay(b.checkout("9 lamp").text("checkout.id")))
		}
		b.capture(session, paymentKey)
		b.settled(session)
		s := b.get(payment.Sessions, session.text("paymentSession.id"))
		r := b.get(checkout.Schema, s.Text("checkout"))
		if s.Text("reason") != payment.ReasonStock || s.Text("suggestedAction") != "place_after_restock" || r.Text("suggestedAction") != "place_after_restock" {
			t.Fatalf("%v %v", s, r)
		}
		a, err := b.resolve(session, payment.Placed)
		refused(t, "while the goods are away", a, err, ports.ErrShort)
		if q := b.queue(checkout.Schema); len(q) != 1 {
			t.Error("a refused decision took it out of the queue")
		}
		b.must(b.Cancel(t.Context(), b.server(key(), "paymentSessions.cancel", ""), others[0].text("paymentSession.id")))
		done := b.must(b.resolve(session, payment.Placed))
		id := done.text("order.id")
		if id == "" || done.text("checkout.status") != "completed" || done.text("checkout.order") != id || done.at("checkout.reason") != nil || done.text("paymentSession.status") != "succeeded" || done.text("paymentSession.resolution") != "placed" || done.text("paymentSession.order") != id || done.text("paymentSession.note") != "Called the buyer." {
			t.Errorf("%v", done)
		}
		if b.balance(id) != 453000 || b.balance("") != 0 {
			t.Errorf("the books say %d, and %d for no order", b.balance(id), b.balance(""))
		}
		if tx := b.all(payment.Transactions); len(tx) != 1 || tx[0].Text("order") != id {
			t.Errorf("%v", tx)
		}
		if l := b.level("lamp"); l.OnHand != 21 || l.Reserved != 18 {
			t.Errorf("%+v", l)
		}
		if len(b.queue(checkout.Schema))+len(b.queue(payment.Sessions)) != 0 {
			t.Error("the queue is not empty")
		}
		b.settled(session)
		if len(b.all(order.Schema)) != 1 || len(b.all(payment.Transactions)) != 1 {
			t.Error("a later look booked it again")
		}
		a, err = b.resolve(session, payment.Placed)
		refused(t, "placing it again", a, err, payment.ErrNoAttention)
	})
}

func TestMoneyDealtWithElsewhereLeavesTheQueue(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		old, newer, session := b.superseded()
		done := b.must(b.resolve(session, payment.Dismissed))
		if done.at("order") != nil || done.text("checkout.status") != "canceled" || done.text("paymentSession.status") != "canceled" || done.text("paymentSession.resolution") != "dismissed" || done.text("checkout.supersededBy") != newer.text("checkout.id") {
			t.Errorf("%v", done)
		}
		if len(b.queue(checkout.Schema))+len(b.queue(payment.Sessions)) != 0 || b.balance("") != 15000 {
			t.Error("the queue is not empty, or the money is gone")
		}
		b.settled(session)
		if r := b.get(checkout.Schema, old.text("checkout.id")); r.Text("status") != "canceled" || len(b.all(payment.Transactions)) != 1 {
			t.Errorf("a later look booked it again: %v", r)
		}
		a, err := b.confirm(session, "whatever")
		refused(t, "confirming it", a, err, payment.ErrTerminal)
		again := b.pay(newer.text("checkout.id"))
		b.must(b.confirm(again, b.approve(again, "approve")))
	})
}

func TestWhatMayNotBePlaced(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		_, newer, late := b.superseded()
		again := b.pay(newer.text("checkout.id"))
		b.must(b.confirm(again, b.approve(again, "approve")))
		a, err := b.resolve(late, payment.Placed)
		refused(t, "a cart that was ordered otherwise", a, err, checkout.ErrNotOpen)
		a, err = b.resolve(again, payment.Dismissed)
		refused(t, "a payment that is well", a, err, payment.ErrNoAttention)

		other := b.pay(b.checkout("mug").text("checkout.id"))
		paymentKey := b.approve(other, "approve")
		b.faults(`{"wrongAmountNext":1}`)
		a, err = b.confirm(other, paymentKey)
		refused(t, "a wrong amount", a, err, payment.ErrMismatch)
		if s := b.get(payment.Sessions, other.text("paymentSession.id")); s.Text("suggestedAction") != "compare_amounts" {
			t.Error(s)
		}
		a, err = b.resolve(other, payment.Placed)
		refused(t, "an order for other money", a, err, payment.ErrMismatch)
		a, err = b.resolve(said{"paymentSession": map[string]any{"id": shops.NewID()}}, payment.Placed)
		refused(t, "no session", a, err, ports.ErrAbsent)
		if len(b.all(order.Schema)) != 1 || b.balance("") != 30001 {
			t.Errorf("%d orders, %d", len(b.all(order.Schema)), b.balance(""))
		}
	})
}

// A checkout whose two payments both came too late stays in the queue until each was dealt with.
func TestTheLastPaymentTakesItsCheckoutOutOfTheQueue(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.checkout("mug").text("checkout.id")
		var sessions []said
		var keys []string
		for range 2 {
			s := b.pay(id)
			sessions, keys = append(sessions, s), append(keys, b.approve(s, "approve"))
			b.must(b.Release(t.Context(), b.server(key(), "paymentSessions.release", ""), s.text("paymentSession.id"), "Nobody paid."))
		}
		b.must(b.Create(t.Context(), b.server(key(), "checkouts.create", ""), b.newCheckout(b.get(checkout.Schema, id).Text("cart"))))
		for i, s := range sessions {
			b.capture(s, keys[i])
			b.settled(s)
		}
		if r := b.get(checkout.Schema, id); r.Text("attentionSession") != sessions[1].text("paymentSession.id") || len(b.queue(payment.Sessions)) != 2 {
			t.Fatalf("%v", r)
		}
		left := b.must(b.resolve(sessions[1], payment.Dismissed))
		if left.text("checkout.status") != "requires_attention" || left.text("checkout.attentionSession") != sessions[0].text("paymentSession.id") || left.text("checkout.reason") != payment.ReasonLate {
			t.Errorf("%v", left)
		}
		if done := b.must(b.resolve(sessions[0], payment.Dismissed)); done.text("checkout.status") != "canceled" || len(b.queue(checkout.Schema)) != 0 {
			t.Errorf("%v", done)
		}
	})
}

// odd is the sandbox as a provider that says a word nobody knows.
type odd struct{ ports.Provider }

func (o odd) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	p, err := o.Provider.Lookup(ctx, conn, ref)
	p.State = ports.ProviderUnknown
	return p, err
}

func TestAPaymentNobodyKnowsIsLookedAtAndLetGo(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		bank := b.Providers["sandbox"]
		session := b.pay(b.checkout("mug").text("checkout.id"))
		b.Providers["sandbox"] = odd{bank}
		b.settled(session)
		s := b.get(payment.Sessions, session.text("paymentSession.id"))
		if s.Text("reason") != payment.ReasonUnknown || s.Text("suggestedAction") != "look_at_provider" || !s.Bool("slotHeld") {
			t.Fatalf("%v", s)
		}
		a, err := b.resolve(session, payment.Placed)
		refused(t, "an order for money nobody saw", a, err, payment.ErrNotPaid)
		done := b.must(b.resolve(session, payment.Dismissed))
		if done.text("checkout.status") != "open" || done.text("checkout.paymentSlot.held") != "false" || done.text("paymentSession.status") != "canceled" || done.text("paymentSession.resolution") != "" || b.level("mug").Reserved != 0 {
			t.Errorf("%v %+v", done, b.level("mug"))
		}
		b.Providers["sandbox"] = bank
		b.capture(session, b.approve(session, "approve"))
		b.settled(session)
		if len(b.all(order.Schema)) != 1 {
			t.Error("money that came after all was dropped")
		}
	})
}

// Many operators press the button at once: one order, and the others hear that nothing is left to do.
func TestOperatorsAtOncePlaceOneOrder(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		_, newer, session := b.superseded()
		won := make([]bool, 8)
		shops.Together(len(won), func(i int) {
			a, err := b.resolve(session, payment.Placed)
			if err == nil && a.Fault != nil {
				err = a.Fault
			}
			if won[i] = err == nil; !won[i] && fault.From(err).Reason != payment.ErrNoAttention.Reason {
				t.Errorf("%v", err)
			}
		})
		n := 0
		for _, w := range won {
			if w {
				n++
			}
		}
		if n != 1 || len(b.all(order.Schema)) != 1 || b.level("mug").OnHand != 99 || b.get(checkout.Schema, newer.text("checkout.id")).Text("status") != "canceled" {
			t.Errorf("%d operators placed %d orders", n, len(b.all(order.Schema)))
		}
	})
}

func TestWhoMayResolve(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		w := newWeb(b)
		old, _, session := b.superseded()
		path := "/commerce/payment-sessions/" + session.text("paymentSession.id") + "/resolve"
		const place = `{"action":"place","note":"Called the buyer."}`
		for name, c := range map[string]struct {
			path, body string
			headers    []string
			status     int
		}{
			"a shopper":               {path, place, []string{"X-Client-Key", "pk", "X-Checkout-Token", old.text("checkoutToken")}, 404},
			"a shopper at the server": {"/server" + path, place, []string{"X-Client-Key", "pk", "X-Checkout-Token", old.text("checkoutToken")}, 403},
			"a key that may read":     {"/server" + path, place, []string{"X-API-Key", "sk_reader"}, 403},
			"another shop":            {"/server" + path, place, []string{"X-API-Key", "sk_stranger"}, 404},
			"another environment":     {"/server" + path, place, []string{"X-API-Key", "sk_live"}, 404},
			"no note":                 {"/server" + path, `{"action":"place"}`, []string{"X-API-Key", "sk"}, 400},
			"a blank note":            {"/server" + path, `{"action":"place","note":" "}`, []string{"X-API-Key", "sk"}, 400},
			"no action":               {"/server" + path, `{"note":"x"}`, []string{"X-API-Key", "sk"}, 400},
			"another action":          {"/server" + path, `{"action":"keep","note":"x"}`, []string{"X-API-Key", "sk"}, 400},
			"an action of no text":    {"/server" + path, `{"action":["place"],"note":"x"}`, []string{"X-API-Key", "sk"}, 400},
			"a key made of the id":    {"/server" + path, place, []string{"X-API-Key", "sk", "Idempotency-Key", "key-" + session.text("paymentSession.id")}, 400},
		} {
			if status, answer := w.ask("POST", c.path, c.body, append([]string{"Idempotency-Key", key()}, c.headers...)...); status != c.status {
				t.Errorf("%s: %d %v", name, status, answer)
			}
		}
		if status, answer := w.ask("POST", "/server"+path, place, "X-API-Key", "sk"); status != 400 || answer.reason() != "idempotency_key_required" {
			t.Errorf("%d %v", status, answer)
		}
		if q := b.queue(checkout.Schema); len(q) != 1 {
			t.Fatal("somebody resolved it")
		}
		k := key()
		status, done := w.ask("POST", "/server"+path, place, "X-API-Key", "sk", "Idempotency-Key", k)
		_, again := w.ask("POST", "/server"+path, place, "X-API-Key", "sk", "Idempotency-Key", k)
		if status != 200 || done.text("order.status") != "paid" || again.text("raw") != done.text("raw") || again.text("replayed") != "true" {
			t.Errorf("%d %v\n%v", status, done, again)
		}
	})
}

// A cart never gets a second order: money of its other checkouts waits for a person, however late it comes.
func TestMoneyForACartThatWasOrderedAsksForAPerson(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		cartID := b.cart(nil, "mug")
		first := b.of(cartID)
		session := b.pay(first.text("checkout.id"))
		paymentKey := b.approve(session, "approve")
		b.release(session)
		newer := b.pay(b.of(cartID).text("checkout.id"))
		b.must(b.confirm(newer, b.approve(newer, "approve")))
		b.capture(session, paymentKey)
		for range 2 {
			b.settled(session)
		}
		if q := b.queue(checkout.Schema); len(q) != 1 || q[0] != first.text("checkout.id") {
			t.Errorf("%v", q)
		}
		if len(b.all(order.Schema)) != 1 || len(b.all(payment.Transactions)) != 2 || b.balance("") != 15000 || b.level("mug").OnHand != 99 {
			t.Errorf("%v %+v", b.all(payment.Transactions), b.level("mug"))
		}
	})
}
