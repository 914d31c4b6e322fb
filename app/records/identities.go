package records

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

// Identities synchronizes users' accounts and customers' passwords with their records.
//
// A user has one account across all tenants and one record in each tenant they belong to; both change in one
// transaction. Creating a user with the address of an existing account adds a membership: the account's
// password stays unchanged, whatever was sent. Deleting a user ends the membership; the account is deleted
// with its last membership. Rule access-13, Decision 20.
type Identities struct {
	Store     ports.Store
	Accounts  ports.Accounts
	Passwords ports.Passwords
}

// The refusals of writes to users.
var (
	ErrPlanNotChangeable = fault.New(fault.Forbidden, "plan_not_changeable", "Only platform admins can change a tenant's plan.")
	ErrRoleNotGrantable  = fault.New(fault.Forbidden, "role_not_grantable", "Only platform admins can create and change platform admins.")
	ErrUserShared        = fault.New(fault.Forbidden, "user_shared",
		"This user belongs to other tenants too: only their role here can be changed.")
	ErrLastAdmin = fault.New(fault.Conflict, "last_admin", "A tenant needs at least one admin. Make another user an admin first.")
)

// CustomerOwnFields are the fields that customers may set when they register and change in their own record.
var CustomerOwnFields = []string{"name", "phone", "addresses", "marketingConsent", "password"}

// IdentityHooks are the hooks of users and customers by slug.
func IdentityHooks(p Identities) map[string]Hooks {
	return map[string]Hooks{
		identity.Tenants.Slug: {
			LoadForeign: p.loadVisibleTenants, BeforeWrite: beforeWriteTenant, Reasons: []*fault.Error{ErrPlanNotChangeable},
		},
		identity.Users.Slug: {
			NeedsAccounts: true, Prepare: p.prepareUser, BeforeLock: p.beforeLockUser, BeforeWrite: p.beforeWriteUser,
			AfterWrite: p.afterWriteUser, Decorate: p.decorateUsers,
			Reasons: []*fault.Error{ErrRoleNotGrantable, ErrUserShared, ErrLastAdmin},
		},
		identity.Customers.Slug: {
			Batchable: true, Prepare: p.prepareCustomer, BeforeWrite: beforeWriteCustomer, CustomerFields: CustomerOwnFields,
		},
	}
}

// beforeWriteTenant prevents tenants from changing their own plan. Rule access-26.
func beforeWriteTenant(_ context.Context, _ ports.Tx, w *Write) error {
	if w.Before != nil && w.After != nil && w.Before.Text("plan") != w.After.Text("plan") && !isPlatform(w.Principal) {
		return ErrPlanNotChangeable
	}
	return nil
}

// loadVisibleTenants loads the tenants of ids that the user by belongs to, whichever tenant they act in.
func (p Identities) loadVisibleTenants(
	ctx context.Context, open *ports.Tx, by tenant.Principal, ids []string,
) (map[string]collection.Record, error) {
	if open != nil {
		return access.VisibleTenants(ctx, func(ports.Scope) ports.Reader { return open.AllTenants }, open.Accounts, by, ids)
	}
	return access.VisibleTenants(ctx, p.Store.Read, p.Accounts, by, ids)
}

// decorateUsers adds the memberships in other tenants that by may see to users' records.
func (p Identities) decorateUsers(ctx context.Context, by tenant.Principal, users []collection.Record) ([]collection.Record, error) {
	return access.WithVisibleMemberships(ctx, p.Accounts, by, users)
}

// userWrite is a user being written.
type userWrite struct {
	hash    string // of a new password, "" without one
	account ports.Account
	index   int // of the acting tenant among the account's memberships; -1 if it is not among them yet
}

// prepareUser hashes the password, and refuses roles that the caller may not grant. Errors:
// ErrRoleNotGrantable, fault.ErrValidation.
func (p Identities) prepareUser(ctx context.Context, w *Write) error {
	if w.Input["role"] == string(tenant.PlatformAdmin) && !isPlatform(w.Principal) {
		return ErrRoleNotGrantable
	}
	plain, given, err := takePassword(w)
	if err == nil && w.Create && !given {
		err = p.requirePassword(ctx, w)
	}
	if err != nil || !given {
		w.HookData = userWrite{}
		return err
	}
	hash, err := p.Passwords.Hash(ctx, plain)
	w.HookData = userWrite{hash: hash}
	return err
}

// isPlatform reports whether p may act in all tenants.
func isPlatform(p tenant.Principal) bool {
	return p.Kind == tenant.System || p.Kind == tenant.User && p.Role == tenant.PlatformAdmin
}

// requirePassword reports a missing password of a new account together with all other invalid fields.
func (p Identities) requirePassword(ctx context.Context, w *Write) error {
	email, _ := w.Input["email"].(string)
	if _, err := p.Accounts.ByEmail(ctx, strings.ToLower(strings.TrimSpace(email))); !errors.Is(err, ports.ErrNotFound) {
		return err
	}
	missing := fault.From(identity.CheckPassword("", false, true))
	_, err := w.writer().Merge(nil, w.Input)
	if f := fault.From(err); err != nil && errors.Is(f, fault.ErrValidation) {
		return f.WithFields(missing.Fields...)
	}
	return missing
}

// takePassword removes the password from the input. Errors: fault.ErrValidation.
func takePassword(w *Write) (plain string, given bool, err error) {
	raw, given := w.Input["password"]
	plain, ok := raw.(string)
	if given && !ok {
		return "", true, fault.Invalidf("password", "This field takes a string.")
	}
	delete(w.Input, "password")
	return plain, given, identity.CheckPassword(plain, given, false)
}

// beforeLockUser locks the account of an existing user before the record. Errors: ports.ErrNotFound,
// ErrRoleNotGrantable.
func (p Identities) beforeLockUser(ctx context.Context, tx ports.Tx, w *Write) error {
	if w.Create {
		return nil
	}
	m, _ := w.HookData.(userWrite)
	var err error
	if m.account, err = tx.Accounts.Lock(ctx, w.ID); err != nil {
		return err
	}
	m.index = access.MembershipIndex(m.account, w.Principal.Tenant.ID)
	w.HookData = m
	switch {
	case m.index < 0:
		return ports.ErrNotFound
	case access.IsPlatformAdmin(m.account) && !isPlatform(w.Principal): // their password gives access to every tenant
		return ErrRoleNotGrantable
	}
	return nil
}

// beforeWriteUser decides the change of the account. Errors: ports.ErrDuplicate, ErrUserShared, ErrLastAdmin,
// fault.ErrValidation.
func (p Identities) beforeWriteUser(ctx context.Context, tx ports.Tx, w *Write) error {
	m, _ := w.HookData.(userWrite)
	var err error
	switch {
	case w.Create:
		m, err = p.addMember(ctx, tx, w, m)
	case w.After == nil:
		m.account.Memberships = slices.Delete(slices.Clone(m.account.Memberships), m.index, m.index+1)
		err = p.checkLastAdmin(ctx, tx, w)
	default:
		if m, err = updateAccount(w, m); err == nil {
			err = p.checkLastAdmin(ctx, tx, w)
		}
	}
	w.HookData = m
	if err != nil || w.After == nil {
		return err
	}
	access.SetMembership(w.After, w.Principal.Tenant.ID, tenant.Role(w.After.Text("role")))
	fillDisplayName(w.Before, w.After)
	return nil
}

// addMember adds a member: a new account, or the existing one with that address.
func (p Identities) addMember(ctx context.Context, tx ports.Tx, w *Write, m userWrite) (userWrite, error) {
	here := ports.Membership{Tenant: w.Principal.Tenant.ID, Role: tenant.Role(w.After.Text("role"))}
	known, err := tx.Accounts.LockByEmail(ctx, w.After.Text("email"))
	switch {
	case errors.Is(err, ports.ErrNotFound) && m.hash == "":
		return m, identity.CheckPassword("", false, true)
	case errors.Is(err, ports.ErrNotFound):
		known = ports.Account{ID: w.ID, Email: w.After.Text("email"), PasswordHash: m.hash, TokenVersion: 1}
	case err != nil:
		return m, err
	case access.MembershipIndex(known, here.Tenant) >= 0:
		return m, ports.ErrDuplicate.WithFields(fault.Field{Field: "email", Message: "This user is already a member of the tenant."})
	}
	known.Memberships = append(slices.Clone(known.Memberships), here)
	m.account, w.ID, w.After["id"] = known, known.ID, known.ID
	return m, nil
}

// updateAccount applies a new role, address or password to the account. A new password ends all sessions. The
// account of a user with several tenants can be changed only by the user or by a platform admin.
func updateAccount(w *Write, m userWrite) (userWrite, error) {
	profile := m.hash != ""
	for _, name := range profileFields {
		profile = profile || !collection.Equal(w.Before[name], w.After[name])
	}
	if profile && len(m.account.Memberships) > 1 && w.Principal.ID != w.ID && !isPlatform(w.Principal) {
		return m, ErrUserShared
	}
	if m.hash != "" {
		m.account.PasswordHash = m.hash
		m.account.TokenVersion++
	}
	m.account.Email = w.After.Text("email")
	m.account.Memberships = slices.Clone(m.account.Memberships)
	m.account.Memberships[m.index].Role = tenant.Role(w.After.Text("role"))
	return m, nil
}

// profileFields describe the person, not their membership in one tenant.
var profileFields = []string{"email", "firstName", "lastName", "name"}

// checkLastAdmin refuses to remove or demote a tenant's last admin; platform admins may. Concurrent requests
// are serialized by the lock of the tenant's record. Errors: ErrLastAdmin.
func (p Identities) checkLastAdmin(ctx context.Context, tx ports.Tx, w *Write) error {
	admin := string(tenant.Admin)
	if w.Before.Text("role") != admin || w.After != nil && w.After.Text("role") == admin || isPlatform(w.Principal) {
		return nil
	}
	if _, err := tx.Records.Lock(ctx, identity.Tenants, string(w.Principal.Tenant.ID)); err != nil {
		return err
	}
	admins, err := tx.Records.Find(ctx, collection.Query{
		Schema: identity.Users, Where: identity.Users.Where("role", collection.Equals, admin), Page: 1,
	})
	if err == nil && admins.TotalDocs <= 1 {
		err = ErrLastAdmin
	}
	return err
}

// fillDisplayName composes the display name of first and last name, unless it was set explicitly.
func fillDisplayName(before, after collection.Record) {
	name := after.Text("name")
	if made := fullName(after); made != "" && (name == "" || name == fullName(before) && name == before.Text("name")) {
		after["name"] = made
	}
}

func fullName(r collection.Record) string {
	return strings.TrimSpace(r.Text("firstName") + " " + r.Text("lastName"))
}

// afterWriteUser stores the account, and publishes its change in the user's other tenants.
func (p Identities) afterWriteUser(ctx context.Context, tx ports.Tx, w *Write) error {
	m, _ := w.HookData.(userWrite)
	if err := p.saveAccount(ctx, tx, w, m.account); err != nil || len(m.account.Memberships) == 0 {
		return err
	}
	if len(m.account.Memberships) == 1 && w.After != nil {
		return nil
	}
	return access.PublishAccountChange(ctx, tx, access.AccountChange{
		Account: w.ID, Origin: w.Principal.Tenant.ID, NewID: w.NewID, Now: w.Now, Apply: func(before, after collection.Record) {
			copyProfile(w, before, after)
		},
	})
}

// saveAccount stores the account, or deletes it with its last membership, and sets what the response shows.
func (p Identities) saveAccount(ctx context.Context, tx ports.Tx, w *Write, account ports.Account) error {
	record := w.After
	if record == nil {
		record = w.Before
	}
	keep := tx.Accounts.Save
	if len(account.Memberships) == 0 {
		keep = func(ctx context.Context, a ports.Account) error { return tx.Accounts.Delete(ctx, a.ID) }
	}
	if err := keep(ctx, account); err != nil {
		return err
	}
	seen, err := access.WithVisibleMemberships(ctx, tx.Accounts, w.Principal, []collection.Record{record})
	if err == nil {
		w.Shown = seen[0]
	}
	return err
}

// copyProfile copies what w changed in a user's profile to their record in another tenant, where the display
// name may have been composed of other names.
func copyProfile(w *Write, before, after collection.Record) {
	if w.Before == nil || w.After == nil {
		return
	}
	for _, name := range profileFields {
		made := name == "name" && w.After.Text("name") == fullName(w.After)
		if !made && !collection.Equal(w.Before[name], w.After[name]) {
			after[name] = w.After[name]
		}
	}
	fillDisplayName(before, after)
}
