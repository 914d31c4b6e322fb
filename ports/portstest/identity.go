package portstest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// IdentitySchemas are tenants and API keys with the fields that ports.APIKeys reads.
func IdentitySchemas() []*collection.Schema {
	return []*collection.Schema{
		{Slug: "tenants", Singular: "Tenant", Plural: "Tenants", Global: true, Fields: []collection.Field{
			{Name: "name", Kind: collection.Text}, {Name: "slug", Kind: collection.Text, Unique: true},
			{Name: "plan", Kind: collection.Text}, {Name: "currency", Kind: collection.Text}, {Name: "roundingMode", Kind: collection.Text},
			{Name: "settings", Kind: collection.Group, Fields: []collection.Field{
				{Name: "checkoutOrderSeparation", Kind: collection.Boolean}, {Name: "allowedOrigins", Kind: collection.Texts},
				{Name: "autoConfirmDays", Kind: collection.Integer}, {Name: "unpaidOrderHours", Kind: collection.Integer},
				{Name: "features", Kind: collection.Group, Fields: []collection.Field{{Name: "ecommerce", Kind: collection.Boolean}}}}}}},
		{Slug: "api-keys", Singular: "ApiKey", Plural: "ApiKeys", Fields: []collection.Field{
			{Name: "kind", Kind: collection.Select, Options: []string{"client", "secret"}},
			{Name: "environment", Kind: collection.Select, Options: []string{"live", "test"}},
			{Name: "hash", Kind: collection.Text, VisibleTo: collection.ServerOnly},
			{Name: "scopes", Kind: collection.Selects, Options: []string{"read", "write"}}, {Name: "revokedAt", Kind: collection.Date}}},
	}
}

// tenantWithoutSettings is a tenant with default settings.
const tenantWithoutSettings tenant.ID = "0-fresh"

// APIKeys checks ports.APIKeys on an empty store of IdentitySchemas.
func APIKeys(t *testing.T, store ports.Store, keys ports.APIKeys) {
	schemas := IdentitySchemas()
	a := recordStore{store, nil, new(int)}
	hash := func(text string) [32]byte { return sha256.Sum256([]byte(text)) }
	key := func(id, env string, revoked any) collection.Record {
		sum := hash(id)
		return collection.Record{
			"id": id, "kind": "secret", "environment": env, "hash": hex.EncodeToString(sum[:]), "scopes": []string{"read"},
			"revokedAt": revoked,
		}
	}
	a.create(t, ours, schemas[0], collection.Record{
		"id": string(ours), "slug": "ours", "plan": "pro", "currency": "USD", "roundingMode": "half_even",
		"settings": collection.Record{
			"checkoutOrderSeparation": true, "allowedOrigins": []string{"https://shop.example"}, "autoConfirmDays": int64(7), "unpaidOrderHours": int64(24),
			"features": collection.Record{"ecommerce": true},
		},
	})
	a.create(t, ours, schemas[1], key("k1", "test", nil))
	a.create(t, ours, schemas[1], key("k2", "live", noon))
	facts := tenant.Settings{
		ID: ours, Plan: tenant.Pro, Currency: "USD", Rounding: "half_even", AllowedOrigins: []string{"https://shop.example"},
		CommerceEnabled: true, CheckoutOrderSeparation: true, AutoConfirmDays: 7, UnpaidOrderHours: 24, MinPassword: 8, Locales: []string{"en"},
	}
	for range 2 { // the second answer may come from a cache
		got, err := keys.ByHash(t.Context(), hash("k1"))
		if want := (ports.APIKey{ID: "k1", Tenant: facts, Secret: true, Environment: tenant.Test, CanRead: true}); err != nil ||
			!reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
		if got, err := keys.Tenant(t.Context(), ours); err != nil || !reflect.DeepEqual(got, facts) {
			t.Errorf("got %+v, %v", got, err)
		}
		_, err = keys.ByHash(t.Context(), hash("k2"))
		expect(t, err, ports.ErrNotFound)
		_, err = keys.ByHash(t.Context(), hash("unknown"))
		expect(t, err, ports.ErrNotFound)
		_, err = keys.Tenant(t.Context(), theirs)
		expect(t, err, ports.ErrNotFound)
	}
	a.create(t, tenantWithoutSettings, schemas[0], collection.Record{
		"id": string(tenantWithoutSettings), "slug": "fresh", "plan": "free", "currency": "KRW",
	})
	if got, err := keys.Tenant(t.Context(), tenantWithoutSettings); err != nil || !got.CommerceEnabled || !got.CheckoutOrderSeparation ||
		got.AutoConfirmDays != 7 {
		t.Errorf("settings that were never set must have their defaults: %+v, %v", got, err)
	}
	// Slugs of tenants are unique across tenants, unlike everything inside them.
	expect(t, a.write(t.Context(), theirs, schemas[0], nil, collection.Record{"id": string(theirs), "slug": "OURS"}), ports.ErrDuplicate)
}

// Accounts checks ports.Accounts and ports.AccountStore on an empty store of IdentitySchemas.
func Accounts(t *testing.T, store ports.Store, accounts ports.Accounts) {
	ctx, everywhere := t.Context(), ports.Scope{System: true}
	first := ports.Account{
		ID: "u1", Email: "a@example.com", PasswordHash: "$argon2id$…", TokenVersion: 1,
		Memberships: []ports.Membership{{Tenant: ours, Role: tenant.Admin}},
	}
	save := func(scope ports.Scope, a ports.Account) error {
		return store.Atomically(ctx, scope, func(ctx context.Context, tx ports.Tx) error { return tx.Accounts.Save(ctx, a) })
	}
	if found, err := accounts.ByAddress(ctx, first.Email); err != nil || len(found) > 0 {
		t.Errorf("found %+v, %v", found, err)
	}
	if save(ports.ForTenant(ours), first) == nil {
		t.Error("a unit of work of one tenant wrote an account")
	}
	for _, scope := range []ports.Scope{everywhere, {System: true, Tenants: []tenant.ID{ours}}} {
		if err := save(scope, first); err != nil {
			t.Fatal(err)
		}
	}
	twin := first
	twin.ID = "u2"
	expect(t, save(everywhere, twin), ports.ErrDuplicate)
	second := first
	second.TokenVersion, second.Memberships = 2, append(slices.Clip(first.Memberships),
		ports.Membership{Tenant: theirs, Role: tenant.Viewer, PasswordHash: "$argon2id$…2", TokenVersion: 5, Login: "l1", SessionsEnded: noon})
	second.SecondFactors = ports.SecondFactors{
		TOTP: &ports.TOTP{Secret: "v1:…", LastStep: 7}, RecoveryCodes: []string{"ab", "cd"},
		Passkeys: []ports.Passkey{passkeyOf("k1"), passkeyOf("k2")}, UsedChallenges: []ports.UsedChallenge{{Hash: "ef", Expires: noon}},
	}
	replaceLocked(t, store, first, second)
	byID, err := accounts.ByID(ctx, "u1")
	if err != nil || !reflect.DeepEqual(byID, second) {
		t.Errorf("got %+v, %v", byID, err)
	}
	for after, want := range map[string]int{"": 1, "u1": 0} {
		if some, err := accounts.WithSecondFactors(ctx, after, 10); err != nil || len(some) != want || want > 0 && !reflect.DeepEqual(some[0], second) {
			t.Errorf("with second factors, after %q: %+v, %v", after, some, err)
		}
	}
	unprovenAccounts(t, save, accounts, second)
	passkeysOfOneAccount(t, save, accounts, second)
	if some, err := accounts.ByIDs(ctx, []string{"u1", "never"}); err != nil || len(some) != 1 || !reflect.DeepEqual(some["u1"], second) {
		t.Errorf("got %+v, %v", some, err)
	}
	for range 2 {
		if err := store.Atomically(ctx, everywhere, func(ctx context.Context, tx ports.Tx) error {
			return tx.Accounts.Delete(ctx, "u1")
		}); err != nil {
			t.Fatal(err)
		}
	}
	_, err = accounts.ByID(ctx, "u1")
	expect(t, err, ports.ErrNotFound)
}

// unprovenAccounts checks that an address has one account of a person's and one more per tenant.
func unprovenAccounts(t *testing.T, save func(ports.Scope, ports.Account) error, accounts ports.Accounts, person ports.Account) {
	t.Helper()
	everywhere := ports.Scope{System: true}
	bound := func(id string, home tenant.ID) ports.Account {
		return ports.Account{
			ID: id, Email: person.Email, Home: home, PasswordHash: "$argon2id$…", TokenVersion: 1,
			Memberships: []ports.Membership{{Tenant: home, Role: tenant.Editor}},
		}
	}
	here, there, moved := bound("u8", ours), bound("u9", theirs), bound("u9", "third")
	longer := person
	longer.ID, longer.Email, longer.SecondFactors = "u7", person.Email+".example", ports.SecondFactors{}
	for _, a := range []ports.Account{there, here, moved, there, longer} {
		if err := save(everywhere, a); err != nil {
			t.Fatal(err)
		}
	}
	expect(t, save(everywhere, bound("u10", theirs)), ports.ErrDuplicate)
	if found, err := accounts.ByAddress(t.Context(), person.Email); err != nil ||
		!reflect.DeepEqual(found, []ports.Account{person, here, there}) {
		t.Errorf("found %+v, %v", found, err)
	}
	if found, err := accounts.ByID(t.Context(), "u9"); err != nil || !reflect.DeepEqual(found, there) {
		t.Errorf("found %+v, %v", found, err)
	}
}

// passkeyOf is a passkey with that id of the device's.
func passkeyOf(credential string) ports.Passkey {
	return ports.Passkey{
		ID: "p-" + credential, Name: "phone", Credential: []byte(credential), PublicKey: []byte{1, 2}, SignCount: 1<<32 - 1, BackupEligible: true,
		Transports: []string{"internal"}, Created: noon, LastUsed: noon.Add(time.Nanosecond),
	}
}

// passkeysOfOneAccount checks that no passkey belongs to two accounts, until it is removed from one.
func passkeysOfOneAccount(t *testing.T, save func(ports.Scope, ports.Account) error, accounts ports.Accounts, person ports.Account) {
	t.Helper()
	everywhere := ports.Scope{System: true}
	other := ports.Account{ID: "u11", Email: "passkeys@example.com", PasswordHash: "$argon2id$…", TokenVersion: 1}
	other.SecondFactors.Passkeys = []ports.Passkey{passkeyOf("k3"), passkeyOf("k2")}
	expect(t, save(everywhere, other), ports.ErrDuplicate)
	if _, err := accounts.ByID(t.Context(), other.ID); !errors.Is(err, ports.ErrNotFound) {
		t.Errorf("an account that was refused is found: %v", err)
	}
	without := person
	without.SecondFactors.Passkeys = person.SecondFactors.Passkeys[:1]
	for _, a := range []ports.Account{without, other, other} {
		if err := save(everywhere, a); err != nil {
			t.Fatal(err)
		}
	}
	expect(t, save(everywhere, person), ports.ErrDuplicate)
	other.SecondFactors = ports.SecondFactors{}
	for _, a := range []ports.Account{other, person} {
		if err := save(everywhere, a); err != nil {
			t.Fatal(err)
		}
	}
}

// replaceLocked locks the account, and replaces it by next in the same transaction.
func replaceLocked(t *testing.T, store ports.Store, account, next ports.Account) {
	t.Helper()
	err := store.Atomically(t.Context(), ports.Scope{System: true}, func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.Accounts.Lock(ctx, "never"); !errors.Is(err, ports.ErrNotFound) {
			t.Errorf("locking an unknown account: %v", err)
		}
		got, err := tx.Accounts.LockByAddress(ctx, account.Email)
		if err != nil || len(got) != 1 || !reflect.DeepEqual(got[0], account) {
			t.Errorf("locked %+v, %v", got, err)
		}
		if err := tx.Accounts.Save(ctx, next); err != nil {
			return err
		}
		if some, err := tx.Accounts.ByIDs(ctx, []string{account.ID, "never"}); err != nil || len(some) != 1 ||
			!reflect.DeepEqual(some[account.ID], next) {
			t.Errorf("the transaction sees %+v, %v", some, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// SealedTokens checks ports.SealedTokens on an empty store.
func SealedTokens(t *testing.T, store ports.Store) {
	e := ports.SealedToken{Tenant: ours, Event: "e1", Collection: "customers", Ciphertext: "v1:…", Expires: noon}
	within := func(id tenant.ID, fn func(context.Context, ports.SealedTokens) error) error {
		return store.Atomically(t.Context(), ports.ForTenant(id),
			func(ctx context.Context, tx ports.Tx) error { return fn(ctx, tx.SealedTokens) })
	}
	enclose := func(ctx context.Context, in ports.SealedTokens) error { return in.Add(ctx, e) }
	if within(theirs, enclose) == nil {
		t.Error("a sealed token was stored for another tenant")
	}
	if err := within(ours, enclose); err != nil {
		t.Fatal(err)
	}
	found := func(id tenant.ID) (got ports.SealedToken, err error) {
		err = within(id, func(ctx context.Context, in ports.SealedTokens) (err error) {
			got, err = in.ForEvent(ctx, e.Event)
			return err
		})
		return got, err
	}
	discard := func(ctx context.Context, in ports.SealedTokens) error { return in.Delete(ctx, e.Event) }
	if err := within(theirs, discard); err != nil {
		t.Fatal(err)
	}
	if got, err := found(ours); err != nil || got != e {
		t.Errorf("got %+v, %v", got, err)
	}
	_, err := found(theirs)
	expect(t, err, ports.ErrNotFound)
	if err := within(ours, discard); err != nil {
		t.Fatal(err)
	}
	_, err = found(ours)
	expect(t, err, ports.ErrNotFound)
}

// AttemptLimiter checks a ports.AttemptLimiter with a window of 15 minutes, which has no attempts for the
// keys used here.
func AttemptLimiter(t *testing.T, a ports.AttemptLimiter) {
	try := func(key string, minutes int) time.Duration {
		return a.Try(t.Context(), key, 5, noon.Add(time.Duration(minutes)*time.Minute))
	}
	for i := range 5 {
		if wait := try("k", i); wait != 0 {
			t.Fatalf("attempt %d has to wait %s", i+1, wait)
		}
	}
	for minute, want := range map[int]time.Duration{5: 10 * time.Minute, 14: time.Minute} {
		if wait := try("k", minute); wait != want {
			t.Errorf("after %d minutes the sixth waits %s, want %s", minute, wait, want)
		}
	}
	if wait := try("another", 5); wait != 0 {
		t.Errorf("another key waits %s", wait)
	}
	if a.Undo(t.Context(), "k"); try("k", 5) != 0 || try("k", 5) == 0 {
		t.Error("Undo must allow one more attempt")
	}
	if wait := try("k", 15); wait != 0 {
		t.Errorf("the first attempt has left the window, and still it waits %s", wait)
	}
	if wait := try("k", 15); wait != time.Minute {
		t.Errorf("the window is full again: %s", wait)
	}
	if a.Reset(t.Context(), "k"); try("k", 15) != 0 {
		t.Error("Reset must clear the count")
	}
	var wg sync.WaitGroup
	var admitted atomic.Int64
	for range 20 {
		wg.Go(func() {
			if try("crowd", 0) == 0 {
				admitted.Add(1)
			}
		})
	}
	if wg.Wait(); admitted.Load() != 5 {
		t.Errorf("%d of 20 at once were admitted", admitted.Load())
	}
}

// Revocations checks ports.Revocations on an empty store.
func Revocations(t *testing.T, r ports.Revocations) {
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
	if err := r.Revoke(t.Context(), at(1), at(10), "token", "another token"); err != nil {
		t.Fatal(err)
	}
	for minute, want := range map[int]bool{0: false, 1: true, 5: true, 10: true, 11: false} {
		if got, err := r.Revoked(t.Context(), at(minute), "token"); err != nil || got != want {
			t.Errorf("after %d minutes: %t, %v", minute, got, err)
		}
	}
	// a logout after a refresh: ends earlier, but the entry does not expire earlier
	if err := r.Revoke(t.Context(), at(0), at(5), "token"); err != nil {
		t.Fatal(err)
	}
	for minute, want := range map[int]bool{0: true, 10: true} {
		if got, err := r.Revoked(t.Context(), at(minute), "token"); err != nil || got != want {
			t.Errorf("after the second, %d minutes: %t, %v", minute, got, err)
		}
	}
	if got, err := r.Revoked(t.Context(), at(2), "another token"); err != nil || !got {
		t.Errorf("the second of two that were ended together: %t, %v", got, err)
	}
	if err := r.Revoke(t.Context(), at(0), at(5)); err != nil {
		t.Error("ending nothing:", err)
	}
	if got, err := r.Revoked(t.Context(), at(2), "another", "third"); err != nil || got {
		t.Errorf("another token: %t, %v", got, err)
	}
	if got, err := r.Revoked(t.Context(), at(2), "another", "token"); err != nil || !got {
		t.Errorf("a token whose login was ended: %t, %v", got, err)
	}
}
