// Package address has the postal address of everything that is sold, shipped and printed, and what each country wants of one:
// which parts it has and needs, in which order, what its postal codes look like, and its provinces.
//
// Every address in the system is an Address with these fields: those of checkouts, orders, drafts, customers and the shop.
package address

import "github.com/cartwright-dev/cartwright/domain/collection"

// Address is a place, and who is there. Any part may be "". Rules shipping-10.
type Address struct {
	RecipientName, Company, Phone string
	PhoneE164                     string // of Phone; see Complete
	Country                       string // ISO 3166-1 alpha-2, upper case; "": the shop's country
	PostalCode                    string
	Province                      string // the code of ISO 3166-2 without the country where there is one: "OR", "13"
	City, District                string
	Address1, Address2            string // street and number; flat, floor
	DeliveryNote                  string // for the carrier
}

// Record is a as a record of Fields.
func (a Address) Record() collection.Record {
	r := make(collection.Record, len(Fields))
	for _, f := range Fields {
		r[f.Name] = collection.TextOrNull(*a.part(f.Name))
	}
	return r
}

// From reads what Address.Record wrote; nil for no address.
func From(r collection.Record) *Address {
	if r == nil {
		return nil
	}
	a := &Address{}
	for _, f := range Fields {
		*a.part(f.Name) = r.Text(f.Name)
	}
	return a
}

// Size is how many bytes of JSON the texts of a have.
func (a Address) Size() (size int) {
	for _, f := range Fields {
		size += collection.StringSize(*a.part(f.Name))
	}
	return size
}

// part is the part of a that is called name. It panics for a name that is none of Fields.
func (a *Address) part(name string) *string {
	switch name {
	case "recipientName":
		return &a.RecipientName
	case "company":
		return &a.Company
	case "phone":
		return &a.Phone
	case "phoneE164":
		return &a.PhoneE164
	case "country":
		return &a.Country
	case "postalCode":
		return &a.PostalCode
	case "province":
		return &a.Province
	case "city":
		return &a.City
	case "district":
		return &a.District
	case "address1":
		return &a.Address1
	case "address2":
		return &a.Address2
	case "deliveryNote":
		return &a.DeliveryNote
	default:
		panic("address: no part is called " + name)
	}
}
