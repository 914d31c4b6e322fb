package shipping

import (
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/address"
)

// Destination is where a parcel goes, as far as its price depends on it.
type Destination struct {
	Country              string // ISO 3166-1 alpha-2; "": unknown, and then like Korea
	Province, PostalCode string
	Home                 string   // the shop's country; "": unknown
	Usual                []string // the countries that policies ship to unless they say otherwise; empty: all
}

// To is the destination of an address; nil while its postal code is unknown where addresses need one. home is the shop's country, "" if
// it is unknown; markets are the countries of the market that is sold in, to which is shipped too. Rule shipping-13.
func To(a address.Address, home string, markets []string) *Destination {
	to := &Destination{Country: a.Country, Province: a.Province, PostalCode: a.PostalCode, Home: home}
	if to.Country == "" {
		to.Country = home
	}
	if to.PostalCode == "" && address.NeedsPostalCode(to.Country) {
		return nil
	}
	if home != "" {
		to.Usual = append([]string{home}, markets...)
	}
	return to
}

func (d Destination) korean() bool { return d.Country == "" || d.Country == "KR" }

func (p *Policy) shipsTo(d Destination) bool {
	countries := p.Countries
	if len(countries) == 0 {
		countries = d.Usual
	}
	return len(countries) == 0 || d.Country == "" || slices.Contains(countries, d.Country)
}

// SameWay reports whether policies, nil among them, cannot tell two destinations apart: they differ at most in their province, which none
// of the policies names.
func SameWay(a, b Destination, policies []*Policy) bool {
	if a.Country != b.Country || a.PostalCode != b.PostalCode {
		return false
	}
	return a.Province == b.Province || !slices.ContainsFunc(policies, func(p *Policy) bool {
		return p != nil && slices.ContainsFunc(p.Zones, func(z Zone) bool { return len(z.Provinces) > 0 })
	})
}

// notThere refuses a destination by its country.
func notThere(d Destination) error {
	return ErrUnavailable.WithMessage("The shop does not ship to %s.", d.Country).WithData("country", d.Country)
}

// zone is the first zone that contains d, and the range of it that does, if it is for one.
func (p *Policy) zone(d Destination) (Zone, Range, bool) {
	code := compact(d.PostalCode)
	for _, z := range p.Zones {
		if !z.inCountry(d) {
			continue
		}
		for _, r := range z.Ranges {
			if r.holds(code) {
				return z, r, true
			}
		}
		whole := len(z.Countries) > 0 && len(z.Ranges)+len(z.Provinces) == 0
		if whole || d.Province != "" && slices.Contains(z.Provinces, d.Province) {
			return z, Range{}, true
		}
	}
	return Zone{}, Range{}, false
}

func (z Zone) inCountry(d Destination) bool {
	if len(z.Countries) == 0 {
		return d.Country == d.Home || d.Home == "" && d.korean()
	}
	return slices.Contains(z.Countries, d.Country)
}

func (r Range) holds(code string) bool {
	return code != "" && r.From <= beginning(code, r.From) && beginning(code, r.To) <= r.To
}

// beginning is as much of code as of has.
func beginning(code, of string) string { return code[:min(len(code), len(of))] }

// compact is a postal code without what separates its parts.
func compact(code string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' {
			return -1
		}
		return r
	}, code)
}
