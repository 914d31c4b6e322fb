package pricing_test

import (
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/shipping"
)

// recount recomputes an order from its explanation alone.
type recount struct {
	x         pricing.Explanation
	left, off map[string]int64 // by line: what it costs after the codes so far, and what they took off
	discount  int64
}

func (r *recount) money(minor int64) money.Money { return money.Of(minor, r.x.Currency) }

func (r *recount) lines() error {
	for _, l := range r.x.Lines {
		if p := l.Price; p.Exact != nil {
			n, err := r.x.Rounding.Round(new(big.Rat).Quo(p.Exact, new(big.Rat).SetInt64(p.Increment.Minor)))
			if err != nil || n*p.Increment.Minor != p.Amount.Minor {
				return fmt.Errorf("line %s: %v in steps of %v is not %v", l.ID, p.Exact, p.Increment, p.Amount)
			}
		}
		r.left[l.ID] = l.Price.Amount.Minor * l.Quantity
		agreed := l.Agreed.Minor
		if agreed < 0 || agreed > r.left[l.ID] {
			return fmt.Errorf("line %s: %v are agreed off %d", l.ID, l.Agreed, r.left[l.ID])
		}
		if l.Subtotal != r.money(r.left[l.ID]) {
			return fmt.Errorf("line %s: %d of %v are not %v", l.ID, l.Quantity, l.Price.Amount, l.Subtotal)
		}
		r.left[l.ID], r.off[l.ID], r.discount = r.left[l.ID]-agreed, agreed, r.discount+agreed
	}
	return nil
}

func (r *recount) code(c pricing.CodeExplanation) error {
	applied := true
	for _, check := range c.How.Checks {
		applied = applied && check.Passed
	}
	if applied != c.Applied || c.Applied == (c.Reason != "") {
		return fmt.Errorf("applied %v after %v", c.Applied, c.How.Checks)
	}
	if !applied {
		if c.Amount.Minor != 0 || c.Lines != nil || c.How.Exact != nil {
			return errors.New("a code that is not applied has numbers")
		}
		return nil
	}
	amount, err := r.amount(c)
	if err != nil || amount != c.Amount.Minor {
		return fmt.Errorf("%d is not %v, %w", amount, c.Amount, err)
	}
	weights := make([]int64, len(c.Lines))
	for i, l := range c.Lines {
		if weights[i] = l.Remaining.Minor; weights[i] != r.left[l.ID] {
			return fmt.Errorf("line %s costs %d, not %v", l.ID, r.left[l.ID], l.Remaining)
		}
	}
	for i, part := range money.Allocate(amount, weights) {
		l := c.Lines[i]
		if l.Share != r.money(part) {
			return fmt.Errorf("line %s bears %d, not %v", l.ID, part, l.Share)
		}
		r.left[l.ID] -= part
		r.off[l.ID] += part
		r.discount += part
	}
	return nil
}

// amount is the smallest of the rounded value, the cap and the cost of the lines.
func (r *recount) amount(c pricing.CodeExplanation) (int64, error) {
	base := int64(0)
	for _, l := range c.Lines {
		base += l.Remaining.Minor
	}
	if c.How.Base != r.money(base) {
		return 0, fmt.Errorf("the lines cost %d, not %v", base, c.How.Base)
	}
	exact := new(big.Rat).Mul(c.How.Value.Rat(), new(big.Rat).SetInt64(base))
	switch c.How.Type {
	case discount.Percentage:
		exact.Mul(exact, big.NewRat(1, 100))
	case discount.FixedAmount:
		m, err := money.Parse(c.How.Value.String(), r.x.Currency)
		if err != nil {
			return 0, err
		}
		exact.SetInt64(m.Minor)
	default:
		exact.SetInt64(0)
	}
	amount, err := r.x.Rounding.Round(exact)
	if err != nil || exact.Cmp(c.How.Exact) != 0 || c.How.Rounded != r.money(amount) {
		return 0, fmt.Errorf("%v rounds to %d, not %v to %v, %w", exact, amount, c.How.Exact, c.How.Rounded, err)
	}
	if c.How.Cap != nil {
		amount = min(amount, c.How.Cap.Minor)
	}
	return min(amount, base), nil
}

func (r *recount) shipping() (int64, error) {
	s := r.x.Shipping
	if s == nil {
		return 0, nil
	}
	var amount, base, extra int64
	free := false
	for _, l := range r.x.Lines {
		if l.RequiresShipping {
			amount += r.left[l.ID]
		}
	}
	for _, c := range r.x.Codes {
		free = free || c.FreeShipping
	}
	for _, t := range s.How.Policies {
		reached := t.FreeThreshold != nil && amount >= t.FreeThreshold.Minor
		if t.Reached != reached || t.Free != (free || reached || t.BaseFee.Minor == 0) {
			return 0, fmt.Errorf("policy %s is free: %v", t.Policy, t.Free)
		}
		if !t.Free {
			base = max(base, t.BaseFee.Minor)
		}
		if !t.Waived {
			extra = max(extra, t.ExtraFee.Minor)
		}
	}
	if s.How.Amount != r.money(amount) || s.How.FreeCode != free || s.Quote.BaseFee != r.money(base) ||
		s.Quote.Surcharge != r.money(extra) || s.Quote.Total != r.money(base+extra) {
		return 0, fmt.Errorf("%d and %d are not %+v", base, extra, s)
	}
	return base + extra, nil
}

// totals are the recomputed sums.
func (r *recount) totals() (pricing.Totals, error) {
	t := pricing.Totals{}
	if err := r.lines(); err != nil {
		return t, err
	}
	for _, c := range r.x.Codes {
		if err := r.code(c); err != nil {
			return t, fmt.Errorf("code %s: %w", c.Code, err)
		}
	}
	subtotal, total := int64(0), int64(0)
	for _, l := range r.x.Lines {
		t.Lines = append(t.Lines, pricing.LineTotals{Subtotal: l.Subtotal, Discount: r.money(r.off[l.ID]), Total: r.money(r.left[l.ID]),
			Agreed: l.Agreed})
		if !reflect.DeepEqual(l.LineTotals, t.Lines[len(t.Lines)-1]) {
			return t, fmt.Errorf("line %s comes to %+v", l.ID, l.LineTotals)
		}
		subtotal, total = subtotal+l.Subtotal.Minor, total+r.left[l.ID]
	}
	ship, err := r.shipping()
	t.Subtotal, t.Discount, t.Total = r.money(subtotal), r.money(r.discount), r.money(total+ship)
	return t, err
}

// For any order, the explanation agrees with the totals and is enough to recompute them.
func TestExplanationAddsUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := anyOrder(t)
		want, err := pricing.Compute(in)
		if err != nil {
			t.Fatal(err)
		}
		got, x, err := pricing.Explain(in)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("explained it comes to %+v, %v", got, err)
		}
		r := recount{x: x, left: map[string]int64{}, off: map[string]int64{}}
		sums, err := r.totals()
		if err != nil || sums.Subtotal != want.Subtotal || sums.Discount != want.Discount || sums.Total != want.Total ||
			!reflect.DeepEqual(sums.Lines, want.Lines) {
			t.Fatalf("recounted it comes to %+v, %v\nof %+v", sums, err, x)
		}
		if x.Subtotal != want.Subtotal || x.Discount != want.Discount || x.Total != want.Total || len(x.Codes) != len(in.Codes) ||
			(x.Shipping == nil) != (want.Shipping == nil) {
			t.Fatalf("the explanation says %+v", x)
		}
	})
}

func TestExplanationNamesItsInputs(t *testing.T) {
	t.Parallel()
	in := input(line("a", 2, 10_000), digital("b", 2, 250))
	in.Market, in.Rounding, in.To = "m", money.Down, to("63001")
	in.Lines[0].PriceFacts = &catalog.PriceFacts{Base: catalog.Price{Amount: krw(10_000)}}
	in.Codes = []discount.RequestedCode{percent("P", "10", true), percent("Q", "10", false), {Code: "NO"}}
	in.Codes[0].Discount.Products = []string{"b"}
	_, x, err := pricing.Explain(in)
	if err != nil || x.Currency != "KRW" || x.Market != "m" || x.Rounding != money.Down || !x.At.Equal(now) {
		t.Fatalf("got %+v, %v", x, err)
	}
	a, b := x.Lines[0], x.Lines[1]
	if a.ID != "l-a" || a.Variant != "v-a" || a.Quantity != 2 || !a.RequiresShipping || a.Price.Source != catalog.PriceFixed ||
		a.Price.Base != krw(10_000) {
		t.Errorf("got %+v", a)
	}
	if b.RequiresShipping || !reflect.DeepEqual(b.Price, catalog.PriceExplanation{Source: catalog.PriceKept, Amount: krw(250)}) {
		t.Errorf("got %+v", b)
	}
	p, q, no := x.Codes[0], x.Codes[1], x.Codes[2]
	if p.Code != "P" || p.Discount != "P" || !p.Applied || p.Amount != krw(50) ||
		!reflect.DeepEqual(p.Lines, []pricing.CodeLine{{ID: "l-b", Variant: "v-b", Remaining: krw(500), Share: krw(50)}}) {
		t.Errorf("got %+v", p)
	}
	if last := q.How.Checks[len(q.How.Checks)-1]; q.Applied || q.Reason != "discount_not_combinable" ||
		last != (discount.Check{Rule: discount.RuleCombinable}) || q.Discount != "Q" {
		t.Errorf("got %+v", q)
	}
	if no.Discount != "" || no.Reason != "discount_not_found" || no.Code != "NO" {
		t.Errorf("got %+v", no)
	}
	if s := x.Shipping; s.To.PostalCode != "63001" || s.Quote.Total != krw(6000) || s.How.Policies[0].Policy != "standard" ||
		s.How.Policies[0].Zone != "jeju" {
		t.Errorf("got %+v", s)
	}
	in.Codes = []discount.RequestedCode{percent("P", "10", true), percent("Q", "10", true)}
	_, x, err = pricing.Explain(in)
	checks := x.Codes[1].How.Checks
	if err != nil || checks[len(checks)-1] != (discount.Check{Rule: discount.RuleCombinable, Passed: true}) ||
		len(x.Codes[0].How.Checks) != len(checks)-1 {
		t.Errorf("got %+v, %v", x.Codes, err)
	}
}

func TestUnpriceableOrderIsNotExplained(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*pricing.Input)
		want   error
	}{
		"no way to ship": {func(in *pricing.Input) { in.DefaultPolicy = nil }, shipping.ErrUnavailable},
		"price facts without a price": {func(in *pricing.Input) {
			in.Lines[0].PriceFacts = &catalog.PriceFacts{Base: catalog.Price{Amount: krw(1)}, Market: &catalog.Market{Currency: "JPY"}}
		}, catalog.ErrVariantUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := input(line("a", 1, 1000))
			in.To = to("06236")
			c.change(&in)
			if totals, x, err := pricing.Explain(in); !errors.Is(err, c.want) || !reflect.DeepEqual(totals, pricing.Totals{}) ||
				!reflect.DeepEqual(x, pricing.Explanation{}) {
				t.Errorf("got %+v, %+v, %v", totals, x, err)
			}
		})
	}
}
