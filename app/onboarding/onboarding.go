// Package onboarding creates tenants with their first admin, API keys and defaults.
package onboarding

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/shop"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// RecordWriter writes single records inside a transaction; package records implements it.
type RecordWriter interface {
	// Create stores a new record. Errors: fault.ErrValidation, ports.ErrDuplicate.
	Create(ctx context.Context, tx ports.Tx, by tenant.Principal, s *collection.Schema, input map[string]any) (collection.Record, error)
}

// Service creates tenants and adds members.
type Service struct {
	Store        ports.Store
	RecordWriter RecordWriter
	Passwords    ports.Passwords
	Inviter      access.Inviter
	// SandboxSecrets returns the secrets of an account at the sandbox provider: its secret key and its
	// webhook signing secret; nil: new tenants get no connection to it.
	SandboxSecrets func(account string) (secret, webhooks string)
	Now            func() time.Time
	NewID          func() string
}

// TenantInput describes a new tenant.
type TenantInput struct {
	ID         tenant.ID // "": a new id
	Name       string
	Slug       string // "": derived from the name
	Plan       tenant.Plan
	Currency   money.Currency // "": KRW
	Country    string         // ISO 3166-1; "": KR for KRW, else unknown
	Locale     string         // "": that of the country or the currency, as shop.HomeOf says
	TimeZone   string         // "": likewise
	AdminEmail string         // "": derived from the slug
}

// PreparedTenant is a new tenant with the secrets that are shown once.
type PreparedTenant struct {
	Record        collection.Record
	Tenant        tenant.Settings // those of Record
	Name, Slug    string
	AdminEmail    string
	AdminPassword string
	ClientKey     string
	SecretKey     string
	TestClientKey string
	TestSecretKey string
}

// ErrTenantExists says that the tenant exists already.
var ErrTenantExists = fault.New(fault.Conflict, "tenant_exists", "This tenant already exists.")

// initialKeys are the four keys of every new tenant.
var initialKeys = []struct {
	name, kind string
	env        tenant.Environment
	text       func(*PreparedTenant) *string
}{
	{"Storefront", identity.ClientKey, tenant.Live, func(f *PreparedTenant) *string { return &f.ClientKey }},
	{"Server", identity.SecretKey, tenant.Live, func(f *PreparedTenant) *string { return &f.SecretKey }},
	{"Storefront, test", identity.ClientKey, tenant.Test, func(f *PreparedTenant) *string { return &f.TestClientKey }},
	{"Server, test", identity.SecretKey, tenant.Test, func(f *PreparedTenant) *string { return &f.TestSecretKey }},
}

// Prepare generates everything of a new tenant without storing it, so that the caller can save the secrets
// first. Errors: fault.ErrValidation.
func (f Service) Prepare(s TenantInput) (PreparedTenant, error) {
	if s.Slug == "" {
		s.Slug = catalog.Slugify(s.Name)
	}
	s.AdminEmail = strings.ToLower(strings.TrimSpace(s.AdminEmail))
	if s.AdminEmail == "" {
		s.AdminEmail = "admin@" + s.Slug + ".example"
	}
	if s.Currency == "" {
		s.Currency = "KRW"
	}
	if s.ID == "" {
		s.ID = tenant.ID(f.NewID())
	}
	record, err := f.tenantRecord(s)
	switch {
	case err != nil:
		return PreparedTenant{}, err
	case !s.Currency.Valid():
		return PreparedTenant{}, fault.Invalidf("currency", "Enter a valid ISO 4217 currency code.")
	case !collection.ValidEmail(s.AdminEmail):
		return PreparedTenant{}, fault.Invalidf("adminEmail", "%q is not a valid email address.", s.AdminEmail)
	}
	out := PreparedTenant{
		Record: record, Tenant: identity.SettingsFrom(record), Name: s.Name, Slug: s.Slug, AdminEmail: s.AdminEmail, AdminPassword: access.RandomString(20),
	}
	for _, k := range initialKeys {
		*k.text(&out) = access.GenerateKey(k.kind, k.env)
	}
	return out, nil
}

// tenantRecord is the record of a new tenant, at home where it is. Errors: fault.ErrValidation.
func (f Service) tenantRecord(s TenantInput) (collection.Record, error) {
	home := shop.HomeOf(strings.ToUpper(s.Country), s.Currency)
	settings := map[string]any{"locale": cmp.Or(s.Locale, home.Locale), "timeZone": cmp.Or(s.TimeZone, home.TimeZone)}
	if s.Country != "" {
		settings["country"] = s.Country
	}
	w := collection.InputParser{Schema: identity.Tenants, Currency: s.Currency, NewID: f.NewID, Trusted: true}
	record, err := w.Merge(nil, map[string]any{
		"name": s.Name, "slug": s.Slug, "plan": string(s.Plan), "currency": string(s.Currency), "settings": settings,
	})
	if err != nil {
		return nil, err
	}
	record["id"], record["tenant"] = string(s.ID), string(s.ID)
	record["settings"], err = records.CheckedSettings(record.Group("settings"))
	return record, err
}

// Create stores a prepared tenant with its admin's account in one transaction. The installation vouches for the
// admin's address: unproven accounts that other tenants made for it do not matter. Errors: ErrTenantExists,
// ports.ErrDuplicate if a person has the address.
func (f Service) Create(ctx context.Context, d PreparedTenant) error {
	err := f.create(ctx, d, func(context.Context, ports.Tx) error { return errTaken })
	if errors.Is(err, errTaken) {
		return ports.ErrDuplicate.WithMessage("A user with the address %s already exists.", d.AdminEmail)
	}
	return err
}

// CreateOrInvite is Create, but a person who has the address of the admin keeps their account and password and is
// invited as the admin, as AddMember does: the tenant has no user before they accept. The invitation is for the
// operator to pass on; without a token, the account was made with d.AdminPassword. Errors: ErrTenantExists.
func (f Service) CreateOrInvite(ctx context.Context, d PreparedTenant) (invitation access.EmailToken, err error) {
	invite := func(ctx context.Context, tx ports.Tx) (err error) {
		user := collection.Record{"email": d.AdminEmail, "role": string(tenant.Admin)}
		invitation, err = f.Inviter.Invite(ctx, tx, d.Tenant.ID, user)
		return err
	}
	if err = f.create(ctx, d, invite); errors.Is(err, errTaken) { // by another tenant, at that moment
		err = f.create(ctx, d, invite)
	}
	return invitation, err
}

// create stores a prepared tenant with its admin: a new account, or what known does if a person has the address.
// Errors: those of known, ErrTenantExists, errTaken if a person got the address meanwhile.
func (f Service) create(ctx context.Context, d PreparedTenant, known func(ctx context.Context, tx ports.Tx) error) error {
	hash, err := f.Passwords.Hash(ctx, d.AdminPassword)
	if err != nil {
		return err
	}
	err = f.Store.Atomically(ctx, access.MembersScope(d.Tenant.ID), func(ctx context.Context, tx ports.Tx) error {
		accounts, err := tx.Accounts.LockByAddress(ctx, d.AdminEmail)
		if err != nil {
			return err
		}
		if err := tx.Records.Write(ctx, f.initialRecords(d)...); err != nil {
			return err
		}
		add := known
		if len(accounts) == 0 || accounts[0].Home != "" {
			add = func(ctx context.Context, tx ports.Tx) error { return f.createAdmin(ctx, tx, d, hash) }
		}
		if err := add(ctx, tx); err != nil {
			return err
		}
		return f.createDefaults(ctx, tx, d)
	})
	if errors.Is(err, ports.ErrStale) || errors.Is(err, ports.ErrDuplicate) {
		return ErrTenantExists.WithMessage("A tenant with the slug %s already exists.", d.Slug).WithCause(err)
	}
	return err
}

// createAdmin stores the account and the record of the first admin. Errors: errTaken.
func (f Service) createAdmin(ctx context.Context, tx ports.Tx, d PreparedTenant, hash string) error {
	id, t := f.NewID(), d.Tenant.ID
	err := tx.Accounts.Save(ctx, ports.Account{
		ID: id, Email: d.AdminEmail, PasswordHash: hash, TokenVersion: 1,
		Memberships: []ports.Membership{{Tenant: t, Role: tenant.Admin}},
	})
	if errors.Is(err, ports.ErrDuplicate) { // another tenant's, at this moment
		return errTaken
	} else if err != nil {
		return err
	}
	user := collection.Record{
		"id": id, "tenant": string(t), "email": d.AdminEmail, "role": string(tenant.Admin), "tenants": []string{string(t)}, "name": "Admin",
		"memberships": []collection.Record{{"tenant": string(t), "role": string(tenant.Admin)}},
	}
	return tx.Records.Write(ctx, collection.NewChange(identity.Users, nil, user, f.NewID(), f.Now()))
}

// errTaken: a person has the address of the first admin.
var errTaken = errors.New("the address of the admin is taken")

// initialRecords are the records of the tenant, its profile and its keys.
func (f Service) initialRecords(d PreparedTenant) []collection.Change {
	id, now := string(d.Tenant.ID), f.Now()
	profile := collection.Record{"id": f.NewID(), "tenant": id, "single": "profile", "businessName": d.Name}
	changes := []collection.Change{
		collection.NewChange(identity.Tenants, nil, d.Record, f.NewID(), now), collection.NewChange(shop.Profiles, nil, profile, f.NewID(), now),
	}
	for _, k := range initialKeys {
		key := access.KeyRecord(k.name, k.kind, k.env, *k.text(&d))
		key["id"], key["tenant"] = f.NewID(), id
		changes = append(changes, collection.NewChange(identity.APIKeys, nil, key, f.NewID(), now))
	}
	return changes
}

// createDefaults creates the tenant's default shipping policy and its connection to the sandbox provider.
func (f Service) createDefaults(ctx context.Context, tx ports.Tx, d PreparedTenant) error {
	policy := shipping.DefaultPolicy(f.NewID(), d.Tenant)
	if err := tx.Records.Write(ctx, collection.NewChange(shipping.Schema, nil, policy, f.NewID(), f.Now())); err != nil {
		return err
	}
	if f.SandboxSecrets == nil {
		return nil
	}
	account := SandboxAccount(d.Tenant.ID)
	methods := make([]any, len(payment.Methods))
	for i, m := range payment.Methods {
		methods[i] = m
	}
	secret, webhooks := f.SandboxSecrets(account)
	_, err := f.RecordWriter.Create(ctx, tx, SystemPrincipal(d.Tenant, tenant.Test), payment.Connections, map[string]any{
		"name": "Sandbox", "provider": "sandbox", "accountKey": account, "environment": string(tenant.Test), "enabled": true,
		"isDefault": true, "credentials": map[string]any{"secretKey": secret}, "webhookSecrets": []any{webhooks}, "enabledMethods": methods,
	})
	return err
}

// SandboxAccount is a tenant's account at the sandbox provider.
func SandboxAccount(id tenant.ID) string { return "shop-" + string(id) }

// SystemPrincipal is the system acting in a tenant, with all permissions.
func SystemPrincipal(t tenant.Settings, env tenant.Environment) tenant.Principal {
	return tenant.Principal{Kind: tenant.System, Tenant: t, Environment: env, CanRead: true, CanWrite: true}
}
