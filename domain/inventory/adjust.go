package inventory

import "github.com/cartwright-dev/cartwright/domain/fault"

// ErrStockChanged says that the stock is not what a change expected; Data "stock" is what it is.
var ErrStockChanged = fault.New(fault.Conflict, "stock_changed",
	"The stock is not what you expected: units were sold or counted since you read it. Decide again with the present value.")

// Adjustment is a change of units on hand by hand: exactly one of Delta and Count is set.
type Adjustment struct {
	Delta    *int64 // units to add; negative: to remove
	Count    *int64 // units that were counted
	Expected *int64 // what the units on hand have to be; nil: anything
}

// Apply returns l after a. Errors: ErrStockChanged, ErrOutOfStock when fewer units would be left than are
// reserved, fault.ErrValidation.
func (a Adjustment) Apply(variant string, l Level) (Level, error) {
	if err := a.check(l); err != nil {
		return l, err
	}
	return a.set(variant, l, a.target(l.OnHand))
}

// check refuses what a cannot be, or does not expect of l. Errors: fault.ErrValidation, ErrStockChanged.
func (a Adjustment) check(l Level) error {
	switch {
	case (a.Delta == nil) == (a.Count == nil):
		return fault.Invalidf("delta", "Give either delta or count.")
	case a.Delta != nil && *a.Delta == 0:
		return fault.Invalidf("delta", "This field takes a whole number other than 0.")
	case a.Count != nil && *a.Count < 0:
		return fault.Invalidf("count", "This field takes a whole number from 0.")
	}
	return CheckExpected(a.Expected, l.OnHand)
}

// target is what becomes of so many units.
func (a Adjustment) target(units int64) int64 {
	if a.Count != nil {
		return *a.Count
	}
	return units + *a.Delta
}

// set is l with so many units on hand. Errors: fault.ErrValidation, ErrOutOfStock.
func (a Adjustment) set(variant string, l Level, onHand int64) (Level, error) {
	next := l
	next.OnHand = onHand
	switch {
	case next.OnHand > MaxOnHand:
		return l, fault.Invalidf(a.field(), "There can be at most %d units on hand.", int64(MaxOnHand))
	case next.OnHand < 0, next.Tracked && next.OnHand < next.Reserved:
		return l, OutOfStock(Demand{variant, l.OnHand - next.OnHand}, l.Available())
	}
	return next, nil
}

// MaxOnHand is how many units of a variant there can be: sums of stock stay exact in every client.
const MaxOnHand = 1_000_000_000_000

func (a Adjustment) field() string {
	if a.Count != nil {
		return "count"
	}
	return "delta"
}

// CheckExpected compares what a change expects to be on hand with what is. Errors: ErrStockChanged.
func CheckExpected(expected *int64, onHand int64) error {
	if expected != nil && *expected != onHand {
		return ErrStockChanged.WithData("stock", onHand)
	}
	return nil
}
