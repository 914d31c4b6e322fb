package checkout

// Advice is what an operator is advised to do about money that did not become its order. It follows from the reason alone;
// whatever it says, an operator may do anything else that the money allows.
type Advice string

// The advice there is, a closed list.
const (
	AdviseRefund  Advice = "refund"              // nothing is left to order: give the money back
	AdvisePlace   Advice = "place_after_restock" // the order is placed once the goods are there
	AdviseCompare Advice = "compare_amounts"     // the provider took another amount than was asked for
	AdviseLook    Advice = "look_at_provider"    // only the provider knows what became of the payment
)

// AllAdvice is the options of fields that keep an Advice.
var AllAdvice = []string{string(AdviseRefund), string(AdvisePlace), string(AdviseCompare), string(AdviseLook)}

// Case is why a checkout requires attention.
type Case struct {
	Reason  string // of the payment
	Advice  Advice
	Session string // the payment session whose money it is
}

// Attend is c after money arrived that cannot become its order. One that has its order keeps it, and a slot that another
// session holds stays held: its money may come too.
func (c Checkout) Attend(why Case) Checkout {
	if c.Status == Completed {
		return c
	}
	c.Status, c.SlotHeld, c.Case = Attention, c.SlotHeld && c.Session != why.Session, why
	return c
}

// Attended is c after the last money that required attention was dealt with without an order: its cart can be checked out
// again. One that was completed meanwhile stays so.
func (c Checkout) Attended() Checkout {
	if c.Status == Attention {
		c.Status, c.Case = Canceled, Case{}
	}
	return c
}
