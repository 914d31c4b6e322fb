package discount_test

import (
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// checkExplanation compares an explanation with the result it explains: a refusal ends in the one rule that
// failed, and an amount is the smallest of its limits.
func checkExplanation(x discount.Explanation, r discount.Result, refusal error) error {
	for i, c := range x.Checks {
		if last := i == len(x.Checks)-1; !c.Passed && (!last || refusal == nil) {
			return fmt.Errorf("%s was missed, and it went on", c.Rule)
		}
	}
	if refusal != nil {
		if last := x.Checks[len(x.Checks)-1]; last.Passed && !errors.Is(refusal, money.ErrTooManyDigits) {
			return fmt.Errorf("refused, but the last check, %s, passed", last.Rule)
		}
		return nil
	}
	amount, shares, left := min(x.Rounded.Minor, x.Base.Minor), int64(0), int64(0)
	if x.Cap != nil {
		amount = min(amount, x.Cap.Minor)
	}
	for i, p := range x.Lines {
		shares, left = shares+p.Share.Minor, left+p.Remaining.Minor
		if p.Share != r.Shares[i] || !p.Eligible && (p.Remaining.Minor != 0 || p.Share.Minor != 0) || p.Share.Minor > p.Remaining.Minor {
			return fmt.Errorf("line %d bears %+v", i, p)
		}
	}
	if amount != r.Amount.Minor || shares != amount || left != x.Base.Minor || x.Rounded.Currency != r.Amount.Currency ||
		x.Base.Currency != r.Amount.Currency {
		return fmt.Errorf("%d of %d is not %v", shares, left, r.Amount)
	}
	return nil
}

func TestExplanationListsEveryRule(t *testing.T) {
	t.Parallel()
	everything := func(d *discount.Discount) {
		d.StartsAt, d.EndsAt, d.UsageLimit, d.PerCustomerLimit = now.Add(-time.Hour), now.Add(time.Hour), 3, 2
		d.Markets, d.MinOrder = []string{"kr", "jp"}, new(krw(10_000))
		d.Type, d.Tiers = discount.Tiered, []discount.Tier{
			{From: krw(9000), Type: discount.Percentage, Value: dec("33.333")},
			{From: krw(5000), Type: discount.FixedAmount, Value: dec("1")},
		}
	}
	passed := []discount.Check{
		{Rule: discount.RuleExists, Passed: true},
		{Rule: discount.RuleActive, Passed: true},
		{Rule: discount.RuleStart, Passed: true, Got: "2026-01-31T09:00:00.000Z", Wanted: "2026-01-31T08:00:00.000Z"},
		{Rule: discount.RuleEnd, Passed: true, Got: "2026-01-31T09:00:00.000Z", Wanted: "2026-01-31T10:00:00.000Z"},
		{Rule: discount.RuleUsageLimit, Passed: true, Got: "2", Wanted: "3"},
		{Rule: discount.RuleCustomerLimit, Passed: true, Got: "1", Wanted: "2"},
		{Rule: discount.RuleMarket, Passed: true, Got: "jp", Wanted: "kr jp"},
		{Rule: discount.RuleCurrency, Passed: true, Got: "KRW", Wanted: "KRW"},
		{Rule: discount.RuleMinimum, Passed: true, Got: "10000", Wanted: "10000"},
		{Rule: discount.RuleApplicable, Passed: true},
		{Rule: discount.RuleTier, Passed: true, Got: "10000", Wanted: "5000"},
	}
	inJapan := order(func(o *discount.Order) { o.Market, o.Now = "jp", now.In(time.FixedZone("KST", 9*3600)) })
	for i := range passed {
		candidate := discount.RequestedCode{Discount: tenth(everything), Uses: 2, CustomerUses: 1}
		d := candidate.Discount
		want := append([]discount.Check(nil), passed[:i+1]...)
		o := inJapan
		breakRule(&candidate, d, &o, &want[i])
		if want[i].Passed = i == 0; i == 0 {
			want = passed
		}
		if _, x, _ := discount.Explain(candidate, o); !reflect.DeepEqual(x.Checks, want) {
			t.Errorf("without %s:\ngot  %v\nwant %v", passed[i].Rule, x.Checks, want)
		}
	}
}

// breakRule changes the facts so that the rule of want fails, and want with them. It leaves the first rule as
// it is.
func breakRule(c *discount.RequestedCode, d *discount.Discount, o *discount.Order, want *discount.Check) {
	switch want.Rule {
	case discount.RuleActive:
		d.Active = false
	case discount.RuleStart:
		d.StartsAt, want.Wanted = now.Add(time.Hour), "2026-01-31T10:00:00.000Z"
	case discount.RuleEnd:
		d.EndsAt, want.Wanted = now, "2026-01-31T09:00:00.000Z"
	case discount.RuleUsageLimit:
		c.Uses, want.Got = 3, "3"
	case discount.RuleCustomerLimit:
		c.CustomerUses, want.Got = 2, "2"
	case discount.RuleMarket:
		o.Market, want.Got = "", ""
	case discount.RuleCurrency:
		o.Currency, want.Got = "USD", "USD"
	case discount.RuleMinimum:
		d.MinOrder, want.Wanted = new(krw(10_001)), "10001"
	case discount.RuleApplicable:
		d.Products = []string{"mug"}
	case discount.RuleTier:
		d.Tiers, want.Wanted = d.Tiers[:1], "20000"
		d.Tiers[0].From = krw(20_000)
	default:
	}
}

func TestUnsetRulesAreNotExplained(t *testing.T) {
	t.Parallel()
	_, x, err := discount.Explain(discount.RequestedCode{Discount: tenth(nil)}, order(nil))
	want := []discount.Check{
		{Rule: discount.RuleExists, Passed: true}, {Rule: discount.RuleActive, Passed: true}, {Rule: discount.RuleApplicable, Passed: true},
	}
	if err != nil || !reflect.DeepEqual(x.Checks, want) {
		t.Errorf("got %v, %v", x.Checks, err)
	}
	_, x, err = discount.Explain(discount.RequestedCode{Code: "X"}, order(nil))
	if !errors.Is(err, discount.ErrNotFound) ||
		!reflect.DeepEqual(x, discount.Explanation{Checks: []discount.Check{{Rule: discount.RuleExists}}}) {
		t.Errorf("got %+v, %v", x, err)
	}
	_, x, err = discount.Explain(discount.RequestedCode{Discount: tenth(func(d *discount.Discount) { d.Type = discount.Tiered })}, order(nil))
	last := x.Checks[len(x.Checks)-1]
	if !errors.Is(err, discount.ErrMinOrder) || last != (discount.Check{Rule: discount.RuleTier, Got: "10000"}) {
		t.Errorf("without tiers: %+v, %v", last, err)
	}
}

func TestExplanationShowsArithmetic(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		discount func(*discount.Discount)
		want     discount.Explanation
	}{
		"a percentage before and after rounding and its cap": {
			func(d *discount.Discount) {
				d.Value, d.MaxAmount, d.Products = dec("33.333"), new(krw(1000)), []string{"song"}
			},
			discount.Explanation{
				Base: krw(4000), Type: discount.Percentage, Value: dec("33.333"), Exact: big.NewRat(133332, 100), Rounded: krw(1333),
				Cap:   new(krw(1000)),
				Lines: []discount.LineShare{{Remaining: krw(0), Share: krw(0)}, {Eligible: true, Remaining: krw(4000), Share: krw(1000)}},
			},
		},
		"the tier that is reached": {
			func(d *discount.Discount) {
				d.Type, d.Tiers = discount.Tiered, []discount.Tier{{From: krw(1), Type: discount.FixedAmount, Value: dec("99999")}}
			},
			discount.Explanation{
				Base: krw(10_000), Type: discount.FixedAmount, Value: dec("99999"), From: new(krw(1)),
				Exact: big.NewRat(99999, 1), Rounded: krw(99999),
				Lines: []discount.LineShare{
					{Eligible: true, Remaining: krw(6000), Share: krw(6000)}, {Eligible: true, Remaining: krw(4000), Share: krw(4000)},
				},
			},
		},
		"free shipping takes nothing": {
			func(d *discount.Discount) { d.Type, d.Value = discount.FreeShipping, money.Decimal{} },
			discount.Explanation{
				Base: krw(6000), Type: discount.FreeShipping, Exact: new(big.Rat), Rounded: krw(0),
				Lines: []discount.LineShare{{Eligible: true, Remaining: krw(6000), Share: krw(0)}, {Remaining: krw(0), Share: krw(0)}},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, x, err := discount.Explain(discount.RequestedCode{Discount: tenth(c.discount)}, order(nil))
			if err != nil || x.Exact.Cmp(c.want.Exact) != 0 {
				t.Fatalf("got %+v, %v", x, err)
			}
			x.Checks, x.Exact = nil, c.want.Exact
			if !reflect.DeepEqual(x, c.want) {
				t.Errorf("got  %+v\nwant %+v", x, c.want)
			}
		})
	}
}

// The rules are checked for every code of every cart, so without an explanation they must not allocate.
func TestEvaluateDoesNotAllocate(t *testing.T) {
	bare := discount.RequestedCode{Discount: tenth(nil)}
	full := discount.RequestedCode{Discount: tenth(func(d *discount.Discount) {
		d.StartsAt, d.EndsAt, d.UsageLimit, d.PerCustomerLimit = now, now.Add(time.Hour), 3, 2
		d.Markets, d.MinOrder = []string{"kr"}, new(krw(1))
	})}
	o := order(func(o *discount.Order) { o.Market = "kr" })
	allocations := func(c discount.RequestedCode) (least float64) { // the race detector now and then empties pools
		for i := range 50 {
			n := testing.AllocsPerRun(1, func() {
				if _, err := discount.Evaluate(c, o); err != nil {
					t.Error(err)
				}
			})
			if i == 0 || n < least {
				least = n
			}
		}
		return least
	}
	if with, without := allocations(full), allocations(bare); with > without {
		t.Errorf("%v allocations with rules, %v without", with, without)
	}
}
