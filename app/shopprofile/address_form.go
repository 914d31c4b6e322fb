package shopprofile

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// AddressForm is the form for an address in a country.
type AddressForm struct {
	Country   string
	Latin     bool // it is filled in in Latin letters
	Parts     []address.Part
	Countries []string // where the shop ships to, its own first
}

// AddressForm is the form for an address in country, "" for the shop's own, filled in in the language of locale: where it is another one
// than that of the country, in Latin letters. Rule addresses-4. Errors: fault.ErrUnauthenticated, fault.ErrForbidden, fault.ErrValidation for no country.
func (s *Service) AddressForm(ctx context.Context, p tenant.Principal, country, locale string) (AddressForm, error) {
	switch {
	case p.Tenant.ID == "":
		return AddressForm{}, fault.ErrUnauthenticated
	case p.Kind == tenant.SecretKey && !p.CanRead:
		return AddressForm{}, fault.ErrForbidden
	}
	countries, err := destinations(ctx, s.Store.Read(ports.ForPrincipal(p)), p.Tenant.Country)
	if err != nil {
		return AddressForm{}, err
	}
	if country == "" {
		country = countries[0]
	}
	latin := !address.Speaks(country, tenant.Language(locale))
	parts, known := address.Form(country, latin)
	if !known {
		return AddressForm{}, fault.Invalidf("country", address.NoCountry)
	}
	return AddressForm{country, latin, parts, countries}, nil
}

// destinations are the countries that a shop in home ships to, its own first: that of its policies and markets. A shop that is in an unknown
// country ships to all, unless all of its policies say where.
func destinations(ctx context.Context, r ports.Reader, home string) ([]string, error) {
	policies, err := ports.FindAll(ctx, r, collection.Query{Schema: shipping.Schema, Sort: shipping.Schema.SortBy("id")})
	if err != nil {
		return nil, err
	}
	s := catalog.Markets
	markets, err := ports.FindAll(ctx, r, collection.Query{
		Schema: s, Where: s.Where("status", collection.Equals, catalog.Active), Sort: s.SortBy("id"),
	})
	if err != nil {
		return nil, err
	}
	var all []string
	usual := len(policies) == 0 // a policy ships where policies usually do
	for _, p := range policies {
		all = append(all, p.Texts("countries")...)
		usual = usual || len(p.Texts("countries")) == 0
	}
	switch {
	case usual && home == "":
		all = address.Countries()
	case usual:
		for _, m := range markets {
			all = append(all, m.Texts("countries")...)
		}
		all = append(all, home)
	}
	slices.Sort(all)
	if all = slices.Compact(all); slices.Contains(all, home) {
		all = append([]string{home}, slices.DeleteFunc(all, func(code string) bool { return code == home })...)
	}
	return slices.DeleteFunc(all, func(code string) bool { return !address.Known(code) }), nil
}
