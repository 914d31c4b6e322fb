package shipping

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/money"
)

// Explanation is how a quote came about: its base fee is the highest of the policies that are not free, its surcharge the
// highest of the zones that are not waived.
type Explanation struct {
	Amount   money.Money // what the thresholds were held against
	FreeCode bool        // a free-shipping code applies
	Policies []Terms     // each once, in the order of the lines
}

// Terms is what one policy asks of a parcel.
type Terms struct {
	Policy  string // id
	BaseFee money.Money
	// FreeFrom is the threshold, nil: none. Reached says whether Amount is there.
	FreeFrom *money.Money
	Reached  bool
	Free     bool        // no base fee: there is none, the threshold is reached, or a code waives it
	Zone     string      // "": the postal code is in none
	Range    Range       // the range of Zone that holds the postal code
	ExtraFee money.Money // of Zone
	Waived   bool        // ExtraFee falls away with the base fee
}

// Explain is Price with the reasons for its answer. Errors: those of Price.
func Explain(p Parcel) (Quote, Explanation, error) {
	x := Explanation{Amount: p.Amount, FreeCode: p.FreeBase}
	q, err := price(p, &x)
	return q, x, err
}

// tell takes down what p.Policies[i] asks, once; where nobody asked, x is nil and nothing is written.
func (x *Explanation) tell(p Parcel, i int, zone Zone, at Range) {
	if x == nil || slices.Index(p.Policies, p.Policies[i]) < i {
		return
	}
	policy := p.Policies[i]
	free := p.FreeBase || policy.free(p.Amount)
	x.Policies = append(x.Policies, Terms{
		Policy: policy.ID, BaseFee: policy.BaseFee, FreeFrom: policy.FreeFrom, Reached: policy.reached(p.Amount), Free: free,
		Zone: zone.Name, Range: at, ExtraFee: money.Of(zone.ExtraFee.Minor, p.Currency), Waived: free && zone.WaivedWhenFree,
	})
}
