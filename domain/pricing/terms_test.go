package pricing_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/shipping"
)

func TestTermsOfALine(t *testing.T) {
	t.Parallel()
	mug := pricing.Offer{Variant: "v", Product: "p", UnitPrice: krw(10_000), CompareAt: krw(11_000), OnSale: true, Sellable: true}
	for name, c := range map[string]struct {
		terms                       *pricing.Terms
		quantity                    int64
		unit, compare, agreed, left int64
	}{
		"none":                                   {nil, 2, 10_000, 11_000, 0, 20_000},
		"a price below the catalog's":            {&pricing.Terms{UnitPrice: new(krw(8000))}, 2, 8000, 10_000, 0, 16_000},
		"a price above the catalog's":            {&pricing.Terms{UnitPrice: new(krw(12_000))}, 2, 12_000, 0, 0, 24_000},
		"for nothing":                            {&pricing.Terms{UnitPrice: new(krw(0))}, 2, 0, 10_000, 0, 0},
		"an amount off":                          {&pricing.Terms{DiscountAmount: new(krw(3000))}, 2, 10_000, 11_000, 3000, 17_000},
		"an amount off is at most what it costs": {&pricing.Terms{DiscountAmount: new(krw(30_000))}, 2, 10_000, 11_000, 20_000, 0},
		"percent off":                            {&pricing.Terms{DiscountPercent: dec("12.5")}, 1, 10_000, 11_000, 1250, 8750},
		"percent off, rounded once":              {&pricing.Terms{UnitPrice: new(krw(333)), DiscountPercent: dec("10")}, 3, 333, 10_000, 100, 899},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := input(mug.Under(c.terms).Line("l", c.quantity))
			got, err := pricing.Compute(in)
			if err != nil {
				t.Fatal(err)
			}
			l := in.Lines[0]
			if l.UnitPrice.Minor != c.unit || l.CompareAt.Minor != c.compare || got.Lines[0].Agreed.Minor != c.agreed ||
				got.Total.Minor != c.left || got.Discount.Minor != c.agreed {
				t.Errorf("unit %v compare %v, %+v", l.UnitPrice, l.CompareAt, got)
			}
			if c.terms != nil && (l.Terms.CatalogPrice == nil || *l.Terms.CatalogPrice != krw(10_000)) {
				t.Errorf("the catalog asks %v", l.Terms.CatalogPrice)
			}
		})
	}
}

func TestCodesComeAfterTerms(t *testing.T) {
	t.Parallel()
	l := line("a", 1, 10_000)
	l.Terms = &pricing.Terms{DiscountAmount: new(krw(4000))}
	in := input(l, line("b", 1, 4000))
	in.Codes = []discount.RequestedCode{percent("TEN", "10", false)}
	got, x, err := pricing.Explain(in)
	if err != nil || got.Discount != krw(5000) || got.Total != krw(9000) || got.Codes[0].Amount != krw(1000) || x.Lines[0].Agreed != krw(4000) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestWhatHasNoPriceIsSoldAtAnAgreedOne(t *testing.T) {
	t.Parallel()
	o := pricing.Offer{UnitPrice: krw(0), OnSale: true}
	if o.Under(&pricing.Terms{DiscountPercent: dec("10")}).Sellable {
		t.Error("a discount is no price")
	}
	got := o.Under(&pricing.Terms{UnitPrice: new(krw(500))})
	if !got.Sellable || got.CompareAt != (money.Money{}) || got.Terms.CatalogPrice != nil {
		t.Errorf("%+v", got)
	}
	o.OnSale = false
	if o.Under(&pricing.Terms{UnitPrice: new(krw(500))}).Sellable {
		t.Error("what is not on sale is not sold at any price")
	}
}

func TestAnAgreedPriceIsExplained(t *testing.T) {
	t.Parallel()
	o := pricing.Offer{UnitPrice: krw(1000), OnSale: true, Sellable: true, PriceFacts: &catalog.PriceFacts{}}
	_, x, err := pricing.Explain(input(o.Under(&pricing.Terms{UnitPrice: new(krw(500))}).Line("l", 1)))
	if err != nil || x.Lines[0].Price.Source != catalog.PriceAgreed || x.Lines[0].Price.Amount != krw(500) {
		t.Errorf("%+v, %v", x.Lines, err)
	}
}

func TestAChosenPolicyShipsEverything(t *testing.T) {
	t.Parallel()
	own := line("a", 1, 1000)
	own.ShippingPolicy = &shipping.Policy{ID: "bulky", Currency: "KRW", BaseFee: krw(9000)}
	in := input(own, line("b", 1, 1000))
	in.To, in.Policy = to("06236"), &shipping.Policy{ID: "express", Currency: "KRW", BaseFee: krw(5000)}
	got, err := pricing.Compute(in)
	if err != nil || *got.Shipping != krw(5000) {
		t.Errorf("%v, %v", got.Shipping, err)
	}
}
