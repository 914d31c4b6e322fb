package founding

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

// Person is someone who is to run a tenant.
type Person struct {
	Email, Name string
	Role        tenant.Role
}

// Join makes p a member of a tenant. Somebody new gets a password, which is the answer; somebody known keeps theirs.
// Errors: fault.ErrValidation, ports.ErrDuplicate for a member.
func (f Founding) Join(ctx context.Context, t tenant.ID, p Person) (password string, err error) {
	p.Email = strings.ToLower(strings.TrimSpace(p.Email))
	roles := []tenant.Role{tenant.PlatformAdmin, tenant.Admin, tenant.Editor, tenant.Viewer}
	switch {
	case !collection.ValidEmail(p.Email):
		return "", fault.Invalidf("email", "%q is no email address.", p.Email)
	case !slices.Contains(roles, p.Role):
		return "", fault.Invalidf("role", "%q is none of %v.", p.Role, roles)
	}
	fresh := access.RandomText(20)
	hash, err := f.Passwords.Hash(ctx, fresh)
	if err != nil {
		return "", err
	}
	err = f.Store.Atomically(ctx, access.Members(t), func(ctx context.Context, tx ports.Tx) error {
		password = ""
		account, err := tx.Accounts.LockEmail(ctx, p.Email)
		if errors.Is(err, ports.ErrAbsent) {
			password = fresh
			account, err = ports.Account{ID: f.NewID(), Email: p.Email, PasswordHash: hash, TokenVersion: 1}, nil
		}
		if err != nil {
			return err
		}
		if access.MemberOf(account, t) >= 0 {
			return ports.ErrDuplicate.Saying("%s is a member of this tenant already.", p.Email)
		}
		return f.enroll(ctx, tx, t, p, account)
	})
	if err != nil {
		return "", err
	}
	return password, nil
}

// enroll adds the membership: to the account, as the person's record in the tenant, and as news to the other tenants.
func (f Founding) enroll(ctx context.Context, tx ports.Tx, t tenant.ID, p Person, account ports.Account) error {
	gone, err := tx.Records.Gone(ctx, []string{account.ID}) // they may have been here before
	if err != nil {
		return err
	}
	account.Memberships = append(account.Memberships, ports.Membership{Tenant: t, Role: p.Role})
	own := collection.Record{"id": account.ID, "tenant": string(t), "email": p.Email, "role": string(p.Role), "signals": int64(0)}
	access.ShowMembership(own, t, p.Role)
	if p.Name != "" {
		own["name"] = p.Name
	}
	if err := tx.Records.Write(ctx, collection.NewChange(identity.Users, nil, own, f.NewID(), f.Now()).Following(gone[account.ID])); err != nil {
		return err
	}
	if err := tx.Accounts.Save(ctx, account); err != nil {
		return err
	}
	return access.Signal(ctx, tx, access.News{Person: account.ID, From: t, NewID: f.NewID, Now: f.Now()})
}
