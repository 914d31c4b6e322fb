package operation

import (
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/shopprofile"
	"github.com/cartwright-dev/cartwright/app/words"
	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

var addressFormFields = []collection.Field{
	{Name: "country", Kind: collection.Text, Required: true, Doc: "The country of the form: an ISO 3166-1 alpha-2 code."},
	{
		Name: "countries", Kind: collection.Texts, Required: true, NonNull: true,
		Doc: "The countries that the shop ships to, its own first.",
	},
	{
		Name: "fields", Kind: collection.Array, Required: true, NonNull: true, Doc: "The fields of the form in their order.", Fields: []collection.Field{
			{Name: "name", Kind: collection.Text, Required: true, Doc: "The member of an address."},
			{Name: "label", Kind: collection.Text, Required: true, Doc: "What it is called there: State, Prefecture, ZIP code."},
			{Name: "required", Kind: collection.Boolean, Required: true, NonNull: true, Doc: "Whether an address needs it."},
			{Name: "pattern", Kind: collection.Text, Doc: "Regular expression that what is entered has to match as a whole; null for none."},
			{Name: "example", Kind: collection.Text, Doc: "What is entered, for instance; null for none."},
			{
				Name: "options", Kind: collection.Array, Required: true, NonNull: true,
				Doc: "What can be chosen; empty where anything can be entered.", Fields: []collection.Field{
					{Name: "value", Kind: collection.Text, Required: true, Doc: "What the address stores."},
					{Name: "label", Kind: collection.Text, Required: true, Doc: "What people read."},
				},
			},
		},
	},
}

// addressForm is the operation from which forms for addresses are made. Rule addresses-4.
func addressForm(s *shopprofile.Service) Operation {
	return Operation{
		Name: "addresses.format", GraphQL: "addressFormat", Summary: "Show which parts an address in a country has",
		Doc: "The fields of a form for an address, in the order of the country, with their labels, postal codes and provinces, and the countries " +
			"that the shop ships to. Labels are in Korean or English.",
		Method: get, Path: "/addresses/format", Surfaces: Both | Root, Output: addressFormFields, Cacheable: true, Localized: true,
		Input: []collection.Field{
			{Name: "country", Kind: collection.Text, Doc: "ISO 3166-1 alpha-2 code; the shop's country if missing."},
			{
				Name: "locale", Kind: collection.Text,
				Doc: "Language in which the form is filled in: a BCP 47 tag. Where it is another one than the country's, names are in Latin letters.",
			},
		},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			country, language := strings.ToUpper(in.Text("country")), call.Language
			locale := language.Tag()
			if named := in.Text("locale"); named != "" {
				locale, language = named, words.Preferred(named)
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			form, err := s.AddressForm(ctx, call.Principal, country, locale)
			if err != nil {
				return idempotency.Response{}, err
			}
			return respond(addressFormFields, formRecord(form, language), nil)
		},
	}
}

func formRecord(form shopprofile.AddressForm, language words.Language) collection.Record {
	fields := make([]collection.Record, len(form.Parts))
	for i, p := range form.Parts {
		label := p.Name
		if p.Kind != "" {
			label = p.Kind
		}
		options := make([]collection.Record, len(p.Options))
		for j, o := range p.Options {
			options[j] = collection.Record{"value": o.Code, "label": named(o, form.Latin)}
		}
		fields[i] = collection.Record{
			"name": p.Name, "label": language.Field("addresses", label), "required": p.Required, "pattern": collection.TextOrNull(p.Pattern),
			"example": collection.TextOrNull(p.Example), "options": options,
		}
	}
	return collection.Record{"country": form.Country, "countries": form.Countries, "fields": fields}
}

// named is what people read of a province.
func named(p address.Province, latin bool) string {
	if latin {
		return p.Latin
	}
	return p.Name
}
