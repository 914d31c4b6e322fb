// Package tenantrounds goes round all tenants, for background work that has nothing to wake it but time.
package tenantrounds

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
	// interval is how often every tenant is checked; what time brings about need not be exact, and there are many tenants.
	interval = 10 * time.Minute
	// tenantsPerCall is how many tenants a call of Run checks.
	tenantsPerCall = 200
)

// Rounds goes round all tenants, a bounded number of them at a time. It is for one goroutine; other instances have their own.
type Rounds struct {
	startedAt  time.Time // when the last round over all tenants began
	lastTenant string    // the last tenant that was checked in this round; "" between rounds
}

// Run continues the round with the next tenants, and begins one when it is time; more reports whether this round
// is not complete. Tenants are items of task, which may be nil: one that fails does not keep others from it. Errors: those of
// work, and of reading the tenants.
func (t *Rounds) Run(
	ctx context.Context, store ports.Store, now time.Time, task *background.Task, work func(context.Context, tenant.Settings) error,
) (more bool, err error) {
	if t.lastTenant == "" {
		if !t.startedAt.IsZero() && now.Sub(t.startedAt) < interval {
			return false, nil
		}
		t.startedAt = now
	}
	s := identity.Tenants
	page, err := store.Read(ports.Scope{System: true}).Find(ctx, collection.Query{
		Schema: s, Where: s.Where("id", collection.GreaterThan, t.lastTenant),
		Sort: s.SortBy("id"), Limit: tenantsPerCall, Page: 1, SkipCount: true,
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
		if identity.IsDeleting(shop) {
			continue
		}
		errs = append(errs, task.Do(ctx, background.Item{Tenant: tenant.ID(shop.ID())}, func(ctx context.Context) error {
			return work(ctx, identity.SettingsFrom(shop))
		}))
	}
	t.lastTenant = ""
	if page.Found() == tenantsPerCall {
		t.lastTenant = page.LastID()
	}
	return t.lastTenant != "", errors.Join(errs...)
}
