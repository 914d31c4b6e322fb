package address

import "github.com/cartwright-dev/cartwright/domain/collection"

// Group declares f as a group that is an Address. Its type is the same wherever it stands, in what is sent and in what is answered.
func Group(f collection.Field) collection.Field {
	f.Kind, f.Fields = collection.Group, Fields
	f.TypeName, f.TypeDoc = "Address", "A postal address. A country needs some of its parts, in an order of its own, as the format of its addresses tells."
	return f
}

// Fields declares Address.
var Fields = []collection.Field{
	{Name: "recipientName", Kind: collection.Text, Personal: true, MaxLength: 255, Doc: "Who receives the goods."},
	{Name: "company", Kind: collection.Text, Personal: true, MaxLength: 255, Doc: "The company at the address."},
	{Name: "phone", Kind: collection.Text, Personal: true, MaxLength: 50, Doc: "The recipient's phone number."},
	PhoneE164Field,
	{Name: "country", Kind: collection.Text, MaxLength: 2, Uppercase: true, Doc: "ISO 3166-1 alpha-2 code; null: the shop's country."},
	{Name: "postalCode", Kind: collection.Text, Personal: true, MaxLength: 20, Doc: "Postal code as text, in the form of its country; five digits in Korea."},
	{
		Name: "province", Kind: collection.Text, Personal: true, MaxLength: 100,
		Doc: "State, province or prefecture: its ISO 3166-2 code without the country where it has one, such as OR in the US or 13 in Japan.",
	},
	{Name: "city", Kind: collection.Text, Personal: true, MaxLength: 100, Doc: "City or town; part of the address line in Korea."},
	{Name: "district", Kind: collection.Text, Personal: true, MaxLength: 100, Doc: "A part of the city, where addresses have one."},
	{Name: "address1", Kind: collection.Text, Personal: true, MaxLength: 500, Doc: "Street and number."},
	{Name: "address2", Kind: collection.Text, Personal: true, MaxLength: 500, Doc: "Flat, floor."},
	{
		Name: "deliveryNote", Formerly: "deliveryMessage", Kind: collection.Text, Personal: true, MaxLength: 500, Doc: "A note for the carrier.",
	},
}
