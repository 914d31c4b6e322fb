package offers

import (
	"context"

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
	var moved map[tenant.ID]stockMoves
	committed := false
	defer func() { // whatever the outcome: after a lost connection it is unknown
		for t, m := range moved {
			w.cache.moveStock(t, m, committed)
		}
		for t := range touched {
			w.cache.Forget(t)
		}
	}()
	err := w.Store.Atomically(ctx, scope, func(ctx context.Context, tx ports.Tx) error {
		moved = map[tenant.ID]stockMoves{} // of this attempt
		tx.Records = invalidatingRecords{tx.Records, touched}
		tx.Stock = invalidatingStock{tx.Stock, touched, moved, scope.Prefetch != nil}
		return fn(ctx, tx)
	})
	committed = err == nil
	return err
}

// stockMoves is the stock that a transaction moved, as it leaves it; nil where that was not asked.
type stockMoves map[ports.StockKey]*ports.StockLevel

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
	touched[tenant.ID(change.Record().Text("tenant"))] = true
}

type invalidatingStock struct {
	ports.Stock

	touched map[tenant.ID]bool
	moved   map[tenant.ID]stockMoves
	knows   bool // the transaction has prefetched the stock that it moves
}

// markMoved notes that units were moved.
func (w invalidatingStock) markMoved(t tenant.ID, env tenant.Environment, demands []ports.Demand, levels map[string]ports.StockLevel) {
	if w.moved[t] == nil {
		w.moved[t] = stockMoves{}
	}
	for _, d := range demands {
		key := ports.StockKey{Environment: env, Variant: d.Variant}
		w.moved[t][key] = nil
		if l, known := levels[d.Variant]; known {
			w.moved[t][key] = &l
		}
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
	w.markMoved(t, env, demands, nil)
	missing, err := w.Stock.Take(ctx, t, env, holder, demands, cause)
	if err != nil || !w.knows {
		return missing, err
	}
	variants := make([]string, len(demands))
	for i, d := range demands {
		variants[i] = d.Variant
	}
	levels, err := w.Levels(ctx, env, variants)
	w.markMoved(t, env, demands, levels)
	return missing, err
}

// Restock implements ports.Stock.
func (w invalidatingStock) Restock(
	ctx context.Context, t tenant.ID, env tenant.Environment, demands []ports.Demand, cause ports.StockCause,
) error {
	w.markMoved(t, env, demands, nil)
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
