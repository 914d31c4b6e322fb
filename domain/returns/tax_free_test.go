package returns_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	. "github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// bookAndMug is an order of a tax-free book and a taxed mug.
func bookAndMug() order.Order {
	return order.Order{Currency: "KRW", Lines: []order.Line{
		{Line: sale.Line{ID: "book", TaxClass: tax.Exempt}}, {Line: sale.Line{ID: "mug"}},
	}}
}

func TestReturnRefundsTheTaxFreePartOfItsLines(t *testing.T) {
	t.Parallel()
	krw := func(n int64) money.Money { return money.Of(n, "KRW") }
	for name, c := range map[string]struct {
		book, bookFee, mug, mugFee, shipping, wayBack int64
		want                                          int64
	}{
		"the book":                          {book: 20_000, want: 20_000},
		"the mug":                           {mug: 12_000, want: 0},
		"both":                              {book: 20_000, mug: 12_000, want: 20_000},
		"shipping is taxed":                 {book: 20_000, shipping: 3000, want: 20_000},
		"a restocking fee is of its line":   {book: 20_000, bookFee: 1000, mug: 12_000, mugFee: 500, want: 19_000},
		"the way back is paid by all lines": {book: 20_000, mug: 12_000, wayBack: 3200, want: 18_000},
		"by largest remainder":              {book: 20_000, mug: 10_000, wayBack: 2, want: 19_999},
		"of the book alone":                 {book: 20_000, wayBack: 2500, want: 17_500},
		"shipping pays for the way back":    {book: 20_000, shipping: 3000, wayBack: 21_000, want: 0},
		"nothing is refunded":               {book: 20_000, wayBack: 20_000, want: 0},
	} {
		r := Request{Currency: "KRW", Quote: Quote{
			Lines: []Line{
				{OrderLine: "book", LineRefund: krw(c.book), RestockingFee: krw(c.bookFee)},
				{OrderLine: "mug", LineRefund: krw(c.mug), RestockingFee: krw(c.mugFee)},
			},
			InitialShippingRefund: krw(c.shipping), RefundAmount: krw(c.book + c.mug + c.shipping - c.bookFee - c.mugFee - c.wayBack),
		}}
		if got := *(OrderReturns{Order: bookAndMug()}).RefundParts(r).TaxFree; got != krw(c.want) {
			t.Errorf("%s: %v, want %d", name, got, c.want)
		}
	}
}

// Goods without taxes have empty ones: nil would be the part of everything that is left.
//
// Rule taxes-8.
func TestTaxesOfExemptGoodsAreEmpty(t *testing.T) {
	t.Parallel()
	o := bookAndMug()
	zero := money.Of(0, "KRW")
	o.Lines[0].Total, o.Shipping, o.Taxes = money.Of(20_000, "KRW"), zero, &sale.Taxes{Rates: tax.Taxes{{Rate: "vat", Amount: money.Of(1091, "KRW")}}}
	r := Request{Currency: "KRW", Quote: Quote{
		Lines:                 []Line{{OrderLine: "book", LineRefund: money.Of(20_000, "KRW"), RestockingFee: zero}},
		InitialShippingRefund: zero, RefundAmount: money.Of(20_000, "KRW"),
	}}
	if got := (OrderReturns{Order: o}).RefundParts(r).Taxes; got == nil || len(got) != 0 {
		t.Errorf("%#v", got)
	}
}

// A fee for the way back takes the tax-free part and the taxes of the same goods: no refund is taxed and tax-free at once.
//
// Rules returns-17, taxes-8.
func TestFeeForTheWayBackIsSplitOnce(t *testing.T) {
	t.Parallel()
	krw := func(n int64) money.Money { return money.Of(n, "KRW") }
	vat := func(base, amount int64) tax.Taxes {
		return tax.Taxes{{Rate: "vat", Base: krw(base), Amount: krw(amount)}}
	}
	o := bookAndMug()
	o.Lines[0].Total, o.Lines[1].Total = krw(100), krw(220)
	o.Lines[1].Tax, o.Lines[1].TaxIncluded, o.Lines[1].Taxes = krw(20), true, vat(200, 20)
	o.Shipping, o.Total, o.Paid = krw(110), krw(430), krw(430)
	o.Taxes = &sale.Taxes{Included: true, Rates: vat(300, 30), Shipping: vat(100, 10)}
	for name, c := range map[string]struct{ book, mug, fee, taxFree, taxes int64 }{
		"shipping is left of a book":  {100, 0, 100, 0, 10},
		"half of shipping is left":    {100, 0, 155, 0, 5},
		"half of a book and shipping": {100, 0, 50, 50, 10},
		"half of both":                {100, 220, 160, 50, 20},
	} {
		r := Request{Currency: "KRW", Quote: Quote{
			Lines: []Line{
				{OrderLine: "book", LineRefund: krw(c.book), RestockingFee: krw(0)}, {OrderLine: "mug", LineRefund: krw(c.mug), RestockingFee: krw(0)},
			},
			InitialShippingRefund: krw(110), RefundAmount: krw(c.book + c.mug + 110 - c.fee),
		}}
		got := (OrderReturns{Order: o}).RefundParts(r)
		if *got.TaxFree != krw(c.taxFree) || got.Taxes.Sum() != c.taxes {
			t.Errorf("%s: %v tax-free and %v", name, got.TaxFree, got.Taxes)
		}
	}
}

// However the units of an order are returned, their refunds add up to exactly the tax-free part of the order.
func TestReturnsRefundExactlyTheTaxFreePart(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := anySale(t)
		for i := range s.Order.Lines {
			s.Order.Lines[i].TaxClass = rapid.SampledFrom([]tax.Class{tax.Standard, tax.Exempt}).Draw(t, "class")
		}
		c := s.Order.Currency
		s.Order.Taxes = &sale.Taxes{ExemptShipping: money.Of(rapid.Int64Range(0, s.Order.Shipping.Minor).Draw(t, "exempt shipping"), c)}
		all, shipping := money.Of(0, c), money.Of(0, c)
		for _, part := range parts(t, s) {
			q, err := ComputeQuote(s, inputCase{s}.of(part, rapid.Int64Range(0, s.ShippingLeft().Minor).Draw(t, "of shipping"), 0))
			if err != nil { // more of shipping than the policy gives back
				q, err = ComputeQuote(s, inputCase{s}.of(part, 0, 0))
			}
			if err != nil {
				t.Fatal(err)
			}
			all, shipping = all.Plus(*s.RefundParts(Request{Quote: q, Currency: c}).TaxFree), shipping.Plus(q.InitialShippingRefund)
			s = taken(s, q, Refunded)
		}
		kept := s.Order.ExemptShippingIn(shipping.Minor, s.Order.Shipping.Minor-shipping.Minor)
		if want := s.Order.TaxFree().Minus(kept); all != want {
			t.Fatalf("%v of %v", all, want)
		}
	})
}
