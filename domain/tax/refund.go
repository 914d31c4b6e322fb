package tax

import (
	"math/big"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/money"
)

// Portion are the taxes in part more minor units of what costs whole and has taxes t, after before of it was given back
// already: of each rate what is whole of the share of both together, less that of before. So all portions together are t.
// part and before together are no more than whole.
func (t Taxes) Portion(whole, before, part int64) Taxes {
	out := slices.Clone(t)
	for i := range out {
		out[i].Base.Minor = PortionOf(t[i].Base.Minor, whole, before, part)
		out[i].Amount.Minor = PortionOf(t[i].Amount.Minor, whole, before, part)
	}
	return out
}

// PortionOf is Portion of a single amount, in minor units; 0 of nothing.
func PortionOf(of, whole, before, part int64) int64 {
	if whole <= 0 || part <= 0 {
		return 0
	}
	return proportion(of, min(before+part, whole), whole) - proportion(of, min(before, whole), whole)
}

// proportion is a × b ÷ c without its fraction.
func proportion(a, b, c int64) int64 {
	n := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
	return n.Quo(n, big.NewInt(c)).Int64()
}

// Share are the taxes in amount minor units that are given back of all, of which t is left: asked, or where that is nil in
// proportion to what is left of each rate and of what is no tax. An empty asked is of goods without taxes.
// Of no rate it is more than is left, and what is no tax never comes to more than is left of that: whoever gives back
// everything, in any parts, gives back exactly t.
func (t Taxes) Share(all, amount int64, asked Taxes) Taxes {
	amount = min(amount, all)
	if len(t) == 0 || amount <= 0 {
		return nil
	}
	left := t.amounts()
	net := max(0, all-t.Sum())
	shares := money.Allocate(min(amount, t.Sum()+net), append(slices.Clone(left), net))[:len(t)]
	if asked != nil {
		shares = t.clamp(asked)
	}
	if over := sum(shares) - amount; over > 0 {
		take(shares, money.Allocate(over, shares), -1)
	}
	if short := amount - sum(shares) - net; short > 0 {
		room := slices.Clone(left)
		take(room, shares, -1)
		take(shares, money.Allocate(min(short, sum(room)), room), 1)
	}
	out := slices.Clone(t)
	for i := range out {
		out[i].Amount.Minor = shares[i]
		out[i].Base.Minor = t[i].baseIn(all, amount, asked)
	}
	return out
}

// baseIn is what a is due on in amount of all: as asked, as far as it is left, or in proportion.
func (a Amount) baseIn(all, amount int64, asked Taxes) int64 {
	if asked == nil || amount == all {
		return proportion(a.Base.Minor, amount, all)
	}
	i := asked.index(a)
	if i < 0 {
		return 0
	}
	return min(a.Base.Minor, asked[i].Base.Minor)
}

// clamp is what t has of asked, in the order of t.
func (t Taxes) clamp(asked Taxes) []int64 {
	out := make([]int64, len(t))
	for i, a := range t {
		if j := asked.index(a); j >= 0 {
			out[i] = min(a.Amount.Minor, asked[j].Amount.Minor)
		}
	}
	return out
}

func (t Taxes) amounts() []int64 {
	out := make([]int64, len(t))
	for i, a := range t {
		out[i] = a.Amount.Minor
	}
	return out
}

func sum(list []int64) (all int64) {
	for _, n := range list {
		all += n
	}
	return all
}

// take adds sign times each of parts to list.
func take(list, parts []int64, sign int64) {
	for i := range list {
		list[i] += sign * parts[i]
	}
}
