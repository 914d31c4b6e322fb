package carts

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// sweepBatchSize bounds how many carts one call of Sweep handles.
const sweepBatchSize = 200

// Sweep marks the expired carts of the scope as abandoned, with their events, at most sweepBatchSize at a
// time; more reports whether others may be left. A cart that cannot be marked does not keep others from it.
// Several instances may sweep at once: each cart is marked once.
func (s *Service) Sweep(ctx context.Context, scope ports.Scope) (swept int, more bool, err error) {
	now := s.Now()
	due := collection.And{
		cart.Schema.Where("status", collection.Equals, string(cart.Active)),
		// implied by expiresAt; createdAt is indexed
		cart.Schema.Where("createdAt", collection.LessThanEqual, collection.TruncateTime(now.Add(-cart.Lifetime))),
		cart.Schema.Where("expiresAt", collection.LessThanEqual, collection.TruncateTime(now)),
	}
	if failed := s.Sweeps.Waiting(sweepBatchSize); len(failed) > 0 {
		ids := make([]any, len(failed))
		for i, item := range failed {
			ids[i] = item.ID
		}
		due = append(due, cart.Schema.Where("id", collection.NotIn, ids...))
	}
	page, err := s.Store.Read(scope).Find(ctx, collection.Query{
		Schema: cart.Schema, Where: due, Limit: sweepBatchSize, Page: 1, SkipCount: true, LeaveOutDamaged: true,
	})
	if err != nil {
		return 0, false, err
	}
	errs, done := make([]error, len(page.Docs)), make([]bool, len(page.Docs))
	background.Parallel(len(page.Docs), func(i int) { // concurrent commits share a transaction
		r := page.Docs[i]
		item := background.Item{Tenant: tenant.ID(r.Text("tenant")), ID: r.ID()}
		errs[i] = s.Sweeps.Do(ctx, item, func(ctx context.Context) error {
			err := s.abandon(ctx, r)
			if errors.Is(err, ports.ErrStale) { // changed or swept concurrently
				return nil
			}
			done[i] = err == nil
			return err
		})
	})
	for _, one := range done {
		if one {
			swept++
		}
	}
	return swept, swept > 0 && page.Found() == sweepBatchSize, errors.Join(errors.Join(errs...), s.Sweeps.FailDamaged(ctx, page))
}

func (s *Service) abandon(ctx context.Context, before collection.Record) error {
	c, err := cart.FromRecord(before)
	if err != nil {
		return err
	}
	now := s.Now()
	change := collection.NewChange(cart.Schema, before, c.Abandon(now).Record(), s.NewID(), now)
	return s.Committer.Commit(ctx, ports.CommitRequest{Tenant: tenant.ID(before.Text("tenant")), Changes: []collection.Change{change}})
}
