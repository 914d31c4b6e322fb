package shipping

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/money"
)

// Explanation is how a quote came about: its base fee is the highest of the policies that are not free, its
// surcharge the highest of the zones that are not waived.
type Explanation struct {
	Amount   money.Money   // compared with the thresholds
	FreeCode bool          // a free-shipping code applies
	Policies []PolicyTerms // each policy once, in the order of the lines
}

// PolicyTerms is what one policy charges for a parcel.
type PolicyTerms struct {
	Policy  string // id
	BaseFee money.Money
	// FreeThreshold is nil when the policy has none. Reached says whether Amount reaches it.
	FreeThreshold *money.Money
	Reached       bool
	Free          bool        // no base fee: there is none, the threshold is reached, or a code waives it
	Zone          string      // "": the postal code is in none
	Range         Range       // the range of Zone that holds the postal code
	ExtraFee      money.Money // of Zone
	Waived        bool        // ExtraFee is waived with the base fee
}

// Explain is Price with the reasons for its answer. Errors: those of Price.
func Explain(p Shipment) (Quote, Explanation, error) {
	x := Explanation{Amount: p.Amount, FreeCode: p.BaseFeeWaived}
	q, err := price(p, &x)
	return q, x, err
}

// addTerms records what p.Policies[i] charges, once per policy. It does nothing when x is nil: no explanation
// was requested.
func (x *Explanation) addTerms(p Shipment, i int, zone Zone, at Range) {
	if x == nil || slices.Index(p.Policies, p.Policies[i]) < i {
		return
	}
	policy := p.Policies[i]
	free := p.BaseFeeWaived || policy.isFree(p.Amount)
	x.Policies = append(x.Policies, PolicyTerms{
		Policy: policy.ID, BaseFee: policy.BaseFee, FreeThreshold: policy.FreeThreshold,
		Reached: policy.reachesThreshold(p.Amount), Free: free,
		Zone: zone.Name, Range: at, ExtraFee: money.Of(zone.ExtraFee.Minor, p.Currency), Waived: free && zone.WaivedWhenFree,
	})
}
