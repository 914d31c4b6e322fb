package shipping

import "github.com/cartwright-dev/cartwright/domain/collection"

// AddressFields is the shape of a shipping address, shared by checkouts, orders and drafts. Contract 8.
var AddressFields = []collection.Field{
	{Name: "recipientName", Kind: collection.Text, MaxLength: 200, Doc: "Who receives the goods."},
	{Name: "phone", Kind: collection.Text, MaxLength: 50, Doc: "The recipient's phone number."},
	{Name: "postalCode", Kind: collection.Text, MaxLength: 20, Doc: "Postal code as text; five digits in Korea."},
	{Name: "address1", Kind: collection.Text, MaxLength: 500, Doc: "Street and number."},
	{Name: "address2", Kind: collection.Text, MaxLength: 500, Doc: "Flat, floor."},
	{Name: "deliveryMessage", Kind: collection.Text, MaxLength: 500, Doc: "A note for the carrier."},
	{Name: "country", Kind: collection.Text, MaxLength: 2, Upper: true, Doc: "ISO 3166-1 alpha-2 code."},
}
