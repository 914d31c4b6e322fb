package payments

import (
	"slices"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/payment"
)

// How many lookups run at the same time per connection, and over how many connections.
const (
	lookupsPerConnection = 2
	maxBusyConnections   = 64
)

// maxUnreachable is how many consecutive failed lookups skip the rest of a connection until the next round.
const maxUnreachable = 5

// lookupPool looks sessions up, the sessions of each connection by workers of its own.
type lookupPool struct {
	mu          sync.Mutex
	lastLookups map[string]time.Time // when a session was last looked up, by id
	busy        map[string]bool      // connections whose lookups still run
	workers     sync.WaitGroup
}

func newLookupPool() *lookupPool {
	return &lookupPool{lastLookups: map[string]time.Time{}, busy: map[string]bool{}}
}

func (p *lookupPool) wait() { p.workers.Wait() }

// lastLookup is when a session was last looked up.
func (p *lookupPool) lastLookup(session string) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lastLookups[session]
}

// keepOnly forgets every session but these.
func (p *lookupPool) keepOnly(sessions map[string]bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id := range p.lastLookups {
		if !sessions[id] {
			delete(p.lastLookups, id)
		}
	}
}

// start looks sessions of a connection up, the longest waiting first, and returns at once. A connection whose
// lookups still run is skipped.
func (p *lookupPool) start(
	connection string, now time.Time, sessions []payment.Session, lookUp func(s payment.Session, ask bool) (unreachable bool),
) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.busy[connection] || len(p.busy) >= maxBusyConnections {
		return
	}
	p.busy[connection] = true
	slices.SortStableFunc(sessions, func(a, b payment.Session) int { return p.lastLookups[a.ID].Compare(p.lastLookups[b.ID]) })
	one := connectionLookups{pool: p, now: now, sessions: sessions, lookUp: lookUp}
	p.workers.Go(func() {
		var running sync.WaitGroup
		for range lookupsPerConnection {
			running.Go(one.run)
		}
		running.Wait()
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.busy, connection)
	})
}

// connectionLookups is the lookups of one connection in one round.
type connectionLookups struct {
	pool        *lookupPool
	now         time.Time
	lookUp      func(s payment.Session, ask bool) (unreachable bool)
	sessions    []payment.Session // still to be looked up; guarded by pool.mu
	unreachable int               // consecutive lookups that did not reach the provider; guarded by pool.mu
}

// run looks up one session after the other. Once the provider has turned out to be unreachable, the rest is
// processed without asking it and stays due.
func (p *connectionLookups) run() {
	for s, ask, more := p.next(); more; s, ask, more = p.next() {
		p.recordResult(p.lookUp(s, ask), ask)
	}
}

func (p *connectionLookups) next() (s payment.Session, ask, more bool) {
	p.pool.mu.Lock()
	defer p.pool.mu.Unlock()
	if len(p.sessions) == 0 {
		return s, false, false
	}
	s, p.sessions = p.sessions[0], p.sessions[1:]
	if ask = p.unreachable < maxUnreachable; ask {
		p.pool.lastLookups[s.ID] = p.now
	}
	return s, ask, true
}

func (p *connectionLookups) recordResult(unreachable, asked bool) {
	p.pool.mu.Lock()
	defer p.pool.mu.Unlock()
	switch {
	case unreachable:
		p.unreachable++
	case asked:
		p.unreachable = 0
	}
}
