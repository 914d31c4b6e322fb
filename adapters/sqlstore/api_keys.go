package sqlstore

import (
	"context"
	"encoding/hex"
	"slices"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// keyTTL is how long a looked-up key or tenant may be out of date: a revoked key works at most this much
// longer.
const keyTTL = time.Second

// maxKeys bounds the cache; beyond it starts over.
const maxKeys = 10_000

// keyCache remembers found keys and tenants for keyTTL. What is absent is not remembered: a new key works at
// once.
type keyCache struct {
	mu      sync.RWMutex
	keys    map[[32]byte]cached[ports.APIKey]
	tenants map[tenant.ID]cached[tenant.Settings]
}

type cached[T any] struct {
	value                T
	refreshAt, expiresAt time.Time
}

// cacheGet reads a cached value that is still good. When it is so only for a little longer, the first caller
// is made to look it up again, so that not everybody does in the moment it ends.
func cacheGet[K comparable, T any](c *keyCache, from *map[K]cached[T], key K, now time.Time) (v T, ok bool) {
	c.mu.RLock()
	e, ok := (*from)[key]
	c.mu.RUnlock()
	if !ok || now.After(e.expiresAt) {
		return v, false
	}
	if now.Before(e.refreshAt) {
		return e.value, true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok = (*from)[key]; ok && !now.Before(e.refreshAt) {
		e.refreshAt = e.expiresAt
		(*from)[key] = e
		return v, false
	}
	return e.value, ok
}

func cachePut[K comparable, T any](c *keyCache, in *map[K]cached[T], key K, v T, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if *in == nil || len(*in) >= maxKeys {
		*in = map[K]cached[T]{}
	}
	(*in)[key] = cached[T]{v, now.Add(keyTTL * 3 / 4), now.Add(keyTTL)}
}

// APIKeys is a ports.APIKeys.
type APIKeys struct {
	store *engine
	cache keyCache
}

var _ ports.APIKeys = (*APIKeys)(nil)

// ByHash implements ports.APIKeys.
func (k *APIKeys) ByHash(ctx context.Context, hash [32]byte) (ports.APIKey, error) {
	now := k.store.options.Now()
	if known, ok := cacheGet(&k.cache, &k.cache.keys, hash, now); ok {
		return known, nil
	}
	c := k.store.options.Registry.Get(identity.APIKeys.Slug)
	if c == nil {
		return ports.APIKey{}, ports.ErrNotFound
	}
	r, err := k.firstOf(ctx, c, c.Where("hash", collection.Equals, hex.EncodeToString(hash[:])))
	if err != nil {
		return ports.APIKey{}, err
	}
	if !r.Time("revokedAt").IsZero() {
		return ports.APIKey{}, ports.ErrNotFound
	}
	facts, err := k.Tenant(ctx, tenant.ID(r.Text("tenant")))
	if err != nil {
		return ports.APIKey{}, err
	}
	scopes := r.Texts("scopes")
	found := ports.APIKey{
		ID: r.ID(), Tenant: facts, Secret: r.Text("kind") == "secret", Environment: tenant.Environment(r.Text("environment")),
		CanRead: slices.Contains(scopes, "read"), CanWrite: slices.Contains(scopes, "write"),
	}
	cachePut(&k.cache, &k.cache.keys, hash, found, now)
	return found, nil
}

// Tenant implements ports.APIKeys.
func (k *APIKeys) Tenant(ctx context.Context, id tenant.ID) (tenant.Settings, error) {
	now := k.store.options.Now()
	if f, ok := cacheGet(&k.cache, &k.cache.tenants, id, now); ok {
		return f, nil
	}
	c := k.store.options.Registry.Get(identity.Tenants.Slug)
	if c == nil {
		return tenant.Settings{}, ports.ErrNotFound
	}
	r, err := k.store.view(db.SystemScope).Get(ctx, c, string(id))
	if err != nil {
		return tenant.Settings{}, err
	}
	f := identity.SettingsFrom(r)
	cachePut(&k.cache, &k.cache.tenants, id, f, now)
	return f, nil
}

// firstOf finds one record across tenants.
func (k *APIKeys) firstOf(ctx context.Context, c *collection.Schema, where collection.Cond) (collection.Record, error) {
	page, err := k.store.view(db.SystemScope).Find(ctx, collection.Query{Schema: c, Where: where, Limit: 1, Page: 1})
	if err != nil {
		return nil, err
	}
	if len(page.Docs) == 0 {
		return nil, ports.ErrNotFound
	}
	return page.Docs[0], nil
}
