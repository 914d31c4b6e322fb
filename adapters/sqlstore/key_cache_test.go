package sqlstore_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// keyShop has a tenant with a key, on two instances whose clock stands still unless it is moved.
type keyShop struct {
	*testing.T

	registry   *collection.Registry
	clock      atomic.Int64
	one, other *sqlstore.Store
	shop, key  collection.Record
	hash       [32]byte
	events     int // written so far
}

func newKeyShop(t *testing.T, o sqlstore.Options) *keyShop {
	registry, err := collection.NewRegistry(portstest.IdentitySchemas()...)
	if err != nil {
		t.Fatal(err)
	}
	k := &keyShop{T: t, registry: registry, hash: sha256.Sum256([]byte("sk_live_one"))}
	k.clock.Store(start.UnixMilli())
	o.Now = func() time.Time { return time.UnixMilli(k.clock.Load()) }
	k.one, k.other = open(t, o, registry), open(t, o, registry)
	k.shop = collection.Record{"id": "a", "tenant": "a", "slug": "a", "plan": "free", "currency": "KRW"}
	k.write(identity.Tenants.Slug, nil, k.shop)
	k.key = collection.Record{
		"id": "k", "tenant": "a", "name": "k", "kind": "secret", "environment": "live", "hash": hex.EncodeToString(k.hash[:]),
	}
	k.write(identity.APIKeys.Slug, nil, k.key)
	return k
}

func (k *keyShop) write(slug string, before, after collection.Record) {
	k.Helper()
	k.events++
	if err := write(k.Context(), k.one, ports.ForTenant("a"), k.registry.Get(slug), before, after, fmt.Sprint("e", k.events)); err != nil {
		k.Fatal(err)
	}
}

func (k *keyShop) revoke() {
	k.Helper()
	revoked := k.key.Clone()
	revoked["revokedAt"] = start
	k.write(identity.APIKeys.Slug, k.key, revoked)
}

func (k *keyShop) expect(s *sqlstore.Store, want error) {
	k.Helper()
	if _, err := s.APIKeys().ByHash(k.Context(), k.hash); !errors.Is(err, want) {
		k.Errorf("got %v, want %v", err, want)
	}
}

func onKeyShops(t *testing.T, test func(k *keyShop)) {
	t.Helper()
	testservers.OnBothDatabases(t, func(t *testing.T) {
		test(newKeyShop(t, sqlstore.Options{Path: filepath.Join(testservers.TempDir(t), "data.db")}))
	}, func(t *testing.T) {
		test(newKeyShop(t, sqlstore.Options{URL: testservers.Postgres(t)}))
	})
}

func TestRevokedKeyIsUnknownAtOnce(t *testing.T) {
	onKeyShops(t, func(k *keyShop) {
		var readers sync.WaitGroup
		var stop atomic.Bool
		for range 8 { // some of them read the key while it is revoked
			readers.Go(func() {
				for !stop.Load() {
					_, _ = k.one.APIKeys().ByHash(k.Context(), k.hash)
				}
			})
		}
		k.expect(k.one, nil)
		k.revoke()
		k.expect(k.one, ports.ErrNotFound)
		stop.Store(true)
		readers.Wait()
		k.expect(k.one, ports.ErrNotFound)
	})
}

// On another instance it is unknown within a second, and never known again.
func TestRevokedKeyIsUnknownElsewhereWithinASecond(t *testing.T) {
	onKeyShops(t, func(k *keyShop) {
		k.expect(k.other, nil)
		k.revoke()
		k.clock.Add(800) // the key is looked up again before it is a second old
		for range 3 {
			k.expect(k.other, ports.ErrNotFound)
		}
	})
}

func TestChangedSettingsApplyAtOnce(t *testing.T) {
	onKeyShops(t, func(k *keyShop) {
		k.expect(k.one, nil)
		changed := k.shop.Clone()
		changed["plan"] = "pro"
		k.write(identity.Tenants.Slug, k.shop, changed)
		key, err := k.one.APIKeys().ByHash(k.Context(), k.hash)
		if err != nil || key.Tenant.Plan != "pro" {
			t.Errorf("the key's shop: %+v, %v", key.Tenant, err)
		}
	})
}
