package portstest

import (
	"context"
	"slices"
	"sync"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// stockTaken sells tracked and untracked variants with every kind of Prefetch.
func stockTaken(h stockFixture) {
	demands := []ports.Demand{
		{Variant: "w", Quantity: 3}, {Variant: "v", Quantity: 1}, {Variant: "u", Quantity: 2}, {Variant: "v", Quantity: 1},
	}
	all := []string{"u", "v", "w"}
	for name, plan := range map[string]*ports.Prefetch{
		"without prefetch":                         nil,
		"prefetched":                               {Holder: "c", Environment: tenant.Live, Variants: all},
		"prefetched after uses":                    {Holder: "c", Environment: tenant.Live, Variants: all, DiscountUsesFirst: true},
		"one variant not prefetched":               {Holder: "c", Environment: tenant.Live, Variants: []string{"u", "w"}},
		"prefetched for another holder":            {Holder: "d", Environment: tenant.Live, Variants: all},
		"prefetched after uses for another holder": {Holder: "d", Environment: tenant.Live, Variants: all, DiscountUsesFirst: true},
		"prefetched in test":                       {Holder: "c", Environment: tenant.Test, Variants: all},
		"no variants prefetched":                   {},
	} {
		h.set("u", 10, false)
		h.set("v", 10, true)
		h.set("w", 10, true)
		scope := ports.ForTenant(h.id)
		scope.Prefetch = plan
		var taken []ports.Demand
		err := h.s.Atomically(h.t.Context(), scope, func(ctx context.Context, tx ports.Tx) (err error) {
			if err := tx.Stock.Set(ctx, h.id, tenant.Live, "p", "w", ports.StockLevel{OnHand: 10}, ports.StockCause{}); err != nil { // it was tracked before
				return err
			}
			taken, err = tx.Stock.Take(ctx, h.id, tenant.Live, "c", demands, ports.StockCause{})
			return err
		})
		if want := []ports.Demand{{Variant: "v", Quantity: 2}}; err != nil || !slices.Equal(taken, want) {
			h.t.Errorf("%s: took %v, want %v (%v)", name, taken, want, err)
		}
		h.want(name, map[string]ports.StockLevel{"u": {OnHand: 10}, "v": {OnHand: 8, Tracked: true}, "w": {OnHand: 10}})
	}
}

// stockTrackingRace runs sales concurrently with changes of tracking: the count falls by exactly the units
// that Take returned.
func stockTrackingRace(h stockFixture) {
	const units, buyers = 1000, 20
	h.set("v", units, true)
	var all sync.WaitGroup
	took := make([]int64, buyers)
	for i := range took {
		holder := "c" + string(rune('a'+i))
		all.Go(func() {
			scope := ports.ForTenant(h.id)
			if i%2 == 0 {
				scope.Prefetch = &ports.Prefetch{Holder: holder, Environment: tenant.Live, Variants: []string{"v"}}
			}
			var taken []ports.Demand
			if err := h.s.Atomically(h.t.Context(), scope, func(ctx context.Context, tx ports.Tx) (err error) {
				taken, err = tx.Stock.Take(ctx, h.id, tenant.Live, holder, []ports.Demand{{Variant: "v", Quantity: int64(i + 1)}}, ports.StockCause{})
				return err
			}); err != nil {
				h.t.Errorf("buyer %d: %v", i, err)
			}
			for _, d := range taken {
				took[i] += d.Quantity
			}
		})
		all.Go(func() { // an operator changes tracking only
			if err := inTx(h.t, h.s, h.id, func(ctx context.Context, tx ports.Tx) error {
				levels, err := tx.Stock.Levels(ctx, tenant.Live, []string{"v"})
				if err != nil {
					return err
				}
				l := levels["v"]
				return tx.Stock.Set(ctx, h.id, tenant.Live, "p", "v", ports.StockLevel{OnHand: l.OnHand, Tracked: !l.Tracked}, ports.StockCause{})
			}); err != nil {
				h.t.Errorf("change %d: %v", i, err)
			}
		})
	}
	all.Wait()
	left := int64(units)
	for _, n := range took {
		left -= n
	}
	h.want("after sales and changes", map[string]ports.StockLevel{"v": {OnHand: left, Tracked: true}})
}
