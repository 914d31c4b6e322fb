package carts

import (
	"context"
	"errors"
	"sync"

	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// sweepBatchSize bounds how many carts one call of Sweep handles.
const sweepBatchSize = 200

// Sweep marks the expired carts of the scope as abandoned, with their events, at most sweepBatchSize at a
// time; more reports whether others may be left. Several instances may sweep at once: each cart is marked
// once.
func (s *Service) Sweep(ctx context.Context, scope ports.Scope) (swept int, more bool, err error) {
	now := s.Now()
	due := collection.And{
		cart.Schema.Where("status", collection.Equals, string(cart.Active)),
		// implied by expiresAt; createdAt is indexed
		cart.Schema.Where("createdAt", collection.LessThanEqual, collection.TruncateTime(now.Add(-cart.Lifetime))),
		cart.Schema.Where("expiresAt", collection.LessThanEqual, collection.TruncateTime(now)),
	}
	page, err := s.Store.Read(scope).Find(ctx, collection.Query{Schema: cart.Schema, Where: due, Limit: sweepBatchSize, Page: 1})
	if err != nil {
		return 0, false, err
	}
	errs := make([]error, len(page.Docs))
	var all sync.WaitGroup
	for i, r := range page.Docs { // concurrent commits share a transaction
		all.Go(func() { errs[i] = s.abandon(ctx, r) })
	}
	all.Wait()
	for i, e := range errs {
		switch {
		case e == nil:
			swept++
		case errors.Is(e, ports.ErrStale): // changed or swept concurrently
			errs[i] = nil
		}
	}
	err = errors.Join(errs...)
	return swept, err == nil && len(page.Docs) == sweepBatchSize, err
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
