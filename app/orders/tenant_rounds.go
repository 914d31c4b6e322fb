package orders

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/app/tenantrounds"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// batchSize is how many orders of one tenant and environment are changed before the next one's turn.
const batchSize = 200

// runRound is rounds.Run for work on orders, whose failures alone are none of their tenants.
func runRound(
	ctx context.Context, rounds *tenantrounds.Rounds, store ports.Store, now time.Time, task *background.Task,
	work func(context.Context, tenant.Settings) error,
) (more bool, err error) {
	var ofOrders []error
	more, err = rounds.Run(ctx, store, now, task, func(ctx context.Context, shop tenant.Settings) error {
		err := work(ctx, shop)
		if _, only := err.(ordersFailed); only { //nolint:errorlint // joined with another error it is the tenant's
			ofOrders = append(ofOrders, err)
			return nil
		}
		return err
	})
	return more, errors.Join(append(ofOrders, err)...)
}

// ordersFailed is the failures of single orders. They wait by themselves, and are no reason to wait with the others of
// their tenant.
type ordersFailed struct{ error }

// Unwrap are the failures.
func (f ordersFailed) Unwrap() error { return f.error }

// eachBatch calls batch for both environments until nothing is left in them. Errors: ordersFailed when nothing else failed.
func eachBatch(batch func(tenant.Environment) (more bool, err error)) error {
	var failed, errs []error
	for _, env := range []tenant.Environment{tenant.Live, tenant.Test} {
		for more := true; more; {
			var err error
			more, err = batch(env)
			if one, only := err.(ordersFailed); only { //nolint:errorlint // of changeFound, as it is
				failed = append(failed, one.error)
				continue
			}
			errs = append(errs, err)
		}
	}
	if err := errors.Join(errs...); err != nil || failed == nil {
		return errors.Join(append(failed, err)...)
	}
	return ordersFailed{errors.Join(failed...)}
}

// changeFound calls change for the orders of a tenant that q finds; more reports whether others may be left. Orders
// are items of task, which may be nil: one that cannot be changed does not keep others from it. Errors: ordersFailed.
func changeFound(
	ctx context.Context, store ports.Store, id tenant.ID, q collection.Query, task *background.Task,
	change func(ctx context.Context, id string) (done bool, err error),
) (more bool, err error) {
	q.LeaveOutDamaged = true
	found, err := store.Read(ports.ForTenant(id)).Find(ctx, q)
	if err != nil {
		return false, err
	}
	changed := 0
	errs := []error{task.FailDamaged(ctx, found)}
	for _, r := range found.Docs {
		errs = append(errs, task.Do(ctx, background.Item{Tenant: id, ID: r.ID()}, func(ctx context.Context) error {
			done, err := change(ctx, r.ID())
			if done && err == nil {
				changed++
			}
			return err
		}))
	}
	if err = errors.Join(errs...); err != nil {
		err = ordersFailed{err}
	}
	return found.Found() == batchSize && changed > 0, err // those that were not are found again
}
