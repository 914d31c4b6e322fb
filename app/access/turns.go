package access

import (
	"context"
	"sync"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// maxInLine is how many logins under one throttle key may wait for their turn; one more is told to come back.
const maxInLine = 32

// turns lets one login per throttle key be checked at a time, so that logins at the same moment are neither more guesses
// than the limit nor counted against each other while their outcome is open. The zero value is ready.
type turns struct {
	mu   sync.Mutex
	open map[string]*turn
}

type turn struct {
	taken chan struct{} // holds a token while somebody has the turn
	in    int           // who has it, and who waits
}

// take waits for the turn of key; leave gives it on. Errors: fault.ErrUnavailable when too many wait, ctx's.
func (t *turns) take(ctx context.Context, key string) (leave func(), err error) {
	t.mu.Lock()
	if t.open == nil {
		t.open = map[string]*turn{}
	}
	at := t.open[key]
	if at == nil {
		at = &turn{taken: make(chan struct{}, 1)}
		t.open[key] = at
	}
	if at.in > maxInLine {
		t.mu.Unlock()
		return nil, fault.ErrUnavailable
	}
	at.in++
	t.mu.Unlock()
	select {
	case at.taken <- struct{}{}:
		return func() { <-at.taken; t.left(key, at) }, nil
	case <-ctx.Done():
		t.left(key, at)
		return nil, ctx.Err()
	}
}

func (t *turns) left(key string, at *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if at.in--; at.in == 0 {
		delete(t.open, key)
	}
}
