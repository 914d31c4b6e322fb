package payments_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// instances are two processes that receive confirms.
func (b *bed) instances() []*paymentbed.Instance {
	return []*paymentbed.Instance{b.Instance, b.NewInstance()}
}

// counts is how often each refusal was answered; nil is success.
func counts(outcomes []error) map[error]int {
	n := map[error]int{}
	for _, err := range outcomes {
		for _, known := range []error{
			nil, payment.ErrEventReused, payment.ErrPaymentMismatch, ports.ErrAlreadyRecorded, payment.ErrSessionTerminal,
		} {
			if errors.Is(err, known) || err == nil && known == nil {
				err = known
				break
			}
		}
		n[err]++
	}
	return n
}

// confirmAll confirms all of the payments concurrently and returns what came of each.
func (b *bed) confirmAll(all []payments.CustomPayment) []error {
	b.T.Helper()
	instances, outcomes := b.instances(), make([]error, len(all))
	shops.Concurrently(len(all), func(i int) {
		a, err := instances[i%2].Payments.Custom.Confirm(b.T.Context(),
			b.Server(paymentbed.Key(), "paymentSessions.custom.confirm", ""), all[i])
		if err == nil && a.Fault != nil {
			err = a.Fault
		}
		outcomes[i] = err
	})
	return outcomes
}

func TestConcurrentCustomConfirmsPlaceOneOrder(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.CustomSession(b.Checkout("mug").Text("checkout.id"), "ps-1")
		var all []payments.CustomPayment
		for i := range 16 {
			all = append(all, paymentbed.Captured("ps-1", "pay-1", fmt.Sprint("evt-", i/4)))
		}
		if n := counts(b.confirmAll(all)); n[nil] != 16 {
			t.Errorf("%v", n)
		}
		placed := b.custom("ps-1", "").Text("orderId")
		if len(b.All(order.Schema)) != 1 || len(b.All(payment.Transactions)) != 1 || b.Balance(placed) != 15000 ||
			b.Level("mug").OnHand != 99 {
			t.Errorf("%d orders, %d transactions, balance %d",
				len(b.All(order.Schema)), len(b.All(payment.Transactions)), b.Balance(placed))
		}
	})
}

func TestProviderPaymentPaysOneCustomSession(t *testing.T) {
	for name, c := range map[string]struct {
		told    func(i int) payments.CustomPayment
		refused error
	}{
		"the same payment": {func(i int) payments.CustomPayment {
			return paymentbed.Captured(fmt.Sprint("ps-", i), "pay-1", fmt.Sprint("evt-", i))
		}, ports.ErrAlreadyRecorded},
		"the same event": {func(i int) payments.CustomPayment {
			return paymentbed.Captured(fmt.Sprint("ps-", i), fmt.Sprint("pay-", i), "evt-1")
		}, payment.ErrEventReused},
	} {
		t.Run(name, func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				var all []payments.CustomPayment
				for i := range 6 {
					b.CustomSession(b.Checkout("mug").Text("checkout.id"), fmt.Sprint("ps-", i))
					all = append(all, c.told(i))
				}
				if n := counts(b.confirmAll(all)); n[nil] != 1 || n[c.refused] != 5 {
					t.Errorf("%v", n)
				}
				pending := 0
				for i := range all {
					if b.custom(fmt.Sprint("ps-", i), "").Text("status") == "pending" {
						pending++
					}
				}
				if pending != 5 || len(b.All(order.Schema)) != 1 || len(b.All(payment.Transactions)) != 1 {
					t.Errorf("%d pending, %d orders, %d transactions", pending, len(b.All(order.Schema)), len(b.All(payment.Transactions)))
				}
			})
		})
	}
}

func TestCustomConfirmRacingCancel(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		instances := b.instances()
		for i := range 6 {
			id := b.CustomSession(b.Checkout("mug").Text("checkout.id"), fmt.Sprint("ps-", i)).Text("paymentSession.id")
			shops.Concurrently(2, func(who int) {
				if who == 0 {
					b.Must(instances[0].Payments.Custom.Confirm(t.Context(),
						b.Server(paymentbed.Key(), "paymentSessions.custom.confirm", ""),
						paymentbed.Captured(fmt.Sprint("ps-", i), fmt.Sprint("pay-", i), fmt.Sprint("evt-", i))))
					return
				}
				a, err := instances[1].Payments.Sessions.Cancel(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.cancel", ""), id)
				if err != nil || a.Fault != nil {
					paymentbed.Refused(t, "canceling what is paid", a, err, payment.ErrSessionTerminal)
				}
			})
			if got := b.custom(fmt.Sprint("ps-", i), ""); got.Text("status") != "succeeded" || got.Text("orderId") == "" {
				t.Errorf("%v", got)
			}
		}
		if len(b.All(order.Schema)) != 6 || b.Level("mug").OnHand != 94 || b.Level("mug").Reserved != 0 {
			t.Errorf("%d orders, %+v", len(b.All(order.Schema)), b.Level("mug"))
		}
	})
}

func TestCustomConfirmRecoversFromACrash(t *testing.T) {
	for _, point := range []string{payments.FailBeforeCommit, payments.FailCommitted} {
		t.Run(point, func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				b.CustomSession(b.Checkout("mug").Text("checkout.id"), "ps-1")
				paymentbed.MustCrash(t, func() {
					_, _ = b.NewInstanceFailingAt(point).Payments.Custom.Confirm(t.Context(),
						b.Server(paymentbed.Key(), "paymentSessions.custom.confirm", ""), paymentbed.Captured("ps-1", "pay-1", "evt-1"))
				})
				if n := len(b.All(order.Schema)); n == 1 != (point == payments.FailCommitted) {
					t.Fatalf("%d orders", n)
				}
				done := b.Must(b.ConfirmCustom(paymentbed.Captured("ps-1", "pay-1", "evt-1")))
				if len(b.All(order.Schema)) != 1 || len(b.All(payment.Transactions)) != 1 || b.Balance(done.Text("order.id")) != 15000 {
					t.Errorf("%v", done)
				}
			})
		})
	}
}

func TestProviderSessionOpensForOneCheckout(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		var checkouts []string
		for range 6 {
			checkouts = append(checkouts, b.Checkout("mug").Text("checkout.id"))
		}
		instances := b.instances()
		opened := make([]bool, len(checkouts))
		shops.Concurrently(len(checkouts), func(i int) {
			a, err := instances[i%2].Payments.Custom.Open(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.custom.create", ""),
				payments.CustomSessionInput{
					Checkout: checkouts[i], ProviderSession: "ps-1", ProviderName: "Corner Bank",
				})
			if opened[i] = err == nil && a.Fault == nil; !opened[i] {
				paymentbed.Refused(t, "a provider session that is taken", a, err, payment.ErrProviderSessionUsed)
			}
		})
		if n := len(b.All(payment.Sessions)); n != 1 || b.Level("mug").Reserved != 1 {
			t.Errorf("%v: %d sessions, %+v", opened, n, b.Level("mug"))
		}
	})
}
