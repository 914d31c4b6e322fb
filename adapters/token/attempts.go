package token

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/ports"
)

// maxAttemptKeys bounds the memory that an attacker with many addresses can take.
const maxAttemptKeys = 100_000

// AttemptLimiter is ports.AttemptLimiter in this process's memory.
type AttemptLimiter struct {
	window   time.Duration
	mu       sync.Mutex
	attempts map[string][]time.Time
}

var _ ports.AttemptLimiter = (*AttemptLimiter)(nil)

// NewAttemptLimiter counts over the given window.
func NewAttemptLimiter(window time.Duration) *AttemptLimiter {
	return &AttemptLimiter{window: window, attempts: map[string][]time.Time{}}
}

// Try implements ports.AttemptLimiter. At the bound, keys without recent attempts are evicted first, then
// any.
func (a *AttemptLimiter) Try(_ context.Context, key string, limit int, now time.Time) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	recent := a.recent(key, now)
	if len(recent) >= limit {
		return recent[len(recent)-limit].Add(a.window).Sub(now)
	}
	if len(a.attempts) >= maxAttemptKeys {
		a.evict(now)
	}
	a.attempts[key] = append(recent, now)
	return 0
}

func (a *AttemptLimiter) evict(now time.Time) {
	for k := range a.attempts {
		a.recent(k, now)
	}
	for k := range a.attempts {
		if len(a.attempts) < maxAttemptKeys {
			return
		}
		delete(a.attempts, k)
	}
}

// Undo implements ports.AttemptLimiter.
func (a *AttemptLimiter) Undo(_ context.Context, key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if all := a.attempts[key]; len(all) > 1 {
		a.attempts[key] = all[:len(all)-1]
	} else {
		delete(a.attempts, key)
	}
}

// Reset implements ports.AttemptLimiter.
func (a *AttemptLimiter) Reset(_ context.Context, key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.attempts, key)
}

// recent drops attempts older than the window.
func (a *AttemptLimiter) recent(key string, now time.Time) []time.Time {
	kept := slices.DeleteFunc(a.attempts[key], func(t time.Time) bool { return !t.After(now.Add(-a.window)) })
	if len(kept) == 0 {
		delete(a.attempts, key)
		return nil
	}
	a.attempts[key] = kept
	return kept
}
