// Package linear decides whether what many clients were told about carts could have come from one cart at a time: a
// history of operations, each with the moment it was sent and the moment its answer came, is linearizable if there is an
// order of all of them that respects these moments and in which the sequential rules give every client just its answer.
//
// Carts that may be merged into one another are one family and one history, since a merge changes two of them at once;
// families have nothing in common. An operation whose answer nobody got may have happened, happens later, or never does:
// its end is unknown, so the search may put it behind everything that was seen. The search is by porcupine.
package linear

import (
	"fmt"
	"hash/maphash"
	"maps"
	"slices"

	"github.com/anishathalye/porcupine"
)

// Offer is a variant on sale; nothing of it changes during a history.
type Offer struct {
	Price  int64 // in a currency without minor units
	OnHand int64
}

// Shop is what the rules of carts need to know besides the carts.
type Shop struct {
	Offers map[string]Offer // by variant
	Off    map[string]int64 // percent that a usable discount code takes off, by code; any other code is listed and does nothing
}

// Line is a line of a cart. One without an ID was made by a change whose answer nobody got: the next answer names it.
type Line struct {
	ID, Variant string
	Quantity    int64
}

// Cart is a cart as the rules make it and as answers show it.
type Cart struct {
	Status     string // active, merged
	Revision   int64
	Lines      []Line
	Codes      []string          // as listed
	Attributes map[string]string // nil when there are none
	Total      int64
}

// Verb is what a client wants.
type Verb string

// The verbs.
const (
	Add      Verb = "add"
	Update   Verb = "update"
	Remove   Verb = "remove"
	Clear    Verb = "clear"
	Describe Verb = "describe" // sets the attributes
	Redeem   Verb = "redeem"   // sets the discount codes
	Merge    Verb = "merge"    // takes another cart of the family in
	Read     Verb = "read"
	Peek     Verb = "peek" // a repeated key is answered with the revision of now
)

// Wish is one operation on a cart of a family, as the client sent it.
type Wish struct {
	Verb       Verb
	Cart       int    // place in the family
	Source     int    // Merge: place of the cart that is taken in
	Line       string // Update, Remove: id
	Variant    string // Add
	Quantity   int64  // Add, Update
	Expected   int64  // revision; 0: not stated
	Codes      []string
	Attributes map[string]string
}

// Outcome is what the client was told.
type Outcome struct {
	Unknown bool   // nothing
	Refusal string // reason; "" when it was done
	Current int64  // the revision told with a refusal or a Peek; 0: none was
	Cart    Cart   // done: the cart afterwards
}

// family is the state of all carts of one history.
type family []Cart

var seed = maphash.MakeSeed()

// model is the sequential specification of a family that starts with so many empty carts.
func (s Shop) model(carts int) porcupine.Model {
	return porcupine.Model{
		Init: func() any {
			f := make(family, carts)
			for i := range f {
				f[i] = Cart{Status: active, Revision: 1}
			}
			return f
		},
		Step: func(state, input, output any) (bool, any) {
			return s.step(state.(family), input.(Wish), output.(Outcome))
		},
		Equal: func(a, b any) bool { return slices.EqualFunc(a.(family), b.(family), Cart.same) },
		Hash: func(state any) (sum uint64) {
			for i, c := range state.(family) {
				sum ^= maphash.Comparable(seed, [3]int64{int64(i), c.Revision, c.Total})
			}
			return sum
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v → %+v", input, output) },
	}
}

func (c Cart) same(d Cart) bool {
	return c.Status == d.Status && c.Revision == d.Revision && c.Total == d.Total &&
		slices.Equal(c.Lines, d.Lines) && slices.Equal(c.Codes, d.Codes) && maps.Equal(c.Attributes, d.Attributes)
}

// step reports whether the operation could have this outcome now, and the state after it. It does not change f.
func (s Shop) step(f family, w Wish, o Outcome) (possible bool, next family) {
	c := f[w.Cart]
	switch w.Verb {
	case Read:
		return f.shown(w.Cart, o.Cart)
	case Peek:
		return o.Current == c.Revision, f
	}
	next, refusal := s.apply(f, w)
	switch {
	case o.Unknown:
		return true, next
	case refusal != o.Refusal:
		return false, f
	case refusal != "":
		return o.Current == 0 || o.Current == c.Revision, f
	}
	return next.shown(w.Cart, o.Cart)
}

// shown compares cart i with an answer, and takes the ids of lines that had none from it.
func (f family) shown(i int, seen Cart) (same bool, named family) {
	c := f[i]
	if len(c.Lines) != len(seen.Lines) {
		return false, f
	}
	c.Lines = slices.Clone(c.Lines)
	for n := range c.Lines {
		if c.Lines[n].ID == "" {
			c.Lines[n].ID = seen.Lines[n].ID
		}
	}
	return c.same(seen), f.with(i, c)
}

// with is f with another cart in place i.
func (f family) with(i int, c Cart) family {
	next := slices.Clone(f)
	next[i] = c
	return next
}
