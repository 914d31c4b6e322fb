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

// UnpaidCanceler cancels one order that nobody paid; *refunds.OrderCanceler is one.
type UnpaidCanceler interface {
	CancelUnpaid(ctx context.Context, shop tenant.Settings, id string) (done bool, err error)
}

// UnpaidExpiry cancels orders that were not paid in time. It is for one goroutine; other instances have their own.
type UnpaidExpiry struct {
	Store    ports.Store
	Canceler UnpaidCanceler
	Now      func() time.Time
	Task     *background.Task // may be nil

	rounds tenantrounds.Rounds
}

// RunRound continues the round over all tenants, a bounded number of them at a time, and begins one when it
// is time; more reports whether this round is not complete.
func (u *UnpaidExpiry) RunRound(ctx context.Context) (more bool, err error) {
	return runRound(ctx, &u.rounds, u.Store, u.Now(), u.Task, u.CancelTenant)
}

// CancelTenant cancels all due orders of one tenant.
func (u *UnpaidExpiry) CancelTenant(ctx context.Context, shop tenant.Settings) error {
	if shop.UnpaidOrderHours <= 0 {
		return nil
	}
	return eachBatch(func(env tenant.Environment) (bool, error) {
		return changeFound(ctx, u.Store, shop.ID, unpaidOrders(shop, env, u.Now()), u.Task,
			func(ctx context.Context, id string) (bool, error) { return u.Canceler.CancelUnpaid(ctx, shop, id) })
	})
}

// unpaidOrders is the query for orders of a tenant that may be due at now.
func unpaidOrders(shop tenant.Settings, env tenant.Environment, now time.Time) collection.Query {
	s := order.Schema
	return collection.Query{
		Schema: s, Environment: string(env), Limit: batchSize, Page: 1, SkipCount: true,
		Sort: s.SortBy("placedAt"),
		Where: collection.And{
			s.Where("status", collection.In, string(order.Pending), string(order.Failed)),
			s.Where("paymentStatus", collection.Equals, "unpaid"),
			s.Where("source", collection.In, string(order.FromCheckout), string(order.Manual)),
			s.Where("placedAt", collection.LessThanEqual,
				collection.TruncateTime(now.Add(-time.Duration(shop.UnpaidOrderHours)*time.Hour))),
		},
	}
}
