package payment

import (
	"math/big"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// CapturedPayment is a payment that a provider reports as collected.
type CapturedPayment struct {
	PaymentID   string // our payment id, as stored at the provider
	AccountKey  string
	Environment tenant.Environment
	Amount      money.Money
}

// Matches reports whether c is exactly the payment that s requested: same account, environment, currency,
// amount and payment id. Otherwise it is another payment, or only part of this one. Rule payments-8, Fact
// portone-14.
func (s Session) Matches(c CapturedPayment) bool {
	return c.PaymentID == s.PaymentID && c.AccountKey == s.AccountKey && c.Environment == s.Environment && c.Amount == s.Amount
}

const (
	base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	// paymentIDLength is enough for 20 random bytes; every provider accepts ids of 6 to 40 characters without
	// cutting them.
	paymentIDLength = 27
)

// NewPaymentID encodes 20 random bytes as a payment id: 27 ASCII letters and digits. Rule payments-11, Fact
// portone-18.
func NewPaymentID(random [20]byte) string {
	n := new(big.Int).SetBytes(random[:])
	out := make([]byte, paymentIDLength)
	digit, base := new(big.Int), big.NewInt(62)
	for i := range out {
		n.DivMod(n, base, digit)
		out[len(out)-1-i] = base62[digit.Int64()]
	}
	return string(out)
}
