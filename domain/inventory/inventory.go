// Package inventory compares the demand for variants with their stock, and says where units lie.
//
// # Locations
//
// What is sold from is the Level of a variant in an environment. Locations only say where its units lie: Places are how many
// were last said to lie at each, and what is on hand beyond these lies nowhere in particular. A sale does not say whose units
// it takes, and reads and writes no places. Its units are taken from those that lie nowhere in particular, then from the last
// location by position and id, then from the one before it; Places.Lying derives that whenever somebody looks. So units that a
// cancel or a return puts back lie again where they were taken from.
//
// Whoever changes the units on hand by hand settles first: what is stored becomes what Lying says, in the same transaction and
// under the lock of the row of stock. Otherwise units that arrive would lie where others were sold from. A location that is
// deleted leaves its units nowhere in particular.
package inventory

import (
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// ErrOutOfStock says that at least one variant has too few available units; Data "variantId", "requested" and
// "available" describe the first of them.
var ErrOutOfStock = fault.New(fault.Unprocessable, "out_of_stock", "There is not enough stock.")

// Level is the stock of one variant in one environment.
type Level struct {
	OnHand, Reserved int64
	Tracked          bool // false: any quantity can be sold
}

// Available is how many more units can be reserved or sold; negative when more are reserved than are on hand.
func (l Level) Available() int64 { return l.OnHand - l.Reserved }

// OnHandCovers reports whether quantity is on hand, including units reserved for others. Carts use this. Rule
// carts-10.
func (l Level) OnHandCovers(quantity int64) bool { return !l.Tracked || quantity <= l.OnHand }

// AvailableCovers reports whether quantity is on hand and not reserved. Rule carts-10.
func (l Level) AvailableCovers(quantity int64) bool { return !l.Tracked || quantity <= l.Available() }

// Demand is how many units of a variant are wanted.
type Demand struct {
	Variant  string
	Quantity int64
}

// Sum adds up demands so that each variant appears once, in variant order: the order in which rows are locked.
func Sum(demands []Demand) []Demand {
	byVariant := map[string]int64{}
	for _, d := range demands {
		byVariant[d.Variant] += d.Quantity
	}
	sum := make([]Demand, 0, len(byVariant))
	for v, n := range byVariant {
		sum = append(sum, Demand{v, n})
	}
	slices.SortFunc(sum, func(a, b Demand) int { return strings.Compare(a.Variant, b.Variant) })
	return sum
}

// OutOfStock is ErrOutOfStock for one variant.
func OutOfStock(d Demand, available int64) *fault.Error {
	return ErrOutOfStock.WithData("variantId", d.Variant).WithData("requested", d.Quantity).WithData("available", max(0, available))
}
