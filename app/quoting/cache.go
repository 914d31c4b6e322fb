package quoting

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

// Cache answers Lookup from memory for a short while; the package comment says how far behind that may be.
type Cache struct {
	store ports.Store
	now   func() time.Time
	life  time.Duration

	mu      sync.Mutex
	drops   int64 // how often something was dropped
	tenants map[tenant.ID]*known
}

// known is what is remembered of one tenant since the drop that since counts: a lookup that was on its way during a drop
// is not remembered.
type known struct {
	since   int64
	markets memo[string, catalog.Market] // by id or code as asked for
	offers  memo[offerKey, pricing.Offer]
	codes   memo[codeKey, discount.Candidate]
}

// memo is values that live for a while.
type memo[K comparable, V any] map[K]remembered[V]

// remembered is a value until its time is over. From renew on the first who asks does not get it, and brings a new one,
// while the others go on with it: otherwise everyone would look it up in the same moment.
type remembered[V any] struct {
	value        V
	renew, until time.Time
}

func (m memo[K, V]) get(key K, now time.Time) (V, bool) {
	e := m[key]
	if now.Before(e.until) && !now.Before(e.renew) {
		e.renew = e.until
		m[key] = e
		return e.value, false
	}
	return e.value, now.Before(e.until)
}

func (m memo[K, V]) put(key K, value V, now time.Time, life time.Duration) {
	if len(m) > maxEntries {
		clear(m)
	}
	m[key] = remembered[V]{value, now.Add(life * 3 / 4), now.Add(life)}
}

// maxEntries bounds each memo of one tenant, maxTenants the number of tenants; above, everything goes.
const (
	maxEntries = 20_000
	maxTenants = 1_000
)

type (
	offerKey struct {
		environment tenant.Environment
		market      string
		currency    money.Currency
		rounding    money.Rounding
		variant     string
	}
	codeKey struct {
		environment    tenant.Environment
		currency       money.Currency
		customer, code string
	}
)

// NewCache remembers what it reads from store for life; 0 remembers nothing.
func NewCache(store ports.Store, now func() time.Time, life time.Duration) *Cache {
	return &Cache{store: store, now: now, life: life, tenants: map[tenant.ID]*known{}}
}

// Lookup is the package's Lookup, outside any transaction and without shipping policies. Errors: catalog.ErrMarketNotFound.
func (c *Cache) Lookup(ctx context.Context, q Request) (Facts, error) {
	q.Codes = discount.NormalList(q.Codes)
	found, missing, since := c.recall(q)
	if missing == nil {
		return found, nil
	}
	missing.Shipping, missing.Uses = false, nil
	read, err := Lookup(ctx, c.store.Read(ports.Scope{Tenants: []tenant.ID{q.Tenant.ID}, Environment: q.Environment}), *missing)
	if err != nil {
		return Facts{}, err
	}
	c.remember(*missing, read, since)
	maps.Copy(read.Offers, found.Offers)
	read.Codes = inOrder(q.Codes, append(found.Codes, read.Codes...))
	return read, nil
}

// recall collects what is remembered, and what has to be asked for besides; nil when that is nothing.
func (c *Cache) recall(q Request) (Facts, *Request, int64) {
	f := Facts{Currency: q.Tenant.Currency, Rounding: q.Tenant.Rounding, Offers: make(map[string]pricing.Offer, len(q.Variants))}
	missing := q
	missing.Variants, missing.Codes = nil, nil
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.of(q.Tenant.ID)
	if q.Market != "" {
		m, ok := k.markets.get(q.Market, now)
		if !ok {
			return Facts{}, &q, k.since
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
	return f, &missing, k.since
}

func (c *Cache) remember(q Request, f Facts, since int64) {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.of(q.Tenant.ID)
	if k.since != since || c.life <= 0 {
		return
	}
	if f.Market != nil {
		k.markets.put(q.Market, *f.Market, now, c.life)
	}
	for id, o := range f.Offers {
		k.offers.put(offerKeyOf(q, f, id), o, now, c.life)
	}
	for _, d := range f.Codes {
		if d.Discount != nil { // a code that nobody has is not worth the room
			k.codes.put(codeKeyOf(q, d.Code), d, now, c.life)
		}
	}
}

func offerKeyOf(q Request, f Facts, variant string) offerKey {
	return offerKey{q.Environment, f.MarketID(), f.Currency, f.Rounding, variant}
}

func codeKeyOf(q Request, code string) codeKey {
	return codeKey{q.Environment, q.Tenant.Currency, q.Customer, code}
}

// of finds the memory of t; c.mu is held.
func (c *Cache) of(t tenant.ID) *known {
	k := c.tenants[t]
	if k == nil {
		if len(c.tenants) >= maxTenants {
			clear(c.tenants)
			c.drops++
		}
		k = &known{
			since: c.drops, markets: memo[string, catalog.Market]{},
			offers: memo[offerKey, pricing.Offer]{}, codes: memo[codeKey, discount.Candidate]{},
		}
		c.tenants[t] = k
	}
	return k
}

// Follow forgets what others tell that they changed, until ctx ends.
func (c *Cache) Follow(ctx context.Context, news ports.News) error {
	return news.Follow(ctx, c.Forget, c.ForgetAll)
}

// ForgetAll drops all that is remembered.
func (c *Cache) ForgetAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drops++
	clear(c.tenants)
}

// Forget drops what is remembered of t.
func (c *Cache) Forget(t tenant.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drops++
	delete(c.tenants, t)
}

// inOrder sorts candidates by codes.
func inOrder(codes []string, candidates []discount.Candidate) []discount.Candidate {
	slices.SortStableFunc(candidates, func(a, b discount.Candidate) int {
		return slices.Index(codes, a.Code) - slices.Index(codes, b.Code)
	})
	return candidates
}

// watched are the collections whose records facts are made of. The value is whether a new record changes facts of others:
// what is not there is never remembered.
var watched = map[string]bool{"products": false, "product-variants": false, "markets": false, "market-prices": true, "discounts": false, "tenants": false}

// Watched are the slugs of the collections whose records facts are made of; those whose new records change facts of others
// are true.
func Watched() map[string]bool { return maps.Clone(watched) }

func concerns(s *collection.Schema) bool {
	_, is := watched[s.Slug]
	return is
}
