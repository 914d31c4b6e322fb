package pricing_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
)

func wire(x pricing.Explanation) string {
	return string(collection.AppendGroup(nil, pricing.ExplanationFields, x.Record(), collection.View{}))
}

func TestAnExplanationOnTheWire(t *testing.T) {
	t.Parallel()
	in := input(line("a", 1, 999))
	in.Market, in.To = "m", to("63001")
	in.Lines[0].PriceFacts = &catalog.PriceFacts{
		Base: catalog.Price{Amount: money.Of(111, "USD")}, Discount: dec("10"),
		Market: &catalog.Market{ID: "m", Currency: "KRW", Rate: dec("1000"), Adjustment: dec("0.005"), Increment: dec("9")},
	}
	in.Codes = []discount.RequestedCode{code(discount.Discount{
		ID: "d", Code: "T", Type: discount.Tiered, MaxAmount: new(krw(100)),
		Tiers: []discount.Tier{{From: krw(9), Type: discount.Percentage, Value: dec("12.5")}},
	}), {Code: "NO"}}
	_, x, err := pricing.Explain(in)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		`{"currency":"KRW","rounding":"half_up","market":"m","pricedAt":"2026-01-31T09:00:00.000Z"`,
		`"lines":[{"line":"l-a","variant":"v-a","quantity":1,"requiresShipping":true`,
		`"price":{"source":"computed","base":1.11,"baseCurrency":"USD","productDiscount":10,"exchangeRate":1000,"adjustmentPercent":0.005,"roundingIncrement":9,"unrounded":"999.04995","amount":999}`,
		`"subtotal":999,"discount":100,"agreedDiscount":0,"total":899}]`,
		`"discountCodes":[{"code":"T","discount":"d","applied":true,"reason":null`,
		`"rules":[{"rule":"known","passed":true,"got":null,"wanted":null},{"rule":"active","passed":true,"got":null,"wanted":null}`,
		`{"rule":"currency","passed":true,"got":"KRW","wanted":"KRW"},{"rule":"applicable","passed":true,"got":null,"wanted":null},{"rule":"tiers","passed":true,"got":"999","wanted":"9"}]`,
		`"type":"percentage","value":12.5,"tierFrom":9,"eligible":999,"unrounded":"124.875","rounded":125,"cap":100,"amount":100,"freeShipping":false`,
		`"lines":[{"line":"l-a","variant":"v-a","eligible":999,"share":100}]}`,
		`{"code":"NO","discount":null,"applied":false,"reason":"discount_not_found","rules":[{"rule":"known","passed":false,"got":null,"wanted":null}]`,
		`"type":null,"value":null,"tierFrom":null,"eligible":null,"unrounded":null,"rounded":null,"cap":null,"amount":0,"freeShipping":false,"lines":[]}]`,
		`"shipping":{"country":null,"province":null,"postalCode":"63001","amount":899,"freeShippingCode":false`,
		`"policies":[{"policy":"standard","baseFee":3000,"freeFrom":50000,"reached":false,"free":false,"zone":"jeju","rangeFrom":"63000","rangeTo":"63644","extraFee":3000,"waived":false}]`,
		`"baseFee":3000,"surcharge":3000,"zone":"jeju","total":6000}`,
		`"totals":{"subtotal":999,"discount":100,"total":6899}}`,
	}, ",")
	if got := wire(x); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := wire(pricing.Explanation{
		Currency: "USD", Rounding: money.Down,
	}); !strings.HasPrefix(got, `{"currency":"USD","rounding":"down","market":null,`) || strings.Contains(got, "shipping") {
		t.Errorf("of nothing: %s", got)
	}
}

func TestExplanationRecordKeepsEveryNumber(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		_, x, err := pricing.Explain(anyOrder(t))
		if err != nil {
			t.Fatal(err)
		}
		declared(t, "", pricing.ExplanationFields, x.Record())
	})
}

// declared reports members that no field declares, and required ones that are missing.
func declared(t *rapid.T, at string, fields []collection.Field, r collection.Record) {
	for name := range r {
		if !slices.ContainsFunc(fields, func(f collection.Field) bool { return f.Name == name }) {
			t.Errorf("%s%s is not declared", at, name)
		}
	}
	for _, f := range fields {
		v := r[f.Name]
		if f.Required && !f.OmitMissing && v == nil {
			t.Errorf("%s%s is missing", at, f.Name)
		}
		switch v := v.(type) {
		case collection.Record:
			declared(t, at+f.Name+".", f.Fields, v)
		case []collection.Record:
			for _, row := range v {
				declared(t, at+f.Name+".", f.Fields, row)
			}
		}
	}
}
