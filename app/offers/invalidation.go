package offers

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// WrapStore wraps store so that a transaction that touches a tenant's facts drops them from the cache when it
// ends.
func (c *Cache) WrapStore(store ports.Store) ports.Store { return invalidatingStore{store, c} }

// WrapCommitter does the same for a committer.
func (c *Cache) WrapCommitter(committer ports.Committer) ports.Committer {
	return invalidatingCommitter{committer, c}
}

type invalidatingStore struct {
	ports.Store

	cache *Cache
}

// Atomically implements ports.Store.
func (w invalidatingStore) Atomically(ctx context.Context, scope ports.Scope, fn func(context.Context, ports.Tx) error) error {
	touched := map[tenant.ID]bool{}
	moved := map[tenant.ID][]string{}
	defer func() { // whatever the outcome: after a lost connection it is unknown
		for t, variants := range moved {
			w.cache.ForgetStock(t, variants)
		}
		for t := range touched {
			w.cache.Forget(t)
		}
	}()
	return w.Store.Atomically(ctx, scope, func(ctx context.Context, tx ports.Tx) error {
		tx.Records = invalidatingRecords{tx.Records, touched}
		tx.Stock = invalidatingStock{tx.Stock, touched, moved}
		return fn(ctx, tx)
	})
}

type invalidatingRecords struct {
	ports.Records

	touched map[tenant.ID]bool
}

// Write implements ports.Records.
func (w invalidatingRecords) Write(ctx context.Context, changes ...collection.Change) error {
	for _, change := range changes {
		markTouched(w.touched, change)
	}
	return w.Records.Write(ctx, changes...)
}

func markTouched(touched map[tenant.ID]bool, change collection.Change) {
	if !isWatched(change.Schema) {
		return
	}
	r := change.After
	if r == nil {
		r = change.Before
	}
	touched[tenant.ID(r.Text("tenant"))] = true
}

type invalidatingStock struct {
	ports.Stock

	touched map[tenant.ID]bool
	moved   map[tenant.ID][]string // variants
}

func (w invalidatingStock) markMoved(t tenant.ID, demands []ports.Demand) {
	w.moved[t] = slices.Grow(w.moved[t], len(demands))
	for _, d := range demands {
		w.moved[t] = append(w.moved[t], d.Variant)
	}
}

// Set implements ports.Stock.
func (w invalidatingStock) Set(
	ctx context.Context, t tenant.ID, env tenant.Environment, product, variant string, level ports.StockLevel,
	cause ports.StockCause,
) error {
	w.touched[t] = true
	return w.Stock.Set(ctx, t, env, product, variant, level, cause)
}

// Take implements ports.Stock.
func (w invalidatingStock) Take(
	ctx context.Context, t tenant.ID, env tenant.Environment, holder string, demands []ports.Demand,
	cause ports.StockCause,
) ([]ports.Demand, error) {
	w.markMoved(t, demands)
	return w.Stock.Take(ctx, t, env, holder, demands, cause)
}

// Restock implements ports.Stock.
func (w invalidatingStock) Restock(
	ctx context.Context, t tenant.ID, env tenant.Environment, demands []ports.Demand, cause ports.StockCause,
) error {
	w.markMoved(t, demands)
	return w.Stock.Restock(ctx, t, env, demands, cause)
}

type invalidatingCommitter struct {
	ports.Committer

	cache *Cache
}

// Commit implements ports.Committer.
func (w invalidatingCommitter) Commit(ctx context.Context, step ports.CommitRequest) error {
	touched := map[tenant.ID]bool{}
	for _, changes := range [][]collection.Change{step.Changes, step.Creates} {
		for _, change := range changes {
			markTouched(touched, change)
		}
	}
	err := w.Committer.Commit(ctx, step)
	for t := range touched {
		w.cache.Forget(t)
	}
	return err
}
