package shipping_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/shipping"
)

// recompute computes the quote from its explanation.
func recompute(x shipping.Explanation) shipping.Quote {
	c := x.Amount.Currency
	q := shipping.Quote{BaseFee: money.Of(0, c), Surcharge: money.Of(0, c), Free: true}
	for _, t := range x.Policies {
		if t.Free != (x.FreeCode || t.Reached || t.BaseFee.IsZero()) {
			q.Zone = "free without a cause"
		}
		if !t.Free {
			q.Free = false
			q.BaseFee.Minor = max(q.BaseFee.Minor, t.BaseFee.Minor)
		}
		if !t.Waived && t.ExtraFee.Minor > q.Surcharge.Minor {
			q.Surcharge, q.Zone = t.ExtraFee, t.Zone
		}
	}
	q.Total = q.BaseFee.Plus(q.Surcharge)
	return q
}

func TestAQuoteIsExplained(t *testing.T) {
	t.Parallel()
	standard := policy(3000, func(p *shipping.Policy) {
		p.ID, p.FreeThreshold, p.Zones[0].WaivedWhenFree = "standard", new(krw(50_000)), true
	})
	bulky := policy(9000, func(p *shipping.Policy) { p.ID, p.Zones = "bulky", nil })
	jeju := shipping.Range{From: "63000", To: "63644"}
	for name, c := range map[string]struct {
		amount   int64
		freeBase bool
		want     []shipping.PolicyTerms
	}{
		"below the threshold": {49_999, false, []shipping.PolicyTerms{
			{Policy: "standard", BaseFee: krw(3000), FreeThreshold: new(krw(50_000)), Zone: "jeju", Range: jeju, ExtraFee: krw(3000)},
			{Policy: "bulky", BaseFee: krw(9000), ExtraFee: krw(0)},
		}},
		"at the threshold": {50_000, false, []shipping.PolicyTerms{
			{
				Policy: "standard", BaseFee: krw(3000), FreeThreshold: new(krw(50_000)), Reached: true, Free: true, Zone: "jeju",
				Range: jeju, ExtraFee: krw(3000), Waived: true,
			},
			{Policy: "bulky", BaseFee: krw(9000), ExtraFee: krw(0)},
		}},
		"with a free-shipping code": {1, true, []shipping.PolicyTerms{
			{
				Policy: "standard", BaseFee: krw(3000), FreeThreshold: new(krw(50_000)), Free: true, Zone: "jeju", Range: jeju,
				ExtraFee: krw(3000), Waived: true,
			},
			{Policy: "bulky", BaseFee: krw(9000), Free: true, ExtraFee: krw(0)},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, x, err := shipping.Explain(shipping.Shipment{
				Currency: "KRW", Amount: krw(c.amount), Policies: []*shipping.Policy{standard, bulky, standard}, To: shipping.Destination{PostalCode: "63001"},
				BaseFeeWaived: c.freeBase,
			})
			if want := (shipping.Explanation{Amount: krw(c.amount), FreeCode: c.freeBase, Policies: c.want}); err != nil ||
				!reflect.DeepEqual(x, want) {
				t.Errorf("got  %+v, %v\nwant %+v", x, err, want)
			}
		})
	}
}

func TestUnshippableShipmentIsNotExplained(t *testing.T) {
	t.Parallel()
	nothing := shipping.Shipment{Currency: "KRW", To: shipping.Destination{PostalCode: "63001"}}
	if _, _, err := shipping.Explain(nothing); !errors.Is(err, shipping.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
}

func TestPriceDoesNotAllocate(t *testing.T) {
	parcel := shipping.Shipment{Currency: "KRW", Amount: krw(1), Policies: []*shipping.Policy{policy(3000, nil)}, To: shipping.Destination{PostalCode: "63001"}}
	if n := testing.AllocsPerRun(100, func() { _, _ = shipping.Price(parcel) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
