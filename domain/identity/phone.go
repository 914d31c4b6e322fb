package identity

import (
	"cmp"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// customerPhone is how the number of a customer is declared beside what was typed.
var customerPhone = func() collection.Field {
	f := address.PhoneE164Field
	f.ReadOnly, f.Indexed = true, true
	f.Doc = "The phone number as E.164, such as +821012345678, worked out by the server; null if it is no number of the country of the customer's default address, or else of the shop."
	return f
}()

// CompletePhone is a customer with their number as E.164 beside what was typed, as it is dialed in the country of the address that they
// start with, else in home, the shop's country; "" if it is unknown. It does not change customer.
func CompletePhone(customer collection.Record, home string) collection.Record {
	for _, row := range customer.Rows("addresses") {
		if row.Bool("isDefault") {
			home = cmp.Or(row.Text("country"), home)
			break
		}
	}
	return address.CompletePhone(customer, home)
}
