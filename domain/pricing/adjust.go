package pricing

import (
	"math/big"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// The bounds of an adjustment, in basis points: a price falls to a tenth at most, and rises to eleven times itself.
const (
	MinBasisPoints = -9_000
	MaxBasisPoints = 100_000
)

// RoundingMode is to which multiple a price is rounded.
type RoundingMode string

// The modes.
const (
	ToNearest RoundingMode = "nearest" // of two at the same distance, the higher one
	Up        RoundingMode = "up"
	Down      RoundingMode = "down"
)

// RoundingModes are all modes, as options of a field.
var RoundingModes = []string{string(ToNearest), string(Up), string(Down)}

// Adjustment changes prices by a percentage. Rule catalog-31.
type Adjustment struct {
	BasisPoints int64        // hundredths of a percent, MinBasisPoints to MaxBasisPoints
	Unit        int64        // prices are multiples of this many minor units, from 1
	Below       int64        // less this many minor units, below Unit: 100 less 1 makes prices that end in 99
	Mode        RoundingMode // "": ToNearest
}

// Check refuses an adjustment out of its bounds. Errors: fault.ErrValidation.
func (a Adjustment) Check() error {
	switch {
	case a.BasisPoints < MinBasisPoints || a.BasisPoints > MaxBasisPoints:
		return fault.Invalidf("basisPoints", "This field takes %d to %d.", MinBasisPoints, MaxBasisPoints)
	case a.Unit < 1:
		return fault.Invalidf("roundTo", "This field takes an amount above zero.")
	case a.Below < 0 || a.Below >= a.Unit:
		return fault.Invalidf("below", "This field takes an amount from zero to less than roundTo.")
	}
	return nil
}

// Apply is the price after the adjustment: price × (1 + BasisPoints/10,000), rounded once. A price of zero stays zero, an
// adjustment by nothing leaves the price as it is, and no other price becomes zero or less. Errors: money.ErrOutOfRange.
func (a Adjustment) Apply(price money.Money) (money.Money, error) {
	if a.BasisPoints == 0 || price.Minor <= 0 {
		return price, nil
	}
	// The exact price is n/10,000 minor units. What is sought is the multiple of Unit that, less Below, is nearest to it.
	n := new(big.Int).Mul(big.NewInt(price.Minor), big.NewInt(10_000+a.BasisPoints))
	n.Add(n, new(big.Int).Mul(big.NewInt(a.Below), big.NewInt(10_000)))
	unit := new(big.Int).Mul(big.NewInt(a.Unit), big.NewInt(10_000))
	count, rest := new(big.Int).QuoRem(n, unit, new(big.Int))
	up := rest.Sign() > 0
	switch a.Mode {
	case Down:
		up = false
	case ToNearest, "":
		up = rest.Lsh(rest, 1).Cmp(unit) >= 0
	case Up:
	}
	if up {
		count.Add(count, big.NewInt(1))
	}
	if count.Sign() == 0 {
		count.SetInt64(1)
	}
	if !count.IsInt64() {
		return money.Money{}, money.ErrOutOfRange
	}
	rounded, err := money.Of(a.Unit, price.Currency).Times(count.Int64())
	if err != nil {
		return money.Money{}, err
	}
	return rounded.Minus(money.Of(a.Below, price.Currency)), nil
}
