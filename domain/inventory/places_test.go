package inventory_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
)

func TestUnitsLieAtTheFirstLocationsTheLongest(t *testing.T) {
	t.Parallel()
	stored := inventory.Places{{Location: "a", Units: 4}, {Location: "b", Units: 3}, {Location: "c", Units: 2}}
	for onHand, want := range map[int64]struct {
		lying    inventory.Places
		unplaced int64
	}{
		12: {stored, 3},
		9:  {stored, 0},
		8:  {inventory.Places{{Location: "a", Units: 4}, {Location: "b", Units: 3}, {Location: "c", Units: 1}}, 0},
		5:  {inventory.Places{{Location: "a", Units: 4}, {Location: "b", Units: 1}}, 0},
		1:  {inventory.Places{{Location: "a", Units: 1}}, 0},
		0:  {nil, 0},
		-3: {nil, 0},
	} {
		if lying, unplaced := stored.Lying(onHand); !slices.Equal(lying, want.lying) || unplaced != want.unplaced {
			t.Errorf("of %d: %v and %d", onHand, lying, unplaced)
		}
	}
}

// lyingProperly checks that units are at one place each, and that places are as they may be stored.
func lyingProperly(t *testing.T, p inventory.Places, onHand int64) {
	t.Helper()
	lying, unplaced := p.Lying(onHand)
	sum, seen := unplaced, map[string]bool{}
	for _, at := range lying {
		if at.Units < 1 || at.Units > p.At(at.Location) || seen[at.Location] {
			t.Errorf("%v lie as %v", p, lying)
		}
		sum, seen[at.Location] = sum+at.Units, true
	}
	if unplaced < 0 || sum != max(onHand, 0) {
		t.Errorf("%v and %d are not the %d on hand", lying, unplaced, onHand)
	}
	if again, rest := lying.Lying(onHand); !slices.Equal(again, lying) || rest != unplaced {
		t.Errorf("settled twice: %v and %v", lying, again)
	}
}

func TestEveryUnitLiesAtOnePlace(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(36, 37))
	names := []string{"a", "b", "c", "d"}
	for range 5000 {
		var p inventory.Places
		for _, name := range names {
			if n := random.Int64N(6); n > 0 {
				p = append(p, inventory.Place{Location: name, Units: n})
			}
		}
		was := slices.Clone(p)
		level := inventory.Level{OnHand: random.Int64N(24) - 2, Tracked: true}
		lyingProperly(t, p, level.OnHand)
		somewhere := func() string { return append(names, "")[random.IntN(5)] }
		move := inventory.Transfer{From: somewhere(), To: somewhere(), Units: random.Int64N(5)}
		if next, err := move.Apply(p, level.OnHand); err == nil {
			lyingProperly(t, next, level.OnHand)
			moved(t, move, p, next, level.OnHand)
		}
		a := inventory.Adjustment{Delta: new(random.Int64N(9) - 4)}
		if random.IntN(2) == 0 {
			a = inventory.Adjustment{Count: new(random.Int64N(9))}
		}
		at := names[random.IntN(4)]
		if next, places, err := a.ApplyAt("v", at, level, p); err == nil {
			lyingProperly(t, places, next.OnHand)
			adjusted(t, a, at, level, p, next, places)
		}
		if !slices.Equal(was, p) {
			t.Fatal("places were changed in place")
		}
	}
}

// moved checks that a move took its units from one place to the other, and nothing else.
func moved(t *testing.T, m inventory.Transfer, before, after inventory.Places, onHand int64) {
	t.Helper()
	was, _ := before.Lying(onHand)
	for _, name := range []string{"a", "b", "c", "d"} {
		want := was.At(name)
		if name == m.From {
			want -= m.Units
		}
		if name == m.To {
			want += m.Units
		}
		if after.At(name) != want {
			t.Errorf("%+v of %v: %v", m, was, after)
		}
	}
}

// adjusted checks that an adjustment changed the units at its place and the total by as many.
func adjusted(t *testing.T, a inventory.Adjustment, at string, was inventory.Level, before inventory.Places, next inventory.Level, after inventory.Places) {
	t.Helper()
	lying, _ := before.Lying(was.OnHand)
	diff := after.At(at) - lying.At(at)
	if next.OnHand-was.OnHand != diff || a.Delta != nil && *a.Delta != diff || a.Count != nil && after.At(at) != *a.Count {
		t.Errorf("%+v at %s of %v: %v, %+v", a, at, lying, after, next)
	}
	for _, place := range lying {
		if place.Location != at && after.At(place.Location) != place.Units {
			t.Errorf("%+v at %s of %v: %v", a, at, lying, after)
		}
	}
}

func TestMovesThatCannotBeAreRefused(t *testing.T) {
	t.Parallel()
	stored := inventory.Places{{Location: "a", Units: 4}, {Location: "b", Units: 3}}
	for name, c := range map[string]struct {
		move inventory.Transfer
		want error
	}{
		"all of a place":              {inventory.Transfer{From: "a", To: "b", Units: 4}, nil},
		"more than is left there":     {inventory.Transfer{From: "b", To: "a", Units: 3}, inventory.ErrNotAtLocation},
		"from where none are":         {inventory.Transfer{From: "c", To: "a", Units: 1}, inventory.ErrNotAtLocation},
		"from nowhere in particular":  {inventory.Transfer{To: "a", Units: 1}, inventory.ErrNotAtLocation},
		"to nowhere in particular":    {inventory.Transfer{From: "a", Units: 1}, nil},
		"nowhere in particular twice": {inventory.Transfer{Units: 1}, fault.ErrValidation},
		"to the same place":           {inventory.Transfer{From: "a", To: "a", Units: 1}, fault.ErrValidation},
		"no units":                    {inventory.Transfer{From: "a", To: "b"}, fault.ErrValidation},
	} {
		_, err := c.move.Apply(stored, 6)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := inventory.Transfer{From: "b", To: "a", Units: 3}.Apply(stored, 6)
	if f := fault.From(err); f.Data["units"] != int64(2) {
		t.Errorf("the refusal tells %v", f.Data)
	}
	level := inventory.Level{OnHand: 6, Reserved: 5, Tracked: true}
	for name, c := range map[string]struct {
		change inventory.Adjustment
		at     string
		want   error
	}{
		"removing more than lie there": {inventory.Adjustment{Delta: new(int64(-3))}, "b", inventory.ErrNotAtLocation},
		"removing what is reserved":    {inventory.Adjustment{Delta: new(int64(-2))}, "a", inventory.ErrOutOfStock},
		"counting what is there":       {inventory.Adjustment{Count: new(int64(2))}, "b", nil},
		"counting too many":            {inventory.Adjustment{Count: new(int64(inventory.MaxOnHand))}, "a", fault.ErrValidation},
		"expecting what lies there":    {inventory.Adjustment{Count: new(int64(2)), Expected: new(int64(2))}, "b", inventory.ErrStockChanged},
	} {
		next, places, err := c.change.ApplyAt("v", c.at, level, stored)
		if !errors.Is(err, c.want) || err != nil && (next != level || !slices.Equal(places, stored)) {
			t.Errorf("%s: %+v %v %v", name, next, places, err)
		}
	}
}
