package payments_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	providers "github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func (b *bed) find(in payments.ProviderPaymentRef) paymentbed.Answer {
	b.T.Helper()
	answer, err := b.Reconciler.Find(b.T.Context(), b.Server("", "paymentSessions.findAggregator", ""), in)
	if err != nil {
		b.T.Fatal(err)
	}
	return b.Read(answer.Bytes())
}

func TestPaymentIsFoundByExactIDs(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		session := b.Pay(b.Checkout("mug").Text("checkout.id"))
		id, ours := session.Text("paymentSession.id"), session.Text("action.orderId")
		if got := b.find(b.ProviderRef(ours)); got.Text("found") != "true" || got.Text("paymentSession.id") != id {
			t.Fatalf("%v", got)
		}
		b.Must(b.Confirm(session, b.Approve(session, "approve")))
		theirs := b.Get(payment.Sessions, id).Text("providerPaymentId")
		if got := b.find(b.ProviderRef(theirs)); theirs == "" || theirs == ours || got.Text("paymentSession.id") != id ||
			got.Text("paymentSession.order") == "" {
			t.Errorf("by %q: %v", theirs, got)
		}
		b.CustomSession(b.Checkout("mug").Text("checkout.id"), "ps-1")
		b.Must(b.ConfirmCustom(paymentbed.Captured("ps-1", "pay-1", "evt-1")))
		other := newBed(t, b.Store)
		foreign := other.Pay(other.Checkout("mug").Text("checkout.id")).Text("action.orderId")
		for name, in := range map[string]payments.ProviderPaymentRef{
			"half of the id":         b.ProviderRef(ours[:20]),
			"more than the id":       b.ProviderRef(ours + "0"),
			"the session's id":       b.ProviderRef(id),
			"an unheard-of payment":  b.ProviderRef("nothing"),
			"no payment":             b.ProviderRef(""),
			"another account":        {AccountKey: "shop-other", Environment: tenant.Test, ProviderPayment: ours},
			"another shop's payment": b.ProviderRef(foreign),
			"another shop's account": {AccountKey: other.Account, Environment: tenant.Test, ProviderPayment: foreign},
			"a custom payment":       {AccountKey: "Corner Bank", Environment: tenant.Test, ProviderPayment: "pay-1"},
		} {
			if got := b.find(in); got.Text("found") != "false" || len(got) != 1 {
				t.Errorf("%s: %v", name, got)
			}
		}
		live := b.ProviderRef(ours)
		live.Environment = tenant.Live
		if _, err := b.Reconciler.Find(t.Context(), b.Server("", "", ""), live); !errors.Is(err, fault.ErrForbidden) {
			t.Errorf("a test key asks for live: %v", err)
		}
		a, err := b.Reconcile(live)
		paymentbed.Refused(t, "a test key reconciles live", a, err, fault.ErrForbidden)
	})
}

// Two providers may use the same ids for accounts and payments; then the payment cannot be told apart.
func TestAmbiguousPaymentIDIsNotMatched(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		session := b.Pay(b.Checkout("mug").Text("checkout.id"))
		b.Must(b.Confirm(session, b.Approve(session, "approve")))
		r := b.Get(payment.Sessions, session.Text("paymentSession.id"))
		twin := r.Clone()
		twin["id"], twin["paymentId"], twin["provider"] = shops.NewID(), "twin00000000000000000000000", "toss"
		b.Atomically(func(ctx context.Context, tx ports.Tx) error {
			return tx.Records.Write(ctx, collection.NewChange(payment.Sessions, nil, twin, shops.NewID(), b.Now()))
		})
		if got := b.find(b.ProviderRef(r.Text("providerPaymentId"))); got.Text("found") != "false" {
			t.Errorf("%v", got)
		}
		if got := b.Must(b.Reconcile(b.ProviderRef(r.Text("providerPaymentId")))); got.Text("found") != "false" ||
			got.Text("requiresAttention") != "true" {
			t.Errorf("%v", got)
		}
		if got := b.find(b.ProviderRef(r.Text("paymentId"))); got.Text("paymentSession.id") != r.ID() {
			t.Errorf("by our own id: %v", got)
		}
	})
}

func TestFindCallsNoProvider(t *testing.T) {
	onOwnServers(t, func(t *testing.T, b *bed, all testservers.Inspector) {
		session := b.Pay(b.Checkout("mug").Text("checkout.id"))
		b.CustomSession(b.Checkout("mug").Text("checkout.id"), "ps-1")
		paid := b.Pay(b.Checkout("mug").Text("checkout.id"))
		b.Must(b.Confirm(paid, b.Approve(paid, "approve")))
		b.Approve(session, "approve") // a lookup would find something to settle
		url, calls := hang(t)
		b.Providers["sandbox"] = sandbox.New(url, "",
			providers.NewClient(providers.Limits{CallTimeout: time.Second, LookupTimeout: time.Second}, nil))

		w, before := paymentbed.NewWeb(b.Bed), all.StableSnapshot()
		for _, id := range []string{
			session.Text("action.orderId"), b.Get(payment.Sessions, paid.Text("paymentSession.id")).Text("providerPaymentId"), "nothing",
		} {
			for _, who := range []string{"sk", "sk_reader"} {
				status, got := w.Ask("GET",
					"/server/commerce/payment-sessions/aggregator/find?environment=test&accountKey="+b.Account+"&providerPaymentId="+id, "",
					"X-API-Key", who, "Idempotency-Key", paymentbed.Key())
				if found := got.Text("found"); status != 200 || found != "true" && id != "nothing" || found != "false" && id == "nothing" {
					t.Errorf("%s for %s: %d %v", id, who, status, got)
				}
			}
		}
		for _, query := range []string{
			"providerSessionId=ps-1", "providerPaymentId=ps-1", "providerSessionId=ps-1&providerPaymentId=pay-1", "",
		} {
			w.Ask("GET", "/server/commerce/payment-sessions/custom?"+query, "", "X-API-Key", "sk_reader")
		}
		if tables := all.ChangedTables(before); len(tables) > 0 || calls.Load() != 0 {
			t.Errorf("%v changed, the provider was called %d times", tables, calls.Load())
		}
		// The same questions with a lookup: the test would see it.
		a, err := b.Reconcile(b.ProviderRef(session.Text("action.orderId")))
		paymentbed.Refused(t, "a reconcile while the provider hangs", a, err, ports.ErrProviderUnavailable)
		if calls.Load() == 0 {
			t.Error("the provider was not called")
		}
	})
}

func TestReconcileSettlesACapturedPayment(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		session := b.Pay(b.Checkout("mug").Text("checkout.id"))
		paymentKey := b.Approve(session, "approve")
		in := b.ProviderRef(session.Text("action.orderId"))
		call := b.Server(paymentbed.Key(), "paymentSessions.reconcileAggregator", "")
		if got := b.Must(b.Reconciler.Reconcile(t.Context(), call, in)); got.Text("found") != "true" || got.Text("requiresAttention") != "false" ||
			got.Text("paymentSession.slotHeld") != "true" || got.At("order") != nil {
			t.Errorf("before it is paid: %v", got)
		}
		b.CaptureAtBank(session, paymentKey) // without a webhook
		a, err := b.Reconciler.Reconcile(t.Context(), call, in)
		done := b.Must(a, err)
		if done.Text("found") != "true" || done.Text("requiresAttention") != "false" || done.Text("paymentSession.status") != "succeeded" ||
			done.Text("checkout.status") != "completed" || done.Text("order.status") != "paid" {
			t.Fatalf("%v", done)
		}
		again, err := b.Reconciler.Reconcile(t.Context(), call, in)
		if err != nil || !again.Replayed || again.Body.String() != a.Body.String() {
			t.Errorf("%+v %v", again, err)
		}
		theirs := b.Get(payment.Sessions, session.Text("paymentSession.id")).Text("providerPaymentId")
		if got := b.Must(b.Reconcile(b.ProviderRef(theirs))); got.Text("order.id") != done.Text("order.id") ||
			len(b.All(order.Schema)) != 1 || len(b.All(payment.Transactions)) != 1 {
			t.Errorf("%v", got)
		}
	})
}

func TestReconcileNeverAttachesAnUnknownPayment(t *testing.T) {
	onOwnServers(t, func(t *testing.T, b *bed, all testservers.Inspector) {
		session := b.Pay(b.Checkout("mug").Text("checkout.id"))
		b.CaptureAtBank(session, b.Approve(session, "approve")) // money that could be guessed to be meant
		url, calls := hang(t)
		b.Providers["sandbox"] = sandbox.New(url, "",
			providers.NewClient(providers.Limits{CallTimeout: time.Second, LookupTimeout: time.Second}, nil))
		before := all.StableSnapshot()
		for range 2 {
			got := b.Must(b.Reconcile(b.ProviderRef("pay-unknown")))
			if got.Text("found") != "false" || got.Text("requiresAttention") != "true" || len(got) != 2 {
				t.Errorf("%v", got)
			}
		}
		if tables := all.ChangedTables(before); !slices.Equal(tables, []string{"receipts"}) || calls.Load() != 0 { // the claim
			t.Errorf("%v changed, the provider was called %d times", tables, calls.Load())
		}
	})
}

func TestReconcileReportsAttention(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		session := b.Pay(b.Checkout("mug").Text("checkout.id"))
		paymentKey := b.Approve(session, "approve")
		b.BankFaults(`{"wrongAmountNext":1}`)
		b.CaptureAtBank(session, paymentKey)
		got := b.Must(b.Reconcile(b.ProviderRef(session.Text("action.orderId"))))
		if got.Text("found") != "true" || got.Text("requiresAttention") != "true" || got.Text("checkout.status") != "requires_attention" ||
			got.At("order") != nil || len(b.All(payment.Transactions)) != 1 {
			t.Errorf("%v", got)
		}
		a, err := b.Reconciler.Reconcile(t.Context(), b.Server("key-"+session.Text("action.orderId"), "", ""),
			b.ProviderRef(session.Text("action.orderId")))
		paymentbed.Refused(t, "a key made of the payment", a, err, idempotency.ErrKeyDerived)
	})
}

func TestConcurrentReconcilesPlaceOneOrder(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		session := b.Pay(b.Checkout("mug").Text("checkout.id"))
		paymentKey := b.Approve(session, "approve")
		b.CaptureAtBank(session, paymentKey)
		instances, in := b.instances(), b.ProviderRef(session.Text("action.orderId"))
		orders := make([]string, 12)
		shops.Concurrently(len(orders), func(i int) {
			if i%3 == 0 {
				orders[i] = b.Must(instances[i%2].Payments.Sessions.Confirm(t.Context(),
					b.Server(paymentbed.Key(), "paymentSessions.confirm", ""),
					paymentbed.Confirmation(session, paymentKey))).Text("order.id")
				return
			}
			orders[i] = b.Must(instances[i%2].Reconciler.Reconcile(t.Context(),
				b.Server(paymentbed.Key(), "paymentSessions.reconcileAggregator", ""), in)).Text("order.id")
		})
		if orders[0] == "" || len(slices.Compact(orders)) != 1 || len(b.All(order.Schema)) != 1 || len(b.All(payment.Transactions)) != 1 {
			t.Errorf("%v, %d orders", orders, len(b.All(order.Schema)))
		}
	})
}
