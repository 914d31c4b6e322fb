package shop

import (
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

var (
	read  = []collection.Verb{collection.Read}
	write = []collection.Verb{collection.Read, collection.Update}
)

// maxFooter is how many characters the text below mails has at most.
const maxFooter = 1000

// maxPolicy is how many characters a policy has at most.
const maxPolicy = 20_000

// Profiles is the collection of shop profiles: one per tenant, made with it and never deleted. Rules shop-2, shop-3.
var Profiles = &collection.Schema{
	Slug: "shop-profiles", Singular: "ShopProfile", Plural: "ShopProfiles", NoDelete: true,
	Doc:    "Who is behind a shop, where it is and by which terms it sells. A shop has one.",
	Access: collection.Access{Viewer: read, Editor: read, Admin: write, SecretKey: read},
	Fields: append(slices.Clone(PublicFields), address.Group(collection.Field{
		Name: "returnAddress", Doc: "Where returned goods go; null: the address.",
	}), collection.Field{
		Name: "mail", Kind: collection.Group, Fields: mailFields, Doc: "How the shop's mails look.",
	}, mailsOff, collection.Field{
		Name: "single", Kind: collection.Text, ReadOnly: true, VisibleTo: collection.ServerOnly, Unique: true, Default: "profile", MaxLength: 10,
		Doc: "The same in all records: it makes the profile unique in its tenant.",
	}),
}

// mailFields are how mails of the shop look, besides the logo.
var mailFields = []collection.Field{
	{
		Name: "color", Kind: collection.Text, MaxLength: len("#rrggbb"),
		Doc: "Color of the buttons, such as #0f766e; null: nearly black. What stands on it is black or white, whichever can be read.",
	},
	{Name: "sender", Kind: collection.Text, MaxLength: 100, Doc: "Name that mails come from; null: the shop's name."},
	{
		Name: "footer", Kind: collection.Textarea, MaxLength: maxFooter,
		Doc: "What stands below every mail; null: who is behind the shop, as the profile says.",
	},
}

// PublicFields are those that everybody may see, as the law wants them at the foot of a shop's pages.
var PublicFields = []collection.Field{
	{Name: "businessName", Kind: collection.Text, MaxLength: 255, Doc: "Name of the business, as it is registered."},
	{
		Name: "registrationNumber", Kind: collection.Text, MaxLength: 50,
		Doc: "Business registration number. In Korea (the country of the address, or without one a shop in KRW) ten digits, whose last one is checked; stored as 123-45-67890.",
	},
	{Name: "mailOrderNumber", Kind: collection.Text, MaxLength: 100, Doc: "Number of the mail-order report, such as 2026-서울강남-01234."},
	{Name: "representative", Kind: collection.Text, MaxLength: 255, Doc: "Who represents the business."},
	address.Group(collection.Field{Name: "address", Doc: "Where the business is."}),
	{Name: "phone", Kind: collection.Text, MaxLength: 50, Doc: "Phone number for buyers."},
	{Name: "email", Kind: collection.Email, Doc: "Email address for buyers."},
	{Name: "logo", Kind: collection.Upload, Doc: "The shop's logo."},
	{Name: "policies", Kind: collection.Group, Doc: "By which terms the shop sells; each a text of at most 20,000 characters.", Fields: []collection.Field{
		policy("returns", "Returns and refunds."),
		policy("shipping", "Delivery."),
		policy("privacy", "Personal data."),
		policy("terms", "Terms of sale."),
	}},
}

func policy(name, doc string) collection.Field {
	return collection.Field{Name: name, Kind: collection.Textarea, MaxLength: maxPolicy, Doc: doc}
}

// Complete brings a profile into its stored form: a Korean registration number gets its hyphens. home is the tenant's country ("" if it is
// unknown), and currency its currency.
// before is the profile until now; what does not change is not checked again. It does not change next. Errors:
// fault.ErrValidation for a Korean registration number that cannot be right, for what is no color, and for what is wrong in an address.
func Complete(before, next collection.Record, home string, currency money.Currency) (collection.Record, error) {
	if color := next.Group("mail").Text("color"); color != "" && color != before.Group("mail").Text("color") && !IsColor(color) {
		return nil, fault.Invalidf("mail.color", "A color is written as # and six hexadecimal digits, such as #0f766e.")
	}
	for _, field := range []string{"address", "returnAddress"} {
		var err error
		if next, err = address.CheckIn(before, next, field, home); err != nil {
			return nil, err
		}
	}
	number := next.Text("registrationNumber")
	if number == "" || !korean(next, currency) || number == before.Text("registrationNumber") && korean(before, currency) {
		return next, nil
	}
	number, ok := ParseKoreanRegistration(number)
	if !ok {
		return nil, fault.Invalidf("registrationNumber", "This is no Korean business registration number: it has ten digits, and the last one is their check digit.")
	}
	next = next.Clone()
	next["registrationNumber"] = number
	return next, nil
}

// IsColor reports whether text is a color such as "#0f766e".
func IsColor(text string) bool {
	return len(text) == len("#rrggbb") && text[0] == '#' && strings.Trim(text[1:], "0123456789abcdefABCDEF") == ""
}

// korean reports whether the business of a profile is in Korea: where its address says no country, by its currency.
func korean(r collection.Record, currency money.Currency) bool {
	if country := r.Group("address").Text("country"); country != "" {
		return country == "KR"
	}
	return currency == "KRW"
}
