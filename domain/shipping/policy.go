// Package shipping computes what delivery costs: policies with zones of postal codes, and the quote for a set
// of lines.
//
// A policy becomes free when the shipping lines of the whole order, after discounts, reach its threshold: the
// order amount decides, not the part of the order that uses that policy.
package shipping

import (
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// Policy is one way to charge for delivery.
type Policy struct {
	ID                    string
	Title                 string
	Currency              money.Currency
	BaseFee               money.Money
	FreeThreshold         *money.Money // amount of shipping lines from which BaseFee is waived; nil: never
	Countries             []string     // where it ships to; empty: where Destination.Usual says
	Zones                 []Zone       // the first zone that contains a destination counts
	ReturnFee             money.Money  // zero value: none
	InitialShippingRefund RefundRule
}

// Zone is a set of destinations that costs extra: of its countries, all of them, or those in its provinces and ranges of postal codes.
type Zone struct {
	Name           string
	Countries      []string // empty: the shop's country
	Provinces      []string // codes of provinces, as addresses store them
	Ranges         []Range
	ExtraFee       money.Money
	WaivedWhenFree bool // the extra fee is waived with the base fee
}

// Range is an inclusive range of postal codes, or of what they begin with: 97 to 97 is all that begin with 97.
type Range struct{ From, To string }

// RefundRule says how much of the outbound shipping fee a return refunds. Rule shipping-11.
type RefundRule string

// The refund rules of a policy.
const (
	RefundAlways       RefundRule = "always"
	RefundFullReturn   RefundRule = "full_return_only"
	RefundProportional RefundRule = "proportional"
	RefundNever        RefundRule = "never"
)

// The faults of this package.
var (
	ErrUnavailable = fault.New(fault.Unprocessable, "shipping_unavailable", "There is no way to ship this order.")
	ErrPostalCode  = fault.NewInvalid("postalCode", "postal_code_invalid", "A postal code must have five digits.")
)

// Shipment is what has to be shipped. Rules shipping-4, shipping-6.
type Shipment struct {
	Currency      money.Currency
	Amount        money.Money // total of the shipping lines after discounts
	Policies      []*Policy   // of the shipping lines; duplicates are fine, a nil entry is a line without a policy
	To            Destination
	BaseFeeWaived bool // a free-shipping code applies
}

// Quote is the price of a parcel.
type Quote struct {
	BaseFee, Surcharge, Total money.Money
	Zone                      string // name of the zone the surcharge comes from, "" for none
	Free                      bool   // the base fee is waived
}

// Price quotes a parcel: the highest base fee among the policies that are not free plus the highest
// surcharge, each once. Errors: ErrPostalCode in Korea, ErrUnavailable (no policy, one in another currency, or one that does not ship
// there), money.ErrOutOfRange. Rules shipping-4, shipping-5, shipping-6.
func Price(p Shipment) (Quote, error) { return price(p, nil) }

// price is Price; x, if not nil, records each step for the explanation.
func price(p Shipment, x *Explanation) (Quote, error) {
	if p.To.korean() && !ValidPostalCode(p.To.PostalCode) {
		return Quote{}, ErrPostalCode
	}
	if len(p.Policies) == 0 {
		return Quote{}, ErrUnavailable
	}
	q := Quote{BaseFee: money.Of(0, p.Currency), Surcharge: money.Of(0, p.Currency), Free: true}
	for i, policy := range p.Policies {
		if policy == nil || policy.Currency != p.Currency {
			return Quote{}, ErrUnavailable
		}
		if !policy.shipsTo(p.To) {
			return Quote{}, notThere(p.To)
		}
		free := p.BaseFeeWaived || policy.isFree(p.Amount)
		if !free {
			q.Free = false
			q.BaseFee.Minor = max(q.BaseFee.Minor, policy.BaseFee.Minor)
		}
		zone, at, ok := policy.zone(p.To)
		x.addTerms(p, i, zone, at)
		if !ok || free && zone.WaivedWhenFree {
			continue
		}
		if zone.ExtraFee.Minor > q.Surcharge.Minor {
			q.Surcharge, q.Zone = zone.ExtraFee, zone.Name
		}
	}
	q.Total = q.BaseFee.Plus(q.Surcharge)
	return q, nil
}

func (p *Policy) isFree(amount money.Money) bool {
	return p.BaseFee.IsZero() || p.reachesThreshold(amount)
}

// reachesThreshold reports whether amount is enough for the base fee to be waived.
func (p *Policy) reachesThreshold(amount money.Money) bool {
	return p.FreeThreshold != nil && amount.Minor >= p.FreeThreshold.Minor
}

// ValidPostalCode reports whether code is five digits.
func ValidPostalCode(code string) bool {
	if len(code) != 5 {
		return false
	}
	for i := range len(code) {
		if code[i] < '0' || code[i] > '9' {
			return false
		}
	}
	return true
}
