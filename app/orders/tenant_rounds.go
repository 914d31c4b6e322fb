package orders

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

const (
	// roundInterval is how often every tenant is checked; what time does to orders need not be exact, and there
	// are many tenants.
	roundInterval = 10 * time.Minute
	// tenantsPerCall is how many tenants a call of run checks.
	tenantsPerCall = 200
	// batchSize is how many orders of one tenant and environment are changed before the next one's turn.
	batchSize = 200
)

// tenantRounds goes round all tenants, a bounded number of them at a time.
type tenantRounds struct {
	startedAt  time.Time // when the last round over all tenants began
	lastTenant string    // the last tenant that was checked in this round; "" between rounds
}

// run continues the round with the next tenants, and begins one when it is time; more reports whether this round
// is not complete. Tenants are items of task, which may be nil: one that fails does not keep others from it.
func (t *tenantRounds) run(
	ctx context.Context, store ports.Store, now time.Time, task *background.Task, work func(context.Context, tenant.Settings) error,
) (more bool, err error) {
	if t.lastTenant == "" {
		if !t.startedAt.IsZero() && now.Sub(t.startedAt) < roundInterval {
			return false, nil
		}
		t.startedAt = now
	}
	s := identity.Tenants
	page, err := store.Read(ports.Scope{System: true}).Find(ctx, collection.Query{
		Schema: s, Where: s.Where("id", collection.GreaterThan, t.lastTenant),
		Sort: []collection.SortKey{{Path: s.Where("id", collection.Exists, true).Path}}, Limit: tenantsPerCall, Page: 1, SkipCount: true,
		LeaveOutDamaged: true,
	})
	if err != nil {
		if t.lastTenant == "" {
			t.startedAt = time.Time{} // it has not begun
		}
		return false, err
	}
	errs := []error{task.FailDamaged(ctx, page)}
	for _, shop := range page.Docs {
		var ofOrders error
		err := task.Do(ctx, background.Item{Tenant: tenant.ID(shop.ID())}, func(ctx context.Context) error {
			err := work(ctx, identity.SettingsFrom(shop))
			if _, only := err.(ordersFailed); only { //nolint:errorlint // joined with another error it is the tenant's
				ofOrders, err = err, nil
			}
			return err
		})
		errs = append(errs, err, ofOrders)
	}
	t.lastTenant = ""
	if page.Found() == tenantsPerCall {
		t.lastTenant = page.LastID()
	}
	return t.lastTenant != "", errors.Join(errs...)
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
