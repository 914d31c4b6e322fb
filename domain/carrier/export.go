package carrier

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/order"
)

// Parcel is what a row of an exported file has besides what its order says.
type Parcel struct {
	FulfillmentOrder string         // id
	Items            string         // what is in it, for packing
	Quantity         int64          // units
	Tracking         order.Tracking // its parts that are "" leave their columns empty
	Home             string         // country of an address that names none: the shop's
}

// Row is a row of an exported file, in the order of Columns. The buyer stands in for a recipient or a phone number that the
// address lacks.
func Row(o order.Order, p Parcel) []string {
	var a address.Address
	if o.Address != nil {
		a = *o.Address
	}
	return []string{
		o.Number, p.FulfillmentOrder, cmp.Or(a.RecipientName, o.Contact.Name), cmp.Or(a.Phone, o.Contact.Phone), a.PostalCode, a.Address1,
		a.Address2, p.Items, strconv.FormatInt(p.Quantity, 10), a.DeliveryNote, string(p.Tracking.Carrier), p.Tracking.Number,
		a.Company, a.Country, a.Province, a.City, a.District, writtenAddress(a, p.Home),
	}
}

// writtenAddress is the place of a on one line, as it is written in its country. Who lives there has columns of their own.
func writtenAddress(a address.Address, home string) string {
	a.RecipientName, a.Company = "", ""
	return strings.Join(a.Lines(home), ", ")
}

// SameOnRows reports whether a row has the same of either order.
func SameOnRows(a, b order.Order) bool { return slices.Equal(Row(a, Parcel{}), Row(b, Parcel{})) }
