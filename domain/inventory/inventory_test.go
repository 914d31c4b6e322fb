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
		"all available units":                           {inventory.Level{OnHand: 5, Reserved: 2, Tracked: true}, 3, true, true},
		"reserved units are on hand, but not available": {inventory.Level{OnHand: 5, Reserved: 2, Tracked: true}, 4, true, false},
		"all units on hand":                             {inventory.Level{OnHand: 5, Reserved: 2, Tracked: true}, 5, true, false},
		"more units than on hand":                       {inventory.Level{OnHand: 5, Tracked: true}, 6, false, false},
		"any quantity of an untracked variant":          {inventory.Level{}, 9999, true, true},
		"a tracked variant without stock":               {inventory.Level{Tracked: true}, 0, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.level.OnHandCovers(c.quantity) != c.holds || c.level.AvailableCovers(c.quantity) != c.spares {
				t.Errorf("holds %v spares %v", c.level.OnHandCovers(c.quantity), c.level.AvailableCovers(c.quantity))
			}
		})
	}
}

func TestOutOfStockNamesVariant(t *testing.T) {
	t.Parallel()
	err := inventory.OutOfStock(inventory.Demand{Variant: "v", Quantity: 4}, -1)
	if !errors.Is(err, inventory.ErrOutOfStock) || err.Data["variantId"] != "v" || err.Data["requested"] != int64(4) ||
		err.Data["available"] != int64(0) {
		t.Errorf("got %v %v", err, err.Data)
	}
}

func TestIsLow(t *testing.T) {
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
		"above the threshold":                {&five, []inventory.Level{counted(6, 0)}, false},
		"at the threshold":                   {&five, []inventory.Level{counted(5, 0)}, true},
		"reserved units are not available":   {&five, []inventory.Level{counted(6, 1)}, true},
		"the levels together are enough":     {&five, []inventory.Level{counted(3, 0), counted(3, 0)}, false},
		"the levels together are not enough": {&five, []inventory.Level{counted(3, 1), counted(3, 0)}, true},
		"untracked levels do not count":      {&five, []inventory.Level{counted(5, 0), {OnHand: 9}}, true},
		"no level is tracked":                {&five, []inventory.Level{{OnHand: 1}}, false},
		"no level":                           {&five, nil, false},
		"without a threshold":                {nil, []inventory.Level{counted(0, 0)}, false},
		"a threshold of 0 without stock":     {&none, []inventory.Level{counted(1, 1)}, true},
		"a threshold of 0, one unit left":    {&none, []inventory.Level{counted(1, 0)}, false},
	} {
		if got := inventory.IsLow(c.threshold, c.levels...); got != c.low {
			t.Errorf("%s: got %v", name, got)
		}
	}
}
