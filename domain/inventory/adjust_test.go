package inventory_test

import (
	"errors"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
)

func TestAdjustmentsOfALevel(t *testing.T) {
	t.Parallel()
	level := inventory.Level{OnHand: 10, Reserved: 3, Tracked: true}
	untracked := inventory.Level{OnHand: 2, Reserved: 3}
	for name, c := range map[string]struct {
		change inventory.Adjustment
		level  inventory.Level
		want   int64
		err    error
	}{
		"units arrive":                      {inventory.Adjustment{Delta: new(int64(5))}, level, 15, nil},
		"units leave":                       {inventory.Adjustment{Delta: new(int64(-7))}, level, 3, nil},
		"reserved units leave":              {inventory.Adjustment{Delta: new(int64(-8))}, level, 10, inventory.ErrOutOfStock},
		"more leave than there are":         {inventory.Adjustment{Delta: new(int64(-3))}, untracked, 2, inventory.ErrOutOfStock},
		"reservations of what is untracked": {inventory.Adjustment{Delta: new(int64(-2))}, untracked, 0, nil},
		"nothing changes":                   {inventory.Adjustment{Delta: new(int64(0))}, level, 10, fault.ErrValidation},
		"a count":                           {inventory.Adjustment{Count: new(int64(4))}, level, 4, nil},
		"a count of what is there":          {inventory.Adjustment{Count: new(int64(10))}, level, 10, nil},
		"a count of nothing":                {inventory.Adjustment{Count: new(int64(0))}, untracked, 0, nil},
		"a count below what is reserved":    {inventory.Adjustment{Count: new(int64(2))}, level, 10, inventory.ErrOutOfStock},
		"a negative count":                  {inventory.Adjustment{Count: new(int64(-1))}, level, 10, fault.ErrValidation},
		"the most there can be":             {inventory.Adjustment{Count: new(int64(inventory.MaxOnHand))}, level, inventory.MaxOnHand, nil},
		"more than there can be":            {inventory.Adjustment{Count: new(int64(inventory.MaxOnHand + 1))}, level, 10, fault.ErrValidation},
		"both":                              {inventory.Adjustment{Delta: new(int64(1)), Count: new(int64(1))}, level, 10, fault.ErrValidation},
		"neither":                           {inventory.Adjustment{}, level, 10, fault.ErrValidation},
		"what was expected":                 {inventory.Adjustment{Delta: new(int64(1)), Expected: new(int64(10))}, level, 11, nil},
		"not what was expected":             {inventory.Adjustment{Count: new(int64(9)), Expected: new(int64(9))}, level, 10, inventory.ErrStockChanged},
	} {
		got, err := c.change.Apply("v", c.level)
		if !errors.Is(err, c.err) || got.OnHand != c.want || got.Reserved != c.level.Reserved || got.Tracked != c.level.Tracked {
			t.Errorf("%s: %+v %v", name, got, err)
		}
	}
	_, err := inventory.Adjustment{Delta: new(int64(-9))}.Apply("v", level)
	if f := fault.From(err); f.Data["variantId"] != "v" || f.Data["requested"] != int64(9) || f.Data["available"] != int64(7) {
		t.Errorf("the refusal tells %v", f.Data)
	}
	if f := fault.From(inventory.CheckExpected(new(int64(4)), 6)); f.Data["stock"] != int64(6) {
		t.Errorf("the refusal tells %v", f.Data)
	}
}
