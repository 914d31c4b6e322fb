package payment

import "github.com/cartwright-dev/cartwright/domain/checkout"

// Resolution is how an operator dealt with money that did not become its order by itself.
type Resolution string

// The resolutions.
const (
	Unresolved Resolution = ""
	Placed     Resolution = "placed"    // it became its order after all
	Refunded   Resolution = "refunded"  // it went back
	Dismissed  Resolution = "dismissed" // dealt with elsewhere; the note says how
)

var resolutions = []string{string(Placed), string(Refunded), string(Dismissed)}

// advice is what an operator is advised to do about each reason. Money that came too late, or whose code is used up, has no
// order to become: the buyer may have bought again.
var advice = map[string]checkout.Advice{
	ReasonStock: checkout.AdvisePlace, ReasonDiscount: checkout.AdviseRefund, ReasonLate: checkout.AdviseRefund,
	ReasonMismatch: checkout.AdviseCompare, ReasonUnknown: checkout.AdviseLook,
}

// Advice is what an operator is advised to do about s, "" while nobody has to look at it.
func (s State) Advice() checkout.Advice {
	if s.Status != StatusAttention {
		return ""
	}
	return advice[s.Reason]
}

// Case is why the checkout of s requires attention.
func (s Session) Case() checkout.Case {
	return checkout.Case{Reason: s.Reason, Advice: s.Advice(), Session: s.ID}
}

// Resolve is s after an operator dealt with its money as how. Money that is known stays booked: no later look books it
// again. What the provider never named as money is released instead, so that money can still come. Errors: ErrNoAttention,
// ErrNotPaid when money that nobody knows of should be placed or given back, ErrMismatch when other money than was asked for
// should become the order.
func (s State) Resolve(how Resolution) (State, error) {
	switch {
	case s.Status != StatusAttention:
		return s, ErrNoAttention
	case !s.Booked() && how == Dismissed:
		return s.Release(), nil
	case !s.Booked():
		return s, ErrNotPaid
	case how == Placed && s.Reason == ReasonMismatch:
		return s, ErrMismatch
	case how == Placed:
		return State{Status: StatusSucceeded, Observation: SeenNothing, Resolution: Placed}, nil
	}
	return State{Status: StatusCanceled, Observation: SeenNothing, Reason: s.Reason, Resolution: how}, nil
}
