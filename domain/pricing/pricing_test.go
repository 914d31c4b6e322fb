package pricing_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/shipping"
)

var now = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

// to is the destination with a postal code; nil for none.
func to(code string) *shipping.Destination {
	if code == "" {
		return nil
	}
	return &shipping.Destination{PostalCode: code}
}

func krw(n int64) money.Money { return money.Of(n, "KRW") }

func dec(text string) money.Decimal {
	d, err := money.ParseDecimal(text)
	if err != nil {
		panic(err)
	}
	return d
}

func line(product string, quantity, price int64) pricing.Line {
	return pricing.Line{
		ID: "l-" + product, Variant: "v-" + product, Product: product, Quantity: quantity, UnitPrice: krw(price), RequiresShipping: true,
	}
}

func digital(product string, quantity, price int64) pricing.Line {
	l := line(product, quantity, price)
	l.RequiresShipping = false
	return l
}

func code(d discount.Discount) discount.RequestedCode {
	d.Active = true
	if d.Currency == "" {
		d.Currency = "KRW"
	}
	return discount.RequestedCode{Code: d.Code, Discount: &d}
}

func percent(c, value string, combinable bool) discount.RequestedCode {
	return code(discount.Discount{ID: c, Code: c, Type: discount.Percentage, Value: dec(value), Combinable: combinable})
}

func fixed(c, value string, combinable bool) discount.RequestedCode {
	return code(discount.Discount{ID: c, Code: c, Type: discount.FixedAmount, Value: dec(value), Combinable: combinable})
}

func standard() *shipping.Policy {
	return &shipping.Policy{
		ID: "standard", Currency: "KRW", BaseFee: krw(3000), FreeThreshold: new(krw(50_000)),
		Zones: []shipping.Zone{{Name: "jeju", Ranges: []shipping.Range{{From: "63000", To: "63644"}}, ExtraFee: krw(3000)}},
	}
}

func input(lines ...pricing.Line) pricing.Input {
	return pricing.Input{Currency: "KRW", Lines: lines, DefaultPolicy: standard(), Now: now}
}

// seen is what a test compares: sums, then the total of each line, then each code's amount or reason.
type seen struct {
	subtotal, discount, total int64
	lines                     []int64
	codes                     []any
}

func observe(t pricing.Totals) seen {
	s := seen{subtotal: t.Subtotal.Minor, discount: t.Discount.Minor, total: t.Total.Minor}
	for _, l := range t.Lines {
		s.lines = append(s.lines, l.Total.Minor)
	}
	for _, c := range t.Codes {
		if c.Applied {
			s.codes = append(s.codes, c.Amount.Minor)
		} else {
			s.codes = append(s.codes, c.Reason)
		}
	}
	return s
}

func (s seen) equal(o seen) bool {
	return s.subtotal == o.subtotal && s.discount == o.discount && s.total == o.total && slices.Equal(s.lines, o.lines) &&
		slices.Equal(s.codes, o.codes)
}

func TestTotals(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []pricing.Line
		codes []discount.RequestedCode
		want  seen
	}{
		"an empty order costs nothing": {want: seen{}},
		"unit price times quantity adds up": {
			lines: []pricing.Line{line("a", 2, 10_000), line("b", 1, 500)},
			want:  seen{subtotal: 20_500, total: 20_500, lines: []int64{20_000, 500}},
		},
		"a percentage is rounded once and spread by largest remainder": {
			lines: []pricing.Line{line("a", 1, 333), line("b", 1, 333), line("c", 1, 334)},
			codes: []discount.RequestedCode{percent("P", "10.05", false)},
			// 33.63 33.63 33.73: c gets the first odd unit, a the second
			want: seen{subtotal: 1000, discount: 101, total: 899, lines: []int64{299, 300, 300}, codes: []any{int64(101)}},
		},
		"each combinable code works on what is left": {
			lines: []pricing.Line{line("a", 1, 10_000)},
			codes: []discount.RequestedCode{percent("P", "50", true), percent("Q", "50", true)},
			want:  seen{subtotal: 10_000, discount: 7500, total: 2500, lines: []int64{2500}, codes: []any{int64(5000), int64(2500)}},
		},
		"list order matters": {
			lines: []pricing.Line{line("a", 1, 10_000)},
			codes: []discount.RequestedCode{fixed("F", "1000", true), percent("P", "50", true)},
			want:  seen{subtotal: 10_000, discount: 5500, total: 4500, lines: []int64{4500}, codes: []any{int64(1000), int64(4500)}},
		},
		"a code beside an applied one that does not combine is refused": {
			lines: []pricing.Line{line("a", 1, 10_000)},
			codes: []discount.RequestedCode{percent("P", "10", false), percent("Q", "10", true)},
			want: seen{
				subtotal: 10_000, discount: 1000, total: 9000, lines: []int64{9000}, codes: []any{int64(1000), "discount_not_combinable"},
			},
		},
		"a code that does not combine is refused beside an applied one": {
			lines: []pricing.Line{line("a", 1, 10_000)},
			codes: []discount.RequestedCode{percent("P", "10", true), percent("Q", "10", false)},
			want: seen{
				subtotal: 10_000, discount: 1000, total: 9000, lines: []int64{9000}, codes: []any{int64(1000), "discount_not_combinable"},
			},
		},
		"an unusable code does not prevent others": {
			lines: []pricing.Line{line("a", 1, 10_000)},
			codes: []discount.RequestedCode{{Code: "NO", Refusal: discount.ErrNotFound}, percent("Q", "10", false)},
			want: seen{
				subtotal: 10_000, discount: 1000, total: 9000, lines: []int64{9000}, codes: []any{"discount_not_found", int64(1000)},
			},
		},
		"a refusal of its own comes before not combinable": {
			lines: []pricing.Line{line("a", 1, 10_000)},
			codes: []discount.RequestedCode{percent("P", "10", false), {Code: "NO"}},
			want: seen{
				subtotal: 10_000, discount: 1000, total: 9000, lines: []int64{9000}, codes: []any{int64(1000), "discount_not_found"},
			},
		},
		"totals never fall below zero": {
			lines: []pricing.Line{line("a", 1, 400), line("b", 1, 600)},
			codes: []discount.RequestedCode{fixed("F", "5000", true), fixed("G", "5000", true)},
			want:  seen{subtotal: 1000, discount: 1000, lines: []int64{0, 0}, codes: []any{int64(1000), int64(0)}},
		},
		"the minimum looks at the whole subtotal, not at what is left": {
			lines: []pricing.Line{line("a", 1, 10_000)},
			codes: []discount.RequestedCode{percent("P", "90", true), code(discount.Discount{
				Code: "M", Type: discount.FixedAmount, Value: dec("100"), MinOrder: new(krw(10_000)), Combinable: true,
			})},
			want: seen{subtotal: 10_000, discount: 9100, total: 900, lines: []int64{900}, codes: []any{int64(9000), int64(100)}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := input(c.lines...)
			in.Codes = c.codes
			got, err := pricing.Compute(in)
			if err != nil || !observe(got).equal(c.want) {
				t.Fatalf("got %+v, %v\nwant %+v", observe(got), err, c.want)
			}
		})
	}
}

func TestShipping(t *testing.T) {
	t.Parallel()
	own := &shipping.Policy{ID: "own", Currency: "KRW", BaseFee: krw(5000)}
	special := line("c", 1, 1000)
	special.ShippingPolicy = own
	freeShipping := code(discount.Discount{Code: "SHIP", Type: discount.FreeShipping})
	for name, c := range map[string]struct {
		lines    []pricing.Line
		codes    []discount.RequestedCode
		postal   string
		applies  bool
		shipping *int64
		total    int64
	}{
		"is unknown until there is a postal code": {lines: []pricing.Line{line("a", 1, 1000)}, applies: true, total: 1000},
		"adds the base fee": {
			lines: []pricing.Line{line("a", 1, 1000)}, postal: "06236", applies: true, shipping: new(int64(3000)), total: 4000,
		},
		"adds the zone": {
			lines: []pricing.Line{line("a", 1, 1000)}, postal: "63001", applies: true, shipping: new(int64(6000)), total: 7000,
		},
		"does not apply when nothing ships": {lines: []pricing.Line{digital("a", 1, 1000)}, postal: "06236", total: 1000},
		"counts shipping lines only toward the threshold": {
			lines: []pricing.Line{line("a", 1, 49_999), digital("b", 1, 10_000)}, postal: "06236", applies: true,
			shipping: new(int64(3000)), total: 62_999,
		},
		"is free when the threshold is reached exactly": {
			lines: []pricing.Line{line("a", 1, 50_000)}, postal: "06236", applies: true, shipping: new(int64(0)), total: 50_000,
		},
		"looks at the threshold after discounts": {
			lines: []pricing.Line{line("a", 1, 50_000)}, codes: []discount.RequestedCode{fixed("F", "1", false)}, postal: "06236",
			applies: true, shipping: new(int64(3000)), total: 52_999,
		},
		"takes a line's own policy": {
			lines: []pricing.Line{special}, postal: "06236", applies: true, shipping: new(int64(5000)), total: 6000,
		},
		"takes the highest base fee once": {
			lines: []pricing.Line{line("a", 1, 1000), special}, postal: "06236", applies: true, shipping: new(int64(5000)), total: 7000,
		},
		"is waived by a free-shipping code but for the zone": {
			lines: []pricing.Line{line("a", 1, 1000)}, codes: []discount.RequestedCode{freeShipping}, postal: "63644", applies: true,
			shipping: new(int64(3000)), total: 4000,
		},
		"is not waived by a free-shipping code that is unused": {
			lines: []pricing.Line{line("a", 1, 1000)}, codes: []discount.RequestedCode{percent("P", "0", false), freeShipping},
			postal: "06236", applies: true, shipping: new(int64(3000)), total: 4000,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := input(c.lines...)
			in.Codes, in.To = c.codes, to(c.postal)
			got, err := pricing.Compute(in)
			if err != nil {
				t.Fatal(err)
			}
			if got.RequiresShipping != c.applies || got.Total.Minor != c.total {
				t.Errorf("applies %v total %d, want %v %d", got.RequiresShipping, got.Total.Minor, c.applies, c.total)
			}
			if (got.Shipping == nil) != (c.shipping == nil) || got.Shipping != nil && got.Shipping.Minor != *c.shipping {
				t.Errorf("shipping %v, want %v", got.Shipping, c.shipping)
			}
			if (got.Quote == nil) != (got.Shipping == nil) {
				t.Error("quote and shipping come together")
			}
		})
	}
}

func TestAppliedCodeCarriesDiscount(t *testing.T) {
	t.Parallel()
	in := input(line("a", 1, 1000))
	in.Codes = []discount.RequestedCode{code(discount.Discount{ID: "d", Code: "SHIP", Type: discount.FreeShipping}), {Code: "NO"}}
	got, err := pricing.Compute(in)
	if err != nil {
		t.Fatal(err)
	}
	ship, none := got.Codes[0], got.Codes[1]
	if !ship.Applied || !ship.FreeShipping || ship.Discount.ID != "d" || ship.Refusal != nil || ship.Reason != "" || ship.Code != "SHIP" {
		t.Errorf("applied code: %+v", ship)
	}
	if none.Applied || none.Discount != nil || !errors.Is(none.Refusal, discount.ErrNotFound) || none.Amount != krw(0) {
		t.Errorf("refused code: %+v", none)
	}
}

func TestUnpriceableOrderIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*pricing.Input)
		want   error
	}{
		"a line beyond all bounds": {
			func(in *pricing.Input) { in.Lines[0].UnitPrice, in.Lines[0].Quantity = krw(money.Max), 2 }, money.ErrOutOfRange,
		},
		"a sum beyond all bounds":      {func(in *pricing.Input) { in.Lines[0].UnitPrice = krw(money.Max) }, money.ErrOutOfRange},
		"no policy at all":             {func(in *pricing.Input) { in.DefaultPolicy = nil }, shipping.ErrUnavailable},
		"a policy in another currency": {func(in *pricing.Input) { in.DefaultPolicy.Currency = "USD" }, shipping.ErrUnavailable},
		"an invalid postal code":       {func(in *pricing.Input) { in.To = to("1234") }, shipping.ErrPostalCode},
		"a discount that cannot be read": {
			func(in *pricing.Input) { in.Codes = []discount.RequestedCode{fixed("F", "0.5", false)} }, money.ErrTooManyDigits,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := input(line("a", 1, 1000), line("b", 1, 1))
			in.To = to("06236")
			c.change(&in)
			if _, err := pricing.Compute(in); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

func TestTheLargestOrderIsPriced(t *testing.T) {
	t.Parallel()
	got, err := pricing.Compute(input(digital("a", 1, money.Max)))
	if err != nil || got.Total.Minor != money.Max {
		t.Errorf("got %v, %v", got.Total, err)
	}
}

func TestOfferLine(t *testing.T) {
	t.Parallel()
	o := pricing.Offer{
		Product: "p", Variant: "v", Categories: []string{"c"}, RequiresShipping: true, UnitPrice: krw(5), CompareAt: krw(6),
		Policy: standard(), Stock: inventory.Level{OnHand: 1},
	}
	l := o.Line("id", 3)
	if l.ID != "id" || l.Product != "p" || l.Variant != "v" || l.Quantity != 3 || l.UnitPrice != krw(5) || l.CompareAt != krw(6) ||
		!l.RequiresShipping || l.ShippingPolicy != o.Policy || l.Categories[0] != "c" {
		t.Errorf("got %+v", l)
	}
}
