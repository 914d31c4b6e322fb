package sale

import (
	"cmp"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// Taxes are the taxes of a sale. Rates are the sums over lines and shipping, which is among the shipping's own.
type Taxes struct {
	Amount    money.Money // of all rates
	Included  bool        // the prices, and so the total, contain them; else they are added to the total
	Estimated bool        // computed for the market's country, since no address was known, or by rates in place of a service
	Source    tax.Source  // who computed them; "" in sales of older versions and of other systems
	Rates     tax.Taxes
	Shipping  tax.Taxes
	// ExemptShipping is the part of shipping that is free of taxes as exempt goods are; the zero Money for none.
	ExemptShipping money.Money
}

// Added is what t adds to the total, in minor units; 0 for nil.
func (t *Taxes) Added() int64 {
	if t == nil || t.Included {
		return 0
	}
	return t.Amount.Minor
}

// ShippingAdded is the part of Added that shipping has.
func (t *Taxes) ShippingAdded() int64 {
	if t == nil || t.Included {
		return 0
	}
	return t.Shipping.Sum()
}

// TotalsOf are the totals of a sale as they were computed.
func TotalsOf(t pricing.Totals) Totals {
	return Totals{Subtotal: t.Subtotal, Discount: t.Discount, Total: t.Total, Shipping: t.Shipping, Taxes: taxesOf(t.Taxes)}
}

func taxesOf(r *tax.Result) *Taxes {
	if r == nil {
		return nil
	}
	return &Taxes{
		Amount: r.Total, Included: r.Included, Estimated: r.Estimated, Source: r.Source, Rates: r.Rates, Shipping: r.Shipping, ExemptShipping: r.ExemptShipping,
	}
}

// Charged is what l costs the buyer, with the taxes that are added.
func (l *Line) Charged() money.Money {
	if l.TaxIncluded || l.Tax.Currency == "" {
		return l.Total
	}
	return l.Total.Plus(l.Tax)
}

// PlaceOf is where a sale to a is taxed, as addresses are stored; empty for no address. home is the shop's country, where an address is
// that names none; "" if it is unknown.
func PlaceOf(a *Address, home string) tax.Place {
	if a == nil {
		return tax.Place{}
	}
	to := a.Complete(home)
	return tax.Place{
		Country: cmp.Or(to.Country, home), Province: to.Province, PostalCode: to.PostalCode, City: to.City, District: to.District, Street: to.Address1,
	}
}

// SamePlace reports whether a sale with the taxes t, nil for none, is taxed in both places alike: for rates of the shop the area counts,
// for a tax service all it was told.
func (t *Taxes) SamePlace(a, b tax.Place) bool {
	if t != nil && t.Source != tax.Table && t.Source != "" {
		return a == b
	}
	return a.Area() == b.Area()
}

// Buyer is who and where a sale is taxed for.
type Buyer struct {
	tax.Buyer

	Place, Home tax.Place // where the goods go, and where the shop is
	Exempt      bool      // pays no taxes
}

// HomeOf is where a shop of a country is; empty for "".
func HomeOf(country string) tax.Place { return tax.Place{Country: country} }

// Retax computes the taxes of lines and totals anew, for another place or fee, and returns them with those. rules are nil
// where none are computed. Errors: those of tax.Rules.Compute, money.ErrOutOfRange.
func Retax(rules *tax.Rules, lines []Line, t Totals, to Buyer, now time.Time) ([]Line, Totals, error) {
	t.Total = t.Subtotal.Minus(t.Discount)
	if t.Shipping != nil {
		t.Total = t.Total.Plus(*t.Shipping)
	}
	t.Taxes = nil
	s := tax.Sale{
		Currency: t.Total.Currency, Shipping: t.Shipping, Place: to.Place, From: to.Home, Buyer: to.Buyer, Exempt: to.Exempt, At: now,
	}
	for _, l := range lines {
		s.Items = append(s.Items, tax.Item{Class: l.TaxClass, Amount: l.Total, Key: l.ID, SKU: l.SKU, Quantity: l.Quantity})
	}
	out := append([]Line(nil), lines...)
	if rules == nil {
		for i := range out {
			out[i].Tax, out[i].TaxIncluded, out[i].Taxes = money.Money{}, false, nil
		}
		return out, t, nil
	}
	r, err := rules.Compute(s)
	if err != nil {
		return lines, t, err
	}
	for i, taxes := range r.Lines {
		out[i].Tax, out[i].TaxIncluded, out[i].Taxes = money.Of(taxes.Sum(), s.Currency), r.Included, taxes
	}
	t.Taxes, t.Total = taxesOf(&r), t.Total.Plus(r.Added())
	if t.Total.Minor > money.Max {
		return lines, t, money.ErrOutOfRange
	}
	return out, t, nil
}

// Record is t as a record of TaxFields.
func (t *Taxes) Record() collection.Record {
	r := collection.Record{
		"amount": t.Amount, "included": t.Included, "estimated": t.Estimated, "rates": t.Rates.Records(), "shipping": t.Shipping.Records(),
	}
	if !t.ExemptShipping.IsZero() {
		r["exemptShipping"] = t.ExemptShipping
	}
	if t.Source != "" {
		r["source"] = string(t.Source)
	}
	return r
}

// TaxesFrom reads what Taxes.Record wrote; nil for nothing.
func TaxesFrom(r collection.Record) *Taxes {
	amount, computed := r.Money("amount")
	if !computed {
		return nil
	}
	t := &Taxes{
		Amount: amount, Included: r.Bool("included"), Estimated: r.Bool("estimated"), Source: tax.Source(r.Text("source")),
		Rates:    tax.TaxesFrom(r.Rows("rates")),
		Shipping: tax.TaxesFrom(r.Rows("shipping")),
	}
	t.ExemptShipping, _ = r.Money("exemptShipping")
	return t
}

// taxRecord is the tax of l as a record of lineTaxFields.
func (l *Line) taxRecord() collection.Record {
	return collection.Record{"amount": l.Tax, "included": l.TaxIncluded, "rates": l.Taxes.Records()}
}

func (l *Line) readTaxes(r collection.Record) {
	l.Tax, _ = r.Money("amount")
	l.TaxIncluded, l.Taxes = r.Bool("included"), tax.TaxesFrom(r.Rows("rates"))
}

// lineTaxFields declares the taxes of a line, TaxFields those of a sale.
var (
	lineTaxFields = []collection.Field{
		{Name: "amount", Kind: collection.Money, NonNull: true, Currency: "currency", Doc: "All its taxes."},
		{Name: "included", Kind: collection.Boolean, NonNull: true, Doc: "Whether the total contains them; else they are added to it."},
		{Name: "rates", Kind: collection.Array, Fields: tax.AmountFields, Doc: "The taxes of each rate."},
	}
	TaxFields = []collection.Field{
		{Name: "amount", Kind: collection.Money, NonNull: true, Currency: "currency", Doc: "All taxes of lines and shipping."},
		{Name: "included", Kind: collection.Boolean, NonNull: true, Doc: "Whether the prices contain them; else the total is the prices and the taxes."},
		{Name: "estimated", Kind: collection.Boolean, NonNull: true, Doc: "Whether they may change: they are those of the market's country, since no address was known, or the shop's rates stand in until its tax service is asked."},
		{
			Name: "source", Kind: collection.Select, Options: tax.Sources, OmitMissing: true,
			Doc: "Who computed them: table are the shop's tax rates, service its tax service, fallback its tax rates since the service gave no answer. Left out in sales of older versions and of other systems.",
		},
		{Name: "rates", Kind: collection.Array, Fields: tax.AmountFields, Doc: "The taxes of each rate, of lines and shipping together."},
		{Name: "shipping", Kind: collection.Array, Fields: tax.AmountFields, Doc: "The part of them that shipping has."},
		{
			Name: "exemptShipping", Kind: collection.Money, Currency: "currency",
			Doc: "The part of shipping that is free of taxes, as exempt goods are; null for none.",
		},
	}
)

// TaxField declares Taxes in a sale.
var TaxField = collection.Field{
	Name: "taxes", Kind: collection.Group, OmitMissing: true, Fields: TaxFields, Doc: "The taxes; left out where none are computed.",
}
