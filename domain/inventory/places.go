package inventory

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// ErrNotAtLocation says that fewer units lie where some are to be taken from; Data "units" is how many lie there.
var ErrNotAtLocation = fault.New(fault.Conflict, "not_at_location", "Fewer units lie there.")

// errSamePlace refuses a move that goes nowhere.
var errSamePlace = fault.Invalidf("to", "Units move between two different places: give from, to or both, and not the same one twice.")

// Place is how many units of a variant lie at a location.
type Place struct {
	Location string // id
	Units    int64  // from 1
}

// Places are where units of a variant were last said to lie: a location at most once, in the order in which units stay there
// the longest, by the position and then the id of the location. See the package comment.
type Places []Place

// Lying is where units lie when onHand are there, in the order of p, and how many lie nowhere in particular. None is negative,
// and together they are onHand, or 0 when that is negative.
func (p Places) Lying(onHand int64) (lying Places, unplaced int64) {
	left := max(onHand, 0)
	for _, at := range p {
		at.Units = min(at.Units, left)
		if left -= at.Units; at.Units > 0 {
			lying = append(lying, at)
		}
	}
	return lying, left
}

// At is how many units lie at a location.
func (p Places) At(location string) (units int64) {
	for _, at := range p {
		if at.Location == location {
			units += at.Units
		}
	}
	return units
}

// with is p where units lie at a location; a new one comes last, whatever its position.
func (p Places) with(location string, units int64) Places {
	next := slices.Clone(p)
	i := slices.IndexFunc(next, func(at Place) bool { return at.Location == location })
	if i < 0 {
		i, next = len(next), append(next, Place{Location: location})
	}
	if next[i].Units = units; units == 0 {
		next = slices.Delete(next, i, i+1)
	}
	return next
}

// Transfer is a move of units between locations.
type Transfer struct {
	From, To string // ids of locations; "": nowhere in particular
	Units    int64
}

// Check reports what is wrong with t whatever lies where. Errors: fault.ErrValidation.
func (t Transfer) Check() error {
	switch {
	case t.From == t.To:
		return errSamePlace
	case t.Units < 1:
		return fault.Invalidf("units", "This field takes a whole number from 1.")
	}
	return nil
}

// Apply returns where units lie after t, when onHand were there at the places p. Errors: those of Check, ErrNotAtLocation.
func (t Transfer) Apply(p Places, onHand int64) (Places, error) {
	if err := t.Check(); err != nil {
		return p, err
	}
	next, there := p.Lying(onHand)
	if t.From != "" {
		there = next.At(t.From)
	}
	if there < t.Units {
		return p, ErrNotAtLocation.WithData("units", there)
	}
	if t.From != "" {
		next = next.with(t.From, there-t.Units)
	}
	if t.To != "" {
		next = next.with(t.To, next.At(t.To)+t.Units)
	}
	return next, nil
}

// ApplyAt returns l and where its units lie after a at a location, where a count is of the units there and the units on hand
// change by the difference. Errors: those of Apply, and ErrNotAtLocation when more are removed than lie there.
func (a Adjustment) ApplyAt(variant, location string, l Level, p Places) (Level, Places, error) {
	if err := a.check(l); err != nil {
		return l, p, err
	}
	lying, _ := p.Lying(l.OnHand)
	there := lying.At(location)
	after := a.target(there)
	if after < 0 {
		return l, p, ErrNotAtLocation.WithData("units", there)
	}
	next, err := a.set(variant, l, l.OnHand+after-there)
	if err != nil {
		return l, p, err
	}
	return next, lying.with(location, after), nil
}
