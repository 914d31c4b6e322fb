package sale_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	. "github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

func class(taxFree bool) tax.Class {
	if taxFree {
		return tax.Exempt
	}
	return tax.Standard
}

func TestTaxFreeAmountIsWhatTaxFreeLinesCost(t *testing.T) {
	t.Parallel()
	krw := func(n int64) money.Money { return money.Of(n, "KRW") }
	line := func(taxFree bool, total money.Money) Line { return Line{TaxClass: class(taxFree), Total: total} }
	for name, c := range map[string]struct {
		lines []Line
		taxes *Taxes
		want  int64
	}{
		"no lines":               {nil, nil, 0},
		"taxed lines only":       {[]Line{line(false, krw(12000))}, nil, 0},
		"some":                   {[]Line{line(true, krw(20000)), line(false, krw(12000)), line(true, krw(1))}, nil, 20001},
		"all":                    {[]Line{line(true, krw(20000))}, nil, 20000},
		"after discounts":        {[]Line{{TaxClass: tax.Exempt, Subtotal: krw(20000), Discount: krw(500), Total: krw(19500)}}, nil, 19500},
		"not another currency's": {[]Line{line(true, money.Of(5, "USD")), line(true, krw(7))}, nil, 7},
		"with shipping":          {[]Line{line(true, krw(100))}, &Taxes{ExemptShipping: krw(30)}, 130},
		"of shipping elsewhere":  {[]Line{line(true, krw(100))}, &Taxes{ExemptShipping: money.Of(30, "USD")}, 100},
	} {
		if got := TaxFreeAmount("KRW", c.lines, c.taxes, func(l *Line) *Line { return l }); got != krw(c.want) {
			t.Errorf("%s: %v, want %d", name, got, c.want)
		}
	}
}

// What was sold before stays as it was, and lines of older versions were taxed.
func TestLineKeepsWhetherItIsTaxFree(t *testing.T) {
	t.Parallel()
	var l Line
	l.SetOffer(pricing.Offer{TaxClass: tax.Exempt})
	if r := l.Record(); LineFrom(r).TaxClass != tax.Exempt || r["taxClass"] != "exempt" {
		t.Errorf("%v", r)
	}
	older := l.Record()
	delete(older, "taxClass")
	if was := LineFrom(older); was.TaxFree() {
		t.Error("a line of an older version is tax-free")
	}
}

func TestTaxFreeAmountAllocatesNothing(t *testing.T) {
	lines := make([]Line, 200)
	for i := range lines {
		lines[i] = Line{TaxClass: class(i%2 == 0), Total: money.Of(1, "KRW")}
	}
	if n := testing.AllocsPerRun(10, func() { TaxFreeAmount("KRW", lines, nil, func(l *Line) *Line { return l }) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
