package carts

import (
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// Form is how responses show a cart, and what the API generation requires of changes. Rules carts-15,
// carts-24.
type Form uint8

// The forms.
const (
	Wrapped Form = iota // {cart}: the current API generation
	Flat                // the cart itself with flat totals: the previous generation, without revisions and with optional keys
)

// flatBody is doc, a cart's JSON, with the totals of the previous generation. Its shippingFee is null until
// an address is known, and absent where nothing is shipped.
func flatBody(doc []byte, c cart.Cart) []byte {
	body := append(make([]byte, 0, len(doc)+128), doc[:len(doc)-1]...)
	amount := func(name string, m money.Money) {
		body = append(append(append(body, `,"`...), name...), `":`...)
		body = m.AppendMajor(body)
	}
	amount("itemsTotal", c.Totals.Subtotal)
	if c.RequiresShipping() {
		body = append(body, `,"shippingFee":null`...)
	} else {
		amount("shippingFee", money.Of(0, c.Currency))
	}
	amount("discountAmount", c.Totals.Discount)
	amount("totalAmount", c.Totals.Total)
	return append(body, '}')
}
