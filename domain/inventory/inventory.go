// Package inventory is how many units can be promised: demand per variant against stock rows.
package inventory

import (
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// ErrOutOfStock says that at least one variant has too few free units; Data "variantId", "requested", "available" name the first.
var ErrOutOfStock = fault.New(fault.Unprocessable, "out_of_stock", "There is not enough stock.")

// Level is the stock of one variant in one environment.
type Level struct {
	OnHand, Reserved int64
	Tracked          bool // false: any quantity can be sold
}

// Free is how many more units can be promised.
func (l Level) Free() int64 { return l.OnHand - l.Reserved }

// Holds reports whether quantity can ever be had: it is on hand, promised to others or not. Carts ask this. Contract 13.
func (l Level) Holds(quantity int64) bool { return !l.Tracked || quantity <= l.OnHand }

// Spares reports whether quantity can be promised now. Contract 13.
func (l Level) Spares(quantity int64) bool { return !l.Tracked || quantity <= l.Free() }

// Demand is how many units of a variant are wanted.
type Demand struct {
	Variant  string
	Quantity int64
}

// Sum adds up demands so that each variant stands once, in variant order: the order in which rows are locked.
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

// Short is ErrOutOfStock for one variant.
func Short(d Demand, available int64) *fault.Error {
	return ErrOutOfStock.With("variantId", d.Variant).With("requested", d.Quantity).With("available", max(0, available))
}
