package offers_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/money"
)

func TestPriceFactsOnlyWithExplain(t *testing.T) {
	t.Parallel()
	s := open(t)
	variants := []string{"shirt-s", "shirt-l", "old-1"}
	for _, market := range []string{"", "jp"} {
		plain, reads, err := s.ask(offers.Request{Variants: variants, Market: market})
		if err != nil {
			t.Fatal(err)
		}
		told, more, err := s.ask(offers.Request{Variants: variants, Market: market, Explain: true})
		if err != nil || more != reads {
			t.Fatalf("%d reads, unasked %d, %v", more, reads, err)
		}
		for _, id := range variants {
			o := told.Offers[id]
			if plain.Offers[id].PriceFacts != nil || (o.PriceFacts == nil) != (id == "old-1") {
				t.Fatalf("%s: unasked %v, asked %v", id, plain.Offers[id].PriceFacts, o.PriceFacts)
			}
			if o.PriceFacts == nil {
				continue
			}
			if p, err := catalog.ResolvePrice(*o.PriceFacts); err != nil || p.Amount != o.UnitPrice ||
				o.UnitPrice != plain.Offers[id].UnitPrice {
				t.Errorf("%s in %q: its facts make %v, %v, and it costs %v", id, market, p.Amount, err, o.UnitPrice)
			}
		}
	}
}

func TestRequestedPolicyReplacesDefault(t *testing.T) {
	t.Parallel()
	s := open(t)
	for policy, want := range map[string]string{"": "standard", "bulky": "bulky", "nobody's": ""} {
		f, reads, err := s.ask(offers.Request{Shipping: true, Policy: policy})
		got := ""
		if f.Policy != nil {
			got = f.Policy.ID
		}
		if err != nil || got != want || reads > 2 {
			t.Errorf("%q gives %q after %d reads, %v", policy, got, reads, err)
		}
	}
	f, _, err := s.ask(offers.Request{Shipping: true, Policy: "standard", Variants: []string{"shirt-s"}})
	if err != nil || f.Policy.ID != "standard" || f.Offers["shirt-s"].Policy.ID != "bulky" {
		t.Errorf("a product keeps its own: %+v, %v", f, err)
	}
}

func TestForeignCurrencyNeedsAMarket(t *testing.T) {
	t.Parallel()
	s := open(t)
	f, _, err := s.ask(offers.Request{Variants: []string{"shirt-s"}, Currency: "USD"})
	if o := f.Offers["shirt-s"]; err != nil || f.Currency != "USD" || o.Sellable || o.UnitPrice != money.Of(0, "USD") {
		t.Errorf("got %+v, %v", f, err)
	}
	if f, _, err = s.ask(offers.Request{Variants: []string{"shirt-s"}, Currency: "USD", Market: "jp"}); err != nil || f.Currency != "JPY" {
		t.Errorf("a market's currency counts: %+v, %v", f, err)
	}
}
