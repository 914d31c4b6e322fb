package sale

import (
	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// Contact is the buyer at the time of the sale. Any part may be "".
type Contact struct{ Name, Email, Phone string }

// Address is where goods are shipped to.
type Address = address.Address

// Totals are the sums of a sale. Total = Subtotal − Discount + Shipping, and the taxes that are added.
type Totals struct {
	Subtotal, Discount, Total money.Money
	Shipping                  *money.Money // nil until an address is known, and when nothing ships
	Taxes                     *Taxes       // nil where none are computed
}
