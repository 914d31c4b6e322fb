package records

import (
	"context"
	"errors"
	"slices"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/shop"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Identities synchronizes users' accounts and customers' passwords with their records.
//
// A user's account and their record in a tenant change in one transaction. Creating a user with a password and
// an address that nobody has makes an account that is bound to the tenant; every other create makes an
// invitation. Deleting a user ends the membership; the account is deleted with its last membership. Rules
// access-13, access-34, Decision 37.
type Identities struct {
	Store     ports.Store
	Accounts  ports.Accounts
	Passwords ports.Passwords
	Inviter   access.Inviter
}

// The refusals of writes to users.
var (
	ErrPlanNotChangeable = fault.New(fault.Forbidden, "plan_not_changeable", "Only platform admins can change a tenant's plan.")
	ErrRoleNotGrantable  = fault.New(fault.Forbidden, "role_not_grantable", "Only platform admins can create and change platform admins.")
	ErrAccountProven     = fault.New(fault.Forbidden, "account_proven",
		"This account belongs to the person, who has proven the address: change the role or the name here, or remove the user.")
	ErrLastAdmin = fault.New(fault.Conflict, "last_admin", "A tenant needs at least one admin. Make another user an admin first.")
)

// CustomerOwnFields are the fields that customers may set when they register and change in their own record.
var CustomerOwnFields = []string{"name", "phone", "addresses", "marketingConsent", "password"}

// IdentityHooks are the hooks of tenants, users, their roles and customers by slug.
func IdentityHooks(p Identities, r *collection.Registry) map[string]Hooks {
	return map[string]Hooks{
		identity.Roles.Slug: roleHooks(r),
		identity.Tenants.Slug: {
			LoadForeign: p.loadVisibleTenants, BeforeWrite: beforeWriteTenant,
			Reasons: []*fault.Error{ErrPlanNotChangeable, ErrDefaultLanguage},
		},
		identity.Users.Slug: {
			NeedsAccounts: true, Prepare: p.prepareUser, BeforeLock: p.beforeLockUser, BeforeWrite: p.beforeWriteUser,
			AfterWrite: p.afterWriteUser, AfterCommit: p.afterCommitUser, Decorate: p.decorateUsers,
			Accepted: []collection.Field{invitedMember, mailedMember}, Reasons: []*fault.Error{ErrRoleNotGrantable, ErrAccountProven, ErrLastAdmin},
		},
		identity.Customers.Slug: {
			Batchable: true, Prepare: p.prepareCustomer, BeforeWrite: beforeWriteCustomer, CustomerFields: CustomerOwnFields,
		},
	}
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

// invitedMember is the answer to a create that made an invitation.
var invitedMember = collection.Field{
	Name: "invited", Kind: collection.Boolean, Required: true, NonNull: true,
	Doc: "An invitation goes to the address. Whether the person is known elsewhere does not show.",
}

// mailedMember says of an invitation whether the server mails it.
var mailedMember = collection.Field{
	Name: "mailed", Kind: collection.Boolean, Required: true, NonNull: true,
	Doc: "Whether the server mails the invitation. Otherwise the shop does, by what a webhook endpoint is told that names user-invitations.",
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
	invited access.EmailToken
}

// prepareUser hashes the password, and refuses roles that the caller may not grant. Errors:
// ErrRoleNotGrantable, fault.ErrValidation.
func (p Identities) prepareUser(ctx context.Context, w *Write) error {
	if w.Input["role"] == string(tenant.PlatformAdmin) && !isPlatform(w.Principal) {
		return ErrRoleNotGrantable
	}
	if role, given := w.Input["role"].(string); given {
		w.NamesTenant = []collection.Record{access.OwnMembership(w.Principal.Tenant.ID, tenant.Role(role))}
	}
	plain, given, err := p.takePassword(ctx, w)
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

// takePassword removes the password from the input. Errors: fault.ErrValidation.
func (p Identities) takePassword(ctx context.Context, w *Write) (plain string, given bool, err error) {
	raw, given := w.Input["password"]
	plain, ok := raw.(string)
	if given && !ok {
		return "", true, fault.Invalidf("password", "This field takes a string.")
	}
	delete(w.Input, "password")
	if err := identity.CheckPasswordGiven(plain, given, false); err != nil || !given {
		return "", given, err
	}
	policy, err := p.passwordPolicy(ctx, w)
	if err != nil {
		return "", true, err
	}
	return plain, true, policy.Check(plain)
}

// passwordPolicy is what the tenant requires of a password, and of that which a person sets for several tenants, what any of
// them requires.
func (p Identities) passwordPolicy(ctx context.Context, w *Write) (identity.PasswordPolicy, error) {
	policy := identity.PasswordPolicy{MinLength: w.Principal.Tenant.MinPassword}
	policy.Email, _ = w.Input["email"].(string)
	if w.Create {
		return policy, nil
	}
	before, err := p.Store.Read(ports.ForPrincipal(w.Principal)).Get(ctx, w.Schema, w.ID)
	if errors.Is(err, ports.ErrNotFound) {
		return policy, nil // the write will say so
	}
	if policy.Email == "" {
		policy.Email = before.Text("email")
	}
	if err != nil || w.Schema != identity.Users || w.Principal.ID != w.ID {
		return policy, err
	}
	account, err := p.Accounts.ByID(ctx, w.ID)
	if err != nil || len(account.Memberships) < 2 {
		return policy, err
	}
	var scope ports.Scope
	var ids []string
	for _, m := range account.Memberships {
		scope.Tenants, ids = append(scope.Tenants, m.Tenant), append(ids, string(m.Tenant))
	}
	shops, err := p.Store.Read(scope).GetMany(ctx, identity.Tenants, ids, nil)
	for _, shop := range shops {
		policy.MinLength = max(policy.MinLength, identity.SettingsFrom(shop).MinPassword)
	}
	return policy, err
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
	case m.account.Memberships[m.index].Role == tenant.PlatformAdmin && !isPlatform(w.Principal):
		return ErrRoleNotGrantable
	}
	return acceptMemberships(ctx, tx, w)
}

// acceptMemberships lets an update send back the memberships that the caller reads of the user, which may be more than
// the record's own: as they are, and with the new role.
func acceptMemberships(ctx context.Context, tx ports.Tx, w *Write) error {
	record := collection.Record{"id": w.ID, "tenant": string(w.Principal.Tenant.ID)}
	shown, err := access.WithVisibleMemberships(ctx, tx.Accounts, w.Principal, []collection.Record{record})
	if err != nil {
		return err
	}
	w.NamesTenant = append(slices.Clone(w.NamesTenant), shown...)
	if role, given := w.Input["role"].(string); given {
		w.NamesTenant = append(w.NamesTenant, access.WithRole(shown[0], w.Principal.Tenant.ID, tenant.Role(role)))
	}
	return nil
}

// beforeWriteUser decides the change of the account, or invites the person. Errors: ports.ErrDuplicate,
// ErrAccountProven, ErrLastAdmin, fault.ErrValidation.
func (p Identities) beforeWriteUser(ctx context.Context, tx ports.Tx, w *Write) error {
	m, _ := w.HookData.(userWrite)
	var err error
	if w.After != nil && (w.Before == nil || w.Before.Text("role") != w.After.Text("role")) {
		if err := access.CheckRole(ctx, tx, w.After.Text("role")); err != nil {
			return err
		}
	}
	switch {
	case w.Create:
		m, err = p.addUser(ctx, tx, w, m)
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
	identity.FillDisplayName(w.Before, w.After)
	return nil
}

// addUser makes an account for an address that nobody has, and otherwise an invitation. Accounts of other
// tenants stay as they are, and nothing but the need to be invited tells of them. Errors: ports.ErrDuplicate
// for a user of this tenant.
func (p Identities) addUser(ctx context.Context, tx ports.Tx, w *Write, m userWrite) (userWrite, error) {
	here := ports.Membership{Tenant: w.Principal.Tenant.ID, Role: tenant.Role(w.After.Text("role"))}
	known, err := tx.Accounts.LockByAddress(ctx, w.After.Text("email"))
	if err != nil {
		return m, err
	}
	if _, member := access.MemberOf(known, here.Tenant); member {
		return m, access.ErrAlreadyMember
	}
	if m.hash == "" || len(known) > 0 {
		if m.invited, err = p.Inviter.Invite(ctx, tx, here.Tenant, w.After); err != nil {
			return m, err
		}
		mailed, err := p.mailsInvitations(ctx, tx.Records)
		w.Accepted = reply.Of(collection.Staff, reply.Member{Name: invitedMember.Name, Value: true}, reply.Member{Name: mailedMember.Name, Value: mailed})
		return m, err
	}
	m.account = access.NewAccount(w.ID, w.After.Text("email"), m.hash, here)
	return m, nil
}

// mailsInvitations reports whether the server mails the invitations of r's tenant.
func (p Identities) mailsInvitations(ctx context.Context, r ports.Reader) (bool, error) {
	if !p.Inviter.EmailTokens.Mailed {
		return false, nil
	}
	page, err := r.Find(ctx, collection.Query{Schema: shop.Profiles, Limit: 1, Page: 1, SkipCount: true})
	if err != nil || len(page.Docs) == 0 {
		return err == nil, err
	}
	return shop.SendsMails(page.Docs[0], string(mail.Invitation)), nil
}

// updateAccount applies a new role, address or password to the account. A new password ends its sessions.
// Address and password of a proven account are the person's: a tenant does not change them, only the person
// the password, in a session that was proven lately. Errors: ErrAccountProven, tenant.ErrReauthenticate.
func updateAccount(w *Write, m userWrite) (userWrite, error) {
	if m.hash != "" {
		if err := w.Principal.RequireProof(); err != nil {
			return m, err
		}
	}
	t := w.Principal.Tenant.ID
	own := w.Principal.Kind == tenant.User && w.Principal.ID == w.ID
	readdressed := w.After.Text("email") != m.account.Email
	if m.account.Home == "" && (readdressed || m.hash != "" && !own) {
		return m, ErrAccountProven
	}
	switch {
	case m.hash != "" && own:
		m.account = access.WithNewPassword(m.account, t, m.hash, w.Now)
	case m.hash != "":
		m.account = access.WithTenantPassword(m.account, t, m.hash, w.Now)
	}
	m.account.Email = w.After.Text("email")
	m.account.Memberships = slices.Clone(m.account.Memberships)
	m.account.Memberships[m.index].Role = tenant.Role(w.After.Text("role"))
	return m, nil
}

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

// afterWriteUser stores the account, or deletes it with its last membership, and sets what the response shows.
func (p Identities) afterWriteUser(ctx context.Context, tx ports.Tx, w *Write) error {
	m, _ := w.HookData.(userWrite)
	record := w.After
	if record == nil {
		record = w.Before
	}
	keep := tx.Accounts.Save
	if len(m.account.Memberships) == 0 {
		keep = func(ctx context.Context, a ports.Account) error { return tx.Accounts.Delete(ctx, a.ID) }
	}
	if err := keep(ctx, m.account); err != nil {
		return err
	}
	seen, err := access.WithVisibleMemberships(ctx, tx.Accounts, w.Principal, []collection.Record{record})
	if err == nil {
		w.Shown = seen[0]
	}
	return err
}

// afterCommitUser tells that an invitation was issued.
func (p Identities) afterCommitUser(w *Write) {
	if m, _ := w.HookData.(userWrite); w.Accepted != nil {
		p.Inviter.EmailTokens.NotifyIssued(m.invited)
	}
}
