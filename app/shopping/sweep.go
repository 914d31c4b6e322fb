package shopping

import (
	"context"
	"errors"
	"sync"

	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// sweepSize bounds what one call of Sweep takes on.
const sweepSize = 200

// Sweep writes down which carts of the scope are abandoned, with their events, at most sweepSize at a time; more reports
// whether others may be left. Several instances may sweep at once: of two that take on one cart, one finds it done.
func (s *Carts) Sweep(ctx context.Context, scope ports.Scope) (swept int, more bool, err error) {
	now := s.Now()
	due := collection.And{
		cart.Schema.Where("status", collection.Equals, string(cart.Active)),
		cart.Schema.Where("createdAt", collection.LessThanEqual, collection.Instant(now.Add(-cart.Lifetime))), // all can be; the index is on it
		cart.Schema.Where("expiresAt", collection.LessThanEqual, collection.Instant(now)),
	}
	page, err := s.Store.Read(scope).Find(ctx, collection.Query{Schema: cart.Schema, Where: due, Limit: sweepSize, Page: 1})
	if err != nil {
		return 0, false, err
	}
	errs := make([]error, len(page.Docs))
	var all sync.WaitGroup
	for i, r := range page.Docs { // together they share a commit
		all.Go(func() { errs[i] = s.abandon(ctx, r) })
	}
	all.Wait()
	for i, e := range errs {
		switch {
		case e == nil:
			swept++
		case errors.Is(e, ports.ErrStale): // changed or swept by someone else
			errs[i] = nil
		}
	}
	err = errors.Join(errs...)
	return swept, err == nil && len(page.Docs) == sweepSize, err
}

func (s *Carts) abandon(ctx context.Context, before collection.Record) error {
	c, err := cart.FromRecord(before)
	if err != nil {
		return err
	}
	now := s.Now()
	change := collection.NewChange(cart.Schema, before, c.Abandon(now).Record(), s.NewID(), now)
	return s.Committer.Commit(ctx, ports.Step{Tenant: tenant.ID(before.Text("tenant")), Changes: []collection.Change{change}})
}
