package portstest

import (
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// IdentitySchemas are tenants and API keys as far as ports.Keys reads them.
func IdentitySchemas() []*collection.Schema {
	return []*collection.Schema{
		{Slug: "tenants", Singular: "Tenant", Plural: "Tenants", Fields: []collection.Field{
			{Name: "name", Kind: collection.Text}, {Name: "slug", Kind: collection.Text, Unique: true}, {Name: "plan", Kind: collection.Text},
			{Name: "currency", Kind: collection.Text}, {Name: "roundingMode", Kind: collection.Text},
			{Name: "settings", Kind: collection.Group, Fields: []collection.Field{
				{Name: "checkoutOrderSeparation", Kind: collection.Boolean}, {Name: "allowedOrigins", Kind: collection.Texts}, {Name: "autoConfirmDays", Kind: collection.Integer},
				{Name: "features", Kind: collection.Group, Fields: []collection.Field{{Name: "ecommerce", Kind: collection.Boolean}}}}}}},
		{Slug: "api-keys", Singular: "ApiKey", Plural: "ApiKeys", Fields: []collection.Field{
			{Name: "kind", Kind: collection.Select, Options: []string{"client", "secret"}}, {Name: "environment", Kind: collection.Select, Options: []string{"live", "test"}},
			{Name: "hash", Kind: collection.Text, Read: collection.Nobody}, {Name: "scopes", Kind: collection.Selects, Options: []string{"read", "write"}},
			{Name: "revokedAt", Kind: collection.Date}}},
	}
}

// fresh is a tenant that has set nothing yet.
const fresh tenant.ID = "0-fresh"

// Keys checks ports.Keys on an empty store of IdentitySchemas.
func Keys(t *testing.T, store ports.Store, keys ports.Keys) {
	schemas := IdentitySchemas()
	a := archive{store, nil, new(int)}
	hash := func(text string) [32]byte { return sha256.Sum256([]byte(text)) }
	key := func(id, env string, revoked any) collection.Record {
		sum := hash(id)
		return collection.Record{"id": id, "kind": "secret", "environment": env, "hash": hex.EncodeToString(sum[:]), "scopes": []string{"read"}, "revokedAt": revoked}
	}
	a.create(t, ours, schemas[0], collection.Record{"id": string(ours), "slug": "ours", "plan": "pro", "currency": "USD", "roundingMode": "half_even",
		"settings": collection.Record{"checkoutOrderSeparation": true, "allowedOrigins": []string{"https://shop.example"}, "autoConfirmDays": int64(7), "features": collection.Record{"ecommerce": true}}})
	a.create(t, ours, schemas[1], key("k1", "test", nil))
	a.create(t, ours, schemas[1], key("k2", "live", noon))
	facts := tenant.Facts{ID: ours, Plan: tenant.Pro, Currency: "USD", Rounding: "half_even", AllowedOrigins: []string{"https://shop.example"}, CommerceEnabled: true, CheckoutOrderSeparation: true, AutoConfirmDays: 7}
	for range 2 { // the second answer may be a remembered one
		got, err := keys.ByHash(t.Context(), hash("k1"))
		if want := (ports.Key{ID: "k1", Tenant: facts, Secret: true, Environment: tenant.Test, CanRead: true}); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
		if got, err := keys.Tenant(t.Context(), ours); err != nil || !reflect.DeepEqual(got, facts) {
			t.Errorf("got %+v, %v", got, err)
		}
		_, err = keys.ByHash(t.Context(), hash("k2"))
		expect(t, err, ports.ErrAbsent)
		_, err = keys.ByHash(t.Context(), hash("nobody's"))
		expect(t, err, ports.ErrAbsent)
		_, err = keys.Tenant(t.Context(), theirs)
		expect(t, err, ports.ErrAbsent)
	}
	a.create(t, fresh, schemas[0], collection.Record{"id": string(fresh), "slug": "fresh", "plan": "free", "currency": "KRW"})
	if got, err := keys.Tenant(t.Context(), fresh); err != nil || !got.CommerceEnabled || !got.CheckoutOrderSeparation || got.AutoConfirmDays != 7 {
		t.Errorf("what a tenant never set reads as its default: %+v, %v", got, err)
	}
	// Tenants share their names' space, unlike everything inside them.
	expect(t, a.write(t.Context(), theirs, schemas[0], nil, collection.Record{"id": string(theirs), "slug": "OURS"}), ports.ErrDuplicate)
}

// Accounts checks ports.Accounts on an empty store.
func Accounts(t *testing.T, accounts ports.Accounts) {
	ctx := t.Context()
	first := ports.Account{ID: "u1", Email: "a@example.com", PasswordHash: "$argon2id$…", TokenVersion: 1, Memberships: []ports.Membership{{Tenant: ours, Role: tenant.Admin}}}
	_, err := accounts.ByEmail(ctx, first.Email)
	expect(t, err, ports.ErrAbsent)
	if err := accounts.Save(ctx, first, 0); err != nil {
		t.Fatal(err)
	}
	expect(t, accounts.Save(ctx, first, 0), ports.ErrStale)
	twin := first
	twin.ID = "u2"
	expect(t, accounts.Save(ctx, twin, 0), ports.ErrDuplicate)
	second := first
	second.TokenVersion, second.Memberships = 2, append(slices.Clip(first.Memberships), ports.Membership{Tenant: theirs, Role: tenant.Viewer})
	if err := accounts.Save(ctx, second, 1); err != nil {
		t.Fatal(err)
	}
	expect(t, accounts.Save(ctx, first, 1), ports.ErrStale)
	expect(t, accounts.Save(ctx, ports.Account{ID: "never", TokenVersion: 2}, 1), ports.ErrStale)
	byID, err := accounts.ByID(ctx, "u1")
	byEmail, emailErr := accounts.ByEmail(ctx, "a@example.com")
	if err != nil || emailErr != nil || !reflect.DeepEqual(byID, second) || !reflect.DeepEqual(byEmail, second) {
		t.Errorf("got %+v, %v and %+v, %v", byID, err, byEmail, emailErr)
	}
}

// Revocations checks ports.Revocations on an empty store.
func Revocations(t *testing.T, r ports.Revocations) {
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
	if err := r.Revoke(t.Context(), "token", at(1), at(10)); err != nil {
		t.Fatal(err)
	}
	for minute, want := range map[int]bool{0: false, 1: true, 5: true, 10: true, 11: false} {
		if got, err := r.Revoked(t.Context(), "token", at(minute)); err != nil || got != want {
			t.Errorf("after %d minutes: %t, %v", minute, got, err)
		}
	}
	if err := r.Revoke(t.Context(), "token", at(0), at(5)); err != nil { // a logout after a refresh: earlier, and not shorter
		t.Fatal(err)
	}
	for minute, want := range map[int]bool{0: true, 10: true} {
		if got, err := r.Revoked(t.Context(), "token", at(minute)); err != nil || got != want {
			t.Errorf("after the second, %d minutes: %t, %v", minute, got, err)
		}
	}
	if got, err := r.Revoked(t.Context(), "another", at(2)); err != nil || got {
		t.Errorf("another token: %t, %v", got, err)
	}
}
