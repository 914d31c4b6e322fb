package streaming

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Trimming forgets the events of all tenants once they are old. Several instances may do it at once.
type Trimming struct {
	Store ports.Store
	Log   ports.EventTrimmer
	Kept  time.Duration // 0: for ever
	Now   func() time.Time
}

// Round goes once through all tenants. An error of one keeps the others waiting until the next round.
func (t Trimming) Round(ctx context.Context) error {
	if t.Kept == 0 {
		return nil
	}
	before := t.Now().Add(-t.Kept)
	all, err := ports.All(ctx, t.Store.Read(ports.Scope{System: true}), collection.Query{Schema: identity.Tenants})
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
