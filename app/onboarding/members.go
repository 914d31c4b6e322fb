package onboarding

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// MemberInput is a user to be added to a tenant.
type MemberInput struct {
	Email, Name string
	Role        tenant.Role
}

// AddMember makes p a member of a tenant. A new user gets a random password, which is returned; an existing
// one keeps theirs. Errors: fault.ErrValidation, ports.ErrDuplicate for a member.
func (f Service) AddMember(ctx context.Context, t tenant.ID, p MemberInput) (password string, err error) {
	p.Email = strings.ToLower(strings.TrimSpace(p.Email))
	roles := []tenant.Role{tenant.PlatformAdmin, tenant.Admin, tenant.Editor, tenant.Viewer}
	switch {
	case !collection.ValidEmail(p.Email):
		return "", fault.Invalidf("email", "%q is not a valid email address.", p.Email)
	case !slices.Contains(roles, p.Role):
		return "", fault.Invalidf("role", "%q is not one of %v.", p.Role, roles)
	}
	fresh := access.RandomString(20)
	hash, err := f.Passwords.Hash(ctx, fresh)
	if err != nil {
		return "", err
	}
	err = f.Store.Atomically(ctx, access.MembersScope(t), func(ctx context.Context, tx ports.Tx) error {
		password = ""
		account, err := tx.Accounts.LockByEmail(ctx, p.Email)
		if errors.Is(err, ports.ErrNotFound) {
			password = fresh
			account, err = ports.Account{ID: f.NewID(), Email: p.Email, PasswordHash: hash, TokenVersion: 1}, nil
		}
		if err != nil {
			return err
		}
		if access.MembershipIndex(account, t) >= 0 {
			return ports.ErrDuplicate.WithMessage("%s is already a member of this tenant.", p.Email)
		}
		return f.addMembership(ctx, tx, t, p, account)
	})
	if err != nil {
		return "", err
	}
	return password, nil
}

// addMembership adds the membership: to the account, as the user's record in the tenant, and as an event in
// the other tenants.
func (f Service) addMembership(ctx context.Context, tx ports.Tx, t tenant.ID, p MemberInput, account ports.Account) error {
	gone, err := tx.Records.Deleted(ctx, []string{account.ID}) // the user may have been a member before
	if err != nil {
		return err
	}
	account.Memberships = append(account.Memberships, ports.Membership{Tenant: t, Role: p.Role})
	own := collection.Record{"id": account.ID, "tenant": string(t), "email": p.Email, "role": string(p.Role), "signals": int64(0)}
	access.SetMembership(own, t, p.Role)
	if p.Name != "" {
		own["name"] = p.Name
	}
	if err := tx.Records.Write(ctx, collection.NewChange(identity.Users, nil, own, f.NewID(), f.Now()).ContinuingFrom(gone[account.ID])); err != nil {
		return err
	}
	if err := tx.Accounts.Save(ctx, account); err != nil {
		return err
	}
	return access.PublishAccountChange(ctx, tx, access.AccountChange{Account: account.ID, Origin: t, NewID: f.NewID, Now: f.Now()})
}
