package paper

import (
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Shop is whose documents are printed.
type Shop struct {
	Name               string // as its customers know it
	BusinessName       string // as it is registered; this and all that follows may be ""
	RegistrationNumber string
	MailOrderNumber    string
	Representative     string
	Phone, Email       string
	Address            *address.Address // nil for none
	ReturnAddress      *address.Address // nil: the address
	ReturnPolicy       string
	Country            string         // ISO 3166-1 alpha-2: where addresses are that name none; "": that of the address
	Logo               []byte         // a PNG or JPEG file; nil for none
	Zone               *time.Location // in which its days begin
}

// ShopFrom is the shop called name in a country, by its profile, a record of shop.Profiles; nil for none.
func ShopFrom(name, country string, profile collection.Record, zone *time.Location) Shop {
	return Shop{
		Name: name, BusinessName: profile.Text("businessName"), RegistrationNumber: profile.Text("registrationNumber"),
		MailOrderNumber: profile.Text("mailOrderNumber"), Representative: profile.Text("representative"), Phone: profile.Text("phone"),
		Email: profile.Text("email"), Address: address.From(profile.Group("address")),
		ReturnAddress: address.From(profile.Group("returnAddress")), ReturnPolicy: profile.Group("policies").Text("returns"), Country: country,
		Zone: zone,
	}
}

// country is where s is; "" if it is unknown.
func (s Shop) country() string {
	if s.Country != "" || s.Address == nil {
		return s.Country
	}
	return s.Address.Country
}

// sender is s as the sender of a parcel.
func (s Shop) sender(w *words) Block {
	return Block{w.From, nonempty(append(append([]string{s.Name}, s.addressLines(s.Address, s.country())...), s.Phone)...)}
}

// seller is s as the seller on an invoice.
func (s Shop) seller(w *words) Block {
	name := s.BusinessName
	if name == "" {
		name = s.Name
	}
	lines := append([]string{name, labeled(w.RegistrationNumber, s.RegistrationNumber), labeled(w.Representative, s.Representative)},
		s.addressLines(s.Address, s.country())...)
	return Block{w.Seller, nonempty(append(lines, labeled(w.Phone, s.Phone), labeled(w.Email, s.Email),
		labeled(w.MailOrderNumber, s.MailOrderNumber))...)}
}

// addressLines are the lines of an address as they are written in its country, without names. The country is named where it is not home.
func (s Shop) addressLines(a *address.Address, home string) []string {
	if a == nil {
		return nil
	}
	place := *a
	place.RecipientName, place.Company = "", ""
	return append(place.Lines(home), abroad(a, home)...)
}

// recipient are the lines of a recipient: the names stand where they do in the country.
func (s Shop) recipient(a *address.Address) []string {
	if a == nil {
		return nil
	}
	return nonempty(append(append(a.Lines(s.country()), abroad(a, s.country())...), a.Phone)...)
}

// abroad is the name of the country of an address; none at home.
func abroad(a *address.Address, home string) []string {
	if a.Country == "" || a.Country == home {
		return nil
	}
	return []string{address.Name(a.Country)}
}

func bracketed(text string) string {
	if text == "" {
		return ""
	}
	return "(" + text + ")"
}

// labeled is "name value", "" without a value.
func labeled(name, value string) string {
	if value == "" {
		return ""
	}
	return name + " " + value
}

func nonempty(lines ...string) []string {
	return slices.DeleteFunc(lines, func(line string) bool { return line == "" })
}

// Recipient are the lines of an address as the shop writes it: in Korea the place before the name, elsewhere after it; nil for no
// address.
func (s Shop) Recipient(a *address.Address) []string { return s.recipient(a) }
