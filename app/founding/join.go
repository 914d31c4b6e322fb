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
	account, err := f.Accounts.ByEmail(ctx, p.Email)
	was := account.TokenVersion
	if errors.Is(err, ports.ErrAbsent) {
		password = access.RandomText(20)
		account = ports.Account{ID: f.NewID(), Email: p.Email, TokenVersion: 1}
		account.PasswordHash, err = f.Passwords.Hash(ctx, password)
	}
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(account.Memberships, func(m ports.Membership) bool { return m.Tenant == t }) {
		return "", ports.ErrDuplicate.Saying("%s is a member of this tenant already.", p.Email)
	}
	account.Memberships = append(account.Memberships, ports.Membership{Tenant: t, Role: p.Role})
	gone, err := f.Store.Read(ports.Of(t)).Gone(ctx, []string{account.ID}) // they may have been here before
	if err != nil {
		return "", err
	}
	if err := f.Store.Atomically(ctx, ports.Scope{System: true}, func(ctx context.Context, tx ports.Tx) error {
		return f.enroll(ctx, tx, t, p, account, gone[account.ID])
	}); err != nil {
		return "", err
	}
	return password, f.Accounts.Save(ctx, account, was)
}

// enroll writes the person's record in the tenant, following the deletion of an earlier one (0: none), and the new
// membership into those of the other tenants.
func (f Founding) enroll(ctx context.Context, tx ports.Tx, t tenant.ID, p Person, account ports.Account, last int64) error {
	ids, rows := memberships(account)
	own := collection.Record{
		"id": account.ID, "tenant": string(t), "email": p.Email, "role": string(p.Role), "tenants": ids, "memberships": rows,
	}
	if p.Name != "" {
		own["name"] = p.Name
	}
	changes := []collection.Change{collection.NewChange(identity.Users, nil, own, f.NewID(), f.Now()).Following(last)}
	others, err := tx.Records.Find(ctx, collection.Query{
		Schema: identity.Users, Where: identity.Users.Where("id", collection.Equals, account.ID), Limit: collection.MaxLimit, Page: 1,
	})
	if err != nil {
		return err
	}
	for _, before := range others.Docs {
		after := before.Clone()
		after["tenants"], after["memberships"] = ids, rows
		changes = append(changes, collection.NewChange(identity.Users, before, after, f.NewID(), f.Now()))
	}
	return tx.Records.Write(ctx, changes...)
}

func memberships(a ports.Account) (ids []string, rows []collection.Record) {
	for _, m := range a.Memberships {
		ids = append(ids, string(m.Tenant))
		rows = append(rows, collection.Record{"tenant": string(m.Tenant), "role": string(m.Role)})
	}
	return ids, rows
}
