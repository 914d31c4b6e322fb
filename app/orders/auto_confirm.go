package orders

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

const (
	// roundInterval is how often every tenant is checked; confirmation need not be exact, and there are many
	// tenants.
	roundInterval = 10 * time.Minute
	// tenantsPerCall is how many tenants a call of RunRound checks.
	tenantsPerCall = 200
	// batchSize is how many orders of one tenant and environment are confirmed before the next one's turn.
	batchSize = 200
)

// AutoConfirmer confirms orders that were delivered long enough ago. It is for one goroutine; other instances
// have their own.
type AutoConfirmer struct {
	Store ports.Store
	Now   func() time.Time
	NewID func() string
	Task  *background.Task // may be nil

	roundStartedAt time.Time // when the last round over all tenants began
	lastTenant     string    // the last tenant that was checked in this round; "" between rounds
}

// RunRound continues the round over all tenants, a bounded number of them at a time, and begins one when it
// is time; more reports whether this round is not complete.
func (f *AutoConfirmer) RunRound(ctx context.Context) (more bool, err error) {
	if now := f.Now(); f.lastTenant == "" {
		if !f.roundStartedAt.IsZero() && now.Sub(f.roundStartedAt) < roundInterval {
			return false, nil
		}
		f.roundStartedAt = now
	}
	s := identity.Tenants
	page, err := f.Store.Read(ports.Scope{System: true}).Find(ctx, collection.Query{
		Schema: s, Where: s.Where("id", collection.GreaterThan, f.lastTenant),
		Sort: []collection.SortKey{{Path: s.Where("id", collection.Exists, true).Path}}, Limit: tenantsPerCall, Page: 1, SkipCount: true,
	})
	if err != nil {
		if f.lastTenant == "" {
			f.roundStartedAt = time.Time{} // it has not begun
		}
		return false, err
	}
	var errs []error
	for _, shop := range page.Docs {
		errs = append(errs, f.Task.Do(ctx, background.Item{Tenant: tenant.ID(shop.ID())},
			func(ctx context.Context) error { return f.ConfirmTenant(ctx, identity.SettingsFrom(shop)) }))
	}
	f.lastTenant = ""
	if len(page.Docs) == tenantsPerCall {
		f.lastTenant = page.Docs[tenantsPerCall-1].ID()
	}
	return f.lastTenant != "", errors.Join(errs...)
}

// ConfirmTenant confirms all due orders of one tenant. An order that cannot be confirmed does not keep others
// from it.
func (f *AutoConfirmer) ConfirmTenant(ctx context.Context, shop tenant.Settings) error {
	if shop.AutoConfirmDays <= 0 {
		return nil
	}
	var errs []error
	for _, env := range []tenant.Environment{tenant.Live, tenant.Test} {
		for more := true; more; {
			var err error
			more, err = f.confirmBatch(ctx, shop, env)
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// confirmBatch confirms up to batchSize orders of a tenant; more reports whether others may be left.
func (f *AutoConfirmer) confirmBatch(ctx context.Context, shop tenant.Settings, env tenant.Environment) (more bool, err error) {
	found, err := f.Store.Read(ports.ForTenant(shop.ID)).Find(ctx, dueOrders(shop, env, f.Now()))
	if err != nil {
		return false, err
	}
	confirmed := 0
	var errs []error
	for _, r := range found.Docs {
		errs = append(errs, f.Task.Do(ctx, background.Item{Tenant: shop.ID, ID: r.ID()}, func(ctx context.Context) error {
			done, err := f.confirm(ctx, shop, r.ID())
			if done && err == nil {
				confirmed++
			}
			return err
		}))
	}
	return len(found.Docs) == batchSize && confirmed > 0, errors.Join(errs...) // those that were not are found again
}

// dueOrders is the query for orders of a tenant that are due at now.
func dueOrders(shop tenant.Settings, env tenant.Environment, now time.Time) collection.Query {
	s := order.Schema
	return collection.Query{
		Schema: s, Environment: string(env), Limit: batchSize, Page: 1, SkipCount: true,
		Sort: []collection.SortKey{{Path: s.Where("deliveredAt", collection.Exists, true).Path}},
		Where: collection.And{
			s.Where("status", collection.Equals, string(order.Delivered)),
			s.Where("deliveredAt", collection.LessThanEqual,
				collection.TruncateTime(now.Add(-time.Duration(shop.AutoConfirmDays)*order.Day))),
		},
	}
}

// confirm confirms an order after it checked it again under its lock; done is false when it is no longer due.
func (f *AutoConfirmer) confirm(ctx context.Context, shop tenant.Settings, id string) (done bool, err error) {
	err = f.Store.Atomically(ctx, ports.ForTenant(shop.ID), func(ctx context.Context, tx ports.Tx) error {
		r, err := tx.Records.Lock(ctx, order.Schema, id)
		if err != nil {
			return err
		}
		now := f.Now()
		next, due := order.FromRecord(r).AutoConfirm(shop.AutoConfirmDays, now)
		if done = due; !due {
			return nil
		}
		return tx.Records.Write(ctx, collection.NewChange(order.Schema, r, next.Record(), f.NewID(), now))
	})
	return done, err
}
