package address

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/phone"
)

// PhoneE164Field declares the number that stands beside every "phone" of a person, whether in an address or not: see CompletePhone.
var PhoneE164Field = collection.Field{
	Name: "phoneE164", Kind: collection.Text, Personal: true, MaxLength: 20,
	Doc: "The phone number as E.164, such as +821012345678, worked out by the server; null if it is no number of the country. What is sent is passed over.",
}

// CompletePhone is r with its "phone" as E.164 in "phoneE164", as it is dialed in a country; "" if that is unknown. Whatever stood there
// is replaced. It does not change r.
func CompletePhone(r collection.Record, country string) collection.Record {
	number := phone.E164(r.Text("phone"), country)
	if r == nil || r.Text(PhoneE164Field.Name) == number {
		return r
	}
	r = r.Clone()
	r[PhoneE164Field.Name] = collection.TextOrNull(number)
	return r
}
