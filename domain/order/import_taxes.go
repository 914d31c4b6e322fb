package order

import (
	"fmt"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// unknownRate is the name of taxes whose rates an imported order does not say.
const unknownRate = "Tax"

// importRateFields declare tax.Amount in an imported order.
var importRateFields = func() []collection.Field {
	fields := slices.Clone(tax.AmountFields)
	for i := range fields {
		if fields[i].Kind != collection.Text {
			fields[i].Min = collection.Bound(0)
		}
		fields[i].Required = fields[i].Name == "amount"
	}
	return fields
}()

// importTaxField declares the taxes of an imported order, importLineTaxField those of a line.
var (
	importTaxField = collection.Field{
		Name: "taxes", Kind: collection.Group, Doc: "Its taxes, as they were computed there; none when left out.", Fields: []collection.Field{
			amount("amount", "All taxes of lines and shipping. Where no line says its taxes they are spread by value."),
			{Name: "included", Kind: collection.Boolean, Doc: "Whether the prices contain them; they are added to the total when left out."},
			{
				Name: "shipping", Kind: collection.Array, Fields: importRateFields,
				Doc: "The part that shipping has, by rate, if known; it is what the lines leave.",
			},
			amount("exemptShipping", "The part of shipping that is free of taxes; 0 when left out."),
		},
	}
	importLineTaxField = collection.Field{
		Name: "taxes", Kind: collection.Group, Doc: "Its taxes, as part of those of the order.", Fields: []collection.Field{
			amount("amount", "All its taxes."),
			{Name: "rates", Kind: collection.Array, Fields: importRateFields, Doc: "The same by rate, if known."},
		},
	}
)

// readTaxes reads the taxes of the order and its lines, and adds those that are added to the total.
func (x *importer) readTaxes() {
	o, in := &x.o, x.in.Group("taxes")
	all, given := in.Money("amount")
	if !given {
		if x.toldByLines() || saysAnything(in) {
			x.problemf("taxes.amount", "This field is required.")
		}
		return
	}
	o.Taxes = &sale.Taxes{Amount: all, Included: in.Bool("included"), ExemptShipping: x.money(in, "exemptShipping")}
	if o.Taxes.ExemptShipping.Minor > o.Shipping.Minor {
		x.problemf("taxes.exemptShipping", "No more of shipping than it cost is free of taxes.")
	}
	ofShipping := x.readLineTaxes(all.Minor)
	taxable := o.Shipping.Minor - o.Taxes.ExemptShipping.Minor
	if ofShipping < 0 || ofShipping > 0 && taxable <= 0 || o.Taxes.Included && ofShipping > taxable {
		x.problemf("taxes.amount", "The taxes are not those of the lines and of shipping.")
		return
	}
	o.Taxes.Shipping = x.ratesOf(in.Rows("shipping"), "taxes.shipping", money.Of(taxable, o.Currency), ofShipping)
	for i := range o.Lines {
		o.Taxes.Rates = o.Taxes.Rates.Plus(o.Lines[i].Taxes)
	}
	o.Taxes.Rates = o.Taxes.Rates.Plus(o.Taxes.Shipping)
	o.Total = o.Total.Plus(money.Of(o.Taxes.Added(), o.Currency))
}

// readLineTaxes reads the taxes of the lines and returns what is left of all for shipping, in minor units.
func (x *importer) readLineTaxes(all int64) (left int64) {
	rows, told, shares := x.in.Rows("lines"), x.toldByLines(), x.sharesByValue(all)
	left = all
	for i := range x.o.Lines {
		l, at := &x.o.Lines[i], fmt.Sprintf("lines.%d.taxes", i)
		of, in := money.Of(shares[i], x.o.Currency), rows[i].Group("taxes")
		if told {
			of = x.money(in, "amount")
		}
		_, given := in.Money("amount")
		switch {
		case saysAnything(in) && !given:
			x.problemf(at+".amount", "This field is required.")
			continue
		case l.TaxFree() && of.Minor > 0:
			x.problemf(at+".amount", "A line of exempt goods has no taxes.")
		case x.o.Taxes.Included && of.Minor > l.Total.Minor:
			x.problemf(at+".amount", "A line contains no more taxes than it costs.")
		}
		l.Tax, l.TaxIncluded = of, x.o.Taxes.Included
		l.Taxes = x.ratesOf(in.Rows("rates"), at+".rates", l.Total, of.Minor)
		left -= of.Minor
	}
	return left
}

// toldByLines reports whether a line says anything of its taxes.
func (x *importer) toldByLines() bool {
	return slices.ContainsFunc(x.in.Rows("lines"), func(r collection.Record) bool { return saysAnything(r.Group("taxes")) })
}

func saysAnything(group collection.Record) bool {
	for _, v := range group {
		if v != nil {
			return true
		}
	}
	return false
}

// sharesByValue splits taxes over the lines and the part of shipping that are not exempt, by what they cost.
func (x *importer) sharesByValue(all int64) []int64 {
	weights := make([]int64, len(x.o.Lines), len(x.o.Lines)+1)
	for i := range x.o.Lines {
		if !x.o.Lines[i].TaxFree() {
			weights[i] = x.o.Lines[i].Total.Minor
		}
	}
	return money.Allocate(all, append(weights, max(0, x.o.Shipping.Minor-x.o.Taxes.ExemptShipping.Minor)))
}

// ratesOf are the taxes of rows, which come to want minor units of what costs price; without rows they are of a rate that is not known.
func (x *importer) ratesOf(rows []collection.Record, at string, price money.Money, want int64) tax.Taxes {
	rates := tax.TaxesFrom(rows)
	switch {
	case len(rows) == 0 && want == 0:
		return nil
	case len(rows) == 0:
		base := price
		if x.o.Taxes.Included {
			base = price.Minus(money.Of(want, price.Currency))
		}
		return tax.Taxes{{Name: unknownRate, Base: base, Amount: money.Of(want, price.Currency)}}
	case rates.Sum() != want:
		x.problemf(at, "The total is %s, not %s.", money.Of(want, price.Currency).Major(), money.Of(rates.Sum(), price.Currency).Major())
	}
	for i := range rates {
		rates[i].Base = money.Of(rates[i].Base.Minor, price.Currency)
	}
	return rates
}
