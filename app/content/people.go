package content

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

// People keeps the accounts of users and the passwords of customers in step with their records.
//
// A user is one account everywhere and one record in each tenant they belong to; both change in one transaction. Making a
// user with the address of a known person makes that person a member: their password stays, whatever was sent. Deleting
// a user ends the membership; the account goes with the last one, and with it the person. Engineering 17.
type People struct {
	Content   *Content
	Accounts  ports.Accounts
	Passwords ports.Passwords
	Letters   access.Letters
	// Registrations counts over 15 minutes who opens accounts; nil does not limit it.
	Registrations ports.Attempts
}

// The refusals of people's records.
var (
	ErrPlan         = fault.New(fault.Forbidden, "plan_not_changeable", "Only the platform moves shops to another plan.")
	ErrRoleTooHigh  = fault.New(fault.Forbidden, "role_not_grantable", "Only the platform makes and changes platform admins.")
	ErrSharedPerson = fault.New(fault.Forbidden, "user_shared", "This person belongs to other tenants too: only their role here can be changed.")
	ErrLastAdmin    = fault.New(fault.Conflict, "last_admin", "A tenant keeps at least one admin. Make somebody else an admin first.")
)

// OwnFields are what customers may change in their own record, and say when they register.
var OwnFields = []string{"name", "phone", "addresses", "marketingConsent", "password"}

// PeopleHooks are the hooks of users and customers by slug.
func PeopleHooks(p People) map[string]Hooks {
	return map[string]Hooks{
		identity.Tenants.Slug: {Beyond: p.ownTenants, Within: withinTenant, Reasons: []*fault.Error{ErrPlan}},
		identity.Users.Slug: {
			Accounts: true, Shape: p.shapeUser, Enter: p.enterUser, Within: p.withinUser, Then: p.thenUser, Dress: p.dressUsers,
			Reasons: []*fault.Error{ErrRoleTooHigh, ErrSharedPerson, ErrLastAdmin},
		},
		identity.Customers.Slug: {
			Apart: true, Shape: p.shapeCustomer, Within: withinCustomer, Own: OwnFields,
		},
	}
}

// withinTenant keeps shops from giving themselves a plan. Contract 13.
func withinTenant(_ context.Context, _ ports.Tx, w *Write) error {
	if w.Before != nil && w.After != nil && w.Before.Text("plan") != w.After.Text("plan") && !platform(w.Principal) {
		return ErrPlan
	}
	return nil
}

// ownTenants: whoever belongs to a tenant may see it beside a user, in whichever tenant they act.
func (p People) ownTenants(ctx context.Context, open *ports.Tx, by tenant.Principal, ids []string) (map[string]collection.Record, error) {
	if open != nil {
		return access.TenantsOf(ctx, func(ports.Scope) ports.Reader { return open.Across }, open.Accounts, by, ids)
	}
	return access.TenantsOf(ctx, p.Content.Store.Read, p.Accounts, by, ids)
}

// dressUsers: records of one tenant do not tell of the others; who looks sees those they belong to, too.
func (p People) dressUsers(ctx context.Context, by tenant.Principal, users []collection.Record) ([]collection.Record, error) {
	return access.Viewable(ctx, p.Accounts, by, users)
}

// member is a user on the way to the store.
type member struct {
	hash    string // of a new password, "" without one
	account ports.Account
	place   int // of the acting tenant among the account's memberships; -1 when new there
}

// shapeUser hashes a password, and refuses what the caller may not grant. Errors: ErrRoleTooHigh, fault.ErrValidation.
func (p People) shapeUser(ctx context.Context, w *Write) error {
	if w.Input["role"] == string(tenant.PlatformAdmin) && !platform(w.Principal) {
		return ErrRoleTooHigh
	}
	plain, given, err := secret(w)
	if err == nil && w.Create && !given {
		err = p.needsPassword(ctx, w)
	}
	if err != nil || !given {
		w.Note = member{}
		return err
	}
	hash, err := p.Passwords.Hash(ctx, plain)
	w.Note = member{hash: hash}
	return err
}

// platform reports whether p is above all tenants.
func platform(p tenant.Principal) bool {
	return p.Kind == tenant.System || p.Kind == tenant.User && p.Role == tenant.PlatformAdmin
}

// needsPassword tells somebody new without a password so, together with whatever else is wrong.
func (p People) needsPassword(ctx context.Context, w *Write) error {
	email, _ := w.Input["email"].(string)
	if _, err := p.Accounts.ByEmail(ctx, strings.ToLower(strings.TrimSpace(email))); !errors.Is(err, ports.ErrAbsent) {
		return err
	}
	missing := fault.From(identity.CheckPassword("", false, true))
	_, err := w.writer().Accept(nil, w.Input)
	if f := fault.From(err); err != nil && errors.Is(f, fault.ErrValidation) {
		return f.In(missing.Fields...)
	}
	return missing
}

// secret takes the password out of the input. Errors: fault.ErrValidation.
func secret(w *Write) (plain string, given bool, err error) {
	raw, given := w.Input["password"]
	plain, ok := raw.(string)
	if given && !ok {
		return "", true, fault.Invalidf("password", "This field takes a text.")
	}
	delete(w.Input, "password")
	return plain, given, identity.CheckPassword(plain, given, false)
}

// enterUser locks the account of an existing user before their record. Errors: ports.ErrAbsent, ErrRoleTooHigh.
func (p People) enterUser(ctx context.Context, tx ports.Tx, w *Write) error {
	if w.Create {
		return nil
	}
	m, _ := w.Note.(member)
	var err error
	if m.account, err = tx.Accounts.Lock(ctx, w.ID); err != nil {
		return err
	}
	m.place = access.MemberOf(m.account, w.Principal.Tenant.ID)
	w.Note = m
	switch {
	case m.place < 0:
		return ports.ErrAbsent
	case access.OfPlatform(m.account) && !platform(w.Principal): // their password opens every tenant
		return ErrRoleTooHigh
	}
	return nil
}

// withinUser decides on the account. Errors: ports.ErrDuplicate, ErrSharedPerson, ErrLastAdmin, fault.ErrValidation.
func (p People) withinUser(ctx context.Context, tx ports.Tx, w *Write) error {
	m, _ := w.Note.(member)
	var err error
	switch {
	case w.Create:
		m, err = p.join(ctx, tx, w, m)
	case w.After == nil:
		m.account.Memberships = slices.Delete(slices.Clone(m.account.Memberships), m.place, m.place+1)
		err = p.keepsAdmin(ctx, tx, w)
	default:
		if m, err = change(w, m); err == nil {
			err = p.keepsAdmin(ctx, tx, w)
		}
	}
	w.Note = m
	if err != nil || w.After == nil {
		return err
	}
	access.ShowMembership(w.After, w.Principal.Tenant.ID, tenant.Role(w.After.Text("role")))
	nameUser(w.Before, w.After)
	return nil
}

// join makes a person a member: somebody new, or whom the address belongs to.
func (p People) join(ctx context.Context, tx ports.Tx, w *Write, m member) (member, error) {
	here := ports.Membership{Tenant: w.Principal.Tenant.ID, Role: tenant.Role(w.After.Text("role"))}
	known, err := tx.Accounts.LockEmail(ctx, w.After.Text("email"))
	switch {
	case errors.Is(err, ports.ErrAbsent) && m.hash == "":
		return m, identity.CheckPassword("", false, true)
	case errors.Is(err, ports.ErrAbsent):
		known = ports.Account{ID: w.ID, Email: w.After.Text("email"), PasswordHash: m.hash, TokenVersion: 1}
	case err != nil:
		return m, err
	case access.MemberOf(known, here.Tenant) >= 0:
		return m, ports.ErrDuplicate.In(fault.Field{Field: "email", Message: "This person is a member already."})
	}
	known.Memberships = append(slices.Clone(known.Memberships), here)
	m.account, w.ID, w.After["id"] = known, known.ID, known.ID
	return m, nil
}

// change applies a new role, address or password to the account. A new password ends all sessions. Who belongs to other
// tenants too is changed by themselves or the platform.
func change(w *Write, m member) (member, error) {
	profile := m.hash != ""
	for _, name := range profileFields {
		profile = profile || !collection.Equal(w.Before[name], w.After[name])
	}
	if profile && len(m.account.Memberships) > 1 && w.Principal.ID != w.ID && !platform(w.Principal) {
		return m, ErrSharedPerson
	}
	if m.hash != "" {
		m.account.PasswordHash = m.hash
		m.account.TokenVersion++
	}
	m.account.Email = w.After.Text("email")
	m.account.Memberships = slices.Clone(m.account.Memberships)
	m.account.Memberships[m.place].Role = tenant.Role(w.After.Text("role"))
	return m, nil
}

// profileFields are about the person, not about what they are in one tenant.
var profileFields = []string{"email", "firstName", "lastName", "name"}

// keepsAdmin refuses to let a tenant's last admin go or become less; the platform may. Two who leave at the same time
// meet at the tenant's record. Errors: ErrLastAdmin.
func (p People) keepsAdmin(ctx context.Context, tx ports.Tx, w *Write) error {
	admin := string(tenant.Admin)
	if w.Before.Text("role") != admin || w.After != nil && w.After.Text("role") == admin || platform(w.Principal) {
		return nil
	}
	if _, err := tx.Records.Lock(ctx, identity.Tenants, string(w.Principal.Tenant.ID)); err != nil {
		return err
	}
	admins, err := tx.Records.Find(ctx, collection.Query{Schema: identity.Users, Where: identity.Users.Where("role", collection.Equals, admin), Page: 1})
	if err == nil && admins.TotalDocs <= 1 {
		err = ErrLastAdmin
	}
	return err
}

// nameUser makes the display name of first and last name, unless it is one of its own.
func nameUser(before, after collection.Record) {
	name := after.Text("name")
	if made := fullName(after); made != "" && (name == "" || name == fullName(before) && name == before.Text("name")) {
		after["name"] = made
	}
}

func fullName(r collection.Record) string {
	return strings.TrimSpace(r.Text("firstName") + " " + r.Text("lastName"))
}

// thenUser stores the account, and tells the person's other tenants.
func (p People) thenUser(ctx context.Context, tx ports.Tx, w *Write) error {
	m, _ := w.Note.(member)
	if err := p.keepAccount(ctx, tx, w, m.account); err != nil || len(m.account.Memberships) == 0 {
		return err
	}
	if len(m.account.Memberships) == 1 && w.After != nil {
		return nil
	}
	return access.Signal(ctx, tx, access.News{Person: w.ID, From: w.Principal.Tenant.ID, NewID: w.NewID, Now: w.Now, Apply: func(before, after collection.Record) {
		spread(w, before, after)
	}})
}

// keepAccount stores the account, or forgets it with its last membership, and says what the answer shows.
func (p People) keepAccount(ctx context.Context, tx ports.Tx, w *Write, account ports.Account) error {
	record := w.After
	if record == nil {
		record = w.Before
	}
	keep := tx.Accounts.Save
	if len(account.Memberships) == 0 {
		keep = func(ctx context.Context, a ports.Account) error { return tx.Accounts.Remove(ctx, a.ID) }
	}
	if err := keep(ctx, account); err != nil {
		return err
	}
	seen, err := access.Viewable(ctx, tx.Accounts, w.Principal, []collection.Record{record})
	if err == nil {
		w.Seen = seen[0]
	}
	return err
}

// spread carries what w changed in a person's profile into their record in another tenant, where a display name may be
// made of other names.
func spread(w *Write, before, after collection.Record) {
	if w.Before == nil || w.After == nil {
		return
	}
	for _, name := range profileFields {
		made := name == "name" && w.After.Text("name") == fullName(w.After)
		if !made && !collection.Equal(w.Before[name], w.After[name]) {
			after[name] = w.After[name]
		}
	}
	nameUser(before, after)
}
