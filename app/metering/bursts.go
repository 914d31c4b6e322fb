package metering

import (
	"hash/maphash"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// maxCallers bounds, per shard, what callers with many addresses can make us remember.
const maxCallers = 2000

// bursts counts callers. A caller's shard follows from its name.
type bursts struct {
	seed   maphash.Seed
	shards [64]shard
}

type shard struct {
	mu      sync.Mutex
	callers map[caller]*burst
}

// caller names who is counted.
type caller struct{ kind, id, address string }

// burst is what one caller did.
type burst struct {
	quota.Window

	elsewhere int // what other processes counted, a moment ago
}

// kindToken names the count of a capability token.
const kindToken = "token"

// text is caller as other processes know it.
func (c caller) text() string { return c.kind + "\x00" + c.id + "\x00" + c.address }

// callers are those that a call counts for; the second may be none.
func (c Caller) callers() (first, second caller) {
	p := c.Principal
	first = caller{kind: string(p.Kind), id: p.ID}
	if p.Kind == tenant.ClientKey {
		first.address = c.Address
		if c.Token != "" {
			second = caller{kind: kindToken, id: c.Token}
		}
	}
	return first, second
}

// take counts a call, or says how long the caller has to wait. left is how many more it could make now.
func (b *bursts) take(c Caller, limit int, now time.Time) (left int, wait time.Duration) {
	first, second := c.callers()
	if left, wait = b.count(first, limit, now); wait > 0 || second == (caller{}) {
		return left, wait
	}
	also, wait := b.count(second, limit, now)
	return min(left, also), wait
}

func (b *bursts) count(c caller, limit int, now time.Time) (left int, wait time.Duration) {
	s := &b.shards[maphash.Comparable(b.seed, c)%uint64(len(b.shards))]
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.callers[c]
	if w == nil {
		s.makeRoom(now)
		w = &burst{}
		s.callers[c] = w
	}
	wait = w.Take(limit, w.elsewhere, now)
	return max(0, limit-w.elsewhere-w.Count(now)), wait
}

// makeRoom forgets callers at the bound: those at rest first, then any, a quarter of them.
func (s *shard) makeRoom(now time.Time) {
	if s.callers == nil {
		s.callers = map[caller]*burst{}
	}
	if len(s.callers) < maxCallers {
		return
	}
	s.forgetResting(now)
	for c := range s.callers {
		if len(s.callers) < maxCallers*3/4 { // not one by one: looking through all of them takes its time
			return
		}
		delete(s.callers, c)
	}
}

func (s *shard) forgetResting(now time.Time) {
	for c, w := range s.callers {
		if w.Count(now) == 0 {
			delete(s.callers, c)
		}
	}
}

// Callers that made at least a busyth of the limit are told to other processes, of each shard at most maxBusy.
const (
	busyth  = 16
	maxBusy = 16
)

// tidy forgets callers at rest and returns the busy ones by name.
func (b *bursts) tidy(limit int, now time.Time) map[string]int {
	busy := map[string]int{}
	for i := range b.shards {
		s := &b.shards[i]
		s.mu.Lock()
		s.forgetResting(now)
		told := 0
		for c, w := range s.callers {
			if n := w.Count(now); n >= max(1, limit/busyth) && told < maxBusy {
				busy[c.text()] = n
				told++
			}
		}
		s.mu.Unlock()
	}
	return busy
}

// learn takes what other processes counted of callers, by name.
func (b *bursts) learn(elsewhere map[string]int) {
	for i := range b.shards {
		s := &b.shards[i]
		s.mu.Lock()
		for c, w := range s.callers {
			if w.elsewhere = 0; len(elsewhere) > 0 {
				w.elsewhere = elsewhere[c.text()]
			}
		}
		s.mu.Unlock()
	}
}
