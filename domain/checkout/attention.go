package checkout

// Advice is what an operator is advised to do about money that did not become its order. It depends on the
// reason only. Operators need not follow it: they may do anything that the state of the payment allows.
type Advice string

// The kinds of advice.
const (
	AdviceRefund  Advice = "refund"              // there is nothing to place an order of: refund the money
	AdvicePlace   Advice = "place_after_restock" // place the order once the goods are back in stock
	AdviceCompare Advice = "compare_amounts"     // the provider collected a different amount than requested
	AdviceLook    Advice = "look_at_provider"    // only the provider knows the state of the payment
	AdviceCancel  Advice = "cancel_order"        // the money of the order is gone: cancel it, unless the buyer pays again
	AdviceCollect Advice = "collect_again"       // the money is gone and so are the goods: have the buyer pay again, then dismiss
	AdviceCapture Advice = "capture"             // the provider releases the authorized payment soon: capture it, or cancel the order
	AdviceRespond Advice = "respond_to_dispute"  // the buyer disputes the payment: answer at the provider before evidence is due
)

// AdviceOptions are the options of a select field of an Advice.
var AdviceOptions = []string{
	string(AdviceRefund), string(AdvicePlace), string(AdviceCompare), string(AdviceLook), string(AdviceCancel), string(AdviceCollect),
	string(AdviceCapture), string(AdviceRespond),
}

// AttentionCase is why a checkout requires attention.
type AttentionCase struct {
	Reason         string // of the payment
	Advice         Advice
	PaymentSession string // the payment session that collected the money
}

// RequireAttention returns c after money arrived that cannot become its order. A completed checkout stays
// completed. A slot held by another session stays held, since that session may still collect money.
func (c Checkout) RequireAttention(why AttentionCase) Checkout {
	if c.Status == Completed {
		return c
	}
	c.Status, c.SlotHeld, c.AttentionCase = RequiresAttention, c.SlotHeld && c.Session != why.PaymentSession, why
	return c
}

// UpdateAttention returns c after the advice about the payment that it requires attention for has changed.
func (c Checkout) UpdateAttention(why AttentionCase) Checkout {
	if c.Status == RequiresAttention && c.AttentionCase.PaymentSession == why.PaymentSession {
		c.AttentionCase = why
	}
	return c
}

// ResolveAttention returns c after the last payment that required attention was resolved without an order:
// it can still be paid by the session that holds its slot, and without one its cart can be checked out again.
// A checkout that was completed in the meantime stays completed.
func (c Checkout) ResolveAttention() Checkout {
	if c.Status != RequiresAttention {
		return c
	}
	c.AttentionCase = AttentionCase{}
	if c.Status = Canceled; c.SlotHeld {
		c.Status = PaymentPending
	}
	return c
}
