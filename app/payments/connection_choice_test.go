package payments_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/domain/payment"
)

// Which connection a process used a moment ago says nothing about which one a shop wants now, whoever changed that.
func TestSessionUsesTheConnectionThatIsTheChoiceNow(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		uses := func(why, connection string) {
			t.Helper()
			for range 2 { // as it is found, and as it is remembered
				if got := b.Pay(b.Checkout("mug").Text("checkout.id")).Text("paymentSession.connection"); got != connection {
					t.Errorf("%s: %s, want %s", why, got, connection)
				}
			}
		}
		first := b.Connection
		b.Change(payment.Connections, first, `{"isDefault":false}`)
		uses("the only one", first)
		account := b.Account + "-2"
		second := b.Create(payment.Connections, `{"name":"Second","provider":"sandbox","accountKey":"`+account+`","environment":"test",`+
			`"credentials":{"secretKey":"`+bank.AccountSecret(paymentbed.BankSecret, account)+`"}}`)
		uses("a second one that is not the default", first)
		b.Change(payment.Connections, second, `{"isDefault":true}`)
		uses("the second becomes the default, and the first stays as it is", second)
		b.Change(payment.Connections, second, `{"enabled":false}`)
		uses("the default is switched off", first)
		b.Change(payment.Connections, second, `{"enabled":true}`)
		uses("and on again", second)
		b.Change(payment.Connections, first, `{"enabled":false}`)
		b.Change(payment.Connections, second, `{"enabled":false}`)
		a, err := b.Payments.Sessions.Open(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.create", ""),
			paymentbed.WidgetSession(b.Checkout("mug").Text("checkout.id")))
		paymentbed.Refused(t, "no connection", a, err, payment.ErrNotConfigured)
	})
}

// A connection that changes between the choice and the transaction is chosen anew, or not at all.
func TestConnectionIsChosenAsTheTransactionLocksIt(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		store := &paymentbed.Interrupted{Store: b.Store}
		b.Restart(func(s *paymentbed.Settings) { s.Database = store })
		id := b.Checkout("mug").Text("checkout.id")
		store.Happens = func() { b.Change(payment.Connections, b.Connection, `{"enabled":false}`) }
		a, err := b.Payments.Sessions.Open(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.create", ""), paymentbed.WidgetSession(id))
		paymentbed.Refused(t, "a connection that was switched off", a, err, payment.ErrNotConfigured)
	})
}
