package token

import (
	"context"
	"crypto/sha256"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/cartwright-dev/cartwright/ports"
)

// maxAttemptKeys bounds the memory that an attacker with many addresses can take.
const maxAttemptKeys = 100_000

// AttemptLimiter is ports.AttemptLimiter in this process's memory. It keeps the hashes of keys, so that their length
// takes no memory. At the bound, the key that was tried longest ago makes room, in constant time.
type AttemptLimiter struct {
	window   time.Duration
	mu       sync.Mutex
	attempts *simplelru.LRU[[sha256.Size]byte, []time.Time]
}

var _ ports.AttemptLimiter = (*AttemptLimiter)(nil)

// NewAttemptLimiter counts over the given window.
func NewAttemptLimiter(window time.Duration) *AttemptLimiter {
	attempts, _ := simplelru.NewLRU[[sha256.Size]byte, []time.Time](maxAttemptKeys, nil) // fails on sizes below 1
	return &AttemptLimiter{window: window, attempts: attempts}
}

// Try implements ports.AttemptLimiter.
func (a *AttemptLimiter) Try(_ context.Context, key string, limit int, now time.Time) time.Duration {
	hash := sha256.Sum256([]byte(key))
	a.mu.Lock()
	defer a.mu.Unlock()
	recent, _ := a.attempts.Get(hash)
	recent = slices.DeleteFunc(recent, func(t time.Time) bool { return !t.After(now.Add(-a.window)) })
	if len(recent) >= limit {
		a.attempts.Add(hash, recent)
		return recent[len(recent)-limit].Add(a.window).Sub(now)
	}
	a.attempts.Add(hash, append(recent, now))
	return 0
}

// Undo implements ports.AttemptLimiter.
func (a *AttemptLimiter) Undo(_ context.Context, key string) {
	hash := sha256.Sum256([]byte(key))
	a.mu.Lock()
	defer a.mu.Unlock()
	if all, _ := a.attempts.Get(hash); len(all) > 1 {
		a.attempts.Add(hash, all[:len(all)-1])
		return
	}
	a.attempts.Remove(hash)
}

// Reset implements ports.AttemptLimiter.
func (a *AttemptLimiter) Reset(_ context.Context, key string) {
	hash := sha256.Sum256([]byte(key))
	a.mu.Lock()
	defer a.mu.Unlock()
	a.attempts.Remove(hash)
}
