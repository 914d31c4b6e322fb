package access

import (
	"context"
	"sync"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// maxLoginQueue is how many logins may wait under one throttle key; any further one is refused as
// unavailable.
const maxLoginQueue = 32

// keyedMutex serializes the password checks of one throttle key, so that concurrent logins can neither exceed
// the limit nor count against each other while their results are open. The zero value is ready for use.
type keyedMutex struct {
	mu      sync.Mutex
	entries map[string]*keyedMutexEntry
}

type keyedMutexEntry struct {
	held  chan struct{} // contains a token while locked
	users int           // the owner and those waiting
}

// lock locks key; leave unlocks it. Errors: fault.ErrUnavailable when too many are waiting, and those of ctx.
func (t *keyedMutex) lock(ctx context.Context, key string) (leave func(), err error) {
	t.mu.Lock()
	if t.entries == nil {
		t.entries = map[string]*keyedMutexEntry{}
	}
	at := t.entries[key]
	if at == nil {
		at = &keyedMutexEntry{held: make(chan struct{}, 1)}
		t.entries[key] = at
	}
	if at.users > maxLoginQueue {
		t.mu.Unlock()
		return nil, fault.ErrUnavailable
	}
	at.users++
	t.mu.Unlock()
	select {
	case at.held <- struct{}{}:
		return func() { <-at.held; t.drop(key, at) }, nil
	case <-ctx.Done():
		t.drop(key, at)
		return nil, ctx.Err()
	}
}

func (t *keyedMutex) drop(key string, at *keyedMutexEntry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if at.users--; at.users == 0 {
		delete(t.entries, key)
	}
}
