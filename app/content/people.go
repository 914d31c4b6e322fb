package content

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// People keeps the accounts of users and the passwords of customers in step with their records.
type People struct {
	Content   *Content
	Accounts  ports.Accounts
	Passwords ports.Passwords
}

// The refusals of people's records.
var (
	ErrRoleTooHigh  = fault.New(fault.Forbidden, "role_not_grantable", "Only the platform makes platform admins.")
	ErrSharedPerson = fault.New(fault.Forbidden, "user_shared", "This person belongs to other tenants too: only their role here can be changed.")
)

// PeopleHooks are the hooks of users and customers by slug.
func PeopleHooks(p People) map[string]Hooks {
	return map[string]Hooks{
		identity.Users.Slug: {Shape: p.shapeUser, Within: withinUser},
		identity.Customers.Slug: {
			Shape: p.shapeCustomer, Within: withinCustomer,
			Own: []string{"name", "phone", "addresses", "marketingConsent", "password"},
		},
	}
}

// shapeUser brings the account up to date before the record is written: accounts are one per person everywhere and are
// kept outside of a tenant's transaction. Should the record then fail, saying the same again repairs it.
func (p People) shapeUser(ctx context.Context, w *Write) error {
	if w.Input["role"] == string(tenant.PlatformAdmin) && w.Principal.Kind == tenant.User && w.Principal.Role != tenant.PlatformAdmin {
		return ErrRoleTooHigh
	}
	switch {
	case w.Create:
		return p.join(ctx, w)
	case w.Input == nil:
		return p.leave(ctx, w)
	}
	return p.changeUser(ctx, w)
}

// plan reads the input as it will be read again in the transaction, so that a bad one changes no account.
func plan(w *Write, before collection.Record) (collection.Record, error) {
	return collection.Writer{Schema: w.Schema, Currency: w.Principal.Tenant.Currency, NewID: w.NewID}.Accept(before, w.Input)
}

// secret takes the password out of the input. Errors: fault.ErrValidation.
func secret(w *Write, needed bool) (plain string, given bool, err error) {
	raw, given := w.Input["password"]
	plain, ok := raw.(string)
	if given && !ok {
		return "", true, fault.Invalidf("password", "This field takes a text.")
	}
	delete(w.Input, "password")
	return plain, given, identity.CheckPassword(plain, given, needed)
}

// join makes a person a member: a new account, or one more membership of the one they have, whose password stays.
func (p People) join(ctx context.Context, w *Write) error {
	plain, given, err := secret(w, false)
	if err != nil {
		return err
	}
	next, err := plan(w, nil)
	if err != nil {
		return err
	}
	m := ports.Membership{Tenant: w.Principal.Tenant.ID, Role: tenant.Role(next.Text("role"))}
	account, err := p.Accounts.ByEmail(ctx, next.Text("email"))
	switch {
	case err == nil:
		return p.rejoin(ctx, w, account, m)
	case !errors.Is(err, ports.ErrAbsent):
		return err
	}
	if err := identity.CheckPassword(plain, given, true); err != nil {
		return err
	}
	hash, err := p.Passwords.Hash(ctx, plain)
	if err != nil {
		return err
	}
	account = ports.Account{ID: w.ID, Email: next.Text("email"), PasswordHash: hash, TokenVersion: 1, Memberships: []ports.Membership{m}}
	w.Note = account
	return p.Accounts.Save(ctx, account, 0)
}

// rejoin adds a membership; one whose record is missing is taken up again.
func (p People) rejoin(ctx context.Context, w *Write, account ports.Account, m ports.Membership) error {
	w.ID = account.ID
	if i := indexOf(account, m.Tenant); i >= 0 {
		_, err := p.Content.Store.Read(ports.Of(m.Tenant)).Get(ctx, identity.Users, account.ID)
		if err == nil {
			return ports.ErrDuplicate.In(fault.Field{Field: "email", Message: "This person is a member already."})
		}
		if !errors.Is(err, ports.ErrAbsent) {
			return err
		}
		account.Memberships = slices.Delete(slices.Clone(account.Memberships), i, i+1)
	}
	account.Memberships = append(slices.Clone(account.Memberships), m)
	w.Note = account
	return p.Accounts.Save(ctx, account, account.TokenVersion)
}

func indexOf(account ports.Account, t tenant.ID) int {
	return slices.IndexFunc(account.Memberships, func(m ports.Membership) bool { return m.Tenant == t })
}

// leave ends the membership in the acting tenant. The account stays, so that the person can join again.
func (p People) leave(ctx context.Context, w *Write) error {
	account, i, err := p.member(ctx, w)
	if err != nil {
		return err
	}
	account.Memberships = slices.Delete(slices.Clone(account.Memberships), i, i+1)
	return p.Accounts.Save(ctx, account, account.TokenVersion)
}

// member is the account behind the record and its membership in the acting tenant. Errors: ports.ErrAbsent.
func (p People) member(ctx context.Context, w *Write) (ports.Account, int, error) {
	account, err := p.Accounts.ByID(ctx, w.ID)
	if err != nil {
		return account, -1, err
	}
	i := indexOf(account, w.Principal.Tenant.ID)
	if i < 0 {
		return account, i, ports.ErrAbsent
	}
	return account, i, nil
}

// changeUser applies a new role, address or password to the account. A new password ends all sessions.
func (p People) changeUser(ctx context.Context, w *Write) error {
	account, i, err := p.member(ctx, w)
	if err != nil {
		return err
	}
	before, err := p.Content.Store.Read(ports.For(w.Principal)).Get(ctx, identity.Users, w.ID)
	if err != nil {
		return err
	}
	plain, given, err := secret(w, false)
	if err != nil {
		return err
	}
	next, err := plan(w, before)
	if err != nil {
		return err
	}
	profile := given
	for _, name := range []string{"email", "firstName", "lastName", "name"} {
		profile = profile || !collection.Equal(before[name], next[name])
	}
	if profile && len(account.Memberships) > 1 && w.Principal.Role != tenant.PlatformAdmin {
		return ErrSharedPerson
	}
	was := account.TokenVersion
	if given {
		if account.PasswordHash, err = p.Passwords.Hash(ctx, plain); err != nil {
			return err
		}
		account.TokenVersion++
	}
	account.Email = next.Text("email")
	account.Memberships = slices.Clone(account.Memberships)
	account.Memberships[i].Role = tenant.Role(next.Text("role"))
	w.Note = account
	return p.Accounts.Save(ctx, account, was)
}

// withinUser shows the account's memberships in the record.
func withinUser(_ context.Context, _ ports.Tx, w *Write) error {
	account, ok := w.Note.(ports.Account)
	if w.After == nil || !ok {
		return nil
	}
	ids, rows := []string{}, []collection.Record{}
	for _, m := range account.Memberships {
		ids = append(ids, string(m.Tenant))
		rows = append(rows, collection.Record{"tenant": string(m.Tenant), "role": string(m.Role)})
	}
	w.After["tenants"], w.After["memberships"] = ids, rows
	return nil
}

// shapeCustomer puts the hash in the place of the password.
func (p People) shapeCustomer(ctx context.Context, w *Write) error {
	plain, given, err := secret(w, false)
	if err != nil || !given {
		return err
	}
	hash, err := p.Passwords.Hash(ctx, plain)
	w.Note = hash
	return err
}

// withinCustomer stores a new password, which ends all sessions, and notes when consent was given.
func withinCustomer(_ context.Context, _ ports.Tx, w *Write) error {
	if w.After == nil {
		return nil
	}
	if hash, given := w.Note.(string); given {
		w.After["password"] = hash
		if !w.Create {
			w.After["tokenVersion"] = w.Before.Int("tokenVersion") + 1
		}
	}
	switch agrees := w.After.Bool("marketingConsent"); {
	case agrees && !w.Before.Bool("marketingConsent"):
		w.After["consentedAt"] = w.Now
	case !agrees:
		delete(w.After, "consentedAt")
	}
	return nil
}

// Register makes a customer of the client key's tenant. mustVerify says whether they can log in only after verifying
// their address. Errors: fault.ErrUnauthenticated without a client key, fault.ErrValidation, ports.ErrDuplicate.
func (p People) Register(ctx context.Context, by tenant.Principal, input map[string]any) (customer collection.Record, mustVerify bool, err error) {
	if by.Kind != tenant.ClientKey {
		return nil, false, fault.ErrUnauthenticated.Saying("Registering takes the client key of the shop.")
	}
	s := identity.Customers
	hooks := p.Content.Hooks[s.Slug]
	var bad []fault.Field
	for _, name := range slices.Sorted(maps.Keys(input)) {
		if name != "email" && !slices.Contains(hooks.Own, name) {
			bad = append(bad, fault.Field{Field: name, Message: "This field cannot be set here."})
		}
	}
	if len(bad) > 0 {
		return nil, false, fault.ErrValidation.In(bad...)
	}
	if plain, ok := input["password"].(string); !ok || plain == "" {
		return nil, false, identity.CheckPassword("", false, true)
	}
	by.Kind = tenant.System // the shop itself writes the record
	now := collection.Instant(p.Content.Now())
	w := Write{Principal: by, Schema: s, ID: p.Content.NewID(), Create: true, Input: input, Now: now, NewID: p.Content.NewID}
	if err := p.shapeCustomer(ctx, &w); err != nil {
		return nil, false, err
	}
	err = p.Content.Store.Atomically(ctx, ports.For(by), func(ctx context.Context, tx ports.Tx) error {
		shop, err := tx.Records.Get(ctx, identity.Tenants, string(by.Tenant.ID))
		if err != nil {
			return err
		}
		mustVerify = shop.Group("settings").Bool("requireEmailVerification")
		attempt := w
		if err := p.Content.keep(ctx, tx, &attempt, job{schema: s, verb: collection.Create, id: w.ID}, hooks); err != nil {
			return err
		}
		customer = attempt.After
		return nil
	})
	return customer, mustVerify, err
}
