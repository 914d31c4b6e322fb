package delivering

import (
	"sync"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// The bounds of places.
const (
	placesAtAll = 512 // unless told otherwise
	shareOfAll  = 4   // of all places are a tenant's at most
	leastShare  = 32  // places, but never more than half of what is free
	failingHalf = 2   // of a share is the most that is spent on endpoints that failed last
)

// places are the requests that may be under way at a time. A tenant has no more of them than its share, and no more than are
// left for others: however many tenants take what they can get, the next one finds some, as soon as requests end.
type places struct {
	mu    sync.Mutex
	all   int
	taken int
	of    map[tenant.ID]int
	short map[tenant.ID]bool // somebody of it found none
}

// open says how many there are.
func (p *places) open(all int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all == 0 {
		if p.all = all; all <= 0 {
			p.all = placesAtAll
		}
		p.of, p.short = map[tenant.ID]int{}, map[tenant.ID]bool{}
	}
}

// spare is how many places a tenant may take now, for an endpoint that failed last or not.
func (p *places) spare(of tenant.ID, failing bool) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.left(of, failing)
}

func (p *places) left(of tenant.ID, failing bool) int {
	share := max(p.all/shareOfAll, leastShare)
	if failing {
		share /= failingHalf
	}
	return max(min(share, p.all-p.taken)-p.of[of], 0)
}

// take takes one if the tenant may have it.
func (p *places) take(of tenant.ID, failing bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left(of, failing) == 0 {
		return false
	}
	p.taken++
	p.of[of]++
	return true
}

// give gives n of a tenant's back.
func (p *places) give(of tenant.ID, n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken -= n
	if p.of[of] -= n; p.of[of] <= 0 {
		delete(p.of, of)
		delete(p.short, of)
	}
}

// missed notes that an endpoint of a tenant found none to begin with: one that has had its turn makes way.
func (p *places) missed(of tenant.ID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of[of] > 0 {
		p.short[of] = true
	}
}

// makeWay reports, once for each time that it is so, whether a place of the tenant is wanted by another endpoint of it.
func (p *places) makeWay(of tenant.ID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	way := p.short[of]
	delete(p.short, of)
	return way
}
