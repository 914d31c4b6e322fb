package payments

import (
	"context"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// keyedLimiter limits concurrency per key. Keys without users take no memory.
type keyedLimiter struct {
	mu      sync.Mutex
	entries map[string]*limiterEntry
}

type limiterEntry struct {
	slots chan struct{}
	users int // that have a slot or wait for one
}

// acquire waits until ctx ends for one of n slots of a key; release gives it back. Errors: fault.ErrUnavailable.
func (l *keyedLimiter) acquire(ctx context.Context, key string, n int) (release func(), err error) {
	entry := l.join(key, n)
	select {
	case entry.slots <- struct{}{}:
		return func() { <-entry.slots; l.leave(key, entry) }, nil
	case <-ctx.Done():
		l.leave(key, entry)
		return nil, fault.ErrUnavailable.WithRetry(time.Second).WithCause(ctx.Err())
	}
}

func (l *keyedLimiter) join(key string, n int) *limiterEntry {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.entries == nil {
		l.entries = map[string]*limiterEntry{}
	}
	entry := l.entries[key]
	if entry == nil {
		entry = &limiterEntry{slots: make(chan struct{}, n)}
		l.entries[key] = entry
	}
	entry.users++
	return entry
}

func (l *keyedLimiter) leave(key string, entry *limiterEntry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if entry.users--; entry.users == 0 {
		delete(l.entries, key)
	}
}
