package orders

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/app/tenantrounds"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// AutoConfirmer confirms orders that were delivered long enough ago. It is for one goroutine; other instances
// have their own.
type AutoConfirmer struct {
	Store ports.Store
	Now   func() time.Time
	NewID func() string
	Task  *background.Task // may be nil

	rounds tenantrounds.Rounds
}

// RunRound continues the round over all tenants, a bounded number of them at a time, and begins one when it
// is time; more reports whether this round is not complete.
func (f *AutoConfirmer) RunRound(ctx context.Context) (more bool, err error) {
	return runRound(ctx, &f.rounds, f.Store, f.Now(), f.Task, f.ConfirmTenant)
}

// ConfirmTenant confirms all due orders of one tenant. An order that cannot be confirmed does not keep others
// from it.
func (f *AutoConfirmer) ConfirmTenant(ctx context.Context, shop tenant.Settings) error {
	if shop.AutoConfirmDays <= 0 {
		return nil
	}
	return eachBatch(func(env tenant.Environment) (bool, error) {
		return changeFound(ctx, f.Store, shop.ID, dueOrders(shop, env, f.Now()), f.Task,
			func(ctx context.Context, id string) (bool, error) { return f.confirm(ctx, shop, id) })
	})
}

// dueOrders is the query for orders of a tenant that are due at now.
func dueOrders(shop tenant.Settings, env tenant.Environment, now time.Time) collection.Query {
	s := order.Schema
	return collection.Query{
		Schema: s, Environment: string(env), Limit: batchSize, Page: 1, SkipCount: true,
		Sort: s.SortBy("deliveredAt"),
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
