package tax_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/money"
	. "github.com/cartwright-dev/cartwright/domain/tax"
)

func dec(text string) money.Decimal {
	d, err := money.ParseDecimal(text)
	if err != nil {
		panic(err)
	}
	return d
}

// rate is a rate for goods of classes, by their first letters, and for shipping: "KR//SRZ" is for a country,
// "US/CA/S" for a province.
func rate(name, place, percent string, priority int64) Rate {
	p := strings.Split(place, "/")
	r := Rate{ID: name, Name: name, Country: p[0], Province: p[1], Percent: dec(percent), Priority: priority, Shipping: true}
	for _, c := range Classes {
		if strings.Contains(p[2], strings.ToUpper(c[:1])) {
			r.Classes = append(r.Classes, Class(c))
		}
	}
	return r
}

func line(c Class, major string, currency money.Currency) Item {
	m, err := money.Parse(major, currency)
	if err != nil {
		panic(err)
	}
	return Item{Class: c, Amount: m}
}

// worked is an example of a public authority or of its published rule.
type worked struct {
	source string // of the rates and of how they are rounded
	rules  Rules
	sale   Sale
	want   string // by rate: name, base and tax; then all
}

var (
	korea = []Rate{rate("부가세", "KR//S", "10", 1)}
	japan = []Rate{rate("10%", "JP//S", "10", 1), rate("8%", "JP//R", "8", 1)}
	dhl   = money.Of(490, "EUR")
	mwst  = []Rate{rate("MwSt. 19 %", "DE//S", "19", 1), rate("MwSt. 7 %", "DE//R", "7", 1)}
	ups   = money.Of(1000, "USD")
)

func examples() map[string]worked {
	california := []Rate{rate("California", "US/CA/S", "7.25", 1), rate("Los Angeles", "US/CA/S", "2.5", 2)}
	california[0].Shipping, california[1].Shipping = false, false
	california[1].From, california[1].To = "90001", "90899"
	texas := []Rate{rate("Texas", "US/TX/S", "6.25", 1), rate("Austin", "US/TX/S", "1", 2), rate("Austin MTA", "US/TX/S", "1", 3)}
	canada := []Rate{rate("GST", "CA//S", "5", 1), rate("PST", "CA/BC/S", "7", 2), rate("QST", "CA/QC/S", "9.975", 2), rate("HST", "CA/ON/S", "13", 1)}
	old := []Rate{rate("GST", "CA//S", "5", 1), rate("QST", "CA/QC/S", "9.5", 2)}
	old[1].Compound = true
	to := func(country, province, code string) Place {
		return Place{Country: country, Province: province, PostalCode: code}
	}
	return map[string]worked{
		"Korea: the supply is ten elevenths of the price, exempt goods have no tax": {
			"부가가치세법 제29조 제7항 (공급가액 = 금액 × 100/110), 제30조 (10 %), 제26조 (면세)",
			Rules{Mode: Included, Country: "KR", Rates: korea, Rounding: money.HalfUp},
			Sale{Currency: "KRW", Items: []Item{line(Standard, "11000", "KRW"), line(Exempt, "5000", "KRW"), line(Standard, "9900", "KRW")}},
			"부가세 19000 1900; 1900",
		},
		"Japan: each rate is rounded once for an invoice, here down": {
			"消費税法施行令 第70条の10, 国税庁 インボイス制度 Q&A 問57 (税率ごとに1回の端数処理)",
			Rules{Mode: Included, PerTotal: true, Country: "JP", Rates: japan, Rounding: money.Down},
			Sale{Currency: "JPY", Items: []Item{
				line(Reduced, "108", "JPY"), line(Reduced, "129", "JPY"), line(Reduced, "105", "JPY"), line(Standard, "199", "JPY"),
				line(Standard, "199", "JPY"),
			}},
			"8% 317 25; 10% 362 36; 61",
		},
		"Japan: rounding each line, which the rule does not allow, comes to less": {
			"国税庁 インボイス制度 Q&A 問57",
			Rules{Mode: Included, Country: "JP", Rates: japan, Rounding: money.Down},
			Sale{Currency: "JPY", Items: []Item{
				line(Reduced, "108", "JPY"), line(Reduced, "129", "JPY"), line(Reduced, "105", "JPY"), line(Standard, "199", "JPY"),
				line(Standard, "199", "JPY"),
			}},
			"8% 318 24; 10% 362 36; 60",
		},
		"Germany: shipping is taxed as the goods are": {
			"UStG § 12 (19 % und 7 %), UStAE 3.10 Abs. 5 (Nebenleistung)",
			Rules{Mode: Included, Shipping: Proportional, Country: "DE", Rates: mwst},
			Sale{Currency: "EUR", Items: []Item{line(Standard, "119.00", "EUR"), line(Reduced, "21.40", "EUR")}, Shipping: &dhl},
			"MwSt. 19 % 10349 1966; MwSt. 7 % 2070 145; 2111",
		},
		"California: state and district add up, separately stated shipping is not taxed": {
			"CDTFA Publication 44 (shipping), California City & County Sales & Use Tax Rates (7.25 % and districts)",
			Rules{Mode: Added, Rates: california},
			Sale{Currency: "USD", Items: []Item{line(Standard, "100.00", "USD")}, Shipping: &ups, Place: to("US", "CA", "90012-1234")},
			"California 10000 725; Los Angeles 10000 250; 975",
		},
		"California outside the district": {
			"California City & County Sales & Use Tax Rates",
			Rules{Mode: Added, Rates: california},
			Sale{Currency: "USD", Items: []Item{line(Standard, "19.99", "USD")}, Place: to("US", "CA", "95814")},
			"California 1999 145; 145",
		},
		"Texas: shipping of taxable goods is taxable": {
			"Texas Tax Code § 151.007 (delivery is part of the price), Comptroller 94-105 (8.25 % at most)",
			Rules{Mode: Added, Rates: texas},
			Sale{Currency: "USD", Items: []Item{line(Standard, "50.00", "USD")}, Shipping: &ups, Place: to("US", "TX", "78701")},
			"Texas 6000 376; Austin 6000 60; Austin MTA 6000 60; 496",
		},
		"British Columbia: GST and PST, both on the price": {
			"CRA GI-123, BC Bulletin PST 001",
			Rules{Mode: Added, Rates: canada},
			Sale{Currency: "CAD", Items: []Item{line(Standard, "89.50", "CAD")}, Place: to("CA", "BC", "V6B 1A1")},
			"GST 8950 448; PST 8950 627; 1075",
		},
		"Quebec: QST is due on the price since 2013": {
			"Revenu Québec, Basic Rules for Applying the GST/HST and QST (9.975 %)",
			Rules{Mode: Added, Rates: canada},
			Sale{Currency: "CAD", Items: []Item{line(Standard, "100.00", "CAD")}, Place: to("CA", "QC", "H2Y 1C6")},
			"GST 10000 500; QST 10000 998; 1498",
		},
		"Quebec before: QST was due on GST, too": {
			"Revenu Québec, QST rates before 2013 (9.5 % on the price with GST)",
			Rules{Mode: Added, Rates: old},
			Sale{Currency: "CAD", Items: []Item{line(Standard, "100.00", "CAD")}, Place: to("CA", "QC", "")},
			"GST 10000 500; QST 10500 998; 1498",
		},
		"Ontario: HST takes the place of GST": {
			"CRA, GST/HST calculator and rates (13 %)",
			Rules{Mode: Added, Rates: canada},
			Sale{Currency: "CAD", Items: []Item{line(Standard, "100.00", "CAD")}, Place: to("CA", "on", "")},
			"HST 10000 1300; 1300",
		},
	}
}

// Rules taxes-7, payments-68.
func TestShippingOfExemptGoodsIsExempt(t *testing.T) {
	t.Parallel()
	fee := money.Of(100, "KRW")
	goods := []Item{line(Exempt, "200", "KRW"), line(Standard, "100", "KRW")}
	for name, c := range map[string]struct {
		shipping string
		fee      *money.Money
		want     int64
	}{
		"taxed as standard goods":   {"", &fee, 0},
		"of a class":                {string(Zero), &fee, 0},
		"exempt":                    {string(Exempt), &fee, 100},
		"in proportion":             {Proportional, &fee, 67},
		"nothing ships":             {string(Exempt), nil, 0},
		"nothing ships of any kind": {Proportional, nil, 0},
	} {
		for _, exempt := range []bool{false, true} {
			got, err := (Rules{Mode: Included, Shipping: c.shipping}).Compute(Sale{Currency: "KRW", Items: goods, Shipping: c.fee, Exempt: exempt, At: now})
			if err != nil || got.ExemptShipping != money.Of(c.want, "KRW") {
				t.Errorf("%s: %v %v, want %d", name, got.ExemptShipping, err, c.want)
			}
		}
	}
}

// Rule taxes-9.
func TestWorkedExamplesOfPublicRules(t *testing.T) {
	t.Parallel()
	for name, c := range examples() {
		c.sale.At = now
		got, err := c.rules.Compute(c.sale)
		if err != nil || c.source == "" {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var text strings.Builder
		for _, a := range got.Rates {
			fmt.Fprintf(&text, "%s %d %d; ", a.Name, a.Base.Minor, a.Amount.Minor)
		}
		fmt.Fprint(&text, got.Total.Minor)
		if text.String() != c.want {
			t.Errorf("%s (%s):\n got %s\nwant %s", name, c.source, text.String(), c.want)
		}
	}
}

// Rule taxes-2.
func TestTheMostSpecificRateOfALayerApplies(t *testing.T) {
	t.Parallel()
	rates := []Rate{
		rate("country", "US//S", "1", 1), rate("state", "US/CA/S", "2", 1), rate("codes", "US//S", "3", 1), rate("town", "US/CA/S", "4", 1),
		rate("old", "US/NV/S", "5", 1), rate("new", "US/NV/S", "6", 1), rate("over", "US/UT/S", "7", 1), rate("other", "CA//S", "8", 1),
	}
	rates[2].From, rates[2].To = "8", "9"
	rates[3].From = "90012"
	rates[5].Since = now
	rates[6].Until = now
	for place, want := range map[[3]string]string{
		{"US", "OR", "12345"}: "country", {"us", "OR", ""}: "country", {"US", "CA", ""}: "state", {"US", "OR", "97035"}: "codes",
		{"US", "CA", "90012"}: "town", {"US", "CA", "90013"}: "codes", {"US", "NV", "12345"}: "new", {"US", "UT", "12345"}: "country",
		{"CA", "CA", "90012"}: "other", {"DE", "", "90012"}: "", {}: "country",
	} {
		r := Rules{Mode: Added, Country: "US", Rates: rates}
		got, err := r.Compute(Sale{
			Currency: "USD", Items: []Item{line(Standard, "10", "USD")}, At: now,
			Place: Place{Country: place[0], Province: place[1], PostalCode: place[2]},
		})
		if err != nil || len(got.Rates) > 1 || (len(got.Rates) == 0) != (want == "") || want != "" && got.Rates[0].Name != want {
			t.Errorf("%v: %+v %v, want %s", place, got.Rates, err, want)
		}
		if got.Estimated != (place == [3]string{}) {
			t.Errorf("%v is estimated: %v", place, got.Estimated)
		}
	}
}

// Rules taxes-1, taxes-6.
func TestWhoAndWhatIsNotTaxed(t *testing.T) {
	t.Parallel()
	rates := []Rate{rate("vat", "KR//SRZ", "10", 1)}
	for name, c := range map[string]struct {
		class  Class
		exempt bool
		want   int
	}{"a standard good": {Standard, false, 1}, "a good of no class": {"", false, 1}, "an exempt good": {Exempt, false, 0},
		"an exempt buyer": {Standard, true, 0}} {
		nothing := money.Of(0, "KRW")
		got, err := (Rules{Mode: Added, Country: "KR", Shipping: Proportional, Rates: rates}).Compute(Sale{
			Currency: "KRW", Items: []Item{line(c.class, "100", "KRW")}, Shipping: &nothing, Exempt: c.exempt, At: now,
		})
		if err != nil || len(got.Rates) != c.want || got.Added().Minor != int64(10*c.want) {
			t.Errorf("%s: %+v %v", name, got, err)
		}
	}
	if _, err := (Rules{Mode: Added, Country: "KR", Rates: slices.Repeat(rates, 1)}).Compute(Sale{
		Currency: "KRW", Items: slices.Repeat([]Item{{Class: Standard, Amount: money.Of(money.Max, "KRW")}}, 11), At: now,
	}); err == nil {
		t.Error("eleven times a tenth of the largest amount is no refusal")
	}
}
