package access

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// ErrNoLonger refuses work in the background for somebody who may not act for the tenant any more.
var ErrNoLonger = fault.ErrForbidden.WithMessage("Who asked for this may not act for the shop any more.")

// Acting is the principal of a user or secret key who asked for work in the background, with the rights of now, whatever
// credentials they had then. Errors: ErrNoLonger, tenant.ErrSuspended, those of the database.
func (a *Service) Acting(ctx context.Context, t tenant.ID, env tenant.Environment, by tenant.Actor) (p tenant.Principal, err error) {
	switch by.Kind {
	case tenant.User:
		p, err = a.actingUser(ctx, t, env, by.ID)
	case tenant.SecretKey:
		p, err = a.actingKey(ctx, t, env, by.ID)
	default:
		err = ErrNoLonger
	}
	switch {
	case errors.Is(err, ports.ErrNotFound), errors.Is(err, ErrNotMember), errors.Is(err, ErrKeyUnknown):
		return tenant.Principal{}, ErrNoLonger.WithCause(err)
	case err == nil && p.Tenant.Suspended:
		return tenant.Principal{}, tenant.ErrSuspended
	}
	p.Via = by.Via
	return p, err
}

// actingUser is a user of the tenant, or an admin of the platform. Errors: ErrNotMember, ports.ErrNotFound.
func (a *Service) actingUser(ctx context.Context, t tenant.ID, env tenant.Environment, id string) (tenant.Principal, error) {
	account, err := a.Accounts.ByID(ctx, id)
	if err != nil {
		return tenant.Principal{}, err
	}
	var role tenant.Role
	if i := MembershipIndex(account, t); i >= 0 {
		m := account.Memberships[i]
		role = roleFor(m, credentialFor(account, m).homeOnly)
	} else if isPlatformAdmin(account) {
		role = tenant.PlatformAdmin
	} else {
		return tenant.Principal{}, ErrNotMember
	}
	facts, err := a.Keys.Tenant(ctx, t)
	if err != nil {
		return tenant.Principal{}, err
	}
	permissions, err := a.rolePermissions(ctx, t, role)
	return tenant.Principal{Kind: tenant.User, Tenant: facts, Environment: env, ID: account.ID, Role: role, Permissions: permissions}, err
}

// actingKey is a secret key of the tenant that was not revoked. Errors: ErrKeyUnknown, ports.ErrNotFound.
func (a *Service) actingKey(ctx context.Context, t tenant.ID, env tenant.Environment, id string) (tenant.Principal, error) {
	r, err := a.Store.Read(ports.ForTenant(t)).Get(ctx, identity.APIKeys, id)
	if err != nil {
		return tenant.Principal{}, err
	}
	p := secretKey(r)
	if !r.Time("revokedAt").IsZero() || r.Text("kind") != identity.SecretKey || p.Environment != env {
		return tenant.Principal{}, ErrKeyUnknown
	}
	p.Tenant, err = a.Keys.Tenant(ctx, t)
	return p, err
}
