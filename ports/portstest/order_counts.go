package portstest

import (
	"slices"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// OrderCounts checks ports.OrderCounts.
func OrderCounts(t *testing.T, c ports.OrderCounts) {
	next := func(t *testing.T, id tenant.ID, env tenant.Environment, series string, step, want int64) {
		t.Helper()
		if n, err := c.Next(t.Context(), id, env, series, step); err != nil || n != want {
			t.Errorf("%s/%s/%q: %d, %v; want %d", id, env, series, n, err, want)
		}
	}
	t.Run("a series counts from one, by steps", func(t *testing.T) {
		id := freshTenant()
		next(t, id, tenant.Live, "20260131-{SEQ}", 1, 1)
		next(t, id, tenant.Live, "20260131-{SEQ}", 1, 2)
		next(t, id, tenant.Live, "20260131-{SEQ}", 64, 66)
		next(t, id, tenant.Live, "20260131-{SEQ}", 1, 67)
	})
	t.Run("each tenant, environment and series counts by itself", func(t *testing.T) {
		id, other := freshTenant(), freshTenant()
		next(t, id, tenant.Live, "A{SEQ}", 1, 1)
		next(t, other, tenant.Live, "A{SEQ}", 1, 1)
		next(t, id, tenant.Test, "A{SEQ}", 1, 1)
		next(t, id, tenant.Live, "a{SEQ}", 1, 1)
		next(t, id, tenant.Live, "A{SEQ}", 1, 2)
	})
	t.Run("of many at once no two get the same", func(t *testing.T) {
		id := freshTenant()
		const callers = 20
		var mu sync.Mutex
		var got []int64
		var all sync.WaitGroup
		for range callers {
			all.Go(func() {
				n, err := c.Next(t.Context(), id, tenant.Live, "{SEQ}", 1)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				got = append(got, n)
			})
		}
		all.Wait()
		slices.Sort(got)
		for i, n := range got {
			if n != int64(i+1) {
				t.Fatalf("the counts are %v", got)
			}
		}
	})
}
