// Package linear decides whether the answers that many clients got about carts are consistent with sequential
// execution: a history of operations, each with the times of request and answer, is linearizable if some
// order of them respects these times and gives every client its answer under the sequential rules.
//
// Carts that may be merged are one family with one history, since a merge changes two of them; families are
// independent. An unanswered operation may have taken effect, may do so later, or never: its end is unknown,
// so the search may place it after all others. The search uses porcupine.
package linear

import (
	"fmt"
	"hash/maphash"
	"maps"
	"slices"

	"github.com/anishathalye/porcupine"
)

// Offer is a variant on sale; it does not change during a history.
type Offer struct {
	Price  int64 // in a currency without minor units
	OnHand int64
}

// Shop is what the rules need to know besides the carts.
type Shop struct {
	Offers    map[string]Offer // by variant
	Discounts map[string]int64 // percent off by usable discount code; other codes are listed without effect
}

// Line is a line of a cart. A line without an ID was made by an unanswered change; the next answer gives its
// ID.
type Line struct {
	ID, Variant string
	Quantity    int64
}

// Cart is a cart as the rules compute it and as answers show it.
type Cart struct {
	Status     string // active, merged
	Revision   int64
	Lines      []Line
	Codes      []string          // as listed
	Attributes map[string]string // nil when there are none
	Total      int64
}

// Verb is what an operation does.
type Verb string

// The verbs.
const (
	Add           Verb = "add"
	Update        Verb = "update"
	Remove        Verb = "remove"
	Clear         Verb = "clear"
	SetAttributes Verb = "describe" // sets the attributes
	SetCodes      Verb = "redeem"   // sets the discount codes
	Merge         Verb = "merge"    // merges another cart of the family
	Read          Verb = "read"
	Peek          Verb = "peek" // a repeated key is answered with the current revision
)

// Operation is one operation on a cart of a family, as the client sent it.
type Operation struct {
	Verb       Verb
	Cart       int    // index in the family
	Source     int    // Merge: index of the source cart
	Line       string // Update, Remove: id
	Variant    string // Add
	Quantity   int64  // Add, Update
	Expected   int64  // revision; 0: not stated
	Codes      []string
	Attributes map[string]string
}

// Result is the answer to an operation.
type Result struct {
	Unknown bool   // no answer
	Refusal string // reason; "" when it was done
	Current int64  // the revision in a refusal or a Peek; 0: none
	Cart    Cart   // done: the cart afterwards
}

// String describes the operation.
func (w Operation) String() string {
	text := fmt.Sprintf("%s cart %d", w.Verb, w.Cart)
	if w.Verb == Merge {
		text += fmt.Sprintf(", source %d", w.Source)
	}
	if w.Line+w.Variant != "" {
		text += fmt.Sprintf(", line %s%s, quantity %d", w.Line, w.Variant, w.Quantity)
	}
	if w.Expected != 0 {
		text += fmt.Sprintf(", expecting %d", w.Expected)
	}
	return text
}

// String describes the result.
func (o Result) String() string {
	switch {
	case o.Unknown:
		return "unknown"
	case o.Refusal != "" || o.Current != 0:
		return fmt.Sprintf("%s at %d", o.Refusal, o.Current)
	}
	return fmt.Sprintf("%+v", o.Cart)
}

// cartSet is the state of all carts of one history.
type cartSet []Cart

var seed = maphash.MakeSeed()

// spec is the sequential specification of the family of one history.
type spec struct {
	Shop

	answeredRevisions []map[int64]bool // by cart: the revisions made by answered changes
	last              []int64          // by cart: the highest of them
}

// specOf collects the revisions that the history's answers account for.
func (s Shop) specOf(carts int, ops []porcupine.Operation) spec {
	p := spec{s, make([]map[int64]bool, carts), make([]int64, carts)}
	for i := range p.answeredRevisions {
		p.answeredRevisions[i] = map[int64]bool{}
	}
	for _, op := range ops {
		w, o := op.Input.(Operation), op.Output.(Result)
		if w.Verb == Read || w.Verb == Peek || o.Unknown || o.Refusal != "" {
			continue
		}
		p.answeredRevisions[w.Cart][o.Cart.Revision] = true
		p.last[w.Cart] = max(p.last[w.Cart], o.Cart.Revision)
	}
	return p
}

// model is p for porcupine. The carts start empty.
func (p spec) model() porcupine.Model {
	return porcupine.Model{
		Init: func() any {
			f := make(cartSet, len(p.answeredRevisions))
			for i := range f {
				f[i] = Cart{Status: active, Revision: 1}
			}
			return f
		},
		Step: func(state, input, output any) (bool, any) {
			return p.step(state.(cartSet), input.(Operation), output.(Result))
		},
		Equal: func(a, b any) bool { return slices.EqualFunc(a.(cartSet), b.(cartSet), Cart.same) },
		Hash: func(state any) (sum uint64) {
			for i, c := range state.(cartSet) {
				sum ^= maphash.Comparable(seed, [3]int64{int64(i), c.Revision, c.Total})
			}
			return sum
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%v → %v", input, output) },
	}
}

func (c Cart) same(d Cart) bool {
	return c.Status == d.Status && c.Revision == d.Revision && c.Total == d.Total &&
		slices.Equal(c.Lines, d.Lines) && slices.Equal(c.Codes, d.Codes) && maps.Equal(c.Attributes, d.Attributes)
}

// step reports whether the operation can have this result in state f, and the state after it. It does not
// change f.
func (p spec) step(f cartSet, w Operation, o Result) (possible bool, next cartSet) {
	c := f[w.Cart]
	switch w.Verb {
	case Read:
		return f.shown(w.Cart, o.Cart)
	case Peek:
		return o.Current == c.Revision, f
	default: // a change
	}
	next, refused := p.apply(f, w)
	switch {
	case o.Unknown:
		return p.unansweredFits(w, c.Revision, next[w.Cart].Revision), next
	case refused.reason != o.Refusal:
		return false, f
	case refused.reason != "":
		return o.Current == 0 || o.Current == refused.revision, f
	}
	return next.shown(w.Cart, o.Cart)
}

// unansweredFits prunes the search for the position of an unanswered change: either it made a revision that
// no answer accounts for, or it can as well come after all answers.
func (p spec) unansweredFits(w Operation, before, after int64) bool {
	return before != after && !p.answeredRevisions[w.Cart][after] || before >= p.last[w.Cart]
}

// shown compares cart i with an answer, and takes the IDs of lines that had none from it.
func (f cartSet) shown(i int, seen Cart) (same bool, named cartSet) {
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

// with is f with another cart at index i.
func (f cartSet) with(i int, c Cart) cartSet {
	next := slices.Clone(f)
	next[i] = c
	return next
}
