package payments_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestCrashWhileOpeningAPageMakesOnePayment(t *testing.T) {
	for name, kind := range map[string]func(string) payments.SessionInput{"hosted": hosted, "standard": standard} {
		t.Run(name, func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				id := b.Checkout("mug").Text("checkout.id")
				paymentbed.MustCrash(t, func() {
					_, _ = b.NewInstanceFailingAt(payments.FailPrepared).Payments.Aggregator.Open(t.Context(),
						b.Server(paymentbed.Key(), opening, ""), kind(id))
				})
				held := b.All(payment.Sessions)
				if len(held) != 1 || held[0].Text("status") != "created" || !held[0].Bool("slotHeld") {
					t.Fatalf("%v", held)
				}
				again := b.open(kind(id))
				if again.Text("paymentSession.id") != held[0].ID() ||
					b.Get(payment.Sessions, held[0].ID()).Text("paymentId") != held[0].Text("paymentId") {
					t.Errorf("%v", again)
				}
				b.decide(again, "approve")
				if done := b.retrieve(b.Server("", "", ""), again); done.Text("order.status") != "paid" ||
					len(b.All(payment.Transactions)) != 1 {
					t.Errorf("%v", done)
				}
			})
		})
	}
}

func TestLookupRecoversFromACrash(t *testing.T) {
	for _, point := range []string{payments.FailLookedUp, payments.FailBeforeCommit, payments.FailCommitted} {
		t.Run(point, func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				co := b.Checkout("mug")
				opened := b.open(hosted(co.Text("checkout.id")))
				b.decide(opened, "approve")
				paymentbed.MustCrash(t, func() {
					_, _ = b.NewInstanceFailingAt(point).Payments.Aggregator.Retrieve(t.Context(),
						b.Guest("", "", co.Text("checkoutToken")), opened.Text("paymentSession.id"))
				})
				done := b.retrieve(b.Server("", "", ""), opened)
				if done.Text("order.status") != "paid" || len(b.All(order.Schema)) != 1 || len(b.All(payment.Transactions)) != 1 ||
					b.Balance(done.Text("order.id")) != 15000 || b.Level("mug").OnHand != 99 {
					t.Errorf("%v, %d orders, %+v", done, len(b.All(order.Schema)), b.Level("mug"))
				}
			})
		})
	}
}

func TestConcurrentSettlesPlaceOneOrder(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		other := b.NewInstance()
		co := b.Checkout("2 mug")
		opened := b.open(standard(co.Text("checkout.id")))
		b.decide(opened, "approve")
		id := opened.Text("paymentSession.id")
		shops.Concurrently(16, func(i int) {
			var err error
			switch i % 4 {
			case 0:
				_, err = b.Payments.Aggregator.Retrieve(t.Context(), b.Server("", "", ""), id)
			case 1:
				_, err = other.Payments.Aggregator.Retrieve(t.Context(), b.Guest("", "", co.Text("checkoutToken")), id)
			case 2:
				_, err = other.Payments.Aggregator.Retrieve(t.Context(), b.Server("", "", ""), id)
			default:
				b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
			}
			if err != nil {
				t.Error(err)
			}
		})
		done := b.retrieve(b.Server("", "", ""), opened)
		if len(b.All(order.Schema)) != 1 || len(b.All(payment.Transactions)) != 1 || b.Balance(done.Text("order.id")) != 27000 ||
			b.Level("mug").OnHand != 98 {
			t.Errorf("%v, %d orders, %+v", done, len(b.All(order.Schema)), b.Level("mug"))
		}
	})
}

// A page is paid and canceled concurrently, repeatedly: either it was not paid, or the payment has its order.
func TestCancelRacingPaymentHasOneOutcome(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		for range 8 {
			id := b.Checkout("mug").Text("checkout.id")
			opened := b.open(hosted(id))
			body, _ := json.Marshal(map[string]string{
				"sessionId": opened.Text("paymentSession.providerSessionId"), "outcome": "approve", "webhooks": "never",
			})
			paid := false
			shops.Concurrently(2, func(i int) {
				if i == 0 {
					_, _ = b.Payments.Aggregator.Cancel(t.Context(), b.Server(paymentbed.Key(), "cancel", ""),
						opened.Text("paymentSession.id"))
					return
				}
				res, err := http.Post(b.BankURL+"/sandbox/authorize", "application/json", strings.NewReader(string(body)))
				if err != nil {
					t.Error(err)
					return
				}
				_ = res.Body.Close()
				paid = res.StatusCode == http.StatusOK
			})
			done := b.retrieve(b.Server("", "", ""), opened)
			switch status := b.Get(checkout.Schema, id).Text("status"); {
			case paid && (done.Text("order.status") != "paid" || status != "completed"):
				t.Errorf("money without an order: %s %v", status, done)
			case !paid && (done.Text("paymentSession.status") != "canceled" || status != "open" || done.At("order") != nil):
				t.Errorf("unpaid: %s %v", status, done)
			}
		}
		if reserved := b.Level("mug").Reserved; reserved != 0 {
			t.Errorf("%d are still reserved", reserved)
		}
	})
}
