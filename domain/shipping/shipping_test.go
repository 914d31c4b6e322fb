package shipping_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

var korean = tenant.Settings{ID: "t", Country: "KR", Currency: "KRW", Locales: []string{"ko"}}

func krw(n int64) money.Money { return money.Of(n, "KRW") }

func policy(base int64, change func(*shipping.Policy)) *shipping.Policy {
	p := &shipping.Policy{Currency: "KRW", BaseFee: krw(base), Zones: []shipping.Zone{
		{Name: "jeju", Ranges: []shipping.Range{{From: "63000", To: "63644"}}, ExtraFee: krw(3000)},
		{Name: "islands", Ranges: []shipping.Range{{From: "40200", To: "40240"}, {From: "54000", To: "54000"}}, ExtraFee: krw(5000)},
	}}
	if change != nil {
		change(p)
	}
	return p
}

func TestPrice(t *testing.T) {
	t.Parallel()
	freeFrom := func(n int64) func(*shipping.Policy) {
		return func(p *shipping.Policy) { p.FreeThreshold = new(krw(n)) }
	}
	waived := func(p *shipping.Policy) { p.FreeThreshold = new(krw(0)); p.Zones[0].WaivedWhenFree = true }
	for name, c := range map[string]struct {
		policies []*shipping.Policy
		code     string
		amount   int64
		freeBase bool
		want     shipping.Quote
	}{
		"the mainland costs the base fee": {[]*shipping.Policy{policy(3000, nil)}, "06236", 100, false, shipping.Quote{BaseFee: krw(3000)}},
		"a zone costs extra": {
			[]*shipping.Policy{policy(3000, nil)}, "63000", 100, false,
			shipping.Quote{BaseFee: krw(3000), Surcharge: krw(3000), Zone: "jeju"},
		},
		"the last code of a zone belongs to it": {
			[]*shipping.Policy{policy(3000, nil)}, "63644", 100, false,
			shipping.Quote{BaseFee: krw(3000), Surcharge: krw(3000), Zone: "jeju"},
		},
		"the code after a zone does not":  {[]*shipping.Policy{policy(3000, nil)}, "63645", 100, false, shipping.Quote{BaseFee: krw(3000)}},
		"the code before a zone does not": {[]*shipping.Policy{policy(3000, nil)}, "62999", 100, false, shipping.Quote{BaseFee: krw(3000)}},
		"a later range of a zone counts": {
			[]*shipping.Policy{policy(3000, nil)}, "54000", 100, false,
			shipping.Quote{BaseFee: krw(3000), Surcharge: krw(5000), Zone: "islands"},
		},
		"the threshold is reached exactly": {
			[]*shipping.Policy{policy(3000, freeFrom(100))}, "06236", 100, false, shipping.Quote{Free: true},
		},
		"one unit below the threshold is not enough": {
			[]*shipping.Policy{policy(3000, freeFrom(101))}, "06236", 100, false, shipping.Quote{BaseFee: krw(3000)},
		},
		"a surcharge stays when the base fee is free": {
			[]*shipping.Policy{policy(3000, freeFrom(100))}, "63000", 100, false,
			shipping.Quote{Surcharge: krw(3000), Zone: "jeju", Free: true},
		},
		"a waivable surcharge is waived with the base fee": {
			[]*shipping.Policy{policy(3000, waived)}, "63000", 100, false, shipping.Quote{Free: true},
		},
		"a waivable surcharge is charged with the base fee": {
			[]*shipping.Policy{policy(3000, func(p *shipping.Policy) { p.Zones[0].WaivedWhenFree = true })}, "63000", 100, false,
			shipping.Quote{BaseFee: krw(3000), Surcharge: krw(3000), Zone: "jeju"},
		},
		"a code waives the base fee": {
			[]*shipping.Policy{policy(3000, nil)}, "63000", 100, true, shipping.Quote{Surcharge: krw(3000), Zone: "jeju", Free: true},
		},
		"a policy without a base fee is free": {[]*shipping.Policy{policy(0, nil)}, "06236", 100, false, shipping.Quote{Free: true}},
		"the highest base fee counts once": {
			[]*shipping.Policy{policy(3000, nil), policy(4000, nil), policy(3500, nil)}, "06236", 100, false,
			shipping.Quote{BaseFee: krw(4000)},
		},
		"a free policy does not count": {
			[]*shipping.Policy{policy(3000, nil), policy(9000, freeFrom(100))}, "06236", 100, false, shipping.Quote{BaseFee: krw(3000)},
		},
		"of two equal surcharges the first counts": {
			[]*shipping.Policy{policy(3000, nil), policy(3000, func(p *shipping.Policy) { p.Zones[0].Name = "other" })}, "63000", 100,
			false,
			shipping.Quote{BaseFee: krw(3000), Surcharge: krw(3000), Zone: "jeju"},
		},
		"the highest surcharge counts once": {[]*shipping.Policy{
			policy(3000, nil), policy(3000, func(p *shipping.Policy) { p.Zones[0].Name, p.Zones[0].ExtraFee = "far", krw(7000) }),
			policy(3000, nil),
		}, "63000", 100, false,
			shipping.Quote{BaseFee: krw(3000), Surcharge: krw(7000), Zone: "far"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.want.BaseFee.Currency, c.want.Surcharge.Currency = "KRW", "KRW"
			c.want.Total = c.want.BaseFee.Plus(c.want.Surcharge)
			parcel := shipping.Shipment{
				Currency: "KRW", Amount: krw(c.amount), Policies: c.policies, To: shipping.Destination{PostalCode: c.code}, BaseFeeWaived: c.freeBase,
			}
			got, err := shipping.Price(parcel)
			if err != nil || got != c.want {
				t.Errorf("got %+v, %v\nwant %+v", got, err, c.want)
			}
			explained, x, err := shipping.Explain(parcel)
			if err != nil || explained != got || recompute(x) != got {
				t.Errorf("explained as %+v by %+v, %v", explained, x, err)
			}
		})
	}
}

func TestUnshippableShipments(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		parcel shipping.Shipment
		want   error
	}{
		"no policy": {shipping.Shipment{Currency: "KRW", To: shipping.Destination{PostalCode: "06236"}}, shipping.ErrUnavailable},
		"a line without a policy": {
			shipping.Shipment{Currency: "KRW", To: shipping.Destination{PostalCode: "06236"}, Policies: []*shipping.Policy{policy(1, nil), nil}},
			shipping.ErrUnavailable,
		},
		"a policy in another currency": {
			shipping.Shipment{Currency: "USD", To: shipping.Destination{PostalCode: "06236"}, Policies: []*shipping.Policy{policy(1, nil)}},
			shipping.ErrUnavailable,
		},
		"an old six-digit code": {
			shipping.Shipment{Currency: "KRW", To: shipping.Destination{PostalCode: "135798"}, Policies: []*shipping.Policy{policy(1, nil)}},
			shipping.ErrPostalCode,
		},
		"a code with something else in it": {
			shipping.Shipment{Currency: "KRW", To: shipping.Destination{PostalCode: "0623a"}, Policies: []*shipping.Policy{policy(1, nil)}},
			shipping.ErrPostalCode,
		},
		"a code with a sign before the digit": {
			shipping.Shipment{Currency: "KRW", To: shipping.Destination{PostalCode: "/1234"}, Policies: []*shipping.Policy{policy(1, nil)}},
			shipping.ErrPostalCode,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := shipping.Price(c.parcel); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

func TestPostalCodesAreFiveDigits(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]bool{
		"01000": true, "99999": true, "00000": true, "": false, "1234": false, "123456": false, "12:45": false, "１２３": false,
	} {
		if shipping.ValidPostalCode(code) != want {
			t.Errorf("%q: want %v", code, want)
		}
	}
}

// A new tenant's policy: 3 000, Jeju 3 000 more, islands 5 000 more. Rule shipping-9.
func TestDefaultZones(t *testing.T) {
	t.Parallel()
	p := shipping.FromRecord(shipping.DefaultPolicy("id", korean))
	for code, want := range map[string]int64{
		"06236": 3000, "63000": 6000, "63644": 6000, "40200": 8000, "40240": 8000, "40241": 3000, "23004": 8000, "59790": 8000,
		"62999": 3000,
	} {
		q, err := shipping.Price(shipping.Shipment{
			Currency: "KRW", Amount: krw(1), Policies: []*shipping.Policy{p}, To: shipping.Destination{PostalCode: code},
		})
		if err != nil || q.Total != krw(want) {
			t.Errorf("%s: %v, %v, want %d", code, q.Total, err, want)
		}
	}
	if p.InitialShippingRefund != shipping.RefundFullReturn || p.ID != "id" {
		t.Errorf("got %+v", p)
	}
	usd := shipping.DefaultPolicy("id", tenant.Settings{Country: "KR", Currency: "USD"})
	if fee, _ := usd.Money("baseFee"); fee != money.Of(0, "USD") {
		t.Errorf("a won fee in dollars: %v", fee)
	}
	if fee, _ := usd.Rows("zones")[1].Money("extraFee"); fee != money.Of(0, "USD") {
		t.Errorf("a won surcharge in dollars: %v", fee)
	}
}

// A new shop's policy is called as its country says it, and has zones where they are. Rule shipping-9.
func TestDefaultPolicySpeaksTheLanguageOfTheShop(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		shop tenant.Settings
		want []string
	}{
		"Korean":                   {korean, []string{"기본 배송", "제주", "도서산간"}},
		"Korean, with its region":  {tenant.Settings{Country: "KR", Locales: []string{"ko-KR", "en"}}, []string{"기본 배송", "제주", "도서산간"}},
		"English in Korea":         {tenant.Settings{Country: "KR", Locales: []string{"en"}}, []string{"Standard", "jeju", "islands"}},
		"Japanese":                 {tenant.Settings{Country: "JP", Locales: []string{"ja"}}, []string{"通常配送"}},
		"a language without words": {tenant.Settings{Country: "DE", Locales: []string{"de"}}, []string{"Standard"}},
		"an unknown country":       {tenant.Settings{}, []string{"Standard"}},
	} {
		p := shipping.FromRecord(shipping.DefaultPolicy("id", c.shop))
		got := []string{p.Title}
		for _, z := range p.Zones {
			got = append(got, z.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// Every built-in range is a range of codes, and no code is in two zones.
func TestBuiltInRangesAreInOrder(t *testing.T) {
	t.Parallel()
	var all [][2]string
	for _, z := range shipping.DefaultPolicy("id", korean).Rows("zones") {
		for _, r := range z.Rows("ranges") {
			from, to := r.Text("from"), r.Text("to")
			if !shipping.ValidPostalCode(from) || !shipping.ValidPostalCode(to) || to < from {
				t.Errorf("%s-%s is no range", from, to)
			}
			all = append(all, [2]string{from, to})
		}
	}
	slices.SortFunc(all, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	for i := 1; i < len(all); i++ {
		if all[i][0] <= all[i-1][1] {
			t.Errorf("%v overlaps %v", all[i], all[i-1])
		}
	}
}

func TestAPolicyIsReadFromItsRecord(t *testing.T) {
	t.Parallel()
	p := shipping.FromRecord(collection.Record{
		"id": "p", "baseFee": krw(1), "freeShippingThreshold": krw(2), "returnShippingFee": krw(3), "initialShippingRefund": "never",
		"zones": []collection.Record{
			{"name": "z", "extraFee": krw(4), "waivedWhenFree": true, "ranges": []collection.Record{{"from": "00001", "to": "00002"}}},
		},
	})
	z := p.Zones[0]
	if p.ID != "p" || p.BaseFee != krw(1) || p.Currency != "KRW" || *p.FreeThreshold != krw(2) || p.ReturnFee != krw(3) ||
		p.InitialShippingRefund != shipping.RefundNever ||
		z.Name != "z" || z.ExtraFee != krw(4) || !z.WaivedWhenFree || z.Ranges[0] != (shipping.Range{From: "00001", To: "00002"}) {
		t.Errorf("got %+v", p)
	}
	if shipping.FromRecord(collection.Record{}).FreeThreshold != nil {
		t.Error("no threshold is no threshold of nothing")
	}
}

func TestComplete(t *testing.T) {
	t.Parallel()
	zone := func(from, to string) []collection.Record {
		return []collection.Record{{"name": "z", "ranges": []collection.Record{{"from": from, "to": to}}}}
	}
	for name, c := range map[string]struct {
		before, next collection.Record
		zones        int
		fields       []string
	}{
		"a new policy starts with zones":     {nil, collection.Record{}, 2, nil},
		"its own zones are kept":             {nil, collection.Record{"zones": zone("00001", "00001")}, 1, nil},
		"an empty list of zones is kept":     {nil, collection.Record{"zones": []collection.Record{}}, 0, nil},
		"an old policy without zones stays":  {collection.Record{"id": "p"}, collection.Record{"id": "p"}, 0, nil},
		"a range that ends before its start": {nil, collection.Record{"zones": zone("00002", "00001")}, 0, []string{"zones.0.ranges.0.to"}},
		"a range of other text": {
			nil, collection.Record{"zones": zone("x", "1234")}, 0, []string{"zones.0.ranges.0.from", "zones.0.ranges.0.to"},
		},
		"an unknown currency": {nil, collection.Record{"currency": "W"}, 0, []string{"currency"}},
		"an update is checked like a create": {
			collection.Record{"id": "p"}, collection.Record{"zones": zone("1", "00002")}, 0, []string{"zones.0.ranges.0.from"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := shipping.Complete(c.before, c.next, korean)
			var fields []string
			if err != nil {
				for _, f := range fault.From(err).Fields {
					fields = append(fields, f.Field)
				}
			} else if len(got.Rows("zones")) != c.zones || got.Text("currency") != "KRW" || c.next["currency"] != nil {
				t.Errorf("got %v from %v", got, c.next)
			}
			if !slices.Equal(fields, c.fields) || (err != nil) != (len(c.fields) > 0) {
				t.Errorf("problems in %v, want %v", fields, c.fields)
			}
		})
	}
}
