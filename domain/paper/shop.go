package paper

import (
	"slices"
	"strings"
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
	Logo               []byte         // a PNG or JPEG file; nil for none
	Zone               *time.Location // in which its days begin
}

// ShopFrom is the shop called name, by its profile, a record of shop.Profiles; nil for none.
func ShopFrom(name string, profile collection.Record, zone *time.Location) Shop {
	return Shop{
		Name: name, BusinessName: profile.Text("businessName"), RegistrationNumber: profile.Text("registrationNumber"),
		MailOrderNumber: profile.Text("mailOrderNumber"), Representative: profile.Text("representative"), Phone: profile.Text("phone"),
		Email: profile.Text("email"), Address: address.From(profile.Group("address")),
		ReturnAddress: address.From(profile.Group("returnAddress")), ReturnPolicy: profile.Group("policies").Text("returns"), Zone: zone,
	}
}

// country is where s is, as far as its profile says.
func (s Shop) country() string {
	if s.Address == nil {
		return ""
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

// addressLines are the lines of an address from its street to its country, without names: in Korea the postal code is first, as
// it is written there. The country is named where it is not home.
func (s Shop) addressLines(a *address.Address, home string) []string {
	if a == nil {
		return nil
	}
	country := ""
	if a.Country != home {
		country = a.Country
	}
	if s.isKorean(a) {
		return nonempty(strings.Join(nonempty(bracketed(a.PostalCode), a.Address1), " "), a.Address2, country)
	}
	return nonempty(a.Address1, a.Address2, a.PostalCode, country)
}

// recipient are the lines of a recipient: in Korea the place before the name, elsewhere after it.
func (s Shop) recipient(a *address.Address) []string {
	if a == nil {
		return nil
	}
	place := s.addressLines(a, s.country())
	if s.isKorean(a) {
		return nonempty(append(place, a.RecipientName, a.Phone)...)
	}
	return nonempty(append(append([]string{a.RecipientName}, place...), a.Phone)...)
}

// isKorean reports whether an address is in Korea: one that names no country is where the shop is.
func (s Shop) isKorean(a *address.Address) bool {
	return a.Country == "KR" || a.Country == "" && s.country() == "KR"
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
