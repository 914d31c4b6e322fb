package stripe

import (
	api "github.com/stripe/stripe-go/v85"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
)

// settledBy is what a balance transaction says of the money that it is about; nothing without one, when it is not expanded, or its
// amounts cannot be read. Its currency is that in which Stripe settles with the account. Fact stripe-15.
func settledBy(b *api.BalanceTransaction) payment.Settled {
	if b == nil || b.Object == "" {
		return payment.Settled{}
	}
	net, readable := fromSignedUnits(b.Net, string(b.Currency))
	fee, alsoReadable := fromSignedUnits(b.Fee, string(b.Currency))
	if !readable || !alsoReadable {
		return payment.Settled{}
	}
	return payment.Settled{Net: net, Fee: fee}
}

// fromSignedUnits is fromStripeUnits for amounts that may be negative.
func fromSignedUnits(units int64, currency string) (money.Money, bool) {
	m, readable := fromStripeUnits(max(units, -units), currency)
	if units < 0 {
		m.Minor = -m.Minor
	}
	return m, readable
}
