package shipping_test

import (
	"errors"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/shipping"
)

var (
	seoul    = address.Address{PostalCode: "06236"}
	portland = address.Address{Country: "US", Province: "OR", PostalCode: "97201-1234"}
	honolulu = address.Address{Country: "US", Province: "HI", PostalCode: "96801"}
	tokyo    = address.Address{Country: "JP", Province: "13", PostalCode: "150-0001"}
	kowloon  = address.Address{Country: "HK", Province: "Kowloon"}
)

// abroad is a policy that ships to four countries, and costs more in three of them.
var abroad = policy(3000, func(p *shipping.Policy) {
	p.Countries = []string{"KR", "US", "JP", "HK"}
	p.Zones = append(p.Zones,
		shipping.Zone{Name: "far states", Countries: []string{"US"}, Provinces: []string{"AK", "HI"}, ExtraFee: krw(30_000)},
		shipping.Zone{Name: "pacific", Countries: []string{"US"}, Ranges: []shipping.Range{{From: "90", To: "97"}}, ExtraFee: krw(15_000)},
		shipping.Zone{Name: "shibuya", Countries: []string{"JP"}, Ranges: []shipping.Range{{From: "1500001", To: "1510073"}}, ExtraFee: krw(9000)},
		shipping.Zone{Name: "asia", Countries: []string{"JP", "HK"}, ExtraFee: krw(8000)})
})

func TestZonesMatchByCountryProvinceAndPostalCode(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		to   address.Address
		zone string
	}{
		"home":                              {seoul, ""},
		"a zone without countries is home":  {address.Address{PostalCode: "63001"}, "jeju"},
		"its codes abroad are others":       {address.Address{Country: "US", Province: "MN", PostalCode: "63001"}, ""},
		"a province":                        {honolulu, "far states"},
		"the beginning of a code":           {portland, "pacific"},
		"a code without what separates it":  {tokyo, "shibuya"},
		"the rest of a country":             {address.Address{Country: "JP", Province: "27", PostalCode: "530-0001"}, "asia"},
		"a country without postal codes":    {kowloon, "asia"},
		"a province of the same name":       {address.Address{Country: "JP", Province: "HI", PostalCode: "530-0001"}, "asia"},
		"a code before the first of a zone": {address.Address{Country: "US", Province: "CO", PostalCode: "80014"}, ""},
		"a code after the last":             {address.Address{Country: "US", Province: "WA", PostalCode: "98101"}, ""},
	} {
		q, err := shipping.Price(shipping.Shipment{
			Currency: "KRW", Amount: krw(1), Policies: []*shipping.Policy{abroad}, To: *shipping.To(c.to, "KR", nil),
		})
		if err != nil || q.Zone != c.zone {
			t.Errorf("%s: %+v, %v, want %q", name, q, err, c.zone)
		}
	}
}

func TestAShopShipsHomeUnlessItSaysOtherwise(t *testing.T) {
	t.Parallel()
	standard := policy(3000, nil)
	elsewhere := policy(3000, func(p *shipping.Policy) { p.Countries = []string{"US"} })
	for name, c := range map[string]struct {
		policy  *shipping.Policy
		to      address.Address
		home    string
		markets []string
		refused bool
	}{
		"home":                       {standard, seoul, "KR", nil, false},
		"home by its name":           {standard, address.Address{Country: "KR", PostalCode: "06236"}, "KR", nil, false},
		"abroad":                     {standard, portland, "KR", nil, true},
		"to the country of a market": {standard, portland, "KR", []string{"US"}, false},
		"home, from a market":        {standard, seoul, "KR", []string{"US"}, false},
		"elsewhere, from a market":   {standard, tokyo, "KR", []string{"US"}, true},
		"where a policy says":        {elsewhere, portland, "KR", nil, false},
		"not home, if it does not":   {elsewhere, seoul, "KR", nil, true},
		"from nowhere":               {standard, portland, "", nil, false},
		"from nowhere to nowhere":    {standard, seoul, "", []string{"US"}, false},
	} {
		_, err := shipping.Price(shipping.Shipment{
			Currency: "KRW", Amount: krw(1), Policies: []*shipping.Policy{c.policy}, To: *shipping.To(c.to, c.home, c.markets),
		})
		if c.refused != errors.Is(err, shipping.ErrUnavailable) || c.refused && fault.From(err).Data["country"] == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if to := shipping.To(address.Address{Country: "US", Province: "OR"}, "KR", nil); to != nil {
		t.Errorf("a price without a postal code: %+v", to)
	}
}

func TestZonesAbroadAreChecked(t *testing.T) {
	t.Parallel()
	zone := func(countries, provinces []string, from, to string) []collection.Record {
		return []collection.Record{{
			"name": "z", "countries": countries, "provinces": provinces, "ranges": []collection.Record{{"from": from, "to": to}},
		}}
	}
	got, err := shipping.Complete(nil, collection.Record{
		"countries": []string{"KR", "US"}, "zones": zone([]string{"US"}, []string{"Hawaii", "AK"}, "96", "96"),
	}, korean)
	if err != nil || got.Rows("zones")[0].Texts("provinces")[0] != "HI" || got.Rows("zones")[0].Texts("provinces")[1] != "AK" {
		t.Errorf("got %v, %v", got, err)
	}
	for field, next := range map[string]collection.Record{
		"countries.1":           {"countries": []string{"KR", "XX"}},
		"zones.0.countries.0":   {"zones": zone([]string{"XX"}, nil, "1", "2")},
		"zones.0.provinces.0":   {"zones": zone([]string{"US"}, []string{"13"}, "1", "2")},
		"zones.0.ranges.0.from": {"zones": zone([]string{"KR"}, nil, "1", "00002")},
		"zones.0.ranges.0.to":   {"zones": zone([]string{"US"}, nil, "97", "96")},
	} {
		if _, err := shipping.Complete(nil, next, korean); err == nil || fault.From(err).Fields[0].Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}
