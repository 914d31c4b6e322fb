package inventory_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/inventory"
)

func demand(v string, n int64) inventory.Demand { return inventory.Demand{Variant: v, Quantity: n} }

func TestDemandOfOneVariantAddsUp(t *testing.T) {
	t.Parallel()
	got := inventory.Sum([]inventory.Demand{demand("b", 1), demand("a", 2), demand("b", 3)})
	if !slices.Equal(got, []inventory.Demand{demand("a", 2), demand("b", 4)}) {
		t.Errorf("got %v", got)
	}
}

func TestLevels(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		level         inventory.Level
		quantity      int64
		holds, spares bool
	}{
		"everything that is free":                  {inventory.Level{OnHand: 5, Reserved: 2, Tracked: true}, 3, true, true},
		"promised units can be had, but not now":   {inventory.Level{OnHand: 5, Reserved: 2, Tracked: true}, 4, true, false},
		"everything on hand can be had":            {inventory.Level{OnHand: 5, Reserved: 2, Tracked: true}, 5, true, false},
		"more than on hand can never be had":       {inventory.Level{OnHand: 5, Tracked: true}, 6, false, false},
		"without counting, any quantity is there":  {inventory.Level{}, 9999, true, true},
		"nothing on hand still gives nothing away": {inventory.Level{Tracked: true}, 0, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.level.Holds(c.quantity) != c.holds || c.level.Spares(c.quantity) != c.spares {
				t.Errorf("holds %v spares %v", c.level.Holds(c.quantity), c.level.Spares(c.quantity))
			}
		})
	}
}

func TestAShortageNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	err := inventory.Short(inventory.Demand{Variant: "v", Quantity: 4}, -1)
	if !errors.Is(err, inventory.ErrOutOfStock) || err.Data["variantId"] != "v" || err.Data["requested"] != int64(4) || err.Data["available"] != int64(0) {
		t.Errorf("got %v %v", err, err.Data)
	}
}
