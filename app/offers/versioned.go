package offers

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Versioned are facts with the catalog version at which all of them hold, but for stock. Whoever reads the same version in
// a transaction may use them there as what the transaction sees.
type Versioned struct {
	Facts   Facts
	version int64
	request Request
	cache   *Cache
}

// versionedCache is what is cached of one tenant at one catalog version. It needs no lifetime: whoever uses it compares the
// version.
type versionedCache struct {
	version  int64
	markets  map[string]catalog.Market // by id or code as requested
	offers   map[offerKey]pricing.Offer
	policies map[money.Currency]*shipping.Policy // default ones; nil: there is none
}

// Versioned is Lookup of a request without codes, with shipping policies. It is nil where the store has no versions, and
// if something that was requested does not exist. Errors: catalog.ErrMarketNotFound.
func (c *Cache) Versioned(ctx context.Context, q Request) (*Versioned, error) {
	q.Shipping, q.Uses, q.Codes, q.Variants = true, nil, nil, unique(q.Variants)
	if f, version, ok := c.versioned(q); ok {
		return &Versioned{f, version, q, c}, nil
	}
	reader := c.store.Read(ports.Scope{Tenants: []tenant.ID{q.Tenant.ID}, Environment: q.Environment})
	version, ok, err := reader.CatalogVersion(ctx) // before the facts: they hold at this version, or it is found to be over
	if err != nil || !ok {
		return nil, err
	}
	f, err := Lookup(ctx, reader, q)
	if err != nil || len(f.Offers) < len(q.Variants) {
		return nil, err
	}
	c.saveVersioned(q, f, version)
	return &Versioned{f, version, q, c}, nil
}

func (c *Cache) versioned(q Request) (f Facts, version int64, ok bool) {
	f = Facts{
		Currency: q.Tenant.Currency, Rounding: q.Tenant.Rounding, Home: q.Tenant.Country, Offers: make(map[string]pricing.Offer, len(q.Variants)),
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.versions[q.Tenant.ID]
	if k == nil {
		return f, 0, false
	}
	if q.Market != "" {
		m, ok := k.markets[q.Market]
		if !ok {
			return f, 0, false
		}
		f.Market, f.Currency = &m, m.Currency
	}
	for _, id := range q.Variants {
		o, ok := k.offers[offerKeyOf(q, f, id)]
		if !ok {
			return f, 0, false
		}
		f.Offers[id] = o
	}
	f.Policy, ok = k.policies[f.Currency]
	return f, k.version, ok
}

func (c *Cache) saveVersioned(q Request, f Facts, version int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.versions[q.Tenant.ID]
	if k == nil || k.version != version || len(k.offers) > maxEntriesPerTenant {
		if len(c.versions) >= maxTenants {
			clear(c.versions)
		}
		k = &versionedCache{
			version: version, markets: map[string]catalog.Market{}, offers: map[offerKey]pricing.Offer{}, policies: map[money.Currency]*shipping.Policy{},
		}
		c.versions[q.Tenant.ID] = k
	}
	if f.Market != nil {
		k.markets[q.Market] = *f.Market
	}
	for id, o := range f.Offers {
		k.offers[offerKeyOf(q, f, id)] = o
	}
	k.policies[f.Currency] = f.Policy
}

// forgetVersion drops what is cached at a version that is over.
func (c *Cache) forgetVersion(t tenant.ID, version int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.versions[t]; k != nil && k.version == version {
		delete(c.versions, t)
	}
}

// Declare declares what Current reads.
func (v *Versioned) Declare(p *ports.Prefetch) {
	p.CatalogVersion, p.Available, p.Environment = true, v.request.Variants, v.request.Environment
}

// Current is what q asks for as the transaction sees it, if that is what was found before it; ok is false otherwise.
func (v *Versioned) Current(ctx context.Context, tx ports.Tx, q Request) (f Facts, ok bool, err error) {
	if v == nil || !v.answers(q) {
		return f, false, nil
	}
	version, ok, err := tx.Records.CatalogVersion(ctx)
	if err != nil || !ok {
		return f, false, err
	}
	if version != v.version {
		v.cache.forgetVersion(q.Tenant.ID, v.version)
		return f, false, nil
	}
	levels, err := tx.Stock.Available(ctx, q.Environment, v.request.Variants)
	if err != nil {
		return f, false, err
	}
	f = v.Facts
	f.Offers = make(map[string]pricing.Offer, len(v.Facts.Offers))
	for id, o := range v.Facts.Offers {
		o.Stock.OnHand, o.Stock.Reserved = levels[id].OnHand, levels[id].Reserved
		f.Offers[id] = o
	}
	return f, true, nil
}

// answers reports whether v is what q asks for.
func (v *Versioned) answers(q Request) bool {
	was := v.request
	if len(q.Codes) > 0 || q.Market != was.Market || q.Locale != was.Locale || q.Environment != was.Environment || q.Tenant.Currency != was.Tenant.Currency ||
		q.Tenant.Rounding != was.Tenant.Rounding || q.Policy != was.Policy || q.Currency != was.Currency || q.Explain != was.Explain {
		return false
	}
	for _, id := range q.Variants {
		if _, found := v.Facts.Offers[id]; !found {
			return false
		}
	}
	return true
}
