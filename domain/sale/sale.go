package sale

import (
	"cmp"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/phone"
)

// Contact is the buyer at the time of the sale. Any part may be "".
type Contact struct {
	Name, Email, Phone string
	PhoneE164          string // of Phone; see Complete
}

// Complete is c as it is stored: with its number as E.164 beside what was typed. country is that of the sale's address, or of the shop
// where there is none; "" if it is unknown.
func (c Contact) Complete(country string) Contact {
	c.PhoneE164 = phone.E164(c.Phone, country)
	return c
}

// CountryOf is the country in which the number of a buyer is dialed: that of the address of the sale, else home, the shop's.
func CountryOf(a *Address, home string) string {
	if a == nil {
		return home
	}
	return cmp.Or(a.Country, home)
}

// Address is where goods are shipped to.
type Address = address.Address

// Totals are the sums of a sale. Total = Subtotal − Discount + Shipping, and the taxes that are added.
type Totals struct {
	Subtotal, Discount, Total money.Money
	Shipping                  *money.Money // nil until an address is known, and when nothing ships
	Taxes                     *Taxes       // nil where none are computed
}
