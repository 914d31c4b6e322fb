package sqlstore

import (
	"context"
	"encoding/hex"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// keyTTL is how long a looked-up key or tenant may be out of date when another instance changed it: there a
// revoked key works at most this much longer. Rule access-18.
const keyTTL = time.Second

// maxKeys bounds the cache; beyond it starts over.
const maxKeys = 10_000

// keyCache remembers found keys and tenants for keyTTL, or until a transaction of this process changes them.
// What is absent is not remembered: a new key works at once.
type keyCache struct {
	mu      sync.RWMutex
	keys    map[[32]byte]cached[ports.APIKey]
	tenants map[tenant.ID]cached[tenant.Settings]
	changes int64 // of keys and tenants, by this process
}

// version tells apart what was read before and after a change.
func (c *keyCache) version() int64 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.changes
}

// forget drops what is remembered of the records of changes, and whatever is being read of them at the moment.
func (c *keyCache) forget(changes []collection.Change) {
	if len(changes) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changes++
	for _, one := range changes {
		if one.Schema.Slug == identity.APIKeys.Slug {
			var hash [32]byte
			if n, err := hex.Decode(hash[:], []byte(one.Before.Text("hash"))); err == nil && n == len(hash) {
				delete(c.keys, hash)
			}
			continue
		}
		record := one.After
		if record == nil {
			record = one.Before
		}
		id := tenant.ID(record.ID())
		delete(c.tenants, id)
		maps.DeleteFunc(c.keys, func(_ [32]byte, k cached[ports.APIKey]) bool { return k.value.Tenant.ID == id })
	}
}

// remembers reports whether records of a collection are.
func remembers(s *collection.Schema) bool {
	return s.Slug == identity.APIKeys.Slug || s.Slug == identity.Tenants.Slug
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

// cachePut caches what was read at a version, unless something has changed since.
func cachePut[K comparable, T any](c *keyCache, in *map[K]cached[T], key K, v T, at int64, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.changes != at {
		return
	}
	if *in == nil || len(*in) >= maxKeys {
		*in = map[K]cached[T]{}
	}
	(*in)[key] = cached[T]{v, now.Add(keyTTL * 3 / 4), now.Add(keyTTL)}
}

// cacheDrop drops what turned out not to exist any more: whoever does not look it up again now must not find it
// for the rest of its time.
func cacheDrop[K comparable, T any](c *keyCache, from *map[K]cached[T], key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(*from, key)
}

// APIKeys is a ports.APIKeys.
type APIKeys struct{ store *engine }

var _ ports.APIKeys = (*APIKeys)(nil)

// ByHash implements ports.APIKeys.
func (k *APIKeys) ByHash(ctx context.Context, hash [32]byte) (ports.APIKey, error) {
	now, cache := k.store.options.Now(), &k.store.keys
	if known, ok := cacheGet(cache, &cache.keys, hash, now); ok {
		return known, nil
	}
	at := cache.version()
	found, err := k.lookUp(ctx, hash)
	switch {
	case err == nil:
		cachePut(cache, &cache.keys, hash, found, at, now)
	case errors.Is(err, ports.ErrNotFound):
		cacheDrop(cache, &cache.keys, hash)
	}
	return found, err
}

// lookUp is ByHash from the database.
func (k *APIKeys) lookUp(ctx context.Context, hash [32]byte) (ports.APIKey, error) {
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
	return ports.APIKey{
		ID: r.ID(), Tenant: facts, Secret: r.Text("kind") == "secret", Environment: tenant.Environment(r.Text("environment")),
		CanRead: slices.Contains(scopes, "read"), CanWrite: slices.Contains(scopes, "write"),
	}, nil
}

// Tenant implements ports.APIKeys.
func (k *APIKeys) Tenant(ctx context.Context, id tenant.ID) (tenant.Settings, error) {
	now, cache := k.store.options.Now(), &k.store.keys
	if f, ok := cacheGet(cache, &cache.tenants, id, now); ok {
		return f, nil
	}
	at := cache.version()
	c := k.store.options.Registry.Get(identity.Tenants.Slug)
	if c == nil {
		return tenant.Settings{}, ports.ErrNotFound
	}
	r, err := k.store.view(db.SystemScope).Get(ctx, c, string(id))
	if err == nil && identity.IsDeleting(r) {
		err = ports.ErrNotFound
	}
	if errors.Is(err, ports.ErrNotFound) {
		cacheDrop(cache, &cache.tenants, id)
	}
	if err != nil {
		return tenant.Settings{}, err
	}
	f := identity.SettingsFrom(r)
	cachePut(cache, &cache.tenants, id, f, at, now)
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
