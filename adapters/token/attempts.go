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

// Try implements ports.Attempts. At the bound of keys, those without recent attempts
// go first, then any.
func (a *Attempts) Try(_ context.Context, key string, limit int, now time.Time) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	recent := a.recent(key, now)
	if len(recent) >= limit {
		return recent[len(recent)-limit].Add(a.window).Sub(now)
	}
	if len(a.failed) >= maxAttemptKeys {
		a.makeRoom(now)
	}
	a.failed[key] = append(recent, now)
	return 0
}

func (a *Attempts) makeRoom(now time.Time) {
	for k := range a.failed {
		a.recent(k, now)
	}
	for k := range a.failed {
		if len(a.failed) < maxAttemptKeys {
			return
		}
		delete(a.failed, k)
	}
}

// TakeBack implements ports.Attempts.
func (a *Attempts) TakeBack(_ context.Context, key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if all := a.failed[key]; len(all) > 1 {
		a.failed[key] = all[:len(all)-1]
	} else {
		delete(a.failed, key)
	}
}

// Clear implements ports.Attempts.
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
