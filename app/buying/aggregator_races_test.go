package buying_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestACrashWhileAPageIsOpenedNeverMakesTwo(t *testing.T) {
	for name, kind := range map[string]func(string) buying.NewSession{"hosted": hosted, "standard": standard} {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, b *bed) {
				id := b.checkout("mug").text("checkout.id")
				died(t, func() {
					_, _ = b.dying(buying.FailPrepared).OpenAggregator(t.Context(), b.server(key(), opening, ""), kind(id))
				})
				held := b.all(payment.Sessions)
				if len(held) != 1 || held[0].Text("status") != "created" || !held[0].Bool("slotHeld") {
					t.Fatalf("%v", held)
				}
				again := b.open(kind(id))
				if again.text("paymentSession.id") != held[0].ID() || b.get(payment.Sessions, held[0].ID()).Text("paymentId") != held[0].Text("paymentId") {
					t.Errorf("%v", again)
				}
				b.decide(again, "approve")
				if done := b.retrieve(b.server("", "", ""), again); done.text("order.status") != "paid" || len(b.all(payment.Transactions)) != 1 {
					t.Errorf("%v", done)
				}
			})
		})
	}
}

func TestACrashWhileAPaymentIsLookedUpHeals(t *testing.T) {
	for _, point := range []string{buying.FailLookedUp, buying.FailBeforeCommit, buying.FailCommitted} {
		t.Run(point, func(t *testing.T) {
			both(t, func(t *testing.T, b *bed) {
				co := b.checkout("mug")
				opened := b.open(hosted(co.text("checkout.id")))
				b.decide(opened, "approve")
				died(t, func() {
					_, _ = b.dying(point).RetrieveAggregator(t.Context(), b.guest("", "", co.text("checkoutToken")), opened.text("paymentSession.id"))
				})
				done := b.retrieve(b.server("", "", ""), opened)
				if done.text("order.status") != "paid" || len(b.all(order.Schema)) != 1 || len(b.all(payment.Transactions)) != 1 || b.balance(done.text("order.id")) != 15000 || b.level("mug").OnHand != 99 {
					t.Errorf("%v, %d orders, %+v", done, len(b.all(order.Schema)), b.level("mug"))
				}
			})
		})
	}
}

func TestEverybodyLooksAtOnceAndOneOrderIsPlaced(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		other := b.instance()
		co := b.checkout("2 mug")
		opened := b.open(standard(co.text("checkout.id")))
		b.decide(opened, "approve")
		id := opened.text("paymentSession.id")
		shops.Together(16, func(i int) {
			var err error
			switch i % 4 {
			case 0:
				_, err = b.RetrieveAggregator(t.Context(), b.server("", "", ""), id)
			case 1:
				_, err = other.RetrieveAggregator(t.Context(), b.guest("", "", co.text("checkoutToken")), id)
			case 2:
				_, err = other.RetrieveAggregator(t.Context(), b.server("", "", ""), id)
			default:
				b.Sweep(t.Context(), ports.Of(b.shop.ID))
			}
			if err != nil {
				t.Error(err)
			}
		})
		done := b.retrieve(b.server("", "", ""), opened)
		if len(b.all(order.Schema)) != 1 || len(b.all(payment.Transactions)) != 1 || b.balance(done.text("order.id")) != 27000 || b.level("mug").OnHand != 98 {
			t.Errorf("%v, %d orders, %+v", done, len(b.all(order.Schema)), b.level("mug"))
		}
	})
}

// A page is paid on and canceled at the same moment, again and again: either nobody paid, or the money has its order.
func TestACancelRacesWithTheBuyer(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		for range 8 {
			id := b.checkout("mug").text("checkout.id")
			opened := b.open(hosted(id))
			body, _ := json.Marshal(map[string]string{"sessionId": opened.text("paymentSession.providerSessionId"), "outcome": "approve", "webhooks": "never"})
			paid := false
			shops.Together(2, func(i int) {
				if i == 0 {
					_, _ = b.CancelAggregator(t.Context(), b.server(key(), "cancel", ""), opened.text("paymentSession.id"))
					return
				}
				res, err := http.Post(b.bankURL+"/sandbox/authorize", "application/json", strings.NewReader(string(body)))
				if err != nil {
					t.Error(err)
					return
				}
				_ = res.Body.Close()
				paid = res.StatusCode == http.StatusOK
			})
			done := b.retrieve(b.server("", "", ""), opened)
			switch status := b.get(checkout.Schema, id).Text("status"); {
			case paid && (done.text("order.status") != "paid" || status != "completed"):
				t.Errorf("money without an order: %s %v", status, done)
			case !paid && (done.text("paymentSession.status") != "canceled" || status != "open" || done.at("order") != nil):
				t.Errorf("nobody paid: %s %v", status, done)
			}
		}
		if reserved := b.level("mug").Reserved; reserved != 0 {
			t.Errorf("%d are still promised", reserved)
		}
	})
}
