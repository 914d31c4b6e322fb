package metering

import (
	"crypto/sha256"
	"encoding/base64"
	"hash/maphash"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// maxKeysPerShard bounds the memory per shard that callers with many addresses can use.
const maxKeysPerShard = 2000

// burstLimiter counts calls per caller. A caller's shard is derived from its name.
type burstLimiter struct {
	seed   maphash.Seed
	shards [64]burstShard
}

type burstShard struct {
	mu      sync.Mutex
	windows map[burstKey]*burstWindow
}

// burstKey identifies a counted caller. Of a capability token it has the hash: a token may be as long as a header.
type burstKey struct {
	kind, id, address string
	token             [sha256.Size]byte
}

// burstWindow is the recent calls of one caller.
type burstWindow struct {
	quota.BurstWindow

	remote int // calls counted by other processes, slightly outdated
}

// tokenKeyKind is the kind of keys of capability tokens.
const tokenKeyKind = "token"

// name identifies the caller across processes.
func (c burstKey) name() string {
	if c.kind == tokenKeyKind {
		return tokenKeyKind + "\x00" + base64.RawURLEncoding.EncodeToString(c.token[:])
	}
	return c.kind + "\x00" + c.id + "\x00" + c.address
}

// burstKeys are the keys a call counts for; the second may be empty.
func (c Caller) burstKeys() (first, second burstKey) {
	p := c.Principal
	first = burstKey{kind: string(p.Kind), id: p.ID}
	if p.Kind == tenant.ClientKey {
		first.address = c.Address
		if c.Token != "" {
			second = burstKey{kind: tokenKeyKind, token: sha256.Sum256([]byte(c.Token))}
		}
	}
	return first, second
}

// take counts a call, or returns how long the caller has to wait. left is how many more calls it could make
// now.
func (b *burstLimiter) take(c Caller, limit int, now time.Time) (left int, wait time.Duration) {
	first, second := c.burstKeys()
	if left, wait = b.countKey(first, limit, now); wait > 0 || second == (burstKey{}) {
		return left, wait
	}
	also, wait := b.countKey(second, limit, now)
	return min(left, also), wait
}

func (b *burstLimiter) countKey(c burstKey, limit int, now time.Time) (left int, wait time.Duration) {
	s := &b.shards[maphash.Comparable(b.seed, c)%uint64(len(b.shards))]
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.windows[c]
	if w == nil {
		s.evict(now)
		w = &burstWindow{}
		s.windows[c] = w
	}
	wait = w.Take(limit, w.remote, now)
	return max(0, limit-w.remote-w.Count(now)), wait
}

// evict makes room at the bound: it drops idle callers first, then any, a quarter of them.
func (s *burstShard) evict(now time.Time) {
	if s.windows == nil {
		s.windows = map[burstKey]*burstWindow{}
	}
	if len(s.windows) < maxKeysPerShard {
		return
	}
	s.evictIdle(now)
	for c := range s.windows {
		if len(s.windows) < maxKeysPerShard*3/4 { // in bulk, since scanning all of them takes time
			return
		}
		delete(s.windows, c)
	}
}

func (s *burstShard) evictIdle(now time.Time) {
	for c, w := range s.windows {
		if w.Count(now) == 0 {
			delete(s.windows, c)
		}
	}
}

// Callers that used at least 1/busyFraction of the limit are shared with other processes, at most
// maxBusyPerShard per shard.
const (
	busyFraction    = 16
	maxBusyPerShard = 16
)

// collectBusy drops idle callers and returns the busy ones by name.
func (b *burstLimiter) collectBusy(limit int, now time.Time) map[string]int {
	busy := map[string]int{}
	for i := range b.shards {
		s := &b.shards[i]
		s.mu.Lock()
		s.evictIdle(now)
		told := 0
		for c, w := range s.windows {
			if n := w.Count(now); n >= max(1, limit/busyFraction) && told < maxBusyPerShard {
				busy[c.name()] = n
				told++
			}
		}
		s.mu.Unlock()
	}
	return busy
}

// setRemote stores what other processes counted, by caller name.
func (b *burstLimiter) setRemote(elsewhere map[string]int) {
	for i := range b.shards {
		s := &b.shards[i]
		s.mu.Lock()
		for c, w := range s.windows {
			if w.remote = 0; len(elsewhere) > 0 {
				w.remote = elsewhere[c.name()]
			}
		}
		s.mu.Unlock()
	}
}
