package tax

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/money"
)

// Class is how goods are taxed.
type Class string

// The classes.
const (
	Standard Class = "standard"
	Reduced  Class = "reduced"
	Zero     Class = "zero"   // taxed, at a rate that is mostly 0 %
	Exempt   Class = "exempt" // free of taxes, 면세 in Korea
)

// Classes are all classes, as options of a field.
var Classes = []string{string(Standard), string(Reduced), string(Zero), string(Exempt)}

// ClassesOfTaxFree are the classes of goods that say only in a member taxFree whether they are free of taxes, in JSON.
var ClassesOfTaxFree = map[string]string{"true": string(Exempt), "false": string(Standard)}

// ratedClasses are the classes that rates can be for.
var ratedClasses = Classes[:3]

// ClassOf reads a class; Standard for a text that names none.
func ClassOf(text string) Class {
	if slices.Contains(Classes, text) {
		return Class(text)
	}
	return Standard
}

// Mode is how prices are meant in a market.
type Mode string

// The modes. Off computes no taxes.
const (
	Off      Mode = "off"
	Included Mode = "included"
	Added    Mode = "added"
)

// Modes are all modes, as options of a field.
var Modes = []string{string(Off), string(Included), string(Added)}

// What is rounded.
const (
	PerLine  = "line"  // the tax of each line
	PerTotal = "total" // the tax of each rate over all lines
)

// Proportional is how shipping is taxed that follows the goods: in parts by what they cost. Otherwise shipping has a class.
const Proportional = "proportional"

// Rules are the taxes of a market.
type Rules struct {
	Mode     Mode           // Included or Added
	PerTotal bool           // each rate is rounded once over all lines; false: for each line
	Rounding money.Rounding // how; "": half up
	Shipping string         // a class, or Proportional; "": Standard
	Country  string         // where a buyer counts as long as no address says otherwise; "" for nowhere
	Rates    []Rate         // the shop's
	// Outside: a service computes the taxes, and Rates are for estimates. Fallback: they count, too, where it gives no answer.
	Outside, Fallback bool
	Market            string // id, of Outside
	Known             Known  // what the service was asked before
	Estimate          bool   // what is not known is estimated by Rates, rather than refused
}

// WithRounding is r, rounded as the shop's amounts are where r does not say how; nil for nil.
func (r *Rules) WithRounding(shop money.Rounding) *Rules {
	if r == nil || r.Rounding != "" {
		return r
	}
	next := *r
	next.Rounding = shop
	return &next
}

// WithKnown is r with what a service was asked before; nil for nil.
func (r *Rules) WithKnown(k Known) *Rules {
	if r == nil || len(k) == 0 {
		return r
	}
	next := *r
	next.Known = k
	return &next
}

// Estimated is r where the taxes are only shown: what no service was asked is estimated; nil for nil.
func (r *Rules) Estimated() *Rules {
	if r == nil || !r.Outside {
		return r
	}
	next := *r
	next.Estimate = true
	return &next
}

// Place is where goods go. Any part may be "".
type Place struct {
	Country, Province, PostalCode string
	City, District, Street        string // for services: the table has no use for them
}

// Area is the part of p that rates can be for.
func (p Place) Area() Place {
	return Place{Country: p.Country, Province: p.Province, PostalCode: p.PostalCode}
}

// Amount is the tax of one rate: Amount, for goods that cost Base before it.
type Amount struct {
	Rate, Name   string // id and name of the rate; of a service the id is its own, which may be ""
	Country      string // of the rate
	Jurisdiction string // whose rate it is, as a service names it; "" for rates of the table
	Percent      money.Decimal
	Base, Amount money.Money
}

// Taxes are amounts of one currency, one of each rate, in the order in which the rates apply.
type Taxes []Amount

// Sum is all of t together, in minor units.
func (t Taxes) Sum() (sum int64) {
	for _, a := range t {
		sum += a.Amount.Minor
	}
	return sum
}

// Of is the part of Sum that the rates of a country have, in minor units.
func (t Taxes) Of(country string) (sum int64) {
	for _, a := range t {
		if a.Country == country {
			sum += a.Amount.Minor
		}
	}
	return sum
}

// index is where t has the rate of a, -1 for nowhere. Rates of other systems have no id: they are told apart by what they say.
func (t Taxes) index(a Amount) int {
	return slices.IndexFunc(t, func(b Amount) bool {
		return a.Rate == b.Rate && (a.Rate != "" || a.Country == b.Country && a.Jurisdiction == b.Jurisdiction && a.Name == b.Name && a.Percent == b.Percent)
	})
}

// Plus is t and o, rate by rate.
func (t Taxes) Plus(o Taxes) Taxes {
	if len(o) == 0 {
		return t
	}
	out := slices.Clone(t)
	for _, a := range o {
		i := out.index(a)
		if i < 0 {
			out = append(out, a)
			continue
		}
		out[i].Base.Minor += a.Base.Minor
		out[i].Amount.Minor += a.Amount.Minor
	}
	return out
}

// Minus is t without o, rate by rate, none below zero. What t does not have is left out.
func (t Taxes) Minus(o Taxes) Taxes {
	out := slices.Clone(t)
	for _, a := range o {
		if i := out.index(a); i >= 0 {
			out[i].Base.Minor = max(0, out[i].Base.Minor-a.Base.Minor)
			out[i].Amount.Minor = max(0, out[i].Amount.Minor-a.Amount.Minor)
		}
	}
	return out
}

// Since is what t has beyond o, rate by rate, which may be below zero. Rates that have the same are left out; nil without any other.
func (t Taxes) Since(o Taxes) (out Taxes) {
	for _, a := range t.Plus(o.negated()) {
		if a.Base.Minor != 0 || a.Amount.Minor != 0 {
			out = append(out, a)
		}
	}
	return out
}

func (t Taxes) negated() Taxes {
	out := slices.Clone(t)
	for i := range out {
		out[i].Base.Minor, out[i].Amount.Minor = -out[i].Base.Minor, -out[i].Amount.Minor
	}
	return out
}
