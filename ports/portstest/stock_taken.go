package portstest

import (
	"context"
	"slices"
	"sync"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// stockTaken sells tracked and other variants under every plan that a unit of work may have.
func stockTaken(h shelf) {
	demands := []ports.Demand{{Variant: "w", Quantity: 3}, {Variant: "v", Quantity: 1}, {Variant: "u", Quantity: 2}, {Variant: "v", Quantity: 1}}
	all := []string{"u", "v", "w"}
	for name, plan := range map[string]*ports.Ahead{
		"without a plan":               nil,
		"foreseen":                     {Holder: "c", Environment: tenant.Live, Variants: all},
		"foreseen after uses":          {Holder: "c", Environment: tenant.Live, Variants: all, Codes: true},
		"one variant was not foreseen": {Holder: "c", Environment: tenant.Live, Variants: []string{"u", "w"}},
		"another holder was foreseen":  {Holder: "d", Environment: tenant.Live, Variants: all},
		"the holder is foreseen later": {Holder: "d", Environment: tenant.Live, Variants: all, Codes: true},
		"the test stock was foreseen":  {Holder: "c", Environment: tenant.Test, Variants: all},
		"no goods were foreseen":       {},
	} {
		h.set("u", 10, false)
		h.set("v", 10, true)
		h.set("w", 10, true)
		scope := ports.Of(h.id)
		scope.Ahead = plan
		var taken []ports.Demand
		err := h.s.Atomically(h.t.Context(), scope, func(ctx context.Context, tx ports.Tx) (err error) {
			if err := tx.Stock.Set(ctx, h.id, tenant.Live, "p", "w", ports.Level{OnHand: 10}); err != nil { // tracked until a moment ago
				return err
			}
			taken, err = tx.Stock.Take(ctx, h.id, tenant.Live, "c", demands)
			return err
		})
		if want := []ports.Demand{{Variant: "v", Quantity: 2}}; err != nil || !slices.Equal(taken, want) {
			h.t.Errorf("%s: took %v, want %v (%v)", name, taken, want, err)
		}
		h.want(name, map[string]ports.Level{"u": {OnHand: 10}, "v": {OnHand: 8, Tracked: true}, "w": {OnHand: 10}})
	}
}

// stockTurned has sales and a change of tracking race: the count is down by exactly what the sales say they took.
func stockTurned(h shelf) {
	const units, buyers = 1000, 20
	h.set("v", units, true)
	var all sync.WaitGroup
	took := make([]int64, buyers)
	for i := range took {
		holder := "c" + string(rune('a'+i))
		all.Go(func() {
			scope := ports.Of(h.id)
			if i%2 == 0 {
				scope.Ahead = &ports.Ahead{Holder: holder, Environment: tenant.Live, Variants: []string{"v"}}
			}
			var taken []ports.Demand
			if err := h.s.Atomically(h.t.Context(), scope, func(ctx context.Context, tx ports.Tx) (err error) {
				taken, err = tx.Stock.Take(ctx, h.id, tenant.Live, holder, []ports.Demand{{Variant: "v", Quantity: int64(i + 1)}})
				return err
			}); err != nil {
				h.t.Errorf("buyer %d: %v", i, err)
			}
			for _, d := range taken {
				took[i] += d.Quantity
			}
		})
		all.Go(func() { // an operator changes tracking and nothing else
			if err := within(h.t, h.s, h.id, func(ctx context.Context, tx ports.Tx) error {
				levels, err := tx.Stock.Levels(ctx, tenant.Live, []string{"v"})
				if err != nil {
					return err
				}
				l := levels["v"]
				return tx.Stock.Set(ctx, h.id, tenant.Live, "p", "v", ports.Level{OnHand: l.OnHand, Tracked: !l.Tracked})
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
	h.want("after sales and changes", map[string]ports.Level{"v": {OnHand: left, Tracked: true}})
}
