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

func TestWhenStockIsLow(t *testing.T) {
	t.Parallel()
	five, none := int64(5), int64(0)
	counted := func(onHand, reserved int64) inventory.Level {
		return inventory.Level{OnHand: onHand, Reserved: reserved, Tracked: true}
	}
	for name, c := range map[string]struct {
		threshold *int64
		levels    []inventory.Level
		low       bool
	}{
		"above the threshold":                    {&five, []inventory.Level{counted(6, 0)}, false},
		"at the threshold":                       {&five, []inventory.Level{counted(5, 0)}, true},
		"what is promised is not free":           {&five, []inventory.Level{counted(6, 1)}, true},
		"all together are enough":                {&five, []inventory.Level{counted(3, 0), counted(3, 0)}, false},
		"all together are not enough":            {&five, []inventory.Level{counted(3, 1), counted(3, 0)}, true},
		"what is not counted does not help":      {&five, []inventory.Level{counted(5, 0), {OnHand: 9}}, true},
		"nothing is counted":                     {&five, []inventory.Level{{OnHand: 1}}, false},
		"there is nothing":                       {&five, nil, false},
		"without a threshold":                    {nil, []inventory.Level{counted(0, 0)}, false},
		"a threshold of none is the last unit's": {&none, []inventory.Level{counted(1, 1)}, true},
		"a threshold of none, one left":          {&none, []inventory.Level{counted(1, 0)}, false},
	} {
		if got := inventory.Low(c.threshold, c.levels...); got != c.low {
			t.Errorf("%s: got %v", name, got)
		}
	}
}
