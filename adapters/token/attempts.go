package token

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/ports"
)

// maxAttemptKeys bounds what an attacker with many addresses can make us remember.
const maxAttemptKeys = 100_000

// Attempts is ports.Attempts in this process's memory.
type Attempts struct {
	window time.Duration
	mu     sync.Mutex
	failed map[string][]time.Time
}

var _ ports.Attempts = (*Attempts)(nil)

// NewAttempts counts over the given window.
func NewAttempts(window time.Duration) *Attempts {
	return &Attempts{window: window, failed: map[string][]time.Time{}}
}

// Failures is how many failures of key happened in the window before now.
func (a *Attempts) Failures(_ context.Context, key string, now time.Time) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.recent(key, now))
}

// Fail counts one failure. At the bound, keys without recent failures go first, then any.
func (a *Attempts) Fail(_ context.Context, key string, now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.failed) >= maxAttemptKeys {
		for k := range a.failed {
			a.recent(k, now)
		}
		for k := range a.failed {
			if len(a.failed) < maxAttemptKeys {
				break
			}
			delete(a.failed, k)
		}
	}
	a.failed[key] = append(a.recent(key, now), now)
}

// Clear forgets key.
func (a *Attempts) Clear(_ context.Context, key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.failed, key)
}

// recent drops what is older than the window.
func (a *Attempts) recent(key string, now time.Time) []time.Time {
	kept := slices.DeleteFunc(a.failed[key], func(t time.Time) bool { return !t.After(now.Add(-a.window)) })
	if len(kept) == 0 {
		delete(a.failed, key)
		return nil
	}
	a.failed[key] = kept
	return kept
}
