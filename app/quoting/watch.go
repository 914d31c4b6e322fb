package quoting

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Watch is store, and drops what the cache remembers of a tenant once a transaction that touched its facts is done.
func (c *Cache) Watch(store ports.Store) ports.Store { return watchedStore{store, c} }

// WatchCommits does the same for a committer.
func (c *Cache) WatchCommits(committer ports.Committer) ports.Committer {
	return watchedCommitter{committer, c}
}

type watchedStore struct {
	ports.Store

	cache *Cache
}

// Atomically implements ports.Store.
func (w watchedStore) Atomically(ctx context.Context, scope ports.Scope, fn func(context.Context, ports.Tx) error) error {
	touched := map[tenant.ID]bool{}
	defer func() { // whatever the outcome: after a lost connection nobody knows it
		for t := range touched {
			w.cache.Forget(t)
		}
	}()
	return w.Store.Atomically(ctx, scope, func(ctx context.Context, tx ports.Tx) error {
		tx.Records = watchedRecords{tx.Records, touched}
		tx.Stock = watchedStock{tx.Stock, touched}
		return fn(ctx, tx)
	})
}

type watchedRecords struct {
	ports.Records

	touched map[tenant.ID]bool
}

// Write implements ports.Records.
func (w watchedRecords) Write(ctx context.Context, changes ...collection.Change) error {
	for _, change := range changes {
		note(w.touched, change)
	}
	return w.Records.Write(ctx, changes...)
}

func note(touched map[tenant.ID]bool, change collection.Change) {
	if !concerns(change.Schema) {
		return
	}
	r := change.After
	if r == nil {
		r = change.Before
	}
	touched[tenant.ID(r.Text("tenant"))] = true
}

type watchedStock struct {
	ports.Stock

	touched map[tenant.ID]bool
}

// Set implements ports.Stock.
func (w watchedStock) Set(ctx context.Context, t tenant.ID, env tenant.Environment, product, variant string, level ports.Level) error {
	w.touched[t] = true
	return w.Stock.Set(ctx, t, env, product, variant, level)
}

// Take implements ports.Stock.
func (w watchedStock) Take(ctx context.Context, t tenant.ID, env tenant.Environment, holder string, demands []ports.Demand) ([]ports.Demand, error) {
	w.touched[t] = true
	return w.Stock.Take(ctx, t, env, holder, demands)
}

// Restock implements ports.Stock.
func (w watchedStock) Restock(ctx context.Context, t tenant.ID, env tenant.Environment, demands []ports.Demand) error {
	w.touched[t] = true
	return w.Stock.Restock(ctx, t, env, demands)
}

type watchedCommitter struct {
	ports.Committer

	cache *Cache
}

// Commit implements ports.Committer.
func (w watchedCommitter) Commit(ctx context.Context, step ports.Step) error {
	touched := map[tenant.ID]bool{}
	for _, changes := range [][]collection.Change{step.Changes, step.Also} {
		for _, change := range changes {
			note(touched, change)
		}
	}
	err := w.Committer.Commit(ctx, step)
	for t := range touched {
		w.cache.Forget(t)
	}
	return err
}
