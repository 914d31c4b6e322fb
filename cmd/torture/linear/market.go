package linear

import (
	"fmt"
	"hash/maphash"
	"slices"

	"github.com/anishathalye/porcupine"
)

// Market is what buyers compete for: the units of one variant, and the uses of one discount code.
type Market struct{ Units, Uses int64 }

// Step is a step of a purchase.
type Step string

// The steps of purchases. Open opens a payment session, which takes the slot of its checkout, units and a use; Leave cancels
// it and gives them back; Pay makes it an order; Undo cancels that order. Look reads the variant.
const (
	Open  Step = "open"
	Leave Step = "leave"
	Pay   Step = "pay"
	Undo  Step = "undo"
	Look  Step = "look"
)

// The reasons for which a market refuses to open a session.
const (
	SlotHeld = "payment_slot_held"
	NoUnits  = "out_of_stock"
	NoUses   = "discount_usage_limit"
)

// Trade is one step of the purchase of a checkout.
type Trade struct {
	Step        Step
	Checkout    int   // its number
	Units, Uses int64 // that it is about: at least one unit, and a use where it has the code
}

// TradeResult is the answer to a step.
type TradeResult struct {
	Refusal          string // reason; "" when it was done
	OnHand, Reserved int64  // Look: units
}

// String describes the step.
func (t Trade) String() string {
	return fmt.Sprintf("%s checkout %d (%d units, %d uses)", t.Step, t.Checkout, t.Units, t.Uses)
}

// marketState is what is left, and which checkouts have an open session.
type marketState struct {
	onHand, reserved, uses int64
	held                   []int // ascending
}

// model is the sequential rules of purchases, written independently of the product, for porcupine.
func (m Market) model() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return marketState{onHand: m.Units, uses: m.Uses} },
		Step: func(state, input, output any) (bool, any) {
			return state.(marketState).step(input.(Trade), output.(TradeResult))
		},
		Equal: func(a, b any) bool { return a.(marketState).same(b.(marketState)) },
		Hash: func(state any) uint64 {
			s := state.(marketState)
			sum := maphash.Comparable(seed, [3]int64{s.onHand, s.reserved, s.uses})
			for _, x := range s.held {
				sum ^= maphash.Comparable(seed, x)
			}
			return sum
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%v → %+v", input, output) },
	}
}

func (s marketState) same(o marketState) bool {
	return s.onHand == o.onHand && s.reserved == o.reserved && s.uses == o.uses && slices.Equal(s.held, o.held)
}

// step reports whether a step can have this result in state s, and the state after it. It does not change s.
func (s marketState) step(t Trade, o TradeResult) (possible bool, next marketState) {
	at, held := slices.BinarySearch(s.held, t.Checkout)
	switch t.Step {
	case Look:
		return o.OnHand == s.onHand && o.Reserved == s.reserved, s
	case Open:
		if o.Refusal != "" {
			return s.refuses(t, held, o.Refusal), s
		}
		next = marketState{s.onHand, s.reserved + t.Units, s.uses - t.Uses, slices.Insert(slices.Clone(s.held), at, t.Checkout)}
		return !held && next.reserved <= s.onHand && next.uses >= 0, next
	case Leave:
		next = marketState{s.onHand, s.reserved - t.Units, s.uses + t.Uses, without(s.held, at)}
		return held, next
	case Pay:
		next = marketState{s.onHand - t.Units, s.reserved - t.Units, s.uses, without(s.held, at)}
		return held, next
	case Undo:
		return !held, marketState{s.onHand + t.Units, s.reserved, s.uses + t.Uses, s.held}
	}
	panic("linear: no rule for " + t.Step)
}

// refuses reports whether the market refuses for this reason to open a session.
func (s marketState) refuses(t Trade, held bool, reason string) bool {
	switch reason {
	case SlotHeld:
		return held
	case NoUnits:
		return !held && s.reserved+t.Units > s.onHand
	case NoUses:
		return !held && s.uses < t.Uses
	}
	return false
}

// without is held without the element at i, if there is one.
func without(held []int, i int) []int {
	if i >= len(held) {
		return held
	}
	return slices.Delete(slices.Clone(held), i, i+1)
}
