// Package tenantdeletion deletes tenants with everything that an installation holds of them, for its operators. Rules access-58,
// access-59, Decision 54.
//
// # Two steps
//
// Service decides: it refuses while money is under way or what is deleted was not exported, and marks the tenant, once and for ever,
// in one transaction. From then on its callers are refused like those of a tenant that never was. Eraser does it: every instance
// runs one, in short transactions that leave to the others what they are at, until nothing but the tombstone is there. What an
// instance wrote late, because it had begun before the mark, is erased in further rounds.
package tenantdeletion

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/suspension"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The refusals of deletions.
var (
	ErrActing = fault.New(fault.Conflict, "tenant_acting",
		"You are acting in this tenant, or are a platform admin by it alone: delete it as somebody else.")
	ErrLast = fault.New(fault.Conflict, "tenant_last", "The last tenant of an installation cannot be deleted.")
	// ErrNotSuspended: who has not stopped a tenant does not delete it by mistake.
	ErrNotSuspended = fault.New(fault.Conflict, "tenant_not_suspended", "Suspend the tenant before it is deleted.")
	ErrNotExported  = fault.New(fault.Conflict, "tenant_not_exported", "Export the tenant while it is suspended, before it is deleted.")
	ErrChanged      = fault.New(fault.Conflict, "tenant_changed", "The tenant changed since it was exported: export it again.")
	// ErrMoneyUnderWay has what is under way as data.
	ErrMoneyUnderWay = fault.New(fault.Conflict, "money_under_way",
		"Payments, refunds or disputes of the tenant are not settled: wait for them, or resolve them.")
	ErrConfirm = fault.NewInvalid("confirm", "tenant_not_confirmed", "Confirm the deletion with the slug of the tenant.")
)

// Reasons are the refusals in the order in which they are given.
var Reasons = []*fault.Error{ErrConfirm, ErrActing, ErrLast, ErrNotSuspended, ErrMoneyUnderWay, ErrNotExported, ErrChanged}

// Service decides about deletions.
type Service struct {
	Store    ports.Store
	Registry *collection.Registry
	Erasure  ports.TenantErasure
	Accounts ports.Accounts
	Now      func() time.Time
	NewID    func() string
}

// Order is what is to be deleted.
type Order struct {
	Tenant        tenant.ID
	Confirm       string // the slug of the tenant
	WithoutExport bool   // whoever asks does not want what is deleted; for the system only
}

// Delete begins the deletion of a tenant, which cannot be taken back. Repeating it returns the one that has begun. Errors:
// fault.ErrUnauthenticated and fault.ErrForbidden for all but platform admins and the system, ports.ErrNotFound, Reasons.
func (s *Service) Delete(ctx context.Context, by tenant.Principal, o Order) (ports.TenantDeletion, error) {
	if err := suspension.RequirePlatform(by); err != nil {
		return ports.TenantDeletion{}, err
	}
	if o.WithoutExport && by.Kind != tenant.System {
		return ports.TenantDeletion{}, fault.ErrForbidden
	}
	if d, err := s.Erasure.Find(ctx, o.Tenant); !errors.Is(err, ports.ErrNotFound) {
		return d, err
	}
	if err := s.checkActor(ctx, by, o.Tenant); err != nil {
		return ports.TenantDeletion{}, err
	}
	d := ports.TenantDeletion{Tenant: o.Tenant, Begun: collection.TruncateTime(s.Now()), By: suspension.UserID(by)}
	err := s.Store.Atomically(ctx, scopeOf(o.Tenant), func(ctx context.Context, tx ports.Tx) error {
		record, err := tx.Records.Lock(ctx, identity.Tenants, string(o.Tenant))
		if err != nil {
			return err
		}
		if o.Confirm != record.Text("slug") {
			return ErrConfirm
		}
		found, err := s.blockers(ctx, tx, record)
		if err != nil {
			return err
		}
		if err := found.refusal(o.WithoutExport); err != nil {
			return err
		}
		d.Archive = found.checksum
		if err := tx.TenantDeletions.Begin(ctx, d); err != nil {
			return err
		}
		return tx.Records.Write(ctx, collection.NewChange(identity.Tenants, record, identity.Delete(record), s.NewID(), s.Now()))
	})
	if errors.Is(err, ports.ErrDuplicate) { // another call was faster
		return s.Erasure.Find(ctx, o.Tenant)
	}
	return d, err
}

// checkActor refuses whoever would lock themselves out: in the tenant, or of the platform. Errors: ErrActing.
func (s *Service) checkActor(ctx context.Context, by tenant.Principal, id tenant.ID) error {
	if by.Kind != tenant.User {
		return nil
	}
	if by.Tenant.ID == id {
		return ErrActing
	}
	account, err := s.Accounts.ByID(ctx, by.ID)
	if err != nil {
		return err
	}
	for _, m := range account.Memberships {
		if m.Role == tenant.PlatformAdmin && m.Tenant != id {
			return nil
		}
	}
	return ErrActing
}

func scopeOf(id tenant.ID) ports.Scope { return ports.Scope{System: true, Tenants: []tenant.ID{id}} }
