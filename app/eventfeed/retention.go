package eventfeed

import (
	"context"
	"time"

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
}

// RunRound trims every tenant once. After an error the remaining tenants wait for the next round.
func (t Retention) RunRound(ctx context.Context) error {
	if t.KeepFor == 0 {
		return nil
	}
	before := t.Now().Add(-t.KeepFor)
	all, err := ports.FindAll(ctx, t.Store.Read(ports.Scope{System: true}), collection.Query{Schema: identity.Tenants})
	if err != nil {
		return err
	}
	for _, r := range all {
		for more := true; more && ctx.Err() == nil; {
			if more, err = t.Log.Trim(ctx, tenant.ID(r.ID()), before); err != nil {
				return err
			}
		}
	}
	return nil
}
