package pricing_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

func vat(mode tax.Mode) *tax.Rules {
	return &tax.Rules{Mode: mode, Country: "KR", Rates: []tax.Rate{{
		ID: "vat", Name: "VAT", Country: "KR", Classes: []tax.Class{tax.Standard}, Percent: money.DecimalOf(10), Shipping: true,
	}}}
}

// Rule taxes-3.
func TestTotalsHaveTheAddedTaxes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change     func(*pricing.Input)
		total, tax int64
	}{
		"included":                {func(in *pricing.Input) { in.Taxes = vat(tax.Included) }, 14_000, 1_273},
		"added":                   {func(in *pricing.Input) { in.Taxes = vat(tax.Added) }, 15_400, 1_400},
		"added, without address":  {func(in *pricing.Input) { in.Taxes, in.To = vat(tax.Added), nil }, 12_100, 1_100},
		"an exempt buyer":         {func(in *pricing.Input) { in.Taxes, in.TaxExempt = vat(tax.Added), true }, 14_000, 0},
		"exempt goods":            {func(in *pricing.Input) { in.Taxes, in.Lines[0].TaxClass = vat(tax.Added), tax.Exempt }, 14_400, 400},
		"rounded as the shop is":  {func(in *pricing.Input) { in.Taxes, in.Rounding = vat(tax.Included), money.Down }, 14_000, 1_271},
		"rounded by its own mode": {func(in *pricing.Input) { in.Taxes = vat(tax.Included); in.Taxes.Rounding = money.Down }, 14_000, 1_271},
	} {
		in := input(line("mug", 2, 5_000), line("cup", 1, 1_000))
		in.Lines[0].TaxClass, in.Lines[1].TaxClass, in.To = tax.Standard, tax.Standard, to("06000")
		c.change(&in)
		got, x, err := pricing.Explain(in)
		if err != nil || got.Total != krw(c.total) || got.Taxes.Total != krw(c.tax) || x.Taxes.Result.Total != krw(c.tax) {
			t.Errorf("%s: %+v %v", name, got, err)
			continue
		}
		sum := got.Taxes.Shipping.Sum()
		for i, l := range got.Lines {
			sum += l.Tax.Minor
			if l.TaxIncluded != (in.Taxes.Mode == tax.Included) || x.Lines[i].Tax != l.Tax {
				t.Errorf("%s: %+v", name, l)
			}
		}
		if sum != c.tax {
			t.Errorf("%s: the lines come to %d", name, sum)
		}
		if r := x.Record(); r.Group("taxes") == nil || r.Rows("lines")[0]["taxes"] == nil {
			t.Errorf("%s is not explained: %v", name, r)
		}
	}
}

// Rule taxes-1.
func TestSalesWithoutTaxesSayNothingOfThem(t *testing.T) {
	t.Parallel()
	in := input(line("mug", 2, 5_000))
	in.Place, in.TaxExempt = tax.Place{Country: "KR"}, true
	got, x, err := pricing.Explain(in)
	if err != nil || got.Taxes != nil || x.Taxes != nil || got.Lines[0].Tax != (money.Money{}) || got.Total != krw(10_000) {
		t.Errorf("%+v %+v %v", got, x, err)
	}
	r := x.Record()
	if _, there := r["taxes"]; there {
		t.Error(r)
	}
	if _, there := r.Rows("lines")[0]["taxes"]; there {
		t.Error(r)
	}
}
