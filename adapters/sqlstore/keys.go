package sqlstore

import (
	"context"
	"encoding/hex"
	"slices"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// systemScope is work across tenants.
var systemScope = ports.Scope{System: true}

// keyLife is how long a looked-up key or tenant may be out of date: a revoked key works at most this much longer.
const keyLife = time.Second

// maxKeys bounds the cache; beyond it starts over.
const maxKeys = 10_000

// keyCache remembers found keys and tenants for keyLife. What is absent is not remembered: a new key works at once.
type keyCache struct {
	mu      sync.RWMutex
	keys    map[[32]byte]cached[ports.Key]
	tenants map[tenant.ID]cached[tenant.Facts]
}

type cached[T any] struct {
	value        T
	renew, until time.Time
}

// recall reads a cached value that is still good. When it is so only for a little longer, the first who asks is told to
// look it up again, so that not everybody does in the moment it ends.
func recall[K comparable, T any](c *keyCache, from *map[K]cached[T], key K, now time.Time) (v T, ok bool) {
	c.mu.RLock()
	e, ok := (*from)[key]
	c.mu.RUnlock()
	if !ok || now.After(e.until) {
		return v, false
	}
	if now.Before(e.renew) {
		return e.value, true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok = (*from)[key]; ok && !now.Before(e.renew) {
		e.renew = e.until
		(*from)[key] = e
		return v, false
	}
	return e.value, ok
}

func remember[K comparable, T any](c *keyCache, in *map[K]cached[T], key K, v T, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if *in == nil || len(*in) >= maxKeys {
		*in = map[K]cached[T]{}
	}
	(*in)[key] = cached[T]{v, now.Add(keyLife * 3 / 4), now.Add(keyLife)}
}

// ByHash implements ports.Keys.
func (s *Store) ByHash(ctx context.Context, hash [32]byte) (ports.Key, error) {
	now := s.o.Now()
	if k, ok := recall(&s.keys, &s.keys.keys, hash, now); ok {
		return k, nil
	}
	c := s.o.Registry.Get("api-keys")
	if c == nil {
		return ports.Key{}, ports.ErrAbsent
	}
	r, err := s.firstOf(ctx, c, c.Where("hash", collection.Equals, hex.EncodeToString(hash[:])))
	if err != nil {
		return ports.Key{}, err
	}
	if !r.Time("revokedAt").IsZero() {
		return ports.Key{}, ports.ErrAbsent
	}
	facts, err := s.Tenant(ctx, tenant.ID(r.Text("tenant")))
	if err != nil {
		return ports.Key{}, err
	}
	scopes := r.Texts("scopes")
	k := ports.Key{
		ID: r.ID(), Tenant: facts, Secret: r.Text("kind") == "secret", Environment: tenant.Environment(r.Text("environment")),
		CanRead: slices.Contains(scopes, "read"), CanWrite: slices.Contains(scopes, "write"),
	}
	remember(&s.keys, &s.keys.keys, hash, k, now)
	return k, nil
}

// Tenant implements ports.Keys.
func (s *Store) Tenant(ctx context.Context, id tenant.ID) (tenant.Facts, error) {
	now := s.o.Now()
	if f, ok := recall(&s.keys, &s.keys.tenants, id, now); ok {
		return f, nil
	}
	c := s.o.Registry.Get("tenants")
	if c == nil {
		return tenant.Facts{}, ports.ErrAbsent
	}
	r, err := s.Read(systemScope).Get(ctx, c, string(id))
	if err != nil {
		return tenant.Facts{}, err
	}
	f := identity.FactsOf(r)
	remember(&s.keys, &s.keys.tenants, id, f, now)
	return f, nil
}

// firstOf finds one record across tenants.
func (s *Store) firstOf(ctx context.Context, c *collection.Schema, where collection.Cond) (collection.Record, error) {
	page, err := s.Read(systemScope).Find(ctx, collection.Query{Schema: c, Where: where, Limit: 1, Page: 1})
	if err != nil {
		return nil, err
	}
	if len(page.Docs) == 0 {
		return nil, ports.ErrAbsent
	}
	return page.Docs[0], nil
}
