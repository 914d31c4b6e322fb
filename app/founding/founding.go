// Package founding opens shops: a new tenant with its keys, its first admin, and what every shop starts with.
package founding

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Records writes single records inside a transaction; app/content has it.
type Records interface {
	// Create stores a new record. Errors: fault.ErrValidation, ports.ErrDuplicate.
	Create(ctx context.Context, tx ports.Tx, by tenant.Principal, s *collection.Schema, input map[string]any) (collection.Record, error)
}

// Founding opens shops.
type Founding struct {
	Store     ports.Store
	Records   Records
	Accounts  ports.Accounts
	Passwords ports.Passwords
	// Sandbox gives the secrets of an account at the sandbox provider, its own and the one that signs its webhooks; nil: new
	// shops have no connection to it.
	Sandbox func(account string) (secret, webhooks string)
	Now     func() time.Time
	NewID   func() string
}

// Shop is what a new tenant is to be.
type Shop struct {
	ID         tenant.ID // "" is a new one
	Name       string
	Slug       string // "" is made from the name
	Plan       tenant.Plan
	Currency   money.Currency // "" is KRW
	AdminEmail string         // "" is made from the slug
}

// Founded is a new tenant with everything that is shown once.
type Founded struct {
	Tenant        tenant.Facts
	Name, Slug    string
	AdminEmail    string
	AdminPassword string
	ClientKey     string
	SecretKey     string
	TestClientKey string
	TestSecretKey string
}

// ErrExists says that the tenant is there already.
var ErrExists = fault.New(fault.Conflict, "tenant_exists", "This tenant exists already.")

// the four keys every shop starts with.
var firstKeys = []struct {
	name, kind string
	env        tenant.Environment
	text       func(*Founded) *string
}{
	{"Storefront", identity.ClientKey, tenant.Live, func(f *Founded) *string { return &f.ClientKey }},
	{"Server", identity.SecretKey, tenant.Live, func(f *Founded) *string { return &f.SecretKey }},
	{"Storefront, test", identity.ClientKey, tenant.Test, func(f *Founded) *string { return &f.TestClientKey }},
	{"Server, test", identity.SecretKey, tenant.Test, func(f *Founded) *string { return &f.TestSecretKey }},
}

// Draft makes up everything about a new shop without storing any of it, so that a caller can put the secrets in a safe
// place first. Errors: fault.ErrValidation.
func (f Founding) Draft(s Shop) (Founded, error) {
	if s.Slug == "" {
		s.Slug = catalog.MakeSlug(s.Name)
	}
	if s.AdminEmail == "" {
		s.AdminEmail = "admin@" + s.Slug + ".example"
	}
	if s.Currency == "" {
		s.Currency = "KRW"
	}
	if s.ID == "" {
		s.ID = tenant.ID(f.NewID())
	}
	w := collection.Writer{Schema: identity.Tenants, Currency: s.Currency, NewID: f.NewID, Trusted: true}
	record, err := w.Accept(nil, map[string]any{"name": s.Name, "slug": s.Slug, "plan": string(s.Plan), "currency": string(s.Currency)})
	switch {
	case err != nil:
		return Founded{}, err
	case !s.Currency.Valid():
		return Founded{}, fault.Invalidf("currency", "This is no ISO 4217 currency.")
	case !collection.ValidEmail(s.AdminEmail):
		return Founded{}, fault.Invalidf("adminEmail", "%q is no email address.", s.AdminEmail)
	}
	record["id"] = string(s.ID)
	out := Founded{Tenant: identity.FactsOf(record), Name: s.Name, Slug: s.Slug, AdminEmail: s.AdminEmail, AdminPassword: access.RandomText(20)}
	for _, k := range firstKeys {
		*k.text(&out) = access.MintKey(k.kind, k.env)
	}
	return out, nil
}

// Found stores a drafted shop with its admin's account, in one transaction. Errors: ErrExists, ports.ErrDuplicate when
// the admin's email is taken.
func (f Founding) Found(ctx context.Context, d Founded) error {
	taken := ports.ErrDuplicate.Saying("There is a user with the address %s already.", d.AdminEmail)
	if _, err := f.Accounts.ByEmail(ctx, d.AdminEmail); !errors.Is(err, ports.ErrAbsent) {
		return orElse(err, taken)
	}
	hash, err := f.Passwords.Hash(ctx, d.AdminPassword)
	if err != nil {
		return err
	}
	admin := ports.Account{
		ID: f.NewID(), Email: d.AdminEmail, PasswordHash: hash, TokenVersion: 1,
		Memberships: []ports.Membership{{Tenant: d.Tenant.ID, Role: tenant.Admin}},
	}
	known := false
	err = f.Store.Atomically(ctx, access.Members(d.Tenant.ID), func(ctx context.Context, tx ports.Tx) error {
		err := tx.Accounts.Save(ctx, admin)
		if known = errors.Is(err, ports.ErrDuplicate); err != nil {
			return err
		}
		if err := tx.Records.Write(ctx, f.people(d, admin.ID)...); err != nil {
			return err
		}
		return f.equip(ctx, tx, d)
	})
	switch {
	case known:
		return taken.Because(err)
	case errors.Is(err, ports.ErrStale), errors.Is(err, ports.ErrDuplicate):
		return ErrExists.Because(err)
	}
	return err
}

func orElse(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

// people are the tenant itself, its admin and its keys.
func (f Founding) people(d Founded, admin string) []collection.Change {
	id, now := string(d.Tenant.ID), f.Now()
	w := collection.Writer{Schema: identity.Tenants, NewID: f.NewID, Trusted: true}
	shop, _ := w.Accept(nil, map[string]any{"name": d.Name, "slug": d.Slug, "plan": string(d.Tenant.Plan), "currency": string(d.Tenant.Currency)}) // Draft has checked it
	shop["id"], shop["tenant"] = id, id
	user := collection.Record{
		"id": admin, "tenant": id, "email": d.AdminEmail, "role": string(tenant.Admin), "tenants": []string{id}, "name": "Admin",
		"memberships": []collection.Record{{"tenant": id, "role": string(tenant.Admin)}},
	}
	changes := []collection.Change{
		collection.NewChange(identity.Tenants, nil, shop, f.NewID(), now),
		collection.NewChange(identity.Users, nil, user, f.NewID(), now),
	}
	for _, k := range firstKeys {
		key := access.KeyRecord(k.name, k.kind, k.env, *k.text(&d))
		key["id"], key["tenant"] = f.NewID(), id
		changes = append(changes, collection.NewChange(identity.APIKeys, nil, key, f.NewID(), now))
	}
	return changes
}

// equip gives the shop what every shop starts with: a shipping policy, and an account at the sandbox provider.
func (f Founding) equip(ctx context.Context, tx ports.Tx, d Founded) error {
	policy := shipping.NewPolicy(f.NewID(), string(d.Tenant.ID), d.Tenant.Currency)
	if err := tx.Records.Write(ctx, collection.NewChange(shipping.Schema, nil, policy, f.NewID(), f.Now())); err != nil {
		return err
	}
	if f.Sandbox == nil {
		return nil
	}
	account := SandboxAccount(d.Tenant.ID)
	methods := make([]any, len(payment.Methods))
	for i, m := range payment.Methods {
		methods[i] = m
	}
	secret, webhooks := f.Sandbox(account)
	_, err := f.Records.Create(ctx, tx, Owner(d.Tenant, tenant.Test), payment.Connections, map[string]any{
		"name": "Sandbox", "provider": "sandbox", "accountKey": account, "environment": string(tenant.Test), "enabled": true, "isDefault": true,
		"credentials": map[string]any{"secretKey": secret}, "webhookSecrets": []any{webhooks}, "enabledMethods": methods,
	})
	return err
}

// SandboxAccount is a tenant's account at the sandbox provider.
func SandboxAccount(id tenant.ID) string { return "shop-" + string(id) }

// Owner is our own background work in a tenant: it may everything there.
func Owner(t tenant.Facts, env tenant.Environment) tenant.Principal {
	return tenant.Principal{Kind: tenant.System, Tenant: t, Environment: env, CanRead: true, CanWrite: true}
}
