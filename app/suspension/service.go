// Package suspension lists the tenants of an installation, stops one and lets it go on, for its operators. Rules access-50, access-71.
//
// A suspended tenant keeps all its records. What refuses its callers is app/access; background work goes on, so that money
// which is on its way is settled, refunds are finished and providers' webhooks are heard.
package suspension

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// ErrActing says that a platform admin is about to lock themselves out.
var ErrActing = fault.New(fault.Conflict, "tenant_acting", "You are acting in this tenant: act in another one to suspend it.")

// Service is the use cases.
type Service struct {
	Store ports.Store
	Usage ports.Usage
	Fold  collection.Fold // as filters compare
	Now   func() time.Time
	NewID func() string
}

// Suspend stops a tenant. Repeating it changes nothing. Errors: fault.ErrForbidden for all but platform admins and the
// system, ports.ErrNotFound, ErrActing.
func (s *Service) Suspend(ctx context.Context, by tenant.Principal, id tenant.ID, reason string) (collection.Record, error) {
	if by.Kind == tenant.User && by.Tenant.ID == id {
		if err := RequirePlatform(by); err != nil {
			return nil, err
		}
		return nil, ErrActing
	}
	return s.change(ctx, by, id, func(r collection.Record) collection.Record { return identity.Suspend(r, reason, UserID(by), s.Now()) })
}

// Resume lets a tenant go on. Repeating it changes nothing. Errors: fault.ErrForbidden, ports.ErrNotFound.
func (s *Service) Resume(ctx context.Context, by tenant.Principal, id tenant.ID) (collection.Record, error) {
	return s.change(ctx, by, id, identity.Resume)
}

// UserID is the id of a user who acts, "" of anybody else.
func UserID(p tenant.Principal) string {
	if p.Kind == tenant.User {
		return p.ID
	}
	return ""
}

// RequirePlatform refuses all but platform admins and the system. Errors: fault.ErrUnauthenticated, fault.ErrForbidden.
func RequirePlatform(p tenant.Principal) error {
	switch {
	case p.Kind == tenant.System, p.Kind == tenant.User && p.Role == tenant.PlatformAdmin:
		return nil
	case p.Kind == tenant.Anonymous || p.Kind == "":
		return fault.ErrUnauthenticated
	}
	return fault.ErrForbidden
}

// change writes what decide makes of a tenant's record, and returns it.
func (s *Service) change(
	ctx context.Context, by tenant.Principal, id tenant.ID, decide func(collection.Record) collection.Record,
) (after collection.Record, err error) {
	if err := RequirePlatform(by); err != nil {
		return nil, err
	}
	err = s.Store.Atomically(ctx, ports.ForTenant(id), func(ctx context.Context, tx ports.Tx) error {
		before, err := tx.Records.Lock(ctx, identity.Tenants, string(id))
		if err != nil {
			return err
		}
		if identity.IsDeleting(before) {
			return ports.ErrNotFound
		}
		if after = decide(before); collection.Equal(before, after) {
			return nil
		}
		return tx.Records.Write(ctx, collection.NewChange(identity.Tenants, before, after, s.NewID(), s.Now()))
	})
	return after, err
}
