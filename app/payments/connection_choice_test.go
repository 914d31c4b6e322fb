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
		uses("the only one", first)
		account := b.Account + "-2"
		second := b.Create(payment.Connections, `{"name":"Second","provider":"sandbox","accountKey":"`+account+`","environment":"test",`+
			`"credentials":{"secretKey":"`+bank.AccountSecret(paymentbed.BankSecret, account)+`"}}`)
		uses("a second one that is not the default", first)
		b.Change(payment.Connections, first, `{"isDefault":false}`)
		b.Change(payment.Connections, second, `{"isDefault":true}`)
		uses("another default", second)
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
