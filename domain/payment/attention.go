package payment

import "github.com/cartwright-dev/cartwright/domain/checkout"

// Resolution is how an operator resolved money that could not become its order.
type Resolution string

// The resolutions.
const (
	ResolutionNone      Resolution = ""
	ResolutionPlaced    Resolution = "placed"    // its order was placed after all
	ResolutionRefunded  Resolution = "refunded"  // it was refunded
	ResolutionDismissed Resolution = "dismissed" // resolved outside the system, as the note explains
	ResolutionReversed  Resolution = "reversed"  // by its provider, which took the money back
	ResolutionVoided    Resolution = "voided"    // an authorization that was released without a capture
)

var resolutions = []string{
	string(ResolutionPlaced), string(ResolutionRefunded), string(ResolutionDismissed), string(ResolutionReversed), string(ResolutionVoided),
}

// advice is what an operator is advised to do for each reason. Money that came too late, or whose discount
// code is used up, is to be refunded, since the buyer may have bought again.
var advice = map[string]checkout.Advice{
	ReasonStock: checkout.AdvicePlace, ReasonDiscount: checkout.AdviceRefund, ReasonLate: checkout.AdviceRefund,
	ReasonMismatch: checkout.AdviceCompare, ReasonUnknown: checkout.AdviceLook, ReasonReversed: checkout.AdviceCancel,
	ReasonReversedShipped: checkout.AdviceCollect, ReasonDisputed: checkout.AdviceRespond,
	ReasonVoided: checkout.AdviceCancel, ReasonVoidedShipped: checkout.AdviceCollect, ReasonAuthorizationEnds: checkout.AdviceCapture,
	ReasonCaptureRefused: checkout.AdviceLook, ReasonAuthorizationUnclear: checkout.AdviceLook,
}

// Advice is what an operator is advised to do about s; "" unless s requires attention.
func (s State) Advice() checkout.Advice {
	if s.Status != StatusRequiresAttention {
		return ""
	}
	return advice[s.Reason]
}

// AttentionCase is why the checkout of s requires attention.
func (s Session) AttentionCase() checkout.AttentionCase {
	return checkout.AttentionCase{Reason: s.Reason, Advice: s.Advice(), PaymentSession: s.ID}
}

// Resolve returns s after an operator resolved it. Recorded money stays booked, so that no later look-up
// books it again. A session for which the provider never reported money is released instead, so that money
// may still come. Errors: ErrAttentionNotRequired; ErrNotPaid when there is no recorded money to place or
// refund; ErrPaymentMismatch when an order is to be placed with money that differs from what was requested.
func (s State) Resolve(how Resolution) (State, error) {
	switch {
	case s.Status != StatusRequiresAttention:
		return s, ErrAttentionNotRequired
	case !s.Booked() && how == ResolutionDismissed:
		return s.Release(), nil
	case !s.Booked(), (s.MoneyIsGone() || s.IsHeld()) && how != ResolutionDismissed:
		return s, ErrNotPaid
	case s.IsHeld():
		return State{Status: StatusAuthorized, Observation: ObservedNothing, Resolution: how}, nil
	case how == ResolutionPlaced && s.Reason == ReasonMismatch:
		return s, ErrPaymentMismatch
	case how == ResolutionPlaced:
		return State{Status: StatusSucceeded, Observation: ObservedNothing, Resolution: ResolutionPlaced}, nil
	}
	return State{Status: StatusCanceled, Observation: ObservedNothing, Reason: s.Reason, Resolution: how}, nil
}
