package tax_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/domain/money"
	. "github.com/cartwright-dev/cartwright/domain/tax"
)

// usd is an amount of a rate in cents.
func usd(name, percent string, base, amount int64) Amount {
	return Amount{Rate: name, Name: name, Country: "US", Percent: dec(percent), Base: money.Of(base, "USD"), Amount: money.Of(amount, "USD")}
}

// asked is a sale of two lines and shipping, with an answer that is right.
func asked() (Rules, Sale, Answer) {
	fee := money.Of(500, "USD")
	s := Sale{
		Currency: "USD", Shipping: &fee, Place: Place{Country: "US", Province: "CA"}, At: now,
		Items: []Item{{Key: "a", Amount: money.Of(2000, "USD"), Quantity: 1}, {Key: "b", Amount: money.Of(1000, "USD"), Quantity: 2}},
	}
	return Rules{Mode: Added, Country: "KR", Outside: true}, s, Answer{
		Source: Service, Total: 200 + 100 + 50 + 1, Shipping: Taxes{usd("state", "10", 500, 50)},
		Lines: []LineTaxes{{"b", Taxes{usd("state", "10", 1000, 100), usd("town", "0.1", 1000, 1)}}, {"a", Taxes{usd("state", "10", 2000, 200)}}},
	}
}

// Rule taxes-14.
func TestAnswersOfServicesAreChecked(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Rules, *Sale, *Answer){
		"a line is missing":               func(_ *Rules, _ *Sale, a *Answer) { a.Lines = a.Lines[:1] },
		"a line is unknown":               func(_ *Rules, _ *Sale, a *Answer) { a.Lines[0].Key = "c" },
		"a line is there twice":           func(_ *Rules, _ *Sale, a *Answer) { a.Lines[0] = a.Lines[1] },
		"a line is too many":              func(_ *Rules, _ *Sale, a *Answer) { a.Lines = append(a.Lines, LineTaxes{Key: "c"}) },
		"the total is another":            func(_ *Rules, _ *Sale, a *Answer) { a.Total++ },
		"a rate is there twice":           func(_ *Rules, _ *Sale, a *Answer) { a.Lines[0].Taxes[1] = a.Lines[0].Taxes[0] },
		"a tax is below 0":                func(_ *Rules, _ *Sale, a *Answer) { a.Lines[1].Taxes[0].Amount.Minor = -200 },
		"a base is below 0":               func(_ *Rules, _ *Sale, a *Answer) { a.Lines[1].Taxes[0].Base.Minor = -2000 },
		"a base is more than the line":    func(_ *Rules, _ *Sale, a *Answer) { a.Lines[1].Taxes[0] = usd("state", "10", 2003, 200) },
		"a tax is not its percentage":     func(_ *Rules, _ *Sale, a *Answer) { a.Lines[1].Taxes[0] = usd("state", "10", 2000, 202) },
		"a percentage is above 100":       func(_ *Rules, _ *Sale, a *Answer) { a.Lines[1].Taxes[0] = usd("state", "101", 2000, 2020) },
		"a percentage is below 0":         func(_ *Rules, _ *Sale, a *Answer) { a.Lines[1].Taxes[0] = usd("state", "-1", 2000, 0) },
		"a tax of nothing":                func(_ *Rules, _ *Sale, a *Answer) { a.Lines[1].Taxes[0] = usd("state", "10", 0, 1) },
		"a rate has no name":              func(_ *Rules, _ *Sale, a *Answer) { a.Lines[1].Taxes[0].Name = "" },
		"a country is none":               func(_ *Rules, _ *Sale, a *Answer) { a.Lines[1].Taxes[0].Country = "usa" },
		"another currency":                func(_ *Rules, _ *Sale, a *Answer) { a.Lines[1].Taxes[0].Amount.Currency = "KRW" },
		"shipping that there is not":      func(_ *Rules, s *Sale, _ *Answer) { s.Shipping = nil },
		"exempt goods":                    func(_ *Rules, s *Sale, _ *Answer) { s.Items[0].Class = Exempt },
		"a tax too large to add up":       func(_ *Rules, _ *Sale, a *Answer) { a.Lines[1].Taxes[0] = usd("x", "100", 2*money.Max, 2*money.Max) },
		"included taxes above the prices": func(r *Rules, s *Sale, a *Answer) { r.Mode = Included; *a = tooMuch(s) },
		"thousands of rates":              func(_ *Rules, _ *Sale, a *Answer) { a.Shipping = slices.Repeat(Taxes{usd("x", "0", 1, 0)}, 31) },
	} {
		rules, s, answer := asked()
		change(&rules, &s, &answer)
		if _, err := rules.Check(s, answer); !errors.Is(err, ErrImplausible) {
			t.Errorf("%s: %v", name, err)
		}
	}
	rules, s, answer := asked()
	got, err := rules.Check(s, answer)
	if err != nil || got.Lines[0].Key != "a" || got.Lines[1].Key != "b" || got.Total != answer.Total {
		t.Errorf("a right answer: %+v %v", got, err)
	}
}

// tooMuch is an answer whose taxes are right one by one and together more than the first line costs, which includes them.
func tooMuch(s *Sale) Answer {
	s.Shipping = nil
	return Answer{Total: 2001, Lines: []LineTaxes{
		{"a", Taxes{usd("state", "100", 1000, 1000), usd("town", "100", 1000, 1001)}}, {"b", nil},
	}}
}

// A sale whose taxes a service computes is refused until it was asked about exactly this sale. Rules taxes-13, taxes-15.
func TestAServiceIsAskedAboutExactlyTheSale(t *testing.T) {
	t.Parallel()
	rules, s, answer := asked()
	_, err := rules.Compute(s)
	need, ok := errors.AsType[*Unanswered](err)
	if !ok || !errors.Is(err, ErrUnavailable) {
		t.Fatalf("unasked: %v", err)
	}
	answer, err = rules.Check(need.Sale, answer)
	if err != nil {
		t.Fatal(err)
	}
	known := rules.WithKnown(Known{{Question: *need, Answer: answer}})
	got, err := known.Compute(s)
	if err != nil || got.Source != Service || got.Estimated || got.Total.Minor != answer.Total || got.Lines[0].Sum() != 200 || len(got.Rates) != 2 {
		t.Errorf("asked: %+v %v", got, err)
	}
	later := s
	later.At = now.AddDate(0, 0, 1)
	if _, err := known.Compute(later); err != nil {
		t.Errorf("a moment later: %v", err)
	}
	for name, change := range map[string]func(*Sale, *Rules){
		"another amount":        func(s *Sale, _ *Rules) { s.Items[0].Amount.Minor++ },
		"another quantity":      func(s *Sale, _ *Rules) { s.Items[0].Quantity++ },
		"another class":         func(s *Sale, _ *Rules) { s.Items[0].Class = Reduced },
		"one line less":         func(s *Sale, _ *Rules) { s.Items = s.Items[:1] },
		"no shipping":           func(s *Sale, _ *Rules) { s.Shipping = nil },
		"another fee":           func(s *Sale, _ *Rules) { fee := money.Of(501, "USD"); s.Shipping = &fee },
		"another street":        func(s *Sale, _ *Rules) { s.Place.Street = "1 Main Street" },
		"another buyer":         func(s *Sale, _ *Rules) { s.Buyer.TaxID = "US-1" },
		"prices with the taxes": func(_ *Sale, r *Rules) { r.Mode = Included },
	} {
		_, other, _ := asked()
		by := *known
		change(&other, &by)
		if _, err := by.Compute(other); !errors.Is(err, ErrUnavailable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Rules taxes-6, taxes-13.
func TestNothingIsAskedAboutSalesWithoutTaxes(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Sale){
		"an exempt buyer":        func(s *Sale) { s.Exempt = true },
		"a sale without a price": func(s *Sale) { s.Items, s.Shipping = []Item{{Key: "a", Amount: money.Of(0, "USD")}}, nil },
	} {
		rules, s, _ := asked()
		change(&s)
		if got, err := rules.Compute(s); err != nil || !got.Total.IsZero() || got.Source != Table || got.Estimated {
			t.Errorf("%s: %+v %v", name, got, err)
		}
	}
}

// Rule taxes-16.
func TestCartsEstimateByTheTable(t *testing.T) {
	t.Parallel()
	rules, s, _ := asked()
	rules.Rates = []Rate{rate("California", "US/CA/S", "7.25", 1)}
	got, err := rules.Estimated().Compute(s)
	if err != nil || !got.Estimated || got.Source != Table || got.Total.Minor != 145+73+36 {
		t.Errorf("%+v %v", got, err)
	}
	rules.Outside = false
	if got, err = rules.Estimated().Compute(s); err != nil || got.Estimated {
		t.Errorf("by the table alone: %+v %v", got, err)
	}
}

// Rule taxes-17.
func TestTheTableStandsInWhereItHasRates(t *testing.T) {
	t.Parallel()
	rules := Rules{Country: "KR", Rates: []Rate{rate("California", "US/CA/S", "7.25", 1)}}
	for place, want := range map[Place]bool{
		{Country: "US", Province: "CA"}: true, {Country: "us", Province: "ca"}: true, {Country: "US", Province: "OR"}: false, {}: false,
	} {
		if rules.Covers(place, now) != want {
			t.Errorf("%+v: %v", place, !want)
		}
	}
}

// What the table says passes the check that the answers of services have to pass. Rules taxes-3, taxes-14.
func TestAnswersOfTheTableAreRight(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rules, s := anyRules(t), anySale(t)
		for i := range rules.Rates {
			rules.Rates[i].Name = rules.Rates[i].ID
			rules.Rates[i].Percent = money.DecimalFromE8(rules.Rates[i].Percent.E8() / 4)
		}
		answer, err := rules.Answer(s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := rules.Check(s, answer); err != nil {
			t.Fatalf("%v: %+v", err, answer)
		}
	})
}
