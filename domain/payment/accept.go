package payment

import (
	"math/big"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Captured is what a provider says it collected.
type Captured struct {
	PaymentID   string // our payment id as the provider knows it
	Account     string
	Environment tenant.Environment
	Amount      money.Money
}

// Accepts reports whether c is exactly the payment s asked for: the same account, environment, currency, amount and
// payment id. Anything else is somebody else's money, or not all of ours. Reference payments 1.4.
func (s Session) Accepts(c Captured) bool {
	return c.PaymentID == s.PaymentID && c.Account == s.AccountKey && c.Environment == s.Environment && c.Amount == s.Amount
}

const (
	base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	// paymentIDLength holds 20 random bytes; all providers take 6 to 40 characters untruncated.
	paymentIDLength = 27
)

// NewPaymentID writes 20 random bytes as a payment id: 27 ASCII letters and digits. Spec 8.
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
