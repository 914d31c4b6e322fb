package offers

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Cache answers Lookup from memory for a short time; the package comment says how stale that may be.
type Cache struct {
	store ports.Store
	now   func() time.Time
	ttl   time.Duration

	mu         sync.Mutex
	generation int64 // incremented whenever something is dropped
	tenants    map[tenant.ID]*tenantCache
	versions   map[tenant.ID]*versionedCache
}

// tenantCache is what is cached of one tenant. The result of a lookup that was running while entries were
// dropped is not cached.
type tenantCache struct {
	generation int64
	markets    ttlMap[string, catalog.Market] // by id or code as requested
	offers     ttlMap[offerKey, pricing.Offer]
	keys       map[string][]offerKey // of offers, by variant
	codes      ttlMap[codeKey, discount.RequestedCode]
}

// ttlMap is a map of values that expire.
type ttlMap[K comparable, V any] map[K]ttlEntry[V]

// ttlEntry is a value until it expires. From renew on, the first caller to ask for it does not get it and
// looks up a new one, while the others still use it: otherwise all would look it up at the same moment.
type ttlEntry[V any] struct {
	value                V
	refreshAt, expiresAt time.Time
}

func (m ttlMap[K, V]) get(key K, now time.Time) (V, bool) {
	e := m[key]
	if now.Before(e.expiresAt) && !now.Before(e.refreshAt) {
		e.refreshAt = e.expiresAt
		m[key] = e
		return e.value, false
	}
	return e.value, now.Before(e.expiresAt)
}

func (m ttlMap[K, V]) put(key K, value V, now time.Time, life time.Duration) {
	if len(m) > maxEntriesPerTenant {
		clear(m)
	}
	m[key] = ttlEntry[V]{value, now.Add(life * 3 / 4), now.Add(life)}
}

// maxEntriesPerTenant bounds each map of one tenant, maxTenants the number of tenants; above, everything is
// dropped.
const (
	maxEntriesPerTenant = 20_000
	maxTenants          = 1_000
)

type (
	offerKey struct {
		environment tenant.Environment
		market      string
		currency    money.Currency
		rounding    money.Rounding
		locale      string
		variant     string
	}
	codeKey struct {
		environment    tenant.Environment
		currency       money.Currency
		customer, code string
	}
)

// NewCache caches what it reads from store for life; 0 caches nothing.
func NewCache(store ports.Store, now func() time.Time, life time.Duration) *Cache {
	return &Cache{store: store, now: now, ttl: life, tenants: map[tenant.ID]*tenantCache{}, versions: map[tenant.ID]*versionedCache{}}
}

// Lookup is the package's Lookup, outside any transaction and without shipping policies. Errors:
// catalog.ErrMarketNotFound.
func (c *Cache) Lookup(ctx context.Context, q Request) (Facts, error) {
	q.Codes = discount.NormalizeCodes(q.Codes)
	found, missing, since := c.cached(q)
	if missing == nil {
		return found, nil
	}
	missing.Shipping, missing.Uses = false, nil
	read, err := Lookup(ctx, c.store.Read(ports.Scope{Tenants: []tenant.ID{q.Tenant.ID}, Environment: q.Environment}), *missing)
	if err != nil {
		return Facts{}, err
	}
	c.save(*missing, read, since)
	maps.Copy(read.Offers, found.Offers)
	read.Codes = sortByCodes(q.Codes, append(found.Codes, read.Codes...))
	return read, nil
}

// cached returns what is cached, and the request for the rest; nil if nothing is missing.
func (c *Cache) cached(q Request) (Facts, *Request, int64) {
	f := Facts{
		Currency: q.Tenant.Currency, Rounding: q.Tenant.Rounding, Home: q.Tenant.Country, Offers: make(map[string]pricing.Offer, len(q.Variants)),
	}
	missing := q
	missing.Variants, missing.Codes = nil, nil
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.tenant(q.Tenant.ID)
	if q.Market != "" {
		m, ok := k.markets.get(q.Market, now)
		if !ok {
			return Facts{}, &q, k.generation
		}
		f.Market, f.Currency = &m, m.Currency
	}
	for _, id := range q.Variants {
		if o, ok := k.offers.get(offerKeyOf(q, f, id), now); ok {
			f.Offers[id] = o
		} else {
			missing.Variants = append(missing.Variants, id)
		}
	}
	for _, code := range q.Codes {
		if d, ok := k.codes.get(codeKeyOf(q, code), now); ok {
			f.Codes = append(f.Codes, d)
		} else {
			missing.Codes = append(missing.Codes, code)
		}
	}
	if len(missing.Variants)+len(missing.Codes) == 0 {
		return f, nil, 0
	}
	return f, &missing, k.generation
}

func (c *Cache) save(q Request, f Facts, since int64) {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.tenant(q.Tenant.ID)
	if k.generation != since || c.ttl <= 0 {
		return
	}
	if f.Market != nil {
		k.markets.put(q.Market, *f.Market, now, c.ttl)
	}
	for id, o := range f.Offers {
		k.putOffer(offerKeyOf(q, f, id), o, now, c.ttl)
	}
	for _, d := range f.Codes {
		if d.Discount != nil { // unknown codes are not cached
			k.codes.put(codeKeyOf(q, d.Code), d, now, c.ttl)
		}
	}
}

func offerKeyOf(q Request, f Facts, variant string) offerKey {
	return offerKey{q.Environment, f.MarketID(), f.Currency, f.Rounding, q.Locale, variant}
}

func codeKeyOf(q Request, code string) codeKey {
	return codeKey{q.Environment, q.Tenant.Currency, q.Customer, code}
}

// tenant returns the cache of t; c.mu must be locked.
func (c *Cache) tenant(t tenant.ID) *tenantCache {
	k := c.tenants[t]
	if k == nil {
		if len(c.tenants) >= maxTenants {
			clear(c.tenants)
			c.generation++
		}
		k = &tenantCache{
			generation: c.generation, markets: ttlMap[string, catalog.Market]{},
			offers: ttlMap[offerKey, pricing.Offer]{}, keys: map[string][]offerKey{}, codes: ttlMap[codeKey, discount.RequestedCode]{},
		}
		c.tenants[t] = k
	}
	return k
}

// Follow drops what other instances report as changed, until ctx ends.
func (c *Cache) Follow(ctx context.Context, news ports.ChangeNotifier) error {
	return news.Subscribe(ctx, c.Forget, c.ForgetAll)
}

// ForgetAll drops everything.
func (c *Cache) ForgetAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.generation++
	clear(c.tenants)
	clear(c.versions)
}

// Forget drops everything of t.
func (c *Cache) Forget(t tenant.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.generation++
	delete(c.tenants, t)
	delete(c.versions, t)
}

// moveStock brings what depends on stock of t in line with a transaction, and drops what it cannot, and how often codes were
// used. Two transactions may be noted in the wrong order: then the stock is that of the earlier one for the rest of the
// lifetime of the offer.
func (c *Cache) moveStock(t tenant.ID, moved stockMoves, committed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.generation++
	k := c.tenants[t]
	if k == nil {
		return
	}
	k.generation = c.generation
	clear(k.codes)
	for at, level := range moved {
		for _, key := range k.keys[at.Variant] {
			switch e, cached := k.offers[key]; {
			case key.environment != at.Environment || !cached:
			case level == nil || !committed:
				delete(k.offers, key)
			default:
				e.value.Stock.OnHand, e.value.Stock.Reserved = level.OnHand, level.Reserved
				k.offers[key] = e
			}
		}
	}
}

func (k *tenantCache) putOffer(key offerKey, o pricing.Offer, now time.Time, life time.Duration) {
	k.offers.put(key, o, now, life)
	if len(k.offers) == 1 {
		clear(k.keys)
	}
	if !slices.Contains(k.keys[key.variant], key) {
		k.keys[key.variant] = append(k.keys[key.variant], key)
	}
}

// sortByCodes orders candidates as codes.
func sortByCodes(codes []string, candidates []discount.RequestedCode) []discount.RequestedCode {
	slices.SortStableFunc(candidates, func(a, b discount.RequestedCode) int {
		return slices.Index(codes, a.Code) - slices.Index(codes, b.Code)
	})
	return candidates
}

// watchedCollections are the collections that facts are made of. The value is whether a new record changes
// the facts of others: absent records are never cached.
var watchedCollections = map[string]bool{
	"products": false, "product-variants": false, "markets": false, "market-prices": true, "discounts": false, "tenants": false,
	"shipping-policies": true, "tax-rates": true, "product-options": false,
}

// WatchedCollections are the slugs of the collections that facts are made of; true for those whose new
// records change the facts of others.
func WatchedCollections() map[string]bool { return maps.Clone(watchedCollections) }

func isWatched(s *collection.Schema) bool {
	_, is := watchedCollections[s.Slug]
	return is
}
