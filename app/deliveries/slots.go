package deliveries

import (
	"sync"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Limits of slots.
const (
	defaultSlots        = 512 // default number of slots
	tenantShareDivisor  = 4   // a tenant may use at most this fraction of all slots
	minTenantSlots      = 32  // a tenant may use this many slots in any case, but at most half of the free ones
	failingShareDivisor = 2   // at most this fraction of a tenant's share is used for failing endpoints
)

// slotPool limits the requests in flight. A tenant gets at most its share, and always leaves slots to others:
// however many tenants use all they can get, the next one finds some as requests end.
type slotPool struct {
	mu       sync.Mutex
	total    int
	used     int
	byTenant map[tenant.ID]int
	starved  map[tenant.ID]bool // an endpoint of the tenant found no slot
}

// init sets the number of slots.
func (p *slotPool) init(all int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.total == 0 {
		if p.total = all; all <= 0 {
			p.total = defaultSlots
		}
		p.byTenant, p.starved = map[tenant.ID]int{}, map[tenant.ID]bool{}
	}
}

// available is how many slots a tenant may acquire now, for a failing endpoint or not.
func (p *slotPool) available(of tenant.ID, failing bool) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.free(of, failing)
}

func (p *slotPool) free(of tenant.ID, failing bool) int {
	share := max(p.total/tenantShareDivisor, minTenantSlots)
	if failing {
		share /= failingShareDivisor
	}
	return max(min(share, p.total-p.used)-p.byTenant[of], 0)
}

// acquire acquires a slot if the tenant may have one.
func (p *slotPool) acquire(of tenant.ID, failing bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.free(of, failing) == 0 {
		return false
	}
	p.used++
	p.byTenant[of]++
	return true
}

// release releases n slots of a tenant.
func (p *slotPool) release(of tenant.ID, n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.used -= n
	if p.byTenant[of] -= n; p.byTenant[of] <= 0 {
		delete(p.byTenant, of)
		delete(p.starved, of)
	}
}

// markStarved notes that an endpoint of a tenant got no slot for its first request, so that one that has had
// its turn yields.
func (p *slotPool) markStarved(of tenant.ID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byTenant[of] > 0 {
		p.starved[of] = true
	}
}

// shouldYield reports, once per mark, whether a slot of the tenant is wanted by another of its endpoints.
func (p *slotPool) shouldYield(of tenant.ID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	way := p.starved[of]
	delete(p.starved, of)
	return way
}
