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
	Offers    map[string]Offer // by variant
	Discounts map[string]int64 // percent that a usable discount code takes off, by code; any other code is listed and does nothing
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
	Add           Verb = "add"
	Update        Verb = "update"
	Remove        Verb = "remove"
	Clear         Verb = "clear"
	SetAttributes Verb = "describe" // sets the attributes
	SetCodes      Verb = "redeem"   // sets the discount codes
	Merge         Verb = "merge"    // takes another cart of the family in
	Read          Verb = "read"
	Peek          Verb = "peek" // a repeated key is answered with the revision of now
)

// Operation is one operation on a cart of a family, as the client sent it.
type Operation struct {
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

// Result is what the client was told.
type Result struct {
	Unknown bool   // nothing
	Refusal string // reason; "" when it was done
	Current int64  // the revision told with a refusal or a Peek; 0: none was
	Cart    Cart   // done: the cart afterwards
}

// String tells the wish to people.
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

// String tells the outcome to people.
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

	answeredRevisions []map[int64]bool // by cart: the revisions that changes with an answer made
	last              []int64          // by cart: the highest of them
}

// specOf reads from the history which revisions its answers account for.
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

// model is p for porcupine. The carts are empty at first.
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

// step reports whether the operation could have this outcome now, and the state after it. It does not change f.
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

// unansweredFits keeps the search for the place of an unanswered change short: it made a revision that no answer accounts for, or
// it may as well stand behind all answers.
func (p spec) unansweredFits(w Operation, before, after int64) bool {
	return before != after && !p.answeredRevisions[w.Cart][after] || before >= p.last[w.Cart]
}

// shown compares cart i with an answer, and takes the ids of lines that had none from it.
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

// with is f with another cart in place i.
func (f cartSet) with(i int, c Cart) cartSet {
	next := slices.Clone(f)
	next[i] = c
	return next
}
