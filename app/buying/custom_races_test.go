package buying_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// vouchers are two processes that are told of payments.
func (b *bed) vouchers() []*buying.Buying { return []*buying.Buying{b.Buying, b.instance()} }

// counts is how many answers were which refusal, "" for successes.
func counts(outcomes []error) map[error]int {
	n := map[error]int{}
	for _, err := range outcomes {
		for _, known := range []error{nil, payment.ErrEventReused, payment.ErrMismatch, ports.ErrMoneyKnown, payment.ErrTerminal} {
			if errors.Is(err, known) || err == nil && known == nil {
				err = known
				break
			}
		}
		n[err]++
	}
	return n
}

// vouchAll tells all of the payments at once and says what came of each.
func (b *bed) vouchAll(all []buying.CustomPayment) []error {
	b.t.Helper()
	instances, outcomes := b.vouchers(), make([]error, len(all))
	shops.Together(len(all), func(i int) {
		a, err := instances[i%2].ConfirmCustom(b.t.Context(), b.server(key(), "paymentSessions.custom.confirm", ""), all[i])
		if err == nil && a.Fault != nil {
			err = a.Fault
		}
		outcomes[i] = err
	})
	return outcomes
}

func TestCustomConfirmsAtOnceGiveOneOrder(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		b.bridged(b.checkout("mug").text("checkout.id"), "ps-1")
		var all []buying.CustomPayment
		for i := range 16 {
			all = append(all, captured("ps-1", "pay-1", fmt.Sprint("evt-", i/4)))
		}
		if n := counts(b.vouchAll(all)); n[nil] != 16 {
			t.Errorf("%v", n)
		}
		placed := b.custom("ps-1", "").text("orderId")
		if len(b.all(order.Schema)) != 1 || len(b.all(payment.Transactions)) != 1 || b.balance(placed) != 15000 || b.level("mug").OnHand != 99 {
			t.Errorf("%d orders, %d transactions, balance %d", len(b.all(order.Schema)), len(b.all(payment.Transactions)), b.balance(placed))
		}
	})
}

func TestOnePaymentToldForManySessionsPaysOne(t *testing.T) {
	for name, c := range map[string]struct {
		told    func(i int) buying.CustomPayment
		refused error
	}{
		"the same payment": {func(i int) buying.CustomPayment {
			return captured(fmt.Sprint("ps-", i), "pay-1", fmt.Sprint("evt-", i))
		}, ports.ErrMoneyKnown},
		"the same event": {func(i int) buying.CustomPayment {
			return captured(fmt.Sprint("ps-", i), fmt.Sprint("pay-", i), "evt-1")
		}, payment.ErrEventReused},
	} {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, b *bed) {
				var all []buying.CustomPayment
				for i := range 6 {
					b.bridged(b.checkout("mug").text("checkout.id"), fmt.Sprint("ps-", i))
					all = append(all, c.told(i))
				}
				if n := counts(b.vouchAll(all)); n[nil] != 1 || n[c.refused] != 5 {
					t.Errorf("%v", n)
				}
				pending := 0
				for i := range all {
					if b.custom(fmt.Sprint("ps-", i), "").text("status") == "pending" {
						pending++
					}
				}
				if pending != 5 || len(b.all(order.Schema)) != 1 || len(b.all(payment.Transactions)) != 1 {
					t.Errorf("%d pending, %d orders, %d transactions", pending, len(b.all(order.Schema)), len(b.all(payment.Transactions)))
				}
			})
		})
	}
}

func TestACustomConfirmRacesWithItsCancel(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		instances := b.vouchers()
		for i := range 6 {
			id := b.bridged(b.checkout("mug").text("checkout.id"), fmt.Sprint("ps-", i)).text("paymentSession.id")
			shops.Together(2, func(who int) {
				if who == 0 {
					b.must(instances[0].ConfirmCustom(t.Context(), b.server(key(), "paymentSessions.custom.confirm", ""), captured(fmt.Sprint("ps-", i), fmt.Sprint("pay-", i), fmt.Sprint("evt-", i))))
					return
				}
				a, err := instances[1].Cancel(t.Context(), b.server(key(), "paymentSessions.cancel", ""), id)
				if err != nil || a.Fault != nil {
					refused(t, "canceling what is paid", a, err, payment.ErrTerminal)
				}
			})
			if got := b.custom(fmt.Sprint("ps-", i), ""); got.text("status") != "succeeded" || got.text("orderId") == "" {
				t.Errorf("%v", got)
			}
		}
		if len(b.all(order.Schema)) != 6 || b.level("mug").OnHand != 94 || b.level("mug").Reserved != 0 {
			t.Errorf("%d orders, %+v", len(b.all(order.Schema)), b.level("mug"))
		}
	})
}

func TestACrashOfACustomConfirmHeals(t *testing.T) {
	for _, point := range []string{buying.FailBeforeCommit, buying.FailCommitted} {
		t.Run(point, func(t *testing.T) {
			both(t, func(t *testing.T, b *bed) {
				b.bridged(b.checkout("mug").text("checkout.id"), "ps-1")
				died(t, func() {
					_, _ = b.dying(point).ConfirmCustom(t.Context(), b.server(key(), "paymentSessions.custom.confirm", ""), captured("ps-1", "pay-1", "evt-1"))
				})
				if n := len(b.all(order.Schema)); n == 1 != (point == buying.FailCommitted) {
					t.Fatalf("%d orders", n)
				}
				done := b.must(b.vouch(captured("ps-1", "pay-1", "evt-1")))
				if len(b.all(order.Schema)) != 1 || len(b.all(payment.Transactions)) != 1 || b.balance(done.text("order.id")) != 15000 {
					t.Errorf("%v", done)
				}
			})
		})
	}
}

func TestOneProviderSessionForManyCheckoutsOpensOne(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		var checkouts []string
		for range 6 {
			checkouts = append(checkouts, b.checkout("mug").text("checkout.id"))
		}
		instances := b.vouchers()
		opened := make([]bool, len(checkouts))
		shops.Together(len(checkouts), func(i int) {
			a, err := instances[i%2].OpenCustom(t.Context(), b.server(key(), "paymentSessions.custom.create", ""), buying.NewCustom{
				Checkout: checkouts[i], ProviderSession: "ps-1", ProviderName: "Corner Bank",
			})
			if opened[i] = err == nil && a.Fault == nil; !opened[i] {
				refused(t, "a provider session that is taken", a, err, payment.ErrSessionKnown)
			}
		})
		if n := len(b.all(payment.Sessions)); n != 1 || b.level("mug").Reserved != 1 {
			t.Errorf("%v: %d sessions, %+v", opened, n, b.level("mug"))
		}
	})
}
