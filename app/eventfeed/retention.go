package eventfeed

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

// Retention deletes old events of all tenants. Several instances may run it at once.
type Retention struct {
	Store   ports.Store
	Log     ports.EventTrimmer
	KeepFor time.Duration // 0: forever
	Now     func() time.Time
	Task    *background.Task // may be nil
}

// trimsPerTurn is how many batches of one tenant are trimmed before the next one's turn.
const trimsPerTurn = 20

// RunRound trims a bounded part of the old events of every tenant; more reports whether some tenant has more. A
// tenant whose events cannot be trimmed does not keep others from it.
func (t Retention) RunRound(ctx context.Context) (more bool, err error) {
	if t.KeepFor == 0 {
		return false, nil
	}
	before := t.Now().Add(-t.KeepFor)
	all, err := ports.FindAll(ctx, t.Store.Read(ports.Scope{System: true}), collection.Query{Schema: identity.Tenants})
	if err != nil {
		return false, err
	}
	var errs []error
	for _, r := range all {
		id := tenant.ID(r.ID())
		errs = append(errs, t.Task.Do(ctx, background.Item{Tenant: id}, func(ctx context.Context) error {
			left, err := t.trimSome(ctx, id, before)
			more = more || left
			return err
		}))
	}
	return more, errors.Join(errs...)
}

// trimSome trims some batches of one tenant; more reports whether there are others.
func (t Retention) trimSome(ctx context.Context, id tenant.ID, before time.Time) (more bool, err error) {
	more = true
	for i := 0; i < trimsPerTurn && more && err == nil; i++ {
		more, err = t.Log.Trim(ctx, id, before)
	}
	return more && err == nil, err
}
