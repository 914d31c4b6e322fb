package buying_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	providers "github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// elsewhere is a payment of the bed's account as its provider knows it.
func (b *bed) elsewhere(paymentID string) buying.Elsewhere {
	return buying.Elsewhere{AccountKey: b.account, Environment: tenant.Test, ProviderPayment: paymentID}
}

func (b *bed) find(in buying.Elsewhere) said {
	b.t.Helper()
	answer, err := b.FindAggregator(b.t.Context(), b.server("", "paymentSessions.findAggregator", ""), in)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.read(answer)
}

func (b *bed) reconcile(in buying.Elsewhere) (once.Answer, error) {
	return b.ReconcileAggregator(b.t.Context(), b.server(key(), "paymentSessions.reconcileAggregator", ""), in)
}

func TestAPaymentIsFoundByExactlyItsNames(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		session := b.pay(b.checkout("mug").text("checkout.id"))
		id, ours := session.text("paymentSession.id"), session.text("action.orderId")
		if got := b.find(b.elsewhere(ours)); got.text("found") != "true" || got.text("paymentSession.id") != id {
			t.Fatalf("%v", got)
		}
		b.must(b.confirm(session, b.approve(session, "approve")))
		theirs := b.get(payment.Sessions, id).Text("providerPaymentId")
		if got := b.find(b.elsewhere(theirs)); theirs == "" || theirs == ours || got.text("paymentSession.id") != id || got.text("paymentSession.order") == "" {
			t.Errorf("by %q: %v", theirs, got)
		}
		b.bridged(b.checkout("mug").text("checkout.id"), "ps-1")
		b.must(b.vouch(captured("ps-1", "pay-1", "evt-1")))
		other := newBed(t, b.store)
		foreign := other.pay(other.checkout("mug").text("checkout.id")).text("action.orderId")
		for name, in := range map[string]buying.Elsewhere{
			"half of the id":         b.elsewhere(ours[:20]),
			"more than the id":       b.elsewhere(ours + "0"),
			"the session's id":       b.elsewhere(id),
			"an unheard-of payment":  b.elsewhere("nothing"),
			"no payment":             b.elsewhere(""),
			"another account":        {AccountKey: "shop-other", Environment: tenant.Test, ProviderPayment: ours},
			"another shop's payment": b.elsewhere(foreign),
			"another shop's account": {AccountKey: other.account, Environment: tenant.Test, ProviderPayment: foreign},
			"a custom payment":       {AccountKey: "Corner Bank", Environment: tenant.Test, ProviderPayment: "pay-1"},
		} {
			if got := b.find(in); got.text("found") != "false" || len(got) != 1 {
				t.Errorf("%s: %v", name, got)
			}
		}
		live := b.elsewhere(ours)
		live.Environment = tenant.Live
		if _, err := b.FindAggregator(t.Context(), b.server("", "", ""), live); !errors.Is(err, fault.ErrForbidden) {
			t.Errorf("a test key asks for live: %v", err)
		}
		a, err := b.reconcile(live)
		refused(t, "a test key reconciles live", a, err, fault.ErrForbidden)
	})
}

// Providers may use the same names for accounts and payments; then nobody can tell which one is meant.
func TestWhatTwoProvidersCallTheSameIsNotGuessed(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		session := b.pay(b.checkout("mug").text("checkout.id"))
		b.must(b.confirm(session, b.approve(session, "approve")))
		r := b.get(payment.Sessions, session.text("paymentSession.id"))
		twin := r.Clone()
		twin["id"], twin["paymentId"], twin["provider"] = shops.NewID(), "twin00000000000000000000000", "toss"
		b.atomically(func(ctx context.Context, tx ports.Tx) error {
			return tx.Records.Write(ctx, collection.NewChange(payment.Sessions, nil, twin, shops.NewID(), b.now()))
		})
		if got := b.find(b.elsewhere(r.Text("providerPaymentId"))); got.text("found") != "false" {
			t.Errorf("%v", got)
		}
		if got := b.must(b.reconcile(b.elsewhere(r.Text("providerPaymentId")))); got.text("found") != "false" || got.text("requiresAttention") != "true" {
			t.Errorf("%v", got)
		}
		if got := b.find(b.elsewhere(r.Text("paymentId"))); got.text("paymentSession.id") != r.ID() {
			t.Errorf("by our own id: %v", got)
		}
	})
}

func TestFindCallsNobodyAndChangesNothing(t *testing.T) {
	alone(t, func(t *testing.T, b *bed, all testservers.Whole) {
		session := b.pay(b.checkout("mug").text("checkout.id"))
		b.bridged(b.checkout("mug").text("checkout.id"), "ps-1")
		paid := b.pay(b.checkout("mug").text("checkout.id"))
		b.must(b.confirm(paid, b.approve(paid, "approve")))
		b.approve(session, "approve") // a look-up would find something to settle
		url, calls := hang(t)
		b.Providers["sandbox"] = sandbox.New(url, "", providers.NewClient(providers.Limits{CallTimeout: time.Second, LookupTimeout: time.Second}, nil))

		w, before := newWeb(b), all.Settled()
		for _, id := range []string{session.text("action.orderId"), b.get(payment.Sessions, paid.text("paymentSession.id")).Text("providerPaymentId"), "nothing"} {
			for _, who := range []string{"sk", "sk_reader"} {
				status, got := w.ask("GET", "/server/commerce/payment-sessions/aggregator/find?environment=test&accountKey="+b.account+"&providerPaymentId="+id, "", "X-API-Key", who, "Idempotency-Key", key())
				if found := got.text("found"); status != 200 || found != "true" && id != "nothing" || found != "false" && id == "nothing" {
					t.Errorf("%s for %s: %d %v", id, who, status, got)
				}
			}
		}
		for _, query := range []string{"providerSessionId=ps-1", "providerPaymentId=ps-1", "providerSessionId=ps-1&providerPaymentId=pay-1", ""} {
			w.ask("GET", "/server/commerce/payment-sessions/custom?"+query, "", "X-API-Key", "sk_reader")
		}
		if tables := all.Changed(before); len(tables) > 0 || calls.Load() != 0 {
			t.Errorf("%v changed, the provider was called %d times", tables, calls.Load())
		}
		// The same questions with a look-up: the test would see it.
		a, err := b.reconcile(b.elsewhere(session.text("action.orderId")))
		refused(t, "a reconcile while the provider hangs", a, err, ports.ErrProviderUnavailable)
		if calls.Load() == 0 {
			t.Error("nobody was called")
		}
	})
}

func TestReconcileSettlesWhatTheProviderTook(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		session := b.pay(b.checkout("mug").text("checkout.id"))
		paymentKey := b.approve(session, "approve")
		in := b.elsewhere(session.text("action.orderId"))
		if got := b.must(b.reconcile(in)); got.text("found") != "true" || got.text("requiresAttention") != "false" || got.text("paymentSession.slotHeld") != "true" || got.at("order") != nil {
			t.Errorf("before it is paid: %v", got)
		}
		b.capture(session, paymentKey) // nobody told us
		k := key()
		call := b.server(k, "paymentSessions.reconcileAggregator", "")
		a, err := b.ReconcileAggregator(t.Context(), call, in)
		done := b.must(a, err)
		if done.text("found") != "true" || done.text("requiresAttention") != "false" || done.text("paymentSession.status") != "succeeded" || done.text("checkout.status") != "completed" || done.text("order.status") != "paid" {
			t.Fatalf("%v", done)
		}
		again, err := b.ReconcileAggregator(t.Context(), call, in)
		if err != nil || !again.Replayed || string(again.Body) != string(a.Body) {
			t.Errorf("%+v %v", again, err)
		}
		theirs := b.get(payment.Sessions, session.text("paymentSession.id")).Text("providerPaymentId")
		if got := b.must(b.reconcile(b.elsewhere(theirs))); got.text("order.id") != done.text("order.id") || len(b.all(order.Schema)) != 1 || len(b.all(payment.Transactions)) != 1 {
			t.Errorf("%v", got)
		}
	})
}

func TestReconcileNeverAttachesWhatItDoesNotKnow(t *testing.T) {
	alone(t, func(t *testing.T, b *bed, all testservers.Whole) {
		session := b.pay(b.checkout("mug").text("checkout.id"))
		b.capture(session, b.approve(session, "approve")) // money that could be guessed to be meant
		url, calls := hang(t)
		b.Providers["sandbox"] = sandbox.New(url, "", providers.NewClient(providers.Limits{CallTimeout: time.Second, LookupTimeout: time.Second}, nil))
		before := all.Settled()
		for range 2 {
			got := b.must(b.reconcile(b.elsewhere("pay-unknown")))
			if got.text("found") != "false" || got.text("requiresAttention") != "true" || len(got) != 2 {
				t.Errorf("%v", got)
			}
		}
		if tables := all.Changed(before); !slices.Equal(tables, []string{"receipts"}) || calls.Load() != 0 {
			t.Errorf("%v changed, the provider was called %d times", tables, calls.Load())
		}
	})
}

func TestReconcileTellsOfMoneyThatNeedsAPerson(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		session := b.pay(b.checkout("mug").text("checkout.id"))
		paymentKey := b.approve(session, "approve")
		b.faults(`{"wrongAmountNext":1}`)
		b.capture(session, paymentKey)
		got := b.must(b.reconcile(b.elsewhere(session.text("action.orderId"))))
		if got.text("found") != "true" || got.text("requiresAttention") != "true" || got.text("checkout.status") != "requires_attention" || got.at("order") != nil || len(b.all(payment.Transactions)) != 1 {
			t.Errorf("%v", got)
		}
		a, err := b.ReconcileAggregator(t.Context(), b.server("key-"+session.text("action.orderId"), "", ""), b.elsewhere(session.text("action.orderId")))
		refused(t, "a key made of the payment", a, err, once.ErrKeyDerived)
	})
}

func TestReconcilesAtOnceGiveOneOrder(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		session := b.pay(b.checkout("mug").text("checkout.id"))
		paymentKey := b.approve(session, "approve")
		b.capture(session, paymentKey)
		instances, in := b.vouchers(), b.elsewhere(session.text("action.orderId"))
		orders := make([]string, 12)
		shops.Together(len(orders), func(i int) {
			if i%3 == 0 {
				orders[i] = b.must(instances[i%2].Confirm(t.Context(), b.server(key(), "paymentSessions.confirm", ""), confirmation(session, paymentKey))).text("order.id")
				return
			}
			orders[i] = b.must(instances[i%2].ReconcileAggregator(t.Context(), b.server(key(), "paymentSessions.reconcileAggregator", ""), in)).text("order.id")
		})
		if orders[0] == "" || len(slices.Compact(orders)) != 1 || len(b.all(order.Schema)) != 1 || len(b.all(payment.Transactions)) != 1 {
			t.Errorf("%v, %d orders", orders, len(b.all(order.Schema)))
		}
	})
}
