package tax

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

var (
	all  = []collection.Verb{collection.Read, collection.Create, collection.Update, collection.Delete}
	read = []collection.Verb{collection.Read}
)

// Schema is the collection of tax rates. Rule taxes-2.
var Schema = &collection.Schema{
	Slug: "tax-rates", Singular: "TaxRate", Plural: "TaxRates",
	Doc:    "What an authority asks for goods that go to one place.",
	Access: collection.Access{Viewer: read, Editor: read, Admin: all, SecretKey: all},
	Fields: []collection.Field{
		{
			Name: "name", Kind: collection.Text, Required: true, Indexed: true, MaxLength: 100,
			Doc: "Name, as buyers read it beside its amount: VAT, GST, California.",
		},
		{
			Name: "country", Kind: collection.Text, Required: true, Uppercase: true, MaxLength: 2, Indexed: true,
			Doc: "ISO 3166-1 alpha-2 code of the country that the goods go to.",
		},
		{
			Name: "province", Kind: collection.Text, Uppercase: true, MaxLength: 10,
			Doc: "ISO 3166-2 code of a province or state of it, without the country, such as CA; empty for all.",
		},
		{Name: "postalFrom", Kind: collection.Text, MaxLength: 20, Doc: "First postal code, or how it begins; empty for all."},
		{Name: "postalTo", Kind: collection.Text, MaxLength: 20, Doc: "Last postal code, or how it begins; postalFrom when empty."},
		{
			Name: "classes", Kind: collection.Selects, Options: ratedClasses, Required: true,
			Doc: "The tax classes of the goods that it is for.",
		},
		{
			Name: "percent", Kind: collection.Number, Required: true, Min: collection.Bound(0), Max: collection.Bound(100),
			Doc: "Percent of the price without taxes.",
		},
		{
			Name: "priority", Kind: collection.Integer, Default: int64(1), Min: collection.Bound(1), Max: collection.Bound(99),
			Doc: "Layer: of the rates of one layer the one for the smallest place applies, and different layers add up.",
		},
		{
			Name: "compound", Kind: collection.Boolean, Default: false,
			Doc: "Whether it is due on the other taxes, too: those that are not compound, and compound ones of lower layers.",
		},
		{Name: "shipping", Kind: collection.Boolean, Default: true, Doc: "Whether shipping that is of its classes is taxed, too."},
		{Name: "validFrom", Kind: collection.Date, Doc: "When it begins to apply; empty for always."},
		{Name: "validTo", Kind: collection.Date, Doc: "When it applies no more; empty for never."},
		{Name: "active", Kind: collection.Boolean, Default: true, Indexed: true, Doc: "Whether it applies at all."},
	},
}

// RateFrom reads a record of Schema.
func RateFrom(r collection.Record) Rate {
	x := Rate{
		ID: r.ID(), Name: r.Text("name"), Country: r.Text("country"), Province: r.Text("province"), From: r.Text("postalFrom"),
		To: r.Text("postalTo"), Priority: cmp.Or(r.Int("priority"), 1), Compound: r.Bool("compound"), Shipping: r.Bool("shipping"),
		Since: r.Time("validFrom"), Until: r.Time("validTo"),
	}
	x.Percent, _ = r.Decimal("percent")
	for _, c := range r.Texts("classes") {
		x.Classes = append(x.Classes, Class(c))
	}
	return x
}

// MaxRates is how many active rates a shop has at most: far more than the tax districts of a country. Each sale reads them all.
const MaxRates = 5000

// CheckRate refuses a rate that could never apply as it is meant. Errors: fault.ErrValidation.
func CheckRate(r collection.Record) error {
	x := RateFrom(r)
	from, to := normalCode(x.From), normalCode(cmp.Or(x.To, x.From))
	switch {
	case !isCountry(x.Country):
		return fault.Invalidf("country", "A country is a code of two letters.")
	case x.To != "" && x.From == "":
		return fault.Invalidf("postalFrom", "A range of postal codes needs its first code.")
	case to[:min(len(to), len(from))] < from[:min(len(to), len(from))]:
		return fault.Invalidf("postalTo", "The last postal code comes before the first one.")
	case !x.Until.IsZero() && !x.Until.After(x.Since):
		return fault.Invalidf("validTo", "A rate ends after it begins.")
	}
	return nil
}

// isCountry reports whether a text has the form of an ISO 3166-1 alpha-2 code.
func isCountry(code string) bool {
	return len(code) == 2 && !strings.ContainsFunc(code, func(c rune) bool { return c < 'A' || c > 'Z' })
}

// MarketFields declares Rules in a market. Rule taxes-1.
var MarketFields = []collection.Field{
	{
		Name: "taxes", Kind: collection.Select, Options: Modes, Default: string(Off),
		Doc: "Whether prices include taxes, taxes are added to them, or none are computed.",
	},
	{
		Name: "taxRounding", Kind: collection.Select, Options: []string{PerLine, PerTotal}, Default: PerLine,
		Doc: "What is rounded: the taxes of each line, or those of each rate over all lines.",
	},
	{
		Name: "taxRoundingMode", Kind: collection.Select,
		Options: []string{string(money.HalfUp), string(money.HalfEven), string(money.Down)},
		Doc:     "How taxes are rounded; as all amounts of the shop when empty.",
	},
	{
		Name: "shippingTax", Kind: collection.Select, Options: append(slices.Clip(Classes), Proportional), Default: string(Standard),
		Doc: "How shipping is taxed: by a class, or as the goods are, in proportion to what they cost.",
	},
	{
		Name: "taxSource", Kind: collection.Select, Options: []string{string(Table), string(Service)}, Default: string(Table),
		Doc: "Who computes taxes: the shop's tax rates, or a tax service, which a checkout waits for.",
	},
	{
		Name: "taxFallback", Kind: collection.Boolean, Default: false,
		Doc: "Whether the shop's tax rates count where the tax service gives no answer, and there is any for the place; else nothing is sold.",
	},
}

// RulesFrom reads MarketFields of a market; nil where no taxes are computed. Rates and Rounding, where the market has none,
// are the shop's, and to be set.
func RulesFrom(market collection.Record) *Rules {
	m := Mode(market.Text("taxes"))
	if m != Included && m != Added {
		return nil
	}
	r := &Rules{
		Mode: m, PerTotal: market.Text("taxRounding") == PerTotal, Rounding: money.Rounding(market.Text("taxRoundingMode")),
		Shipping: market.Text("shippingTax"), Outside: market.Text("taxSource") == string(Service), Fallback: market.Bool("taxFallback"),
		Market: market.ID(),
	}
	if countries := market.Texts("countries"); len(countries) > 0 {
		r.Country = countries[0]
	}
	return r
}

// AmountFields declares Amount.
var AmountFields = []collection.Field{
	{Name: "rate", Kind: collection.Text, Doc: "Id of the tax rate, which may be gone or different by now; of a tax service its own."},
	{Name: "name", Kind: collection.Text, Doc: "Its name at the time."},
	{Name: "country", Kind: collection.Text, Doc: "Its country, an ISO 3166-1 alpha-2 code."},
	{Name: "jurisdiction", Kind: collection.Text, OmitMissing: true, Doc: "Whose rate it is, as a tax service names it; left out for the shop's own."},
	{Name: "percent", Kind: collection.Number, Doc: "Its percentage at the time."},
	{Name: "base", Kind: collection.Money, Currency: "currency", Doc: "What it is due on: the price without it."},
	{Name: "amount", Kind: collection.Money, Currency: "currency", Doc: "The tax."},
}

// Records are t as records of AmountFields.
func (t Taxes) Records() []collection.Record {
	out := make([]collection.Record, len(t))
	for i, a := range t {
		out[i] = collection.Record{
			"rate": collection.TextOrNull(a.Rate), "name": a.Name, "country": collection.TextOrNull(a.Country), "percent": a.Percent,
			"base": a.Base, "amount": a.Amount,
		}
		if a.Jurisdiction != "" {
			out[i]["jurisdiction"] = a.Jurisdiction
		}
	}
	return out
}

// TaxesFrom reads what Taxes.Records wrote; nil for no rows.
func TaxesFrom(rows []collection.Record) (t Taxes) {
	for _, r := range rows {
		a := Amount{Rate: r.Text("rate"), Name: r.Text("name"), Country: r.Text("country"), Jurisdiction: r.Text("jurisdiction")}
		a.Percent, _ = r.Decimal("percent")
		a.Base, _ = r.Money("base")
		a.Amount, _ = r.Money("amount")
		t = append(t, a)
	}
	return t
}
